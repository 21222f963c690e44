/* Roots and lengths. */
#ifndef WARPSIM_MATH_ROOT_H
#define WARPSIM_MATH_ROOT_H

template <class T> __WM_FN T __wm_rsqrt(T x) {
    if (!(x > T(0)) || __wm_is_inf(x)) {
        if (x == T(0)) return __wm_copysign(__wm_inf<T>(), x);
        return x > T(0) ? T(0) : __wm_nan<T>();
    }
    int e;
    T m = __wm_split(x, &e);
    if (e & 1) {
        m += m;
        e -= 1;
    }
    T y = T(1) / __wm_sqrt(m);
    __wm_pair<T> p = __wm_product(m, y);
    T d = __wm_fma(-p.l, y, __wm_residue(p.h, y, T(1)));
    return __wm_fma(y * T(0.5), d, y) * __wm_pow2<T>(-e / 2);
}
/* Cube root of m in [1, 8) as a pair: a start value from a line, four steps of Newton's method. */
template <class T> __WM_FN __wm_pair<T> __wm_cbrt_pair(T m) {
    T y = __wm_fma(m, __wm_fma(-m, T(0.00585), T(0.1875)), T(0.86));
#pragma unroll
    for (int i = 0; i < (sizeof(T) == 4 ? 3 : 4); i++) {
        y = __wm_fma(m / (y * y) - y, T(1.0 / 3.0), y);
    }
    __wm_pair<T> square = __wm_product(y, y);
    __wm_pair<T> cube = __wm_times(square, y);
    T d = (m - cube.h) - cube.l;
    return __wm_fast_sum(y, d / (T(3) * square.h));
}
/* |x| = 2^(3 e) m, m in [1, 8). */
template <class T> __WM_FN T __wm_cbrt_split(T x, int *e) {
    int k;
    T m = __wm_split(__wm_abs(x), &k);
    int third = (k + 3072) / 3 - 1024;
    *e = third;
    return m * T(1 << (k - 3 * third));
}
template <class T> __WM_FN T __wm_cbrt(T x) {
    if (x == T(0) || !__wm_is_finite(x)) return x + x;
    int e;
    T m = __wm_cbrt_split(x, &e);
    return __wm_copysign(__wm_cbrt_pair(m).h * __wm_pow2<T>(e), x);
}
template <class T> __WM_FN T __wm_rcbrt(T x) {
    if (x == T(0)) return __wm_copysign(__wm_inf<T>(), x);
    if (!__wm_is_finite(x)) return __wm_is_inf(x) ? __wm_copysign(T(0), x) : x + x;
    int e;
    T m = __wm_cbrt_split(x, &e);
    __wm_pair<T> y = __wm_cbrt_pair(m);
    return __wm_copysign(__wm_over(__wm_make<T>(T(1), T(0)), y).h * __wm_pow2<T>(-e), x);
}
/* sqrt(a^2 + b^2 + c^2 + d^2) = 2^e times a pair; false if the sum is 0, infinite or NaN, then its root
 * is in r. */
template <class T> __WM_FN bool __wm_norm(T a, T b, T c, T d, __wm_pair<T> *r, int *e) {
    a = __wm_abs(a);
    b = __wm_abs(b);
    c = __wm_abs(c);
    d = __wm_abs(d);
    T s = a + b + c + d;
    if (__wm_is_inf(a) || __wm_is_inf(b) || __wm_is_inf(c) || __wm_is_inf(d)) {
        *r = __wm_make<T>(__wm_inf<T>(), T(0));
        return false;
    }
    if (s == T(0) || __wm_is_nan(s)) {
        *r = __wm_make<T>(s, T(0));
        return false;
    }
    T m = a > b ? a : b, n = c > d ? c : d;
    __wm_split(m > n ? m : n, e);
    a = __wm_scale(a, -*e);
    b = __wm_scale(b, -*e);
    c = __wm_scale(c, -*e);
    d = __wm_scale(d, -*e);
    __wm_pair<T> sum = __wm_add(__wm_product(a, a), __wm_product(b, b));
    if (c > T(0)) sum = __wm_add(sum, __wm_product(c, c));
    if (d > T(0)) sum = __wm_add(sum, __wm_product(d, d));
    *r = __wm_root(sum);
    return true;
}
template <class T> __WM_FN T __wm_norm4d(T a, T b, T c, T d) {
    __wm_pair<T> r;
    int e;
    return __wm_norm(a, b, c, d, &r, &e) ? __wm_scale(r.h, e) : r.h;
}
template <class T> __WM_FN T __wm_rnorm4d(T a, T b, T c, T d) {
    __wm_pair<T> r;
    int e;
    if (!__wm_norm(a, b, c, d, &r, &e)) return T(1) / r.h;
    return __wm_scale(__wm_over(__wm_make<T>(T(1), T(0)), r).h, -e);
}
template <class T> __WM_FN T __wm_norm3d(T a, T b, T c) { return __wm_norm4d(a, b, c, T(0)); }
template <class T> __WM_FN T __wm_rnorm3d(T a, T b, T c) { return __wm_rnorm4d(a, b, c, T(0)); }
template <class T> __WM_FN T __wm_hypot(T a, T b) { return __wm_norm4d(a, b, T(0), T(0)); }
template <class T> __WM_FN T __wm_rhypot(T a, T b) { return __wm_rnorm4d(a, b, T(0), T(0)); }

#endif
