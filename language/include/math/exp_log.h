/* Exponential, logarithm, power and hyperbolic functions. */
#ifndef WARPSIM_MATH_EXP_LOG_H
#define WARPSIM_MATH_EXP_LOG_H

/* exp(h + l) = 2^k (h' + l'), h' in [0.7, 1.42]; for |h| < 800 (float: 110). */
template <class T> __WM_FN __wm_pair<T> __wm_exp_pair(T h, T l, int *k) {
    typedef __wm_c<T> c;
    T n = __wm_rint(h * c::log2e_h());
    *k = (int)n;
    __wm_pair<T> low = __wm_product(n, c::ln2_l());
    __wm_pair<T> r = __wm_sum(h - __wm_mul(n, c::ln2_h()), -low.h);
    r.l += l - low.l;
    r = __wm_fast_sum(r.h, r.l);
    T q = __wm_mul(r.h * r.h, __wm_p_exp(r.h));
    __wm_pair<T> s = __wm_fast_sum(T(1), r.h);
    return __wm_fast_sum(s.h, s.l + (q + __wm_fma(r.h, r.l, r.l)));
}
/* exp(h + l) for any argument that is not NaN. */
template <class T> __WM_FN T __wm_exp_of(T h, T l) {
    const T limit = sizeof(T) == 4 ? T(120) : T(800);
    if (h > limit) return __wm_inf<T>();
    if (h < -limit) return T(0);
    int k;
    __wm_pair<T> e = __wm_exp_pair(h, l, &k);
    return __wm_scale_1(e.h, k);
}
/* Reduced argument of exp and its polynomial: exp(x) = 2^n (1 + returned). */
template <class T> __WM_FN __wm_pair<T> __wm_exp_less_1(T x, T n) {
    typedef __wm_c<T> c;
    T a = x - __wm_mul(n, c::ln2_h()), b = __wm_mul(n, c::ln2_l());
    T r = a - b, l = (a - r) - b;
    return __wm_fast_sum(r, __wm_fma(r * r, __wm_p_exp(r), l));
}
template <class T> __WM_FN T __wm_exp(T x) {
    if (!(__wm_abs(x) < (sizeof(T) == 4 ? T(120) : T(800)))) {
        return x < T(0) ? T(0) : x > T(0) ? __wm_inf<T>() : x + x;
    }
    typedef __wm_c<T> c;
    T n = __wm_rint(x * c::log2e_h());
    T a = x - __wm_mul(n, c::ln2_h()), b = __wm_mul(n, c::ln2_l());
    T r = a - b, l = (a - r) - b;
    return __wm_scale_1(T(1) + (r + __wm_fma(r * r, __wm_p_exp(r), l)), (int)n);
}
template <class T> __WM_FN T __wm_exp2(T x) {
    if (!(__wm_abs(x) < (sizeof(T) == 4 ? T(200) : T(1200)))) {
        return x < T(0) ? T(0) : x > T(0) ? __wm_inf<T>() : x + x;
    }
    T n = __wm_rint(x);
    __wm_pair<T> r = __wm_product(x - n, __wm_c<T>::ln2f_h());
    r.l = __wm_fma(x - n, __wm_c<T>::ln2f_l(), r.l);
    T p = r.h + __wm_fma(r.h * r.h, __wm_p_exp(r.h), r.l);
    return __wm_scale_1(T(1) + p, (int)n);
}
template <class T> __WM_FN T __wm_exp10(T x) {
    typedef __wm_c<T> c;
    if (!(__wm_abs(x) < (sizeof(T) == 4 ? T(60) : T(400)))) {
        return x < T(0) ? T(0) : x > T(0) ? __wm_inf<T>() : x + x;
    }
    T n = __wm_rint(x * (c::log2e_h() * c::ln10_h()));
    __wm_pair<T> low = __wm_product(n, c::log10_2_l());
    __wm_pair<T> a = __wm_sum(x - __wm_mul(n, c::log10_2_h()), -low.h);
    a.l -= low.l;
    __wm_pair<T> r = __wm_times(a, __wm_make<T>(c::ln10_h(), c::ln10_l()));
    T p = r.h + __wm_fma(r.h * r.h, __wm_p_exp(r.h), r.l);
    return __wm_scale_1(T(1) + p, (int)n);
}
template <class T> __WM_FN T __wm_expm1(T x) {
    const int digits = __wm_t<T>::digits;
    if (!(__wm_abs(x) < (sizeof(T) == 4 ? T(100) : T(720)))) {
        return x < T(0) ? T(-1) : x > T(0) ? __wm_inf<T>() : x + x;
    }
    T n = __wm_rint(x * __wm_c<T>::log2e_h());
    if (n == T(0)) return __wm_odd(__wm_fma(x * x, __wm_p_exp(x), x), x);
    __wm_pair<T> p = __wm_exp_less_1(x, n);
    int k = (int)n;
    if (k > digits + 2) return __wm_scale_1(T(1) + (p.h + p.l), k);
    if (k < -digits - 2) return T(-1);
    T s = __wm_pow2<T>(k);
    __wm_pair<T> a = __wm_sum(s, T(-1));
    __wm_pair<T> b = __wm_sum(a.h, p.h * s);
    return b.h + (b.l + (a.l + p.l * s));
}

