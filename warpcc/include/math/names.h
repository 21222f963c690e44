/* The list of the names, included twice by `device_math.h`: first as declarations, then as definitions.
 *
 * __WM_F(where, result, name, params, body): one function for the device (`D`: the C library has a
 * function of this name for the host) or for both sides (`B`: the name exists in CUDA only).
 * __WM_1 ... are functions in both precisions; the float name ends with f.
 */

#define __WM_BOTH(where, name, call)                                                                   \
    __WM_F(where, float, name##f, (float x), return call)                                              \
    __WM_F(where, float, name, (float x), return call)                                                 \
    __WM_F(where, double, name, (double x), return call)                                               \
    __WM_N(float, name##f, (float x), return call)                                                     \
    __WM_N(double, name, (double x), return call)
#define __WM_1(where, name)                                                                            \
    __WM_BOTH(where, name, __wm_##name(x))                                                             \
    __WM_I(where, double, name)
#define __WM_1F(where, name)                                                                           \
    __WM_F(where, float, name##f, (float x), return __wm_use_##name(x))                                \
    __WM_F(where, float, name, (float x), return __wm_use_##name(x))                                   \
    __WM_F(where, double, name, (double x), return __wm_##name(x))                                     \
    __WM_N(float, name##f, (float x), return __wm_use_##name(x))                                       \
    __WM_N(double, name, (double x), return __wm_##name(x))                                            \
    __WM_I(where, double, name)
#define __WM_2AS(where, name, used)                                                                    \
    __WM_F(where, float, name##f, (float x, float y), return used(x, y))                               \
    __WM_F(where, float, name, (float x, float y), return used(x, y))                                  \
    __WM_F(where, double, name, (double x, double y), return used(x, y))                               \
    __WM_N(float, name##f, (float x, float y), return used(x, y))                                      \
    __WM_N(double, name, (double x, double y), return used(x, y))
#define __WM_2(where, name) __WM_2AS(where, name, __wm_##name)
/* Any parameters and result types: rf for float, rd for double. */
#define __WM_ANY(where, rf, rd, name, pf, pd, body)                                                    \
    __WM_F(where, rf, name##f, pf, body)                                                               \
    __WM_F(where, rf, name, pf, body)                                                                  \
    __WM_F(where, rd, name, pd, body)                                                                  \
    __WM_N(rf, name##f, pf, body)                                                                      \
    __WM_N(rd, name, pd, body)
/* Without an overload, because the argument does not tell the precision. */
#define __WM_PLAIN(where, rf, rd, name, pf, pd, bodyf, bodyd)                                          \
    __WM_F(where, rf, name##f, pf, bodyf)                                                              \
    __WM_F(where, rd, name, pd, bodyd)                                                                 \
    __WM_N(rf, name##f, pf, bodyf)                                                                     \
    __WM_N(rd, name, pd, bodyd)

__WM_1F(D, sin)
__WM_1F(D, cos)
__WM_1F(D, tan)
__WM_1F(D, exp)
__WM_1F(D, log)
__WM_1F(D, log2)
__WM_1F(D, log10)
__WM_1(D, exp2)
__WM_1(D, expm1)
__WM_1(D, log1p)
__WM_1(D, asin)
__WM_1(D, acos)
__WM_1(D, atan)
__WM_1(D, sinh)
__WM_1(D, cosh)
__WM_1(D, tanh)
__WM_1(D, asinh)
__WM_1(D, acosh)
__WM_1(D, atanh)
__WM_1(D, cbrt)
__WM_1(D, sqrt)
__WM_1(D, erf)
__WM_1(D, erfc)
__WM_1(D, tgamma)
__WM_1(D, lgamma)
__WM_1(D, floor)
__WM_1(D, ceil)
__WM_1(D, trunc)
__WM_1(D, round)
__WM_1(D, rint)
__WM_1(D, logb)
__WM_BOTH(D, nearbyint, __wm_rint(x))
__WM_I(D, double, nearbyint)
__WM_BOTH(D, fabs, __wm_abs(x))
__WM_I(D, double, fabs)
__WM_BOTH(D, j0, __wm_j0(x))
__WM_BOTH(D, j1, __wm_j1(x))
__WM_BOTH(D, y0, __wm_y0(x))
__WM_BOTH(D, y1, __wm_y1(x))
__WM_PLAIN(D, float, double, exp10, (float x), (double x), return __wm_use_exp10(x), return __wm_exp10(x))
__WM_F(B, float, exp10, (float x), return __wm_use_exp10(x))
__WM_1(B, sinpi)
__WM_1(B, cospi)
__WM_1F(B, rsqrt)
__WM_1(B, rcbrt)
__WM_1(B, erfinv)
__WM_1(B, erfcinv)
__WM_1(B, erfcx)
__WM_1(B, normcdf)
__WM_1(B, normcdfinv)
__WM_2(B, rhypot)

__WM_2(D, atan2)
__WM_2(D, hypot)
__WM_2(D, fmod)
__WM_2(D, remainder)
__WM_2(D, fdim)
__WM_2(D, copysign)
__WM_2(D, nextafter)
__WM_2AS(D, fmin, __wm_use_fmin)
__WM_2AS(D, fmax, __wm_use_fmax)
__WM_F(D, float, powf, (float x, float y), return __wm_use_pow(x, y))
__WM_F(D, float, pow, (float x, float y), return __wm_use_pow(x, y))
__WM_F(D, double, pow, (double x, double y), return __wm_pow(x, y))
__WM_F(D, float, pow, (float x, int n), return __wm_powi(x, n))
__WM_F(D, double, pow, (double x, int n), return __wm_powi(x, n))
__WM_N(float, powf, (float x, float y), return __wm_use_pow(x, y))
__WM_N(double, pow, (double x, double y), return __wm_pow(x, y))
__WM_N(float, powif, (float x, int n), return __wm_powi(x, n))
__WM_N(double, powi, (double x, int n), return __wm_powi(x, n))

__WM_ANY(D, float, double, fma, (float x, float y, float z), (double x, double y, double z),
         return __wm_fma(x, y, z))
__WM_ANY(D, float, double, frexp, (float x, int *e), (double x, int *e), return __wm_frexp(x, e))
__WM_ANY(D, float, double, ldexp, (float x, int e), (double x, int e), return __wm_ldexp(x, e))
__WM_ANY(D, float, double, scalbn, (float x, int e), (double x, int e), return __wm_ldexp(x, e))
__WM_ANY(D, float, double, scalbln, (float x, long e), (double x, long e), return __wm_scalbln(x, e))
__WM_ANY(D, float, double, modf, (float x, float *w), (double x, double *w), return __wm_modf(x, w))
__WM_ANY(D, float, double, remquo, (float x, float y, int *q), (double x, double y, int *q),
         return __wm_remquo(x, y, q))
__WM_ANY(D, int, int, ilogb, (float x), (double x), return __wm_ilogb(x))
__WM_ANY(D, long, long, lrint, (float x), (double x), return (long)__wm_rint(x))
__WM_ANY(D, long long, long long, llrint, (float x), (double x), return (long long)__wm_rint(x))
__WM_ANY(D, long, long, lround, (float x), (double x), return (long)__wm_round(x))
__WM_ANY(D, long long, long long, llround, (float x), (double x), return (long long)__wm_round(x))
__WM_ANY(B, float, double, norm3d, (float a, float b, float c), (double a, double b, double c),
         return __wm_norm4d(a, b, c, __wm_zero(a)))
__WM_ANY(B, float, double, norm4d, (float a, float b, float c, float d),
         (double a, double b, double c, double d), return __wm_norm4d(a, b, c, d))
__WM_ANY(B, float, double, rnorm3d, (float a, float b, float c), (double a, double b, double c),
         return __wm_rnorm4d(a, b, c, __wm_zero(a)))
__WM_ANY(B, float, double, rnorm4d, (float a, float b, float c, float d),
         (double a, double b, double c, double d), return __wm_rnorm4d(a, b, c, d))
__WM_ANY(B, void, void, sincospi, (float x, float *s, float *c), (double x, double *s, double *c),
         __wm_sincospi(x, s, c))
__WM_PLAIN(D, void, void, sincos, (float x, float *s, float *c), (double x, double *s, double *c),
           __wm_use_sincos(x, s, c), __wm_sincos(x, s, c))
__WM_F(B, void, sincos, (float x, float *s, float *c), __wm_use_sincos(x, s, c))
__WM_ANY(D, float, double, jn, (int n, float x), (int n, double x), return __wm_jn(n, x))
__WM_ANY(D, float, double, yn, (int n, float x), (int n, double x), return __wm_yn(n, x))
__WM_PLAIN(D, float, double, nan, (const char *), (const char *), return __wm_nan<float>(),
           return __wm_nan<double>())
__WM_F(B, float, fdividef, (float x, float y), return x / y)

__WM_F(D, int, abs, (int x), return x < 0 ? -x : x)
__WM_F(D, long, abs, (long x), return x < 0 ? -x : x)
__WM_F(D, long long, abs, (long long x), return x < 0 ? -x : x)
__WM_F(D, float, abs, (float x), return __wm_abs(x))
__WM_F(D, double, abs, (double x), return __wm_abs(x))
__WM_F(D, long, labs, (long x), return x < 0 ? -x : x)
__WM_F(D, long long, llabs, (long long x), return x < 0 ? -x : x)

#undef __WM_BOTH
#undef __WM_1
#undef __WM_1F
#undef __WM_2AS
#undef __WM_2
#undef __WM_ANY
#undef __WM_PLAIN
