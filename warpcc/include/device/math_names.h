/* Names of functions of the device that are declared before the C++ library. */
#ifndef WARPCC_DEVICE_MATH_NAMES_H
#define WARPCC_DEVICE_MATH_NAMES_H
#pragma clang system_header

/* What the operators `new` and `delete` of the device call. */
extern "C" {
__device__ void *malloc(__SIZE_TYPE__) __attribute__((nothrow));
__device__ void free(void *) __attribute__((nothrow));
}

/* One argument, in <cmath>. */
#define WARPCC_UNARY(X) \
    X(acos) X(acosh) X(asin) X(asinh) X(atan) X(atanh) X(cbrt) X(ceil) X(cos) X(cosh) X(erf) \
    X(erfc) X(exp) X(exp2) X(expm1) X(fabs) X(floor) X(lgamma) X(log) X(log10) X(log1p) X(log2) \
    X(logb) X(nearbyint) X(rint) X(round) X(sin) X(sinh) X(sqrt) X(tan) X(tanh) X(tgamma) X(trunc)

/* Two arguments, in <cmath>. */
#define WARPCC_BINARY(X) \
    X(atan2) X(copysign) X(fdim) X(fmax) X(fmin) X(fmod) X(hypot) X(nextafter) X(pow) X(remainder)

/* One argument, of CUDA. */
#define WARPCC_OF_CUDA(X) \
    X(rsqrt) X(rcbrt) X(exp10) X(sinpi) X(cospi) X(erfinv) X(erfcinv) X(erfcx) X(normcdf) \
    X(normcdfinv) X(j0) X(j1) X(y0) X(y1)

#define WARPCC_DECLARE_1(name) \
    static __device__ double name(double); \
    static __device__ float name(float); \
    static __device__ float name##f(float);
#define WARPCC_DECLARE_2(name) \
    static __device__ double name(double, double); \
    static __device__ float name(float, float); \
    static __device__ float name##f(float, float);
WARPCC_UNARY(WARPCC_DECLARE_1)
WARPCC_OF_CUDA(WARPCC_DECLARE_1)
WARPCC_BINARY(WARPCC_DECLARE_2)
#undef WARPCC_DECLARE_1
#undef WARPCC_DECLARE_2

#define WARPCC_DECLARE_MIXED(T, suffix) \
    static __device__ T frexp##suffix(T, int *); \
    static __device__ T ldexp##suffix(T, int); \
    static __device__ T modf##suffix(T, T *); \
    static __device__ T remquo##suffix(T, T, int *); \
    static __device__ T scalbn##suffix(T, int); \
    static __device__ T scalbln##suffix(T, long); \
    static __device__ T fma##suffix(T, T, T); \
    static __device__ int ilogb##suffix(T); \
    static __device__ long lrint##suffix(T); \
    static __device__ long long llrint##suffix(T); \
    static __device__ long lround##suffix(T); \
    static __device__ long long llround##suffix(T);
WARPCC_DECLARE_MIXED(double, )
WARPCC_DECLARE_MIXED(float, )
WARPCC_DECLARE_MIXED(float, f)
#undef WARPCC_DECLARE_MIXED

static __device__ int abs(int);
static __device__ long abs(long);
static __device__ long long abs(long long);
static __device__ float abs(float);
static __device__ double abs(double);
static __device__ long labs(long);
static __device__ long long llabs(long long);
static __device__ bool isnan(double);
static __device__ bool isnan(float);
static __device__ bool isinf(double);
static __device__ bool isinf(float);
static __device__ bool isfinite(double);
static __device__ bool isfinite(float);
static __device__ bool isnormal(double);
static __device__ bool isnormal(float);
static __device__ bool signbit(double);
static __device__ bool signbit(float);

/* The C++ library finds them in its namespace and does not make its own ones device functions. */
namespace std {
#define WARPCC_USE(name) using ::name;
WARPCC_UNARY(WARPCC_USE)
WARPCC_BINARY(WARPCC_USE)
#undef WARPCC_USE
using ::frexp;
using ::ldexp;
using ::modf;
using ::remquo;
using ::scalbn;
using ::scalbln;
using ::fma;
using ::ilogb;
using ::lrint;
using ::llrint;
using ::lround;
using ::llround;
using ::abs;
using ::labs;
using ::llabs;
using ::isnan;
using ::isinf;
using ::isfinite;
using ::isnormal;
using ::signbit;
}

#endif
