/* Trigonometric functions and their inverses. */
#ifndef WARPSIM_MATH_TRIG_H
#define WARPSIM_MATH_TRIG_H

__WM_FN unsigned __wm_two_over_pi(float, int i) { return __wm_two_over_pi_float(i); }
__WM_FN unsigned __wm_two_over_pi(double, int i) { return __wm_two_over_pi_double(i); }

/* Reduction of |x| >= 2^12 (float) or 2^20 (double) by Payne and Hanek's method: the product of the
 * mantissa with the digits of 2/pi that matter, in words of 32 bits. */
template <class T> __WM_RARE __wm_pair<T> __wm_reduce_large(T x, int *quadrant) {
    typedef __wm_c<T> c;
    typedef typename __wm_t<T>::bits bits;
    enum { words = sizeof(T) == 4 ? 4 : 7, pieces = sizeof(T) == 4 ? 2 : 4 };
    bits b = __wm_abs_bits(x);
    bits mantissa = (b & (((bits)1 << __wm_t<T>::mantissa) - 1)) | ((bits)1 << __wm_t<T>::mantissa);
    int e = (int)(b >> __wm_t<T>::mantissa) - __wm_t<T>::bias - __wm_t<T>::mantissa;
    unsigned m0 = (unsigned)mantissa;
    unsigned m1 = (unsigned)((unsigned long long)mantissa >> 32);
    int first = (e + 62) / 32 - 2; /* floor((e - 2) / 32) */
    int whole = e - 32 * first;    /* 2 .. 33 bits before the point */
    unsigned p[words + 1];
    unsigned long long carry = 0;
    unsigned previous = 0;
#pragma unroll
    for (int i = words - 1; i >= 0; i--) { /* p[0] is the most significant word */
        unsigned w = __wm_two_over_pi(x, first + i + 2);
        unsigned long long t = (unsigned long long)w * m0 + carry;
        if (sizeof(T) == 8) {
            unsigned long long u = (unsigned long long)previous * m1 + (unsigned)t;
            p[i] = (unsigned)u;
            carry = (u >> 32) + (t >> 32);
            previous = w;
        } else {
            p[i] = (unsigned)t;
            carry = t >> 32;
        }
    }
    p[words] = 0;
    /* Quadrant: the two bits before the point. Then the fraction is shifted to the top. */
    unsigned q;
    if (whole >= 32) {
        unsigned top = p[0];
#pragma unroll
        for (int i = 0; i < words; i++) p[i] = p[i + 1];
        whole -= 32;
        q = whole == 0 ? top & 3u : ((top << 1) | (p[0] >> 31)) & 3u;
    } else {
        q = p[0] >> (32 - whole) & 3u;
    }
    if (whole > 0) {
#pragma unroll
        for (int i = 0; i < words; i++) p[i] = (p[i] << whole) | (p[i + 1] >> (32 - whole));
    }
    bool negative = (p[0] >> 31) != 0;
    if (negative) { /* nearest quadrant: fraction - 1 */
        q++;
#pragma unroll
        for (int i = 0; i < words; i++) p[i] = ~p[i];
    }
    /* Normalize. A fraction has fewer than 64 (float: 32) leading zeros. */
    if (sizeof(T) == 8 && p[0] == 0u) {
#pragma unroll
        for (int i = 0; i < words; i++) p[i] = p[i + 1];
        whole = 32;
    } else {
        whole = 0;
    }
    int zeros = p[0] == 0u ? 31 : __builtin_clz(p[0]);
    if (zeros > 0) {
#pragma unroll
        for (int i = 0; i < words; i++) p[i] = (p[i] << zeros) | (p[i + 1] >> (32 - zeros));
    }
    T unit = __wm_pow2<T>(-(whole + zeros) - 24);
    T h = T((int)(p[0] >> 8)) * unit;
    T l = T((int)((p[0] & 0xffu) << 16 | p[1] >> 16)) * (unit *= T(0x1p-24));
    if (pieces > 2) {
        h += l;
        l = T((int)((p[1] & 0xffffu) << 8 | p[2] >> 24)) * (unit *= T(0x1p-24));
        l += T((int)(p[2] & 0xffffffu)) * (unit * T(0x1p-24));
    }
    __wm_pair<T> r = __wm_times(__wm_make<T>(h, l), __wm_make<T>(c::pio2_h(), c::pio2_l()));
    if (negative != __wm_sign(x)) r = __wm_negate(r);
    *quadrant = __wm_sign(x) ? -(int)q : (int)q;
    return r;
}
/* The same; the quadrant of a caller stays a register. */
template <class T> __WM_FN __wm_pair<T> __wm_reduce_far(T x, int *quadrant) {
    int q;
    __wm_pair<T> r = __wm_reduce_large(x, &q);
    *quadrant = q;
    return r;
}
/* x - quadrant pi/2 as a pair, at most pi/4 and a little in magnitude; x is finite. */
template <class T> __WM_FN __wm_pair<T> __wm_reduce(T x, int *quadrant) {
    typedef __wm_c<T> c;
    if (__wm_abs(x) > (sizeof(T) == 4 ? T(4096) : T(1048576))) return __wm_reduce_far(x, quadrant);
    T n = __wm_rint(x * c::inv_pio2_h());
    *quadrant = (int)n;
    T a = x - __wm_mul(n, c::pio2s_1());
    __wm_pair<T> r = __wm_sum(a, -__wm_mul(n, c::pio2s_2()));
    __wm_pair<T> s = __wm_sum(r.h, -__wm_mul(n, c::pio2s_3()));
    s.l += r.l;
    s = __wm_fast_sum(s.h, s.l);
    return __wm_fast_sum(s.h, s.l - __wm_mul(n, c::pio2s_4()));
}
/* Sine and cosine of a reduced argument, each as a pair with about three bits more than T. */
template <class T> __WM_FN __wm_pair<T> __wm_sin_pair(__wm_pair<T> r) {
    T z = r.h * r.h;
    return __wm_fast_sum(r.h, __wm_fma(r.h * z, __wm_p_sin(z), __wm_fma(z * T(-0.5), r.l, r.l)));
}
template <class T> __WM_FN __wm_pair<T> __wm_cos_pair(__wm_pair<T> r) {
    __wm_pair<T> z = __wm_product(r.h, r.h);
    __wm_pair<T> s = __wm_fast_sum(T(1), T(-0.5) * z.h);
    return __wm_fast_sum(s.h, s.l + __wm_fma(-r.h, r.l, __wm_fma(z.h * z.h, __wm_p_cos(z.h), T(-0.5) * z.l)));
}
template <class T, class W> __WM_FN void __wm_sincos_reduced(__wm_pair<T> r, int quadrant, W *s, W *c) {
    T sine = __wm_sin_pair(r).h, cosine = __wm_cos_pair(r).h;
    T a = quadrant & 1 ? cosine : sine, b = quadrant & 1 ? sine : cosine;
    *s = quadrant & 2 ? -a : a;
    *c = (quadrant + 1) & 2 ? -b : b;
}
template <class T> __WM_FN T __wm_sin_reduced(__wm_pair<T> r, int quadrant) {
    T v = quadrant & 1 ? __wm_cos_pair(r).h : __wm_sin_pair(r).h;
    return quadrant & 2 ? -v : v;
}
template <class T> __WM_FN T __wm_sin(T x) {
    if (!__wm_is_finite(x)) return __wm_nan<T>();
    if (x == T(0)) return x;
    int q;
    __wm_pair<T> r = __wm_reduce(x, &q);
    return __wm_sin_reduced(r, q);
}
template <class T> __WM_FN T __wm_cos(T x) {
    if (!__wm_is_finite(x)) return __wm_nan<T>();
    int q;
    __wm_pair<T> r = __wm_reduce(x, &q);
    return __wm_sin_reduced(r, q + 1);
}
template <class T, class W> __WM_FN void __wm_sincos(T x, W *s, W *c) {
    if (!__wm_is_finite(x)) {
        *s = *c = __wm_nan<T>();
        return;
    }
    int q;
    __wm_pair<T> r = __wm_reduce(x, &q);
    __wm_sincos_reduced(r, q, s, c);
    if (x == T(0)) *s = x;
}
template <class T> __WM_FN T __wm_tan(T x) {
    if (!__wm_is_finite(x)) return __wm_nan<T>();
    if (__wm_abs(x) < __wm_pow2<T>(-__wm_t<T>::digits)) return x;
    int q;
    __wm_pair<T> r = __wm_reduce(x, &q);
    __wm_pair<T> s = __wm_sin_pair(r), c = __wm_cos_pair(r);
    return (q & 1 ? __wm_over(__wm_negate(c), s) : __wm_over(s, c)).h;
}
/* pi x reduced by multiples of pi/2. */
template <class T> __WM_FN __wm_pair<T> __wm_reduce_pi(T x, int *quadrant) {
    typedef __wm_c<T> c;
    T part = x - T(2) * __wm_trunc(x * T(0.5)); /* exact, in (-2, 2) */
    T n = __wm_rint(part + part);
    *quadrant = (int)n;
    return __wm_times(__wm_make<T>(c::pi_h(), c::pi_l()), __wm_fma(n, T(-0.5), part));
}
template <class T> __WM_FN T __wm_sinpi(T x) {
    if (!__wm_is_finite(x)) return __wm_nan<T>();
    if (x == __wm_trunc(x)) return __wm_copysign(T(0), x);
    int q;
    __wm_pair<T> r = __wm_reduce_pi(x, &q);
    return __wm_sin_reduced(r, q);
}
template <class T> __WM_FN T __wm_cospi(T x) {
    if (!__wm_is_finite(x)) return __wm_nan<T>();
    int q;
    __wm_pair<T> r = __wm_reduce_pi(x, &q);
    T v = __wm_sin_reduced(r, q + 1);
    return v == T(0) ? T(0) : v;
}
template <class T, class W> __WM_FN void __wm_sincospi(T x, W *s, W *c) {
    if (!__wm_is_finite(x)) {
        *s = *c = __wm_nan<T>();
        return;
    }
    int q;
    __wm_pair<T> r = __wm_reduce_pi(x, &q);
    __wm_sincos_reduced(r, q, s, c);
    if (x == __wm_trunc(x)) *s = __wm_copysign(T(0), x);
    if (*c == W(0)) *c = W(0);
}

