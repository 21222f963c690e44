/* Rounding, remainders, parts of numbers, comparison. */
#ifndef WARPSIM_MATH_BASIC_H
#define WARPSIM_MATH_BASIC_H

template <class T> __WM_FN T __wm_round(T x) {
    T t = __wm_trunc(x);
    if (__wm_abs(x - t) >= T(0.5)) t += __wm_copysign(T(1), x);
    return __wm_copysign(t, x);
}
template <class T> __WM_FN T __wm_fmin(T a, T b) {
    if (__wm_is_nan(a)) return b;
    if (__wm_is_nan(b)) return a;
    if (a == b) return __wm_sign(a) ? a : b;
    return a < b ? a : b;
}
template <class T> __WM_FN T __wm_fmax(T a, T b) {
    if (__wm_is_nan(a)) return b;
    if (__wm_is_nan(b)) return a;
    if (a == b) return __wm_sign(a) ? b : a;
    return a > b ? a : b;
}
template <class T> __WM_FN T __wm_fdim(T a, T b) {
    if (__wm_is_nan(a) || __wm_is_nan(b)) return a + b;
    return a > b ? a - b : T(0);
}
template <class T> __WM_FN T __wm_frexp(T x, int *e) {
    if (x == T(0) || !__wm_is_finite(x)) {
        *e = 0;
        return x + x;
    }
    T m = __wm_split(__wm_abs(x), e);
    *e += 1;
    return __wm_copysign(m * T(0.5), x);
}
template <class T> __WM_FN T __wm_ldexp(T x, int e) {
    if (x == T(0) || !__wm_is_finite(x)) return x + x;
    return __wm_scale(x, e);
}
template <class T> __WM_FN T __wm_scalbln(T x, long e) {
    return __wm_ldexp(x, e > 100000 ? 100000 : e < -100000 ? -100000 : (int)e);
}
template <class T, class W> __WM_FN T __wm_modf(T x, W *whole) {
    T t = __wm_trunc(x);
    *whole = t;
    return __wm_copysign(__wm_is_inf(x) ? T(0) : x - t, x);
}
template <class T> __WM_FN int __wm_ilogb(T x) {
    if (x == T(0) || __wm_is_nan(x)) return -2147483647 - 1;
    if (__wm_is_inf(x)) return 2147483647;
    int e;
    __wm_split(__wm_abs(x), &e);
    return e;
}
template <class T> __WM_FN T __wm_logb(T x) {
    if (x == T(0)) return -__wm_inf<T>();
    if (!__wm_is_finite(x)) return x * x;
    return T(__wm_ilogb(x));
}
template <class T> __WM_FN T __wm_nextafter(T x, T y) {
    typedef typename __wm_t<T>::bits bits;
    if (__wm_is_nan(x) || __wm_is_nan(y)) return x + y;
    if (x == y) return y;
    if (x == T(0)) return __wm_copysign(__wm_from((bits)1), y);
    bits b = __wm_bits(x);
    return __wm_from((x < y) == (x > T(0)) ? b + 1 : b - 1);
}
template <class T> __WM_FN T __wm_nan_of(const char *) { return __wm_nan<T>(); }

/* Remainder of |x| / |y|, both finite and y not 0: integer division of the mantissas, a few bits of the
 * quotient in each step. The low bits of the quotient are in `quotient`. */
template <class T> __WM_FN T __wm_remainder_of(T x, T y, unsigned *quotient) {
    typedef typename __wm_t<T>::bits bits;
    enum { step = sizeof(T) == 4 ? 8 : 11 };
    unsigned q = 0;
    if (x >= y) {
        const bits lead = (bits)1 << __wm_t<T>::mantissa;
        bits a = __wm_bits(x), b = __wm_bits(y);
        int ea = (int)(a >> __wm_t<T>::mantissa), eb = (int)(b >> __wm_t<T>::mantissa);
        a &= lead - 1;
        b &= lead - 1;
        if (ea) a |= lead; else ea = 1;
        if (eb) b |= lead; else eb = 1;
        int n = ea - eb;
        q = (unsigned)(a / b);
        a = a % b;
        while (n > 0) {
            int s = n < step ? n : (int)step;
            a <<= s;
            q = (q << s) | (unsigned)(a / b);
            a = a % b;
            n -= s;
        }
        if (a == 0) {
            x = T(0);
        } else {
            /* a 2^(eb - 1) in units of the smallest subnormal number; exact */
            while (a < lead && eb > 1) {
                a <<= 1;
                eb -= 1;
            }
            x = a < lead ? __wm_from(a) : __wm_from((a & (lead - 1)) | ((bits)eb << __wm_t<T>::mantissa));
        }
    }
    *quotient = q;
    return x;
}
template <class T> __WM_FN T __wm_fmod(T x, T y) {
    if (__wm_is_nan(x) || __wm_is_nan(y) || __wm_is_inf(x) || y == T(0)) return __wm_nan<T>();
    if (__wm_is_inf(y)) return x;
    unsigned q;
    return __wm_copysign(__wm_remainder_of(__wm_abs(x), __wm_abs(y), &q), x);
}
template <class T> __WM_FN T __wm_remquo(T x, T y, int *quotient) {
    *quotient = 0;
    if (__wm_is_nan(x) || __wm_is_nan(y) || __wm_is_inf(x) || y == T(0)) return __wm_nan<T>();
    if (__wm_is_inf(y)) return x;
    unsigned q;
    T b = __wm_abs(y), r = __wm_remainder_of(__wm_abs(x), b, &q);
    /* r > b / 2, or equal and the quotient is odd */
    if (r > b - r || (r == b - r && (q & 1))) {
        r = r - b;
        q++;
    }
    int low = (int)(q & 0x7fffffffu);
    *quotient = __wm_sign(x) != __wm_sign(y) ? -low : low;
    T s = __wm_copysign(__wm_abs(r), x);
    return (r < T(0)) ? -s : s;
}
template <class T> __WM_FN T __wm_remainder(T x, T y) {
    int q;
    return __wm_remquo(x, y, &q);
}

#endif
