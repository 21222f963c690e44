/* Functions of the device that are declared before the C++ library, and the device math library. */
#ifndef WARPCC_DEVICE_EARLY_H
#define WARPCC_DEVICE_EARLY_H
#pragma clang system_header

/* Without debug information: an instruction belongs to the line of the program that calls. */
#define WARPCC_D static __device__ inline __attribute__((always_inline, nodebug))

/* What the operators `new` and `delete` of the device call. */
extern "C" {
__device__ void *malloc(__SIZE_TYPE__) __attribute__((nothrow));
__device__ void free(void *) __attribute__((nothrow));
}

/* Classification of numbers. */
WARPCC_D bool isnan(float x) { return x != x; }
WARPCC_D bool isnan(double x) { return x != x; }
WARPCC_D bool isinf(float x) { return __builtin_fabsf(x) == __builtin_inff(); }
WARPCC_D bool isinf(double x) { return __builtin_fabs(x) == __builtin_inf(); }
WARPCC_D bool isfinite(float x) { return __builtin_fabsf(x) < __builtin_inff(); }
WARPCC_D bool isfinite(double x) { return __builtin_fabs(x) < __builtin_inf(); }
WARPCC_D bool isnormal(float x) { return isfinite(x) && __builtin_fabsf(x) >= 1.17549435e-38f; }
WARPCC_D bool isnormal(double x) { return isfinite(x) && __builtin_fabs(x) >= 2.2250738585072014e-308; }
WARPCC_D bool signbit(float x) {
    int bits;
    __builtin_memcpy(&bits, &x, 4);
    return bits < 0;
}
WARPCC_D bool signbit(double x) {
    long long bits;
    __builtin_memcpy(&bits, &x, 8);
    return bits < 0;
}
/* What the macros of the C library call. */
WARPCC_D int __isnan(double x) { return isnan(x); }
WARPCC_D int __isinf(double x) { return isinf(x); }
WARPCC_D int __isnanf(float x) { return isnan(x); }
WARPCC_D int __isinff(float x) { return isinf(x); }
WARPCC_D int __finite(double x) { return isfinite(x); }
WARPCC_D int __finitef(float x) { return isfinite(x); }
WARPCC_D int finite(double x) { return isfinite(x); }
WARPCC_D int __signbit(double x) { return signbit(x); }
WARPCC_D int __signbitf(float x) { return signbit(x); }

namespace std {
using ::isfinite;
using ::isinf;
using ::isnan;
using ::isnormal;
using ::signbit;
}

/* C++98 has the operator under another name only. */
#if __cplusplus < 201103L
#define decltype __decltype
#endif
/* `-prec-sqrt=false`: the instruction flushes denormals with `-ftz=true`. */
#if defined(WARPCC_APPROXIMATE_SQRT) && defined(__CUDA_ARCH__)
static __host__ __device__ inline __attribute__((always_inline, nodebug)) float warpcc_approximate_sqrt(float x) {
    float root;
    asm(WARPCC_APPROXIMATE_SQRT " %0, %1;" : "=f"(root) : "f"(x));
    return root;
}
#define __builtin_sqrtf(x) warpcc_approximate_sqrt(x)
#endif
#include "../math/device_math.h"
#undef __builtin_sqrtf
#if __cplusplus < 201103L
#undef decltype
#endif

#endif
