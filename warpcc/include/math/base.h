/* Base of the device math library: bit casts, exact sums and products, pairs of numbers.
 *
 * The library is plain C++ with builtins, so that it also compiles for the host, where its errors
 * are measured. Each algorithm is a template over `float` and `double`. Functions for `float` use
 * no `double`.
 *
 * `WARPSIM_NO_FMAF`: the target has no fused multiply-add for `float` (compute capability 1.x).
 * Exact products of floats then use Dekker's splitting.
 */
#ifndef WARPSIM_MATH_BASE_H
#define WARPSIM_MATH_BASE_H

#if defined(__CUDA__)
/* Without line numbers: an instruction belongs to the line of the program that calls. */
#define __WM_HD __attribute__((host, device, nodebug))
#else
#define __WM_HD
#endif
#define __WM_FN static inline __WM_HD

/* ---- Bits. */
template <class T> struct __wm_t;
template <> struct __wm_t<float> {
    typedef unsigned bits;
    typedef int sbits;
    enum { digits = 24, mantissa = 23, bias = 127, top = 255 };
};
template <> struct __wm_t<double> {
    typedef unsigned long long bits;
    typedef long long sbits;
    enum { digits = 53, mantissa = 52, bias = 1023, top = 2047 };
};

__WM_FN unsigned __wm_bits(float x) {
    unsigned b;
    __builtin_memcpy(&b, &x, sizeof b);
    return b;
}
__WM_FN unsigned long long __wm_bits(double x) {
    unsigned long long b;
    __builtin_memcpy(&b, &x, sizeof b);
    return b;
}
__WM_FN float __wm_float(unsigned b) {
    float x;
    __builtin_memcpy(&x, &b, sizeof x);
    return x;
}
__WM_FN float __wm_from(unsigned b) { return __wm_float(b); }
__WM_FN double __wm_from(unsigned long long b) {
    double x;
    __builtin_memcpy(&x, &b, sizeof x);
    return x;
}

/* ---- Operations of the instruction set. */
__WM_FN float __wm_fma(float a, float b, float c) {
#ifdef WARPSIM_NO_FMAF
    return a * b + c;
#else
    return __builtin_fmaf(a, b, c);
#endif
}
__WM_FN double __wm_fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
/* A rounded product that the compiler never fuses with an addition. */
__WM_FN float __wm_mul(float a, float b) {
#ifdef __CUDA_ARCH__
    return __nvvm_mul_rn_f(a, b);
#else
    return a * b;
#endif
}
__WM_FN double __wm_mul(double a, double b) {
#ifdef __CUDA_ARCH__
    return __nvvm_mul_rn_d(a, b);
#else
    return a * b;
#endif
}
__WM_FN float __wm_abs(float x) { return __builtin_fabsf(x); }
__WM_FN double __wm_abs(double x) { return __builtin_fabs(x); }
__WM_FN float __wm_rint(float x) { return __builtin_rintf(x); }
__WM_FN double __wm_rint(double x) { return __builtin_rint(x); }
__WM_FN float __wm_floor(float x) { return __builtin_floorf(x); }
__WM_FN double __wm_floor(double x) { return __builtin_floor(x); }
__WM_FN float __wm_ceil(float x) { return __builtin_ceilf(x); }
__WM_FN double __wm_ceil(double x) { return __builtin_ceil(x); }
__WM_FN float __wm_trunc(float x) { return __builtin_truncf(x); }
__WM_FN double __wm_trunc(double x) { return __builtin_trunc(x); }
__WM_FN float __wm_sqrt(float x) { return __builtin_sqrtf(x); }
__WM_FN double __wm_sqrt(double x) { return __builtin_sqrt(x); }

