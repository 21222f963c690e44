/* Error function, normal distribution and gamma function. */
#ifndef WARPSIM_MATH_SPECIAL_H
#define WARPSIM_MATH_SPECIAL_H

/* erf(x) for |x| <= 1, as a pair. */
template <class T> __WM_FN __wm_pair<T> __wm_erf_small(T x) {
    typedef __wm_c<T> c;
    __wm_pair<T> p = __wm_product(x, c::two_sqrtpi_h());
    return __wm_fast_sum(p.h, p.l + __wm_fma(x, __wm_p_erf(x * x), x * c::two_sqrtpi_l()));
}
/* exp(x^2) erfc(x) for x >= 0.4. */
template <class T> __WM_FN __wm_pair<T> __wm_erfcx_large(T x) {
    if (x > (sizeof(T) == 4 ? T(1e7) : T(1e9))) {
        __wm_pair<T> i = __wm_over(__wm_make<T>(__wm_c<T>::inv_sqrtpi_h(), __wm_c<T>::inv_sqrtpi_l()),
                                   __wm_make<T>(x, T(0)));
        return i;
    }
    T t = (x - T(4)) / (x + T(4));
    __wm_pair<T> d = __wm_fast_sum(T(2) * x, T(1));
    if (x < T(0.5)) d = __wm_sum(T(2) * x, T(1));
    return __wm_over(__wm_make<T>(__wm_p_erfcx(t), T(0)), d);
}
/* erfc(h + l), where l is a small correction. */
template <class T> __WM_FN T __wm_erfc_of(T h, T l) {
    typedef __wm_c<T> c;
    T a = __wm_abs(h);
    if (a < T(0.5)) {
        __wm_pair<T> e = __wm_erf_small(h);
        __wm_pair<T> r = __wm_sum(T(1), -e.h);
        return r.h + (r.l - __wm_fma(l, c::two_sqrtpi_h(), e.l));
    }
    if (a > (sizeof(T) == 4 ? T(11) : T(28))) return h > T(0) ? T(0) : T(2);
    if (h < T(0)) l = -l;
    __wm_pair<T> square = __wm_product(a, a);
    int k;
    __wm_pair<T> e = __wm_exp_pair(-square.h, -square.l, &k);
    __wm_pair<T> g = __wm_erfcx_large(a);
    /* erfc'(a) = -2/sqrt(pi) exp(-a^2) */
    g = __wm_add(g, __wm_mul(-c::two_sqrtpi_h(), l));
    T r = __wm_scale_1(__wm_times(g, e).h, k);
    return h > T(0) ? r : T(2) - r;
}
template <class T> __WM_FN T __wm_erfc(T x) { return __wm_is_nan(x) ? x + x : __wm_erfc_of(x, T(0)); }
template <class T> __WM_FN T __wm_erf(T x) {
    if (__wm_is_nan(x)) return x + x;
    T a = __wm_abs(x);
    return __wm_odd(a < T(1) ? __wm_erf_small(a).h : T(1) - __wm_erfc_of(a, T(0)), x);
}
template <class T> __WM_FN T __wm_erfcx(T x) {
    if (__wm_is_nan(x)) return x + x;
    if (x > T(0) && __wm_is_inf(x)) return T(0);
    if (x >= T(0.4)) return __wm_erfcx_large(x).h;
    if (x < (sizeof(T) == 4 ? T(-10) : T(-27))) return __wm_inf<T>();
    __wm_pair<T> square = __wm_product(x, x);
    int k;
    __wm_pair<T> e = __wm_exp_pair(square.h, square.l, &k);
    if (x > T(-0.5)) {
        __wm_pair<T> s = __wm_erf_small(x);
        __wm_pair<T> r = __wm_add(__wm_negate(s), T(1));
        return __wm_scale_1(__wm_times(r, e).h, k);
    }
    /* 2 exp(x^2) - erfcx(-x) */
    T g = __wm_erfcx_large(-x).h;
    __wm_pair<T> s = __wm_fast_sum(e.h, -__wm_scale(g, -k - 1));
    return __wm_scale_1(s.h + (s.l + e.l), k + 1);
}

