/* Bessel functions. */
#ifndef WARPSIM_MATH_BESSEL_H
#define WARPSIM_MATH_BESSEL_H

/* x - z for a zero z given as a pair. */
template <class T> __WM_FN T __wm_from_zero(T x, T h, T l) { return (x - h) - l; }

/* J (sine = false) or Y (sine = true) of order 0 or 1 for x >= 8, from modulus and phase. */
template <class T> __WM_FN T __wm_bessel_large(T x, int order, bool sine) {
    typedef __wm_c<T> c;
    T i = T(1) / x, z = i * i;
    T m = order ? __wm_p_mod1(z) : __wm_p_mod0(z);
    T phase = __wm_mul(order ? __wm_p_phase1(z) : __wm_p_phase0(z), i);
    int q, q2;
    __wm_pair<T> r = __wm_reduce(x, &q);
    r = __wm_add(__wm_add(r, __wm_make<T>(-c::pio4_h(), -c::pio4_l())), phase);
    __wm_pair<T> s = __wm_reduce(r.h, &q2);
    s = __wm_add(s, r.l);
    q += q2 - order;
    T v = __wm_sin_reduced(s, sine ? q : q + 1);
    return v * c::sqrt_two_over_pi_h() * __wm_sqrt(m * i);
}
template <class T> __WM_FN T __wm_j0(T x) {
    typedef __wm_c<T> c;
    if (__wm_is_nan(x)) return x + x;
    x = __wm_abs(x);
    if (__wm_is_inf(x)) return T(0);
    if (x < T(4)) return __wm_from_zero(x, c::j0z1_h(), c::j0z1_l()) * __wm_p_j0a(x - T(2));
    if (x < T(8)) return __wm_from_zero(x, c::j0z2_h(), c::j0z2_l()) * __wm_p_j0b(x - T(6));
    return __wm_bessel_large(x, 0, false);
}
template <class T> __WM_FN T __wm_j1(T x) {
    typedef __wm_c<T> c;
    if (__wm_is_nan(x)) return x + x;
    T a = __wm_abs(x), r;
    if (__wm_is_inf(a)) return __wm_copysign(T(0), x);
    if (a < T(2)) return x * __wm_p_j1a(x * x);
    if (a < T(6)) {
        r = __wm_from_zero(a, c::j1z1_h(), c::j1z1_l()) * __wm_p_j1b(a - T(4));
    } else if (a < T(8)) {
        r = __wm_from_zero(a, c::j1z2_h(), c::j1z2_l()) * __wm_p_j1c(a - T(7));
    } else {
        r = __wm_bessel_large(a, 1, false);
    }
    return x < T(0) ? -r : r;
}
/* Y for x not in (0, infinity). */
template <class T> __WM_FN bool __wm_bessel_special(T x, T *r) {
    if (x > T(0) && __wm_is_finite(x)) return false;
    *r = x == T(0) ? -__wm_inf<T>() : x > T(0) ? T(0) : __wm_nan<T>();
    return true;
}
/* 2/pi log(x / z) j + rest (x - z)(x + z) / under for a zero z of Y. */
template <class T> __WM_FN T __wm_bessel_y(T x, T h, T l, T j, T rest, T under) {
    T d = __wm_from_zero(x, h, l);
    T log = __wm_abs(d) < T(0.25) * h ? __wm_log1p(d / h) : __wm_log(x / h);
    if (x < T(1e-6)) log = __wm_log(x) - __wm_log(h);
    return __wm_fma(__wm_c<T>::two_over_pi_h() * log, j, rest * (d * (x + h)) / under);
}
template <class T> __WM_FN T __wm_y0(T x) {
    typedef __wm_c<T> c;
    T r;
    if (__wm_bessel_special(x, &r)) return r;
    if (x >= T(8)) return __wm_bessel_large(x, 0, true);
    T j = __wm_j0(x);
    if (x < T(2)) return __wm_bessel_y(x, c::y0z1_h(), c::y0z1_l(), j, __wm_p_y0a(x * x), T(1));
    if (x < T(5.5)) return __wm_bessel_y(x, c::y0z2_h(), c::y0z2_l(), j, __wm_p_y0b(x - T(3.75)), T(1));
    return __wm_bessel_y(x, c::y0z3_h(), c::y0z3_l(), j, __wm_p_y0c(x - T(6.75)), T(1));
}
template <class T> __WM_FN T __wm_y1(T x) {
    typedef __wm_c<T> c;
    T r;
    if (__wm_bessel_special(x, &r)) return r;
    if (x >= T(8)) return __wm_bessel_large(x, 1, true);
    if (x < __wm_pow2<T>(-__wm_t<T>::digits)) return -c::two_over_pi_h() / x;
    T j = __wm_j1(x);
    if (x < T(4)) return __wm_bessel_y(x, c::y1z1_h(), c::y1z1_l(), j, __wm_p_y1a(x * x), x);
    return __wm_bessel_y(x, c::y1z2_h(), c::y1z2_l(), j, __wm_p_y1b(x - T(6)), x);
}
/* Modified Bessel function I for x >= 10: q = exp(-x) sqrt(x) I(x). */
template <class T> __WM_FN T __wm_bessel_i_large(T x, T q) {
    if (x > (sizeof(T) == 4 ? T(100) : T(720))) return __wm_inf<T>();
    int k;
    __wm_pair<T> e = __wm_exp_pair(x, T(0), &k);
    return __wm_scale_1(__wm_times(e, q / __wm_sqrt(x)).h, k);
}
template <class T> __WM_FN T __wm_cyl_bessel_i0(T x) {
    if (__wm_is_nan(x)) return x + x;
    T a = __wm_abs(x);
    return a < T(10) ? __wm_p_i0a(a * a) : __wm_bessel_i_large(a, __wm_p_i0b(T(1) / a));
}
template <class T> __WM_FN T __wm_cyl_bessel_i1(T x) {
    if (__wm_is_nan(x)) return x + x;
    T a = __wm_abs(x);
    if (a < T(10)) return x * __wm_p_i1a(a * a);
    return __wm_copysign(__wm_bessel_i_large(a, __wm_p_i1b(T(1) / a)), x);
}
template <class T> __WM_FN T __wm_jn(int n, T x) {
    if (n < 0) return __wm_nan<T>();
    if (n == 0) return __wm_j0(x);
    if (n == 1) return __wm_j1(x);
    if (__wm_is_nan(x)) return x + x;
    T a = __wm_abs(x), r;
    bool negative = __wm_sign(x) && (n & 1);
    if (a == T(0) || __wm_is_inf(a)) return negative ? T(-0.0) : T(0);
    if (a > T(n)) { /* upward recurrence is stable */
        T before = __wm_j0(a);
        r = __wm_j1(a);
        T i = T(2) / a;
        for (int k = 1; k < n; k++) {
            T next = __wm_fma(T(k) * i, r, -before);
            before = r;
            r = next;
        }
        return negative ? -r : r;
    }
    /* Miller's downward recurrence, normalized by j0 + 2 (j2 + j4 + ...) = 1. */
    int start = n + (int)__wm_sqrt(T(sizeof(T) == 4 ? 60 : 160) * T(n)) + 12;
    start &= ~1;
    T after = T(0), now = T(1), sum = T(0), value = T(0), i = T(2) / a;
    const T big = sizeof(T) == 4 ? T(0x1p40) : T(0x1p300), least = T(1) / big;
    if (a < least) { /* (x / 2)^n / n! */
        r = T(0.5) * a;
        for (int k = 2; k <= n && r != T(0); k++) r = r * (T(0.5) * a) / T(k);
        return negative ? -r : r;
    }
    for (int k = start; k > 0; k--) {
        if (k == n) value = now;
        if ((k & 1) == 0) sum += now;
        T before = __wm_fma(T(k) * i, now, -after);
        after = now;
        now = before;
        while (__wm_abs(now) > big) {
            now *= least;
            after *= least;
            sum *= least;
            value *= least;
        }
    }
    r = value / (now + T(2) * sum);
    return negative ? -r : r;
}
template <class T> __WM_FN T __wm_yn(int n, T x) {
    T r;
    if (n < 0) return __wm_nan<T>();
    if (n == 0) return __wm_y0(x);
    if (n == 1) return __wm_y1(x);
    if (__wm_bessel_special(x, &r)) return r;
    T before = __wm_y0(x), i = T(2) / x;
    r = __wm_y1(x);
    for (int k = 1; k < n && __wm_is_finite(r); k++) {
        T next = __wm_fma(T(k) * i, r, -before);
        before = r;
        r = next;
    }
    return __wm_is_finite(r) ? r : -__wm_inf<T>();
}

#endif
