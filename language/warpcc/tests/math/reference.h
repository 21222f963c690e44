/* Reference functions in `double` (for float) and `__float128` (for double). */
#ifndef WARPSIM_MATH_REFERENCE_H
#define WARPSIM_MATH_REFERENCE_H

typedef __float128 real128;

#define REFERENCE(name, low, high)                                                                     \
    template <class R> R ref_##name(R x);                                                              \
    template <> inline double ref_##name(double x) { return low(x); }                                  \
    template <> inline real128 ref_##name(real128 x) { return high(x); }
#define REFERENCE2(name, low, high)                                                                    \
    template <class R> R ref_##name(R x, R y);                                                         \
    template <> inline double ref_##name(double x, double y) { return low(x, y); }                     \
    template <> inline real128 ref_##name(real128 x, real128 y) { return high(x, y); }

REFERENCE(exp, exp, expq)
REFERENCE(exp2, exp2, exp2q)
REFERENCE(expm1, expm1, expm1q)
REFERENCE(log, log, logq)
REFERENCE(log2, log2, log2q)
REFERENCE(log10, log10, log10q)
REFERENCE(log1p, log1p, log1pq)
REFERENCE(sin, sin, sinq)
REFERENCE(cos, cos, cosq)
REFERENCE(tan, tan, tanq)
REFERENCE(asin, asin, asinq)
REFERENCE(acos, acos, acosq)
REFERENCE(atan, atan, atanq)
REFERENCE(sinh, sinh, sinhq)
REFERENCE(cosh, cosh, coshq)
REFERENCE(tanh, tanh, tanhq)
REFERENCE(asinh, asinh, asinhq)
REFERENCE(acosh, acosh, acoshq)
REFERENCE(atanh, atanh, atanhq)
REFERENCE(cbrt, cbrt, cbrtq)
REFERENCE(erf, erf, erfq)
REFERENCE(erfc, erfc, erfcq)
REFERENCE(tgamma, tgamma, tgammaq)
REFERENCE(lgamma, lgamma, lgammaq)
REFERENCE(j0, j0, j0q)
REFERENCE(j1, j1, j1q)
REFERENCE(round, round, roundq)
REFERENCE(logb, logb, logbq)
REFERENCE2(pow, pow, powq)
REFERENCE2(atan2, atan2, atan2q)
REFERENCE2(hypot, hypot, hypotq)
REFERENCE2(fmod, fmod, fmodq)
REFERENCE2(remainder, remainder, remainderq)
REFERENCE2(fdim, fdim, fdimq)

inline double ref_sqrt(double x) { return sqrt(x); }
inline real128 ref_sqrt(real128 x) { return sqrtq(x); }

template <class R> R ref_y0(R x);
template <> inline double ref_y0(double x) { return x < 0 ? NAN : y0(x); }
template <> inline real128 ref_y0(real128 x) { return x < 0 ? (real128)NAN : y0q(x); }
template <class R> R ref_y1(R x);
template <> inline double ref_y1(double x) { return x < 0 ? NAN : y1(x); }
template <> inline real128 ref_y1(real128 x) { return x < 0 ? (real128)NAN : y1q(x); }
inline double ref_jn(int n, double x) { return jn(n, x); }
inline real128 ref_jn(int n, real128 x) { return jnq(n, x); }
inline double ref_yn(int n, double x) { return x < 0 ? NAN : yn(n, x); }
inline real128 ref_yn(int n, real128 x) { return x < 0 ? (real128)NAN : ynq(n, x); }
template <class R> R ref_jn3(R x) { return ref_jn(3, x); }
template <class R> R ref_jn128(R x) { return ref_jn(128, x); }
template <class R> R ref_yn3(R x) { return ref_yn(3, x); }
template <class T> T __wm_jn3(T x) { return __wm_jn(3, x); }
template <class T> T __wm_jn128(T x) { return __wm_jn(128, x); }
template <class T> T __wm_yn3(T x) { return __wm_yn(3, x); }