/* ---- Inverse functions. */

/* asin(sqrt((1 - a) / 2)) for a in [0.5, 1] as a pair. */
template <class T> __WM_FN __wm_pair<T> __wm_asin_half(T a) {
    T z = T(0.5) * (T(1) - a);
    __wm_pair<T> s = __wm_root(__wm_make<T>(z, T(0)));
    return __wm_fast_sum(s.h, __wm_fma(s.h * z, __wm_p_asin(z), s.l));
}
template <class T> __WM_FN T __wm_asin(T x) {
    typedef __wm_c<T> c;
    T a = __wm_abs(x), z = x * x;
    if (!(a <= T(1))) return __wm_nan<T>();
    if (a <= T(0.5)) return __wm_fma(x * z, __wm_p_asin(z), x);
    __wm_pair<T> h = __wm_asin_half(a);
    __wm_pair<T> r = __wm_fast_sum(c::pio2_h(), T(-2) * h.h);
    return __wm_copysign(r.h + (r.l + __wm_fma(T(-2), h.l, c::pio2_l())), x);
}
template <class T> __WM_FN T __wm_acos(T x) {
    typedef __wm_c<T> c;
    T a = __wm_abs(x), z = x * x;
    if (!(a <= T(1))) return __wm_nan<T>();
    if (a <= T(0.5)) {
        __wm_pair<T> r = __wm_fast_sum(c::pio2_h(), -x);
        return r.h + (r.l + __wm_fma(-x * z, __wm_p_asin(z), c::pio2_l()));
    }
    __wm_pair<T> h = __wm_asin_half(a);
    if (x > T(0)) return T(2) * (h.h + h.l);
    __wm_pair<T> r = __wm_fast_sum(c::pi_h(), T(-2) * h.h);
    return r.h + (r.l + __wm_fma(T(-2), h.l, c::pi_l()));
}
/* atan(q) for a pair in [0, 1], as a pair. */
template <class T> __WM_FN __wm_pair<T> __wm_atan_pair(__wm_pair<T> q) {
    T z = q.h * q.h;
    return __wm_fast_sum(q.h, __wm_fma(q.h * z, __wm_p_atan(z), q.l / __wm_fma(q.h, q.h, T(1))));
}
template <class T> __WM_FN T __wm_atan(T x) {
    typedef __wm_c<T> c;
    if (__wm_is_nan(x)) return x + x;
    T a = __wm_abs(x), z = x * x;
    if (a <= T(1)) return __wm_odd(__wm_fma(a * z, __wm_p_atan(z), a), x);
    T i = T(1) / a;
    z = i * i;
    __wm_pair<T> r = __wm_fast_sum(c::pio2_h(), -i);
    return __wm_odd(r.h + (r.l + __wm_fma(-i * z, __wm_p_atan(z), c::pio2_l())), x);
}
template <class T> __WM_FN T __wm_atan2(T y, T x) {
    typedef __wm_c<T> c;
    if (__wm_is_nan(x) || __wm_is_nan(y)) return x + y;
    T a = __wm_abs(y), b = __wm_abs(x), r;
    bool steep = a > b;
    T small = steep ? b : a, large = steep ? a : b;
    __wm_pair<T> q;
    if (small == T(0)) {
        q = __wm_make<T>(T(0), T(0));
    } else if (__wm_is_inf(large)) {
        q = __wm_make<T>(__wm_is_inf(small) ? T(1) : T(0), T(0));
    } else {
        /* Scaled, so that the residue of the division is exact. */
        int e;
        __wm_split(large, &e);
        small = __wm_scale(small, -e);
        large = __wm_scale(large, -e);
        T h = small / large;
        q = __wm_make<T>(h, __wm_residue(h, large, small) / large);
        if (h < __wm_pow2<T>(-__wm_t<T>::bias + 1 + __wm_t<T>::digits)) q.l = T(0);
    }
    q = __wm_atan_pair(q);
    if (steep) q = __wm_add(__wm_negate(q), __wm_make<T>(c::pio2_h(), c::pio2_l()));
    if (__wm_sign(x)) q = __wm_add(__wm_negate(q), __wm_make<T>(c::pi_h(), c::pi_l()));
    r = q.h;
    return __wm_copysign(r, y);
}

#endif