/* Start value of the inverse error function; w = -log(1 - x^2). Divided by x for w < 5. */
template <class T> __WM_FN T __wm_erfinv_start(T w) {
    T s = __wm_sqrt(w);
    if (s < T(4.45)) return __wm_p_erfinv1(s - T(3));
    if (s < T(10.9)) return __wm_p_erfinv2(s - T(8));
    return __wm_p_erfinv3(s - T(19));
}
/* y > 0 with erfc(y) = c, 0 < c <= 0.5; w = -log(c (2 - c)). */
template <class T> __WM_FN T __wm_erfc_solve(T c, T x, T w) {
    typedef __wm_c<T> k;
    T y = w < T(5) ? __wm_mul(x, __wm_p_erfinv0(w)) : __wm_erfinv_start(w);
    /* One step of Halley's method: u = (erfc(y) - c) / -erfc'(y). */
    T u;
    if (c > T(0.32)) { /* y < 0.71 */
        __wm_pair<T> small = __wm_erf_small(y);
        u = (((T(1) - small.h) - c) - small.l) * __wm_exp(__wm_mul(y, y));
    } else {
        __wm_pair<T> square = __wm_product(y, y);
        int e, ce;
        __wm_pair<T> p = __wm_exp_pair(square.h, square.l, &e);
        __wm_pair<T> g = __wm_erfcx_large(y);
        T m = __wm_split(c, &ce), scale = __wm_scale(T(1), e + ce);
        __wm_pair<T> t = __wm_times(p, m);
        u = __wm_fma(-t.h, scale, g.h) + __wm_fma(-t.l, scale, g.l);
    }
    u = u * (T(1) / k::two_sqrtpi_h());
    return y + u / __wm_fma(-y, u, T(1));
}
template <class T> __WM_FN T __wm_erfinv(T x) {
    typedef __wm_c<T> k;
    T a = __wm_abs(x);
    if (!(a < T(1))) return a == T(1) ? __wm_copysign(__wm_inf<T>(), x) : __wm_nan<T>();
    if (a < __wm_pow2<T>(-__wm_t<T>::digits / 2 - 2)) { /* sqrt(pi)/2 x */
        return x / k::two_sqrtpi_h();
    }
    T w = -__wm_log1p(__wm_mul(-a, a));
    if (a > T(0.5)) {
        T c = T(1) - a;
        w = -__wm_log(c * (T(1) + a));
        return __wm_copysign(__wm_erfc_solve(c, a, w), x);
    }
    T y = __wm_mul(a, __wm_p_erfinv0(w));
    __wm_pair<T> e = __wm_erf_small(y);
    T u = ((a - e.h) - e.l) * __wm_exp(__wm_mul(y, y)) * (T(1) / k::two_sqrtpi_h());
    return __wm_copysign(y + u / __wm_fma(-y, u, T(1)), x);
}
template <class T> __WM_FN T __wm_erfcinv(T c) {
    if (!(c >= T(0) && c <= T(2))) return __wm_nan<T>();
    if (c == T(0)) return __wm_inf<T>();
    if (c >= T(0.5) && c <= T(1.5)) return __wm_erfinv(T(1) - c);
    bool upper = c > T(1);
    if (upper) c = T(2) - c;
    if (c == T(0)) return -__wm_inf<T>();
    T w = -(__wm_log(c) + __wm_log(T(2) - c));
    T y = __wm_erfc_solve(c, T(1) - c, w);
    return upper ? -y : y;
}
template <class T> __WM_FN T __wm_normcdf(T x) {
    typedef __wm_c<T> c;
    if (__wm_is_nan(x)) return x + x;
    if (__wm_abs(x) > T(50)) return x > T(0) ? T(1) : T(0);
    __wm_pair<T> a = __wm_times(__wm_make<T>(-c::sqrt_half_h(), -c::sqrt_half_l()), x);
    return T(0.5) * __wm_erfc_of(a.h, a.l);
}
template <class T> __WM_FN T __wm_normcdfinv(T p) {
    return T(0) - __wm_mul(__wm_c<T>::sqrt2_h(), __wm_erfcinv(p + p)); /* never -0 */
}

/* ---- Gamma function. */