/* ---- Logarithms. */

/* x = 2^e (1 + f), 1 + f in [sqrt(1/2), sqrt(2)); x positive and finite. */
template <class T> __WM_FN T __wm_log_split(T x, int *e) {
    T m = __wm_split(x, e);
    if (m > T(1.41421356237309504880)) {
        m *= T(0.5);
        *e += 1;
    }
    return m - T(1);
}
/* log(2^e (1 + f + g)) as a pair with about 12 bits more than T; g is a small correction. */
template <class T> __WM_FN __wm_pair<T> __wm_log_parts(int e, T f, T g) {
    typedef __wm_c<T> c;
    __wm_pair<T> num = __wm_fast_sum(f, g);
    __wm_pair<T> den = __wm_sum(T(2), num.h);
    den.l += num.l;
    __wm_pair<T> s = __wm_over(num, den);
    __wm_pair<T> z = __wm_times(s, s);
    __wm_pair<T> t = __wm_fast_sum(c::two_thirds_h(), __wm_fma(z.h, __wm_p_log_s(z.h), c::two_thirds_l()));
    t = __wm_times(__wm_times(t, z), s);
    __wm_pair<T> r = __wm_add(__wm_make<T>(T(2) * s.h, T(2) * s.l), t);
    if (e == 0) return r;
    T n = T(e);
    __wm_pair<T> low = __wm_product(n, c::ln2_l());
    __wm_pair<T> big = __wm_sum(__wm_mul(n, c::ln2_h()), low.h);
    big.l += low.l;
    return __wm_add(big, r);
}
template <class T> __WM_FN __wm_pair<T> __wm_log_pair(T x) {
    int e;
    T f = __wm_log_split(x, &e);
    return __wm_log_parts(e, f, T(0));
}
/* log(h + l) for a normalized positive pair. */
template <class T> __WM_FN __wm_pair<T> __wm_log_pair(__wm_pair<T> x) {
    int e;
    T f = __wm_log_split(x.h, &e);
    return __wm_log_parts(e, f, __wm_scale(x.l, -e));
}
/* log(1 + h + l), h > -1. */
template <class T> __WM_FN __wm_pair<T> __wm_log1p_pair(T h, T l) {
    if (h > T(-0.29) && h < T(0.41)) return __wm_log_parts(0, h, l);
    __wm_pair<T> u = __wm_sum(T(1), h);
    u.l += l;
    return __wm_log_pair(u);
}
/* Arguments for which no algorithm is needed: returns true and the value. */
template <class T> __WM_FN bool __wm_log_special(T x, T *r) {
    if (x > T(0) && __wm_is_finite(x)) return false;
    *r = x == T(0) ? -__wm_inf<T>() : x > T(0) || __wm_is_nan(x) ? x + x : __wm_nan<T>();
    return true;
}
/* (e log 2 + log(1 + f)) times a constant: scale = that constant, e_h + e_l = its product with log 2. */
template <class T> __WM_FN T __wm_log_simple(T x, T sh, T sl, T eh, T el) {
    T r;
    if (__wm_log_special(x, &r)) return r;
    int e;
    T f = __wm_log_split(x, &e), n = T(e);
    __wm_pair<T> p = __wm_product(f, sh);
    T q = __wm_mul(__wm_fma(f, __wm_p_log(f), T(-0.5)), f * f);
    T rest = __wm_fma(f, sl, p.l) + __wm_mul(q, sh);
    __wm_pair<T> a = __wm_sum(__wm_mul(n, eh), p.h);
    return a.h + (__wm_fma(n, el, a.l) + rest);
}
template <class T> __WM_FN T __wm_log(T x) {
    typedef __wm_c<T> c;
    return __wm_log_simple(x, T(1), T(0), c::ln2_h(), c::ln2_l());
}
template <class T> __WM_FN T __wm_log2(T x) {
    typedef __wm_c<T> c;
    return __wm_log_simple(x, c::log2e_h(), c::log2e_l(), T(1), T(0));
}
template <class T> __WM_FN T __wm_log10(T x) {
    typedef __wm_c<T> c;
    return __wm_log_simple(x, c::log10e_h(), c::log10e_l(), c::log10_2_h(), c::log10_2_l());
}
template <class T> __WM_FN T __wm_log1p(T x) {
    T r;
    if (!(__wm_abs(x) > __wm_pow2<T>(-__wm_t<T>::digits - 1))) return x;
    if (x <= T(-1) || !__wm_is_finite(x)) {
        if (x == T(-1)) return -__wm_inf<T>();
        return __wm_log_special(x, &r) ? r : x;
    }
    if (x > T(-0.29) && x < T(0.41)) {
        T q = __wm_fma(x, __wm_p_log(x), T(-0.5));
        return __wm_fma(x * x, q, x);
    }
    __wm_pair<T> l = __wm_log1p_pair(x, T(0));
    return l.h + l.l;
}

