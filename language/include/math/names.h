/* The list of the names. `device_math.h` includes it twice: first as declarations, then as definitions.
 * The embedded compiler includes it if a program uses one of the names, which are the first words of
 * the rows.
 *
 * __WM_F(name, where, result, params, body): one function for the device (`D`: the C library has a
 * function of this name for the host) or for both sides (`B`: the name exists in CUDA only).
 * __WM_1 ... are functions in both precisions; the float name ends with f.
 */

#define __WM_BOTH(name, where, call)                                                                   \
    __WM_F(name##f, where, float, (float x), return call)                                              \
    __WM_F(name, where, float, (float x), return call)                                                 \
    __WM_F(name, where, double, (double x), return call)                                               \
    __WM_N(name##f, float, (float x), return call)                                                     \
    __WM_N(name, double, (double x), return call)
#define __WM_1(name, where)                                                                            \
    __WM_BOTH(name, where, __wm_##name(__wm_a(x)))                                                     \
    __WM_I(name, where, double)
#define __WM_1F(name, where)                                                                           \
    __WM_F(name##f, where, float, (float x), return __wm_use_##name(x))                                \
    __WM_F(name, where, float, (float x), return __wm_use_##name(x))                                   \
    __WM_F(name, where, double, (double x), return __wm_##name(__wm_a(x)))                             \
    __WM_N(name##f, float, (float x), return __wm_use_##name(x))                                       \
    __WM_N(name, double, (double x), return __wm_##name(x))                                            \
    __WM_I(name, where, double)
#define __WM_2AS(name, where, used)                                                                    \
    __WM_F(name##f, where, float, (float x, float y), return used(x, y))                               \
    __WM_F(name, where, float, (float x, float y), return used(x, y))                                  \
    __WM_F(name, where, double, (double x, double y), return used(__wm_a(x), __wm_a(y)))                 \
    __WM_N(name##f, float, (float x, float y), return used(x, y))                                      \
    __WM_N(name, double, (double x, double y), return used(x, y))
#define __WM_2(name, where) __WM_2AS(name, where, __wm_##name)
/* Any parameters and result types: rf for float, rd for double. */
#define __WM_ANY(name, where, rf, rd, pf, pd, body)                                                    \
    __WM_F(name##f, where, rf, pf, body)                                                               \
    __WM_F(name, where, rf, pf, body)                                                                  \
    __WM_F(name, where, rd, pd, body)                                                                  \
    __WM_N(name##f, rf, pf, body)                                                                      \
    __WM_N(name, rd, pd, body)
/* Without an overload, because the argument does not tell the precision. */
#define __WM_PLAIN(name, where, rf, rd, pf, pd, bodyf, bodyd)                                          \
    __WM_F(name##f, where, rf, pf, bodyf)                                                              \
    __WM_F(name, where, rd, pd, bodyd)                                                                 \
    __WM_N(name##f, rf, pf, bodyf)                                                                     \
    __WM_N(name, rd, pd, bodyd)

__WM_1F(sin, D)
__WM_1F(cos, D)
__WM_1F(tan, D)
__WM_1F(exp, D)
__WM_1F(log, D)
__WM_1F(log2, D)
__WM_1F(log10, D)
__WM_1(exp2, D)
__WM_1(expm1, D)
__WM_1(log1p, D)
__WM_1(asin, D)
__WM_1(acos, D)
__WM_1(atan, D)
__WM_1(sinh, D)
__WM_1(cosh, D)
__WM_1(tanh, D)
__WM_1(asinh, D)
__WM_1(acosh, D)
__WM_1(atanh, D)
__WM_1(cbrt, D)
__WM_1(erf, D)
__WM_1(erfc, D)
__WM_1(tgamma, D)
__WM_1(lgamma, D)
__WM_1(round, D)
__WM_1(logb, D)
__WM_BOTH(j0, D, __wm_j0(__wm_a(x)))
__WM_BOTH(j1, D, __wm_j1(__wm_a(x)))
__WM_BOTH(y0, D, __wm_y0(__wm_a(x)))
__WM_BOTH(y1, D, __wm_y1(__wm_a(x)))
__WM_BOTH(cyl_bessel_i0, B, __wm_cyl_bessel_i0(__wm_a(x)))
__WM_BOTH(cyl_bessel_i1, B, __wm_cyl_bessel_i1(__wm_a(x)))
__WM_PLAIN(exp10, D, float, double, (float x), (double x), return __wm_use_exp10(x), return __wm_exp10(x))
__WM_F(exp10, B, float, (float x), return __wm_use_exp10(x))
__WM_1(sinpi, B)
__WM_1(cospi, B)
__WM_1(rcbrt, B)
__WM_1(erfinv, B)
__WM_1(erfcinv, B)
__WM_1(erfcx, B)
__WM_1(normcdf, B)
__WM_1(normcdfinv, B)
__WM_2(rhypot, B)

__WM_2(atan2, D)
__WM_2(hypot, D)
__WM_2(fmod, D)
__WM_2(remainder, D)
__WM_2(fdim, D)
__WM_2(nextafter, D)
__WM_F(powf, D, float, (float x, float y), return __wm_use_pow(x, y))
__WM_F(pow, D, float, (float x, float y), return __wm_use_pow(x, y))
__WM_F(pow, D, double, (double x, double y), return __wm_pow(__wm_a(x), __wm_a(y)))
__WM_F(pow, D, float, (float x, int n), return __wm_powi(x, n))
__WM_F(pow, D, double, (double x, int n), return __wm_powi(__wm_a(x), n))
__WM_F(powif, B, float, (float x, int n), return __wm_powi(x, n))
__WM_N(powf, float, (float x, float y), return __wm_use_pow(x, y))
__WM_N(pow, double, (double x, double y), return __wm_pow(x, y))
__WM_N(powif, float, (float x, int n), return __wm_powi(x, n))
__WM_N(powi, double, (double x, int n), return __wm_powi(x, n))

__WM_ANY(frexp, D, float, double, (float x, int *e), (double x, int *e), return __wm_frexp(__wm_a(x), e))
__WM_ANY(ldexp, D, float, double, (float x, int e), (double x, int e), return __wm_ldexp(__wm_a(x), e))
__WM_ANY(scalbn, D, float, double, (float x, int e), (double x, int e), return __wm_ldexp(__wm_a(x), e))
__WM_ANY(scalbln, D, float, double, (float x, long e), (double x, long e), return __wm_scalbln(__wm_a(x), e))
__WM_ANY(modf, D, float, double, (float x, float *w), (double x, double *w), return __wm_modf(__wm_a(x), w))
__WM_ANY(remquo, D, float, double, (float x, float y, int *q), (double x, double y, int *q),
         return __wm_remquo(__wm_a(x), __wm_a(y), q))
__WM_ANY(ilogb, D, int, int, (float x), (double x), return __wm_ilogb(__wm_a(x)))
__WM_ANY(lrint, D, long, long, (float x), (double x), return (long)__wm_rint(__wm_a(x)))
__WM_ANY(llrint, D, long long, long long, (float x), (double x), return (long long)__wm_rint(__wm_a(x)))
__WM_ANY(lround, D, long, long, (float x), (double x), return (long)__wm_round(__wm_a(x)))
__WM_ANY(llround, D, long long, long long, (float x), (double x), return (long long)__wm_round(__wm_a(x)))
__WM_ANY(norm3d, B, float, double, (float a, float b, float c), (double a, double b, double c),
         return __wm_norm3d(__wm_a(a), __wm_a(b), __wm_a(c)))
__WM_ANY(norm4d, B, float, double, (float a, float b, float c, float d),
         (double a, double b, double c, double d),
         return __wm_norm4d(__wm_a(a), __wm_a(b), __wm_a(c), __wm_a(d)))
__WM_ANY(rnorm3d, B, float, double, (float a, float b, float c), (double a, double b, double c),
         return __wm_rnorm3d(__wm_a(a), __wm_a(b), __wm_a(c)))
__WM_ANY(rnorm4d, B, float, double, (float a, float b, float c, float d),
         (double a, double b, double c, double d),
         return __wm_rnorm4d(__wm_a(a), __wm_a(b), __wm_a(c), __wm_a(d)))
__WM_ANY(sincospi, B, void, void, (float x, float *s, float *c), (double x, double *s, double *c),
         __wm_sincospi(__wm_a(x), s, c))
__WM_PLAIN(sincos, D, void, void, (float x, float *s, float *c), (double x, double *s, double *c),
           __wm_use_sincos(x, s, c), __wm_sincos(__wm_a(x), s, c))
__WM_F(sincos, B, void, (float x, float *s, float *c), __wm_use_sincos(x, s, c))
__WM_ANY(jn, D, float, double, (int n, float x), (int n, double x), return __wm_jn(n, __wm_a(x)))
__WM_ANY(yn, D, float, double, (int n, float x), (int n, double x), return __wm_yn(n, __wm_a(x)))

/* Functions of one instruction, and their overloads: rows of the embedded compiler (`math.cuh`). */
#ifndef __WARPSIM__
__WM_1F(rsqrt, B)
__WM_2(copysign, D)
__WM_PLAIN(nan, D, float, double, (const char *), (const char *), return __wm_nan<float>(),
           return __wm_nan<double>())
__WM_1(sqrt, D)
__WM_1(floor, D)
__WM_1(ceil, D)
__WM_1(trunc, D)
__WM_1(rint, D)
__WM_BOTH(nearbyint, D, __wm_rint(__wm_a(x)))
__WM_I(nearbyint, D, double)
__WM_BOTH(fabs, D, __wm_abs(__wm_a(x)))
__WM_I(fabs, D, double)
__WM_2AS(fmin, D, __wm_use_fmin)
__WM_2AS(fmax, D, __wm_use_fmax)
__WM_ANY(fma, D, float, double, (float x, float y, float z), (double x, double y, double z),
         return __wm_fma(__wm_a(x), __wm_a(y), __wm_a(z)))
__WM_F(fdividef, B, float, (float x, float y), return x / y)
__WM_F(abs, D, int, (int x), return x < 0 ? -x : x)
__WM_F(abs, D, long, (long x), return x < 0 ? -x : x)
__WM_F(abs, D, long long, (long long x), return x < 0 ? -x : x)
__WM_F(abs, D, float, (float x), return __wm_abs(__wm_a(x)))
__WM_F(abs, D, double, (double x), return __wm_abs(__wm_a(x)))
__WM_F(labs, D, long, (long x), return x < 0 ? -x : x)
__WM_F(llabs, D, long long, (long long x), return x < 0 ? -x : x)
#endif

#undef __WM_BOTH
#undef __WM_1
#undef __WM_1F
#undef __WM_2AS
#undef __WM_2
#undef __WM_ANY
#undef __WM_PLAIN