/* ---- Classes of numbers; independent of compiler flags that assume finite numbers. */
template <class T> __WM_FN typename __wm_t<T>::bits __wm_abs_bits(T x) {
    return __wm_bits(x) & ~((typename __wm_t<T>::bits)1 << (sizeof(T) * 8 - 1));
}
template <class T> __WM_FN typename __wm_t<T>::bits __wm_inf_bits() {
    return (typename __wm_t<T>::bits)__wm_t<T>::top << __wm_t<T>::mantissa;
}
template <class T> __WM_FN T __wm_inf() { return __wm_from(__wm_inf_bits<T>()); }
template <class T> __WM_FN T __wm_nan() {
    return __wm_from(__wm_inf_bits<T>() | ((typename __wm_t<T>::bits)1 << (__wm_t<T>::mantissa - 1)));
}
template <class T> __WM_FN bool __wm_is_nan(T x) { return __wm_abs_bits(x) > __wm_inf_bits<T>(); }
template <class T> __WM_FN bool __wm_is_inf(T x) { return __wm_abs_bits(x) == __wm_inf_bits<T>(); }
template <class T> __WM_FN bool __wm_is_finite(T x) { return __wm_abs_bits(x) < __wm_inf_bits<T>(); }
template <class T> __WM_FN bool __wm_sign(T x) {
    return (typename __wm_t<T>::sbits)__wm_bits(x) < 0;
}
template <class T> __WM_FN T __wm_copysign(T x, T y) {
    return __wm_from(__wm_abs_bits(x) | (__wm_bits(y) ^ __wm_abs_bits(y)));
}
/* 2^e for a normal result. */
template <class T> __WM_FN T __wm_pow2(int e) {
    return __wm_from((typename __wm_t<T>::bits)(e + __wm_t<T>::bias) << __wm_t<T>::mantissa);
}
/* x 2^e with one rounding, for any e. */
template <class T> __WM_FN T __wm_scale(T x, int e) {
    const int limit = __wm_t<T>::bias - 1;
    if (e >= -limit && e <= limit) {
        int half = e / 2;
        if (__wm_abs(x) >= T(0.25)) return x * __wm_pow2<T>(half) * __wm_pow2<T>(e - half);
        return x * __wm_pow2<T>(e);
    }
    if (e > 3 * limit) e = 3 * limit;
    if (e < -3 * limit) e = -3 * limit;
    int digits = __wm_t<T>::digits;
    while (e > limit) {
        x *= __wm_pow2<T>(limit);
        e -= limit;
    }
    while (e < -limit) { /* stay normal until the last product, so that it alone rounds */
        x *= __wm_pow2<T>(-limit + digits);
        e += limit - digits;
    }
    return x * __wm_pow2<T>(e);
}
/* x 2^e with one rounding for |e| < 250 (double: 2000) and x of about 1. */
template <class T> __WM_FN T __wm_scale_1(T x, int e) {
    int half = e >> 1;
    return x * __wm_pow2<T>(half) * __wm_pow2<T>(e - half);
}
/* Mantissa in [1, 2) and exponent of a positive finite number. */
template <class T> __WM_FN T __wm_split(T x, int *e) {
    typedef typename __wm_t<T>::bits bits;
    int shift = 0;
    if (__wm_bits(x) < ((bits)1 << __wm_t<T>::mantissa)) {
        x *= __wm_pow2<T>(__wm_t<T>::digits);
        shift = __wm_t<T>::digits;
    }
    bits b = __wm_bits(x);
    *e = (int)(b >> __wm_t<T>::mantissa) - __wm_t<T>::bias - shift;
    return __wm_from((b & (((bits)1 << __wm_t<T>::mantissa) - 1)) |
                     ((bits)__wm_t<T>::bias << __wm_t<T>::mantissa));
}

/* ---- Polynomials: coefficients from the constant term up. */
template <class T> __WM_FN T __wm_poly(T, T c) { return c; }
template <class T, class... R> __WM_FN T __wm_poly(T x, T c, R... rest) {
    return __wm_fma(__wm_poly(x, rest...), x, c);
}