/* ---- Power. */
/* exp(e log(x)) for finite x > 0; e is y, or y with more digits as a pair. */
template <class T, class E> __WM_FN T __wm_power(T x, T y, E e) {
    __wm_pair<T> l = __wm_log_pair(x);
    T guess = l.h * y;
    const T limit = sizeof(T) == 4 ? T(120) : T(800);
    if (guess > limit) return __wm_inf<T>();
    if (guess < -limit) return T(0);
    __wm_pair<T> p = __wm_times(l, e);
    return __wm_exp_of(p.h, p.l);
}
template <class T> __WM_FN T __wm_pow(T x, T y) {
    if (x == T(1) || y == T(0)) return T(1);
    if (__wm_is_nan(x) || __wm_is_nan(y)) return x + y;
    T ax = __wm_abs(x);
    bool integral = __wm_trunc(y) == y;
    bool odd = integral && __wm_abs(y) < __wm_pow2<T>(__wm_t<T>::digits) &&
               __wm_trunc(y * T(0.5)) != y * T(0.5);
    bool negative = odd && __wm_sign(x);
    T r;
    if (__wm_is_inf(y)) {
        if (ax == T(1)) return T(1);
        return (ax > T(1)) == (y > T(0)) ? __wm_inf<T>() : T(0);
    }
    if (ax == T(0) || __wm_is_inf(x)) {
        r = (ax == T(0)) == (y > T(0)) ? T(0) : __wm_inf<T>();
        return negative ? -r : r;
    }
    if (x < T(0) && !integral) return __wm_nan<T>();
    r = __wm_power(ax, y, y);
    return negative ? -r : r;
}
template <class T> __WM_FN T __wm_powi(T x, int n) {
    if (n == 0) return T(1);
    if (__wm_is_nan(x)) return x + x;
    T a = __wm_abs(x), r;
    if (a == T(0) || __wm_is_inf(a)) {
        r = (a == T(0)) == (n > 0) ? T(0) : __wm_inf<T>();
    } else {
        r = __wm_power(a, T(n), __wm_fast_sum(T(n & ~0xff), T(n & 0xff)));
    }
    return n & 1 ? __wm_copysign(r, x) : r;
}
/* The n-th root. */
template <class T> __WM_FN T __wm_rootn(T x, int n) {
    bool odd = n & 1;
    if (n == 0 || (x < T(0) && !odd)) return __wm_nan<T>();
    if (__wm_is_nan(x)) return x + x;
    T a = __wm_abs(x), r;
    if (a == T(0) || __wm_is_inf(a)) {
        r = (a == T(0)) == (n > 0) ? T(0) : __wm_inf<T>();
    } else {
        T y = T(1) / T(n);
        r = __wm_power(a, y, __wm_make<T>(y, __wm_residue(y, T(n), T(1)) / T(n)));
    }
    return odd ? __wm_copysign(r, x) : r;
}

