/* Mathematical functions of the device: the names of <cmath> and of CUDA for `float`, `double` and
 * integers, on the functions of the device math library. */
#ifndef WARPCC_DEVICE_MATH_H
#define WARPCC_DEVICE_MATH_H
#pragma clang system_header

#if __has_include("../math/device_math.h")
#include "../math/device_math.h"
#else
#include "math_library.h"
#endif

/* Functions that are one or a few instructions. */
#define WARPCC_EXACT_1(name)                                                \
    WARPCC_D double name(double x) { return __builtin_##name(x); }          \
    WARPCC_D float name##f(float x) { return __builtin_##name##f(x); }      \
    WARPCC_D float name(float x) { return __builtin_##name##f(x); }
#define WARPCC_EXACT_2(name)                                                             \
    WARPCC_D double name(double x, double y) { return __builtin_##name(x, y); }          \
    WARPCC_D float name##f(float x, float y) { return __builtin_##name##f(x, y); }       \
    WARPCC_D float name(float x, float y) { return __builtin_##name##f(x, y); }
WARPCC_EXACT_1(ceil)
WARPCC_EXACT_1(fabs)
WARPCC_EXACT_1(floor)
WARPCC_EXACT_1(nearbyint)
WARPCC_EXACT_1(rint)
WARPCC_EXACT_1(sqrt)
WARPCC_EXACT_1(trunc)
WARPCC_EXACT_2(copysign)
WARPCC_EXACT_2(fmax)
WARPCC_EXACT_2(fmin)
#undef WARPCC_EXACT_1
#undef WARPCC_EXACT_2

WARPCC_D double fma(double x, double y, double z) { return __builtin_fma(x, y, z); }
WARPCC_D float fmaf(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
WARPCC_D float fma(float x, float y, float z) { return __builtin_fmaf(x, y, z); }

WARPCC_D int abs(int x) { return __builtin_abs(x); }
WARPCC_D long abs(long x) { return __builtin_labs(x); }
WARPCC_D long long abs(long long x) { return __builtin_llabs(x); }
WARPCC_D long labs(long x) { return __builtin_labs(x); }
WARPCC_D long long llabs(long long x) { return __builtin_llabs(x); }
WARPCC_D float abs(float x) { return __builtin_fabsf(x); }
WARPCC_D double abs(double x) { return __builtin_fabs(x); }

WARPCC_D bool isnan(float x) { return x != x; }
WARPCC_D bool isnan(double x) { return x != x; }
WARPCC_D bool isinf(float x) { return __builtin_fabsf(x) == __builtin_inff(); }
WARPCC_D bool isinf(double x) { return __builtin_fabs(x) == __builtin_inf(); }
WARPCC_D bool isfinite(float x) { return __builtin_fabsf(x) < __builtin_inff(); }
WARPCC_D bool isfinite(double x) { return __builtin_fabs(x) < __builtin_inf(); }
WARPCC_D bool isnormal(float x) { return isfinite(x) && __builtin_fabsf(x) >= 1.17549435e-38f; }
WARPCC_D bool isnormal(double x) { return isfinite(x) && __builtin_fabs(x) >= 2.2250738585072014e-308; }
WARPCC_D bool signbit(float x) { return __float_as_int(x) < 0; }
WARPCC_D bool signbit(double x) { return __double_as_longlong(x) < 0; }
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

/* Functions of the library. `-use_fast_math` selects the approximations of the hardware. */
#define WARPCC_LIBRARY_1(name)                                      \
    WARPCC_D double name(double x) { return __nv_##name(x); }       \
    WARPCC_D float name##f(float x) { return __nv_##name##f(x); }   \
    WARPCC_D float name(float x) { return __nv_##name##f(x); }
#define WARPCC_LIBRARY_2(name)                                                     \
    WARPCC_D double name(double x, double y) { return __nv_##name(x, y); }         \
    WARPCC_D float name##f(float x, float y) { return __nv_##name##f(x, y); }      \
    WARPCC_D float name(float x, float y) { return __nv_##name##f(x, y); }
#ifdef WARPCC_FAST_MATH
#define WARPCC_FAST_1(name)                                         \
    WARPCC_D double name(double x) { return __nv_##name(x); }       \
    WARPCC_D float name##f(float x) { return __##name##f(x); }      \
    WARPCC_D float name(float x) { return __##name##f(x); }
#define WARPCC_FAST_2(name)                                                     \
    WARPCC_D double name(double x, double y) { return __nv_##name(x, y); }      \
    WARPCC_D float name##f(float x, float y) { return __##name##f(x, y); }      \
    WARPCC_D float name(float x, float y) { return __##name##f(x, y); }
#else
#define WARPCC_FAST_1 WARPCC_LIBRARY_1
#define WARPCC_FAST_2 WARPCC_LIBRARY_2
#endif
WARPCC_FAST_1(cos)
WARPCC_FAST_1(exp)
WARPCC_FAST_1(exp10)
WARPCC_FAST_1(log)
WARPCC_FAST_1(log10)
WARPCC_FAST_1(log2)
WARPCC_FAST_1(sin)
WARPCC_FAST_1(tan)
WARPCC_FAST_2(pow)
WARPCC_LIBRARY_1(acos)
WARPCC_LIBRARY_1(acosh)
WARPCC_LIBRARY_1(asin)
WARPCC_LIBRARY_1(asinh)
WARPCC_LIBRARY_1(atan)
WARPCC_LIBRARY_1(atanh)
WARPCC_LIBRARY_1(cbrt)
WARPCC_LIBRARY_1(cosh)
WARPCC_LIBRARY_1(cospi)
WARPCC_LIBRARY_1(erf)
WARPCC_LIBRARY_1(erfc)
WARPCC_LIBRARY_1(erfcinv)
WARPCC_LIBRARY_1(erfcx)
WARPCC_LIBRARY_1(erfinv)
WARPCC_LIBRARY_1(exp2)
WARPCC_LIBRARY_1(expm1)
WARPCC_LIBRARY_1(j0)
WARPCC_LIBRARY_1(j1)
WARPCC_LIBRARY_1(lgamma)
WARPCC_LIBRARY_1(log1p)
WARPCC_LIBRARY_1(logb)
WARPCC_LIBRARY_1(normcdf)
WARPCC_LIBRARY_1(normcdfinv)
WARPCC_LIBRARY_1(rcbrt)
WARPCC_LIBRARY_1(round)
WARPCC_LIBRARY_1(rsqrt)
WARPCC_LIBRARY_1(sinh)
WARPCC_LIBRARY_1(sinpi)
WARPCC_LIBRARY_1(tanh)
WARPCC_LIBRARY_1(tgamma)
WARPCC_LIBRARY_1(y0)
WARPCC_LIBRARY_1(y1)
WARPCC_LIBRARY_2(atan2)
WARPCC_LIBRARY_2(fdim)
WARPCC_LIBRARY_2(fmod)
WARPCC_LIBRARY_2(hypot)
WARPCC_LIBRARY_2(nextafter)
WARPCC_LIBRARY_2(remainder)
#undef WARPCC_FAST_1
#undef WARPCC_FAST_2
#undef WARPCC_LIBRARY_1
#undef WARPCC_LIBRARY_2

#define WARPCC_MIXED(T, suffix, library)                                                        \
    WARPCC_D T frexp##suffix(T x, int *e) { return __nv_frexp##library(x, e); }                 \
    WARPCC_D T ldexp##suffix(T x, int e) { return __nv_ldexp##library(x, e); }                  \
    WARPCC_D T modf##suffix(T x, T *i) { return __nv_modf##library(x, i); }                     \
    WARPCC_D T remquo##suffix(T x, T y, int *q) { return __nv_remquo##library(x, y, q); }       \
    WARPCC_D T scalbn##suffix(T x, int e) { return __nv_ldexp##library(x, e); }                 \
    WARPCC_D T scalbln##suffix(T x, long e) {                                                   \
        return __nv_ldexp##library(x, e > 9999 ? 9999 : e < -9999 ? -9999 : (int)e);            \
    }                                                                                           \
    WARPCC_D int ilogb##suffix(T x) { return __nv_ilogb##library(x); }                          \
    WARPCC_D long lround##suffix(T x) { return (long)__nv_llround##library(x); }                \
    WARPCC_D long long llround##suffix(T x) { return __nv_llround##library(x); }
WARPCC_MIXED(double, , )
WARPCC_MIXED(float, f, f)
WARPCC_MIXED(float, , f)
#undef WARPCC_MIXED

WARPCC_D long lrint(double x) { return (long)__double2ll_rn(x); }
WARPCC_D long lrint(float x) { return (long)__float2ll_rn(x); }
WARPCC_D long lrintf(float x) { return (long)__float2ll_rn(x); }
WARPCC_D long long llrint(double x) { return __double2ll_rn(x); }
WARPCC_D long long llrint(float x) { return __float2ll_rn(x); }
WARPCC_D long long llrintf(float x) { return __float2ll_rn(x); }

WARPCC_D void sincos(double x, double *s, double *c) {
    *s = sin(x);
    *c = cos(x);
}
WARPCC_D void sincosf(float x, float *s, float *c) {
    *s = sinf(x);
    *c = cosf(x);
}
WARPCC_D void sincos(float x, float *s, float *c) { sincosf(x, s, c); }
WARPCC_D void sincospi(double x, double *s, double *c) {
    *s = sinpi(x);
    *c = cospi(x);
}
WARPCC_D void sincospif(float x, float *s, float *c) {
    *s = sinpif(x);
    *c = cospif(x);
}
WARPCC_D double pow(double x, int n) { return pow(x, (double)n); }
WARPCC_D float pow(float x, int n) { return powf(x, (float)n); }
WARPCC_D double jn(int n, double x) { return __nv_jn(n, x); }
WARPCC_D float jnf(int n, float x) { return __nv_jnf(n, x); }
WARPCC_D double yn(int n, double x) { return __nv_yn(n, x); }
WARPCC_D float ynf(int n, float x) { return __nv_ynf(n, x); }
WARPCC_D double nan(const char *) { return __longlong_as_double(0x7ff8000000000000LL); }
WARPCC_D float nanf(const char *) { return __int_as_float(0x7fffffff); }
WARPCC_D float norm3df(float a, float b, float c) { return sqrtf(a * a + b * b + c * c); }
WARPCC_D float rnorm3df(float a, float b, float c) { return rsqrtf(a * a + b * b + c * c); }

/* Integers are converted to `double`; mixed arguments to `double` too. */
template <class T, bool integer>
struct warpcc_if_integer {};
template <class T>
struct warpcc_if_integer<T, true> {
    typedef double type;
};
template <class T>
struct warpcc_is_integer {
    enum { value = 0 };
};
#define WARPCC_INTEGER(T)           \
    template <>                     \
    struct warpcc_is_integer<T> {   \
        enum { value = 1 };         \
    };
WARPCC_INTEGER(bool)
WARPCC_INTEGER(char)
WARPCC_INTEGER(signed char)
WARPCC_INTEGER(unsigned char)
WARPCC_INTEGER(short)
WARPCC_INTEGER(unsigned short)
WARPCC_INTEGER(int)
WARPCC_INTEGER(unsigned int)
WARPCC_INTEGER(long)
WARPCC_INTEGER(unsigned long)
WARPCC_INTEGER(long long)
WARPCC_INTEGER(unsigned long long)
#undef WARPCC_INTEGER
template <class T>
struct warpcc_is_number {
    enum { value = warpcc_is_integer<T>::value };
};
template <>
struct warpcc_is_number<float> {
    enum { value = 1 };
};
template <>
struct warpcc_is_number<double> {
    enum { value = 1 };
};

#define WARPCC_INTEGERS_1(name)                                                                  \
    template <class T>                                                                           \
    WARPCC_D typename warpcc_if_integer<T, warpcc_is_integer<T>::value>::type name(T x) {        \
        return ::name((double)x);                                                                \
    }
#define WARPCC_INTEGERS_2(name)                                                                      \
    template <class T, class U>                                                                      \
    WARPCC_D typename warpcc_if_integer<T, warpcc_is_number<T>::value &&                             \
                                               warpcc_is_number<U>::value>::type                     \
    name(T x, U y) {                                                                                 \
        return ::name((double)x, (double)y);                                                         \
    }
namespace std {
WARPCC_UNARY(WARPCC_INTEGERS_1)
WARPCC_BINARY(WARPCC_INTEGERS_2)
}
using std::abs;
#define WARPCC_USE(name) using std::name;
WARPCC_UNARY(WARPCC_USE)
WARPCC_BINARY(WARPCC_USE)
#undef WARPCC_USE
#undef WARPCC_INTEGERS_1
#undef WARPCC_INTEGERS_2

/* The C++ library defines the functions with suffix in its namespace too. */
namespace std {
#define WARPCC_USE_F(name) using ::name##f;
WARPCC_UNARY(WARPCC_USE_F)
WARPCC_BINARY(WARPCC_USE_F)
#undef WARPCC_USE_F
}

#endif