/* ---- Pairs: the unevaluated sum h + l. */
template <class T> struct __wm_pair {
    T h, l;
};
template <class T> __WM_FN __wm_pair<T> __wm_make(T h, T l) {
    __wm_pair<T> p = {h, l};
    return p;
}
/* Exact sum; |a| >= |b|. */
template <class T> __WM_FN __wm_pair<T> __wm_fast_sum(T a, T b) {
    T s = a + b;
    return __wm_make<T>(s, b - (s - a));
}
/* Exact sum. */
template <class T> __WM_FN __wm_pair<T> __wm_sum(T a, T b) {
    T s = a + b, v = s - a;
    return __wm_make<T>(s, (a - (s - v)) + (b - v));
}
/* Exact product. */
__WM_FN __wm_pair<double> __wm_product(double a, double b) {
    double p = __wm_mul(a, b);
    return __wm_make<double>(p, __builtin_fma(a, b, -p));
}
__WM_FN __wm_pair<float> __wm_product(float a, float b) {
    float p = __wm_mul(a, b);
#ifdef WARPSIM_NO_FMAF
    float ah = __wm_float(__wm_bits(a) & 0xfffff000u), al = a - ah;
    float bh = __wm_float(__wm_bits(b) & 0xfffff000u), bl = b - bh;
    float e = __wm_mul(ah, bh) - p;
    e = (e + __wm_mul(ah, bl)) + __wm_mul(al, bh);
    return __wm_make<float>(p, e + __wm_mul(al, bl));
#else
    return __wm_make<float>(p, __builtin_fmaf(a, b, -p));
#endif
}
/* c - a b with one rounding, where the result is small. */
template <class T> __WM_FN T __wm_residue(T a, T b, T c) {
    __wm_pair<T> p = __wm_product(a, b);
    return (c - p.h) - p.l;
}
template <class T> __WM_FN __wm_pair<T> __wm_add(__wm_pair<T> a, T b) {
    __wm_pair<T> s = __wm_sum(a.h, b);
    return __wm_fast_sum(s.h, s.l + a.l);
}
template <class T> __WM_FN __wm_pair<T> __wm_add(__wm_pair<T> a, __wm_pair<T> b) {
    __wm_pair<T> s = __wm_sum(a.h, b.h);
    return __wm_fast_sum(s.h, s.l + (a.l + b.l));
}
template <class T> __WM_FN __wm_pair<T> __wm_times(__wm_pair<T> a, T b) {
    __wm_pair<T> p = __wm_product(a.h, b);
    return __wm_fast_sum(p.h, __wm_fma(a.l, b, p.l));
}
template <class T> __WM_FN __wm_pair<T> __wm_times(__wm_pair<T> a, __wm_pair<T> b) {
    __wm_pair<T> p = __wm_product(a.h, b.h);
    return __wm_fast_sum(p.h, __wm_fma(a.l, b.h, __wm_fma(a.h, b.l, p.l)));
}
template <class T> __WM_FN __wm_pair<T> __wm_over(__wm_pair<T> a, __wm_pair<T> b) {
    T q = a.h / b.h;
    __wm_pair<T> p = __wm_product(q, b.h);
    T r = (((a.h - p.h) - p.l) + a.l) - __wm_mul(q, b.l);
    return __wm_fast_sum(q, r / b.h);
}
/* Square root of a pair > 0. */
template <class T> __WM_FN __wm_pair<T> __wm_root(__wm_pair<T> a) {
    T s = __wm_sqrt(a.h);
    if (!(s > T(0))) return __wm_make<T>(s, T(0));
    T r = __wm_residue(s, s, a.h) + a.l;
    return __wm_fast_sum(s, r / (s + s));
}
template <class T> __WM_FN __wm_pair<T> __wm_negate(__wm_pair<T> a) {
    return __wm_make<T>(-a.h, -a.l);
}

#endif