/* Modified Bessel functions by their series, whose terms are positive. */
template <class R> R ref_bessel_i(R x, int n) {
    R a = x < 0 ? -x : x;
    if (a != a) return x;
    if (a > (sizeof(R) == 8 ? 200 : 800)) return n && x < 0 ? -(R)INFINITY : (R)INFINITY;
    R t = n ? x / 2 : 1, s = t;
    for (int k = 1; s + t != s || k < a; k++) {
        t *= (x / 2 / k) * (x / 2 / (k + n));
        s += t;
    }
    return s;
}
template <class R> R ref_i0(R x) { return ref_bessel_i(x, 0); }
template <class R> R ref_i1(R x) { return ref_bessel_i(x, 1); }

template <class R> R ref_exp10(R x);
template <> inline double ref_exp10(double x) { return (double)powl(10.0L, x); }
template <> inline real128 ref_exp10(real128 x) { return powq(10, x); }

template <class R> R ref_rsqrt(R x) { return (R)1 / ref_sqrt(x); }
template <class R> R ref_rcbrt(R x) { return (R)1 / ref_cbrt(x); }
template <class R> R ref_rhypot(R x, R y) { return (R)1 / ref_hypot(x, y); }
template <class R> R ref_norm3d(R x, R y) { return ref_hypot(ref_hypot(x, y), x); }
template <class R> R ref_norm4d(R x, R y) { return ref_sqrt((R)2) * ref_hypot(x, y); }
template <class R> R ref_rnorm3d(R x, R y) { return (R)1 / ref_norm3d(x, y); }
template <class R> R ref_rnorm4d(R x, R y) { return (R)1 / ref_norm4d(x, y); }

static const real128 PI = 3.14159265358979323846264338327950288Q;
template <class R> R ref_sinpi(R x) {
    if (!(x - x == 0)) return x - x;
    R n = ref_round(x), s = ref_sin((R)PI * (x - n));
    if (x == n) return x < 0 || x == 0 && 1 / x < 0 ? -(R)0 : (R)0;
    return ref_fmod(n, (R)2) != 0 ? -s : s;
}
template <class R> R ref_cospi(R x) {
    if (!(x - x == 0)) return x - x;
    R n = ref_round(x), r = x - n;
    if (r < 0) r = -r;
    R c = r == (R)0.5 ? (R)0 : ref_cos((R)PI * r);
    if (r > (R)0.25) c = ref_sin((R)PI * ((R)0.5 - r));
    return c != 0 && ref_fmod(n, (R)2) != 0 ? -c : c;
}
template <class R> R ref_erfcx(R x) {
    if (x < (sizeof(R) == 8 ? 20 : 60)) {
        if (x < -30) return (R)INFINITY;
        return ref_exp(x * x) * ref_erfc(x);
    }
    R s = 1, t = 1;
    for (int k = 1; k < 20; k++) {
        t *= -(2 * k - 1) / (2 * x * x);
        s += t;
    }
    return s / (x * ref_sqrt((R)PI));
}
template <class R> R ref_normcdf(R x) { return ref_erfc(-x / ref_sqrt((R)2)) / 2; }
template <class R> R ref_erfcinv(R c) {
    if (c == 0 || c == 2) return c == 0 ? (R)INFINITY : -(R)INFINITY;
    if (!(c > 0 && c < 2)) return (R)NAN;
    /* Newton's method; the start value need not be good. */
    R y = (R)__wm_erfcinv((double)c), f = ref_sqrt((R)PI) / 2;
    for (int i = 0; i < 4; i++) {
        R u = c > (R)0.5 && c < (R)1.5 ? (1 - c) - ref_erf(y) : ref_erfc(y) - c;
        y += u * f * ref_exp(y * y);
    }
    return y;
}
template <class R> R ref_erfinv(R x) {
    R a = x < 0 ? -x : x;
    if (a == 1) return x * (R)INFINITY;
    if (!(a < 1)) return (R)NAN;
    if (x == 0) return x;
    R f = ref_sqrt((R)PI) / 2, y = (R)__wm_erfinv((double)a);
    for (int i = 0; i < 4; i++) y += (a < (R)0.5 ? a - ref_erf(y) : ref_erfc(y) - (1 - a)) * f * ref_exp(y * y);
    return x < 0 ? -y : y;
}
template <class R> R ref_normcdfinv(R p) { return 0 - ref_sqrt((R)2) * ref_erfcinv(p + p); }

#endif