/* log(Gamma(x)) for x >= 8 as a pair (Stirling's formula). */
template <class T> __WM_FN __wm_pair<T> __wm_stirling(__wm_pair<T> x) {
    typedef __wm_c<T> c;
    T i = T(1) / x.h;
    __wm_pair<T> l = __wm_log_pair(x);
    __wm_pair<T> r = __wm_times(__wm_add(x, T(-0.5)), l);
    r = __wm_add(r, __wm_negate(x));
    __wm_pair<T> constant = __wm_make<T>(c::half_log_2pi_h(), c::half_log_2pi_l());
    return __wm_add(__wm_add(r, constant), __wm_mul(i, __wm_p_stirling(i * i)));
}
/* Gamma(x) = exp(returned) / product for x > 0; x is raised to at least 8. */
template <class T> __WM_FN __wm_pair<T> __wm_gamma_parts(T x, __wm_pair<T> *product) {
    __wm_pair<T> p = __wm_make<T>(T(1), T(0)), a = __wm_make<T>(x, T(0));
    while (a.h < T(8)) {
        p = __wm_times(p, a);
        a = __wm_add(a, T(1));
    }
    *product = p;
    return __wm_stirling(a);
}
template <class T> __WM_FN T __wm_tgamma(T x) {
    typedef __wm_c<T> c;
    const T most = sizeof(T) == 4 ? T(36) : T(172);
    if (__wm_is_nan(x)) return x + x;
    if (x == T(0)) return __wm_copysign(__wm_inf<T>(), x);
    if (x < T(0) && x == __wm_trunc(x)) return __wm_nan<T>();
    if (x > most) return __wm_inf<T>();
    T a = __wm_abs(x);
    if (a < __wm_pow2<T>(-__wm_t<T>::digits - 2)) return T(1) / x;
    if (x < -most - T(12)) return __wm_trunc(x * T(0.5)) * T(2) == __wm_trunc(x) ? T(-0.0) : T(0);
    __wm_pair<T> p, l = __wm_gamma_parts(a, &p);
    int k;
    if (x > T(0)) {
        __wm_pair<T> e = __wm_exp_pair(l.h, l.l, &k);
        return __wm_scale_1(__wm_over(e, p).h, k);
    }
    /* Gamma(x) = -pi / (a sin(pi a) Gamma(a)) */
    int q;
    __wm_pair<T> r = __wm_reduce_pi(a, &q);
    __wm_pair<T> s = q & 1 ? __wm_cos_pair(r) : __wm_sin_pair(r);
    if (q & 2) s = __wm_negate(s);
    __wm_pair<T> e = __wm_exp_pair(-l.h, -l.l, &k);
    __wm_pair<T> n = __wm_times(__wm_times(e, p), __wm_make<T>(-c::pi_h(), -c::pi_l()));
    n = __wm_over(n, __wm_times(s, a));
    return __wm_scale(n.h, k);
}
/* log(Gamma(a)) for a > 0. */
template <class T> __WM_FN __wm_pair<T> __wm_lgamma_pair(T a) {
    if (a < T(1)) {
        /* log(Gamma(a + 1)) - log(a) */
        T g = __wm_mul(a * (a - T(1)), __wm_p_lgamma1(a - T(0.5)));
        return __wm_add(__wm_negate(__wm_log_pair(a)), g);
    }
    if (a < T(2)) {
        T t = a - T(1.5);
        return __wm_make<T>(__wm_mul((a - T(1)) * (a - T(2)), __wm_p_lgamma1(t)), T(0));
    }
    if (a < T(3)) return __wm_make<T>(__wm_mul(a - T(2), __wm_p_lgamma2(a - T(2.5))), T(0));
    __wm_pair<T> p, l = __wm_gamma_parts(a, &p);
    if (a < T(8)) l = __wm_add(l, __wm_negate(__wm_log_pair(p)));
    return l;
}
template <class T> __WM_FN T __wm_lgamma(T x) {
    typedef __wm_c<T> c;
    if (__wm_is_nan(x)) return x + x;
    if (__wm_is_inf(x)) return __wm_inf<T>();
    T a = __wm_abs(x);
    if (x <= T(0) && x == __wm_trunc(x)) return __wm_inf<T>();
    if (a < __wm_pow2<T>(-__wm_t<T>::digits - 8)) return -__wm_log(a);
    if (a > __wm_pow2<T>(__wm_t<T>::bias - 20)) {
        return x > T(0) ? a * (__wm_log(a) - T(1)) : -(a * (__wm_log(a) - T(1)));
    }
    __wm_pair<T> l = __wm_lgamma_pair(a);
    if (x > T(0)) return l.h + l.l;
    /* log(pi / (a |sin(pi a)|)) - log(Gamma(a)) */
    int q;
    __wm_pair<T> r = __wm_reduce_pi(a, &q);
    __wm_pair<T> s = q & 1 ? __wm_cos_pair(r) : __wm_sin_pair(r);
    if (s.h < T(0)) s = __wm_negate(s);
    __wm_pair<T> v = __wm_log_pair(__wm_times(s, a));
    v = __wm_add(__wm_make<T>(c::ln_pi_h(), c::ln_pi_l()), __wm_negate(v));
    v = __wm_add(v, __wm_negate(l));
    return v.h + v.l;
}

#endif
