/* Classes of numbers; both compilers read them. */
#ifndef WARPCC_DEVICE_CLASSES_H
#define WARPCC_DEVICE_CLASSES_H
#pragma clang system_header

/* The embedded compiler computes `double` as `float` below compute capability 1.3. */
#if defined(__WARPSIM__) && __CUDA_ARCH__ < 130
#define WARPCC_LEAST_NORMAL 1.17549435e-38
#else
#define WARPCC_LEAST_NORMAL 2.2250738585072014e-308
#endif
WARPCC_D bool isinf(float x) { return __builtin_fabsf(x) == __builtin_inff(); }
WARPCC_D bool isinf(double x) { return __builtin_fabs(x) == __builtin_inf(); }
WARPCC_D bool isfinite(float x) { return __builtin_fabsf(x) < __builtin_inff(); }
WARPCC_D bool isfinite(double x) { return __builtin_fabs(x) < __builtin_inf(); }
WARPCC_D bool isnormal(float x) { return isfinite(x) && __builtin_fabsf(x) >= 1.17549435e-38f; }
WARPCC_D bool isnormal(double x) { return isfinite(x) && __builtin_fabs(x) >= WARPCC_LEAST_NORMAL; }
#undef WARPCC_LEAST_NORMAL

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

#endif