/* ---- Hyperbolic functions. */

/* (exp(x) + sign exp(-x)) / 2 for x >= 0. */
template <class T> __WM_FN T __wm_hyperbolic(T x, T sign) {
    if (x > (sizeof(T) == 4 ? T(95) : T(720))) return __wm_inf<T>();
    int k;
    __wm_pair<T> e = __wm_exp_pair(x, T(0), &k);
    if (k > __wm_t<T>::digits) return __wm_scale_1(e.h, k - 1);
    T s = __wm_pow2<T>(k - 1);
    __wm_pair<T> a = __wm_make<T>(e.h * s, e.l * s);
    __wm_pair<T> inverse = __wm_over(__wm_make<T>(T(0.25) * sign, T(0)), a);
    __wm_pair<T> r = __wm_add(a, inverse);
    return r.h + r.l;
}
template <class T> __WM_FN T __wm_sinh(T x) {
    if (__wm_is_nan(x)) return x + x;
    T a = __wm_abs(x), z = x * x;
    if (a < T(1)) return __wm_fma(x * z, __wm_p_sinh(z), x);
    return __wm_copysign(__wm_hyperbolic(a, T(-1)), x);
}
template <class T> __WM_FN T __wm_cosh(T x) {
    if (__wm_is_nan(x)) return x + x;
    return __wm_hyperbolic(__wm_abs(x), T(1));
}
template <class T> __WM_FN T __wm_tanh(T x) {
    if (__wm_is_nan(x)) return x + x;
    T a = __wm_abs(x), z = x * x, r = T(1);
    if (a < T(0.6)) {
        r = __wm_fma(a * z, __wm_p_tanh(z), a);
    } else if (a <= T(22)) {
        r = T(1) - T(2) / (__wm_exp(a + a) + T(1));
    }
    return __wm_odd(r, x);
}
template <class T> __WM_FN T __wm_asinh(T x) {
    typedef __wm_c<T> c;
    if (!__wm_is_finite(x)) return x + x;
    T a = __wm_abs(x), z = x * x;
    if (a < T(0.5)) return __wm_odd(__wm_fma(a * z, __wm_p_asinh(z), a), x);
    __wm_pair<T> l;
    if (a > __wm_pow2<T>(__wm_t<T>::digits / 2 + 2)) {
        l = __wm_add(__wm_log_pair(a), __wm_make<T>(c::ln2f_h(), c::ln2f_l()));
    } else {
        __wm_pair<T> s = __wm_root(__wm_add(__wm_product(a, a), T(1)));
        l = __wm_log_pair(__wm_add(s, a));
    }
    return __wm_odd(l.h + l.l, x);
}
template <class T> __WM_FN T __wm_acosh(T x) {
    typedef __wm_c<T> c;
    if (!(x >= T(1))) return __wm_nan<T>();
    if (__wm_is_inf(x)) return x;
    __wm_pair<T> l;
    if (x > __wm_pow2<T>(__wm_t<T>::digits / 2 + 2)) {
        l = __wm_add(__wm_log_pair(x), __wm_make<T>(c::ln2f_h(), c::ln2f_l()));
    } else {
        /* log(1 + t + sqrt(t (t + 2))), t = x - 1 */
        __wm_pair<T> t = __wm_sum(x, T(-1));
        if (t.h == T(0)) return T(0);
        __wm_pair<T> s = __wm_root(__wm_times(t, __wm_add(t, T(2))));
        s = __wm_add(s, t);
        l = __wm_log1p_pair(s.h, s.l);
    }
    return l.h + l.l;
}
template <class T> __WM_FN T __wm_atanh(T x) {
    T a = __wm_abs(x), z = x * x;
    if (a < T(0.5)) return __wm_fma(x * z, __wm_p_atanh(z), x);
    if (!(a <= T(1))) return __wm_nan<T>();
    if (a == T(1)) return __wm_copysign(__wm_inf<T>(), x);
    __wm_pair<T> q = __wm_over(__wm_sum(T(1), a), __wm_make<T>(T(1) - a, T(0)));
    __wm_pair<T> l = __wm_log_pair(q);
    return __wm_copysign(T(0.5) * (l.h + l.l), x);
}

#endif
