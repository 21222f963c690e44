/* Base of the device math library: bit casts, exact sums and products, pairs of numbers.
 *
 * The library is plain C++ with builtins of clang. Three compilers read it: clang for `warpcc`, the
 * embedded compiler (`__WARPSIM__`), whose header `math.cuh` declares these builtins, and a compiler
 * of the host, where the errors are measured. Each algorithm is a template over `float` and
 * `double`. Functions for `float` use no `double`.
 *
 * A product that is added to something is written as `__wm_fma` or `__wm_mul`, so that a result does
 * not depend on the products and sums that a compiler contracts.
 *
 * `WARPSIM_NO_FMAF`: the target has no fused multiply-add for `float` (compute capability 1.x).
 * Exact products of floats then use Dekker's splitting.
 */
#ifndef WARPSIM_MATH_BASE_H
#define WARPSIM_MATH_BASE_H

#if defined(__WARPSIM__)
#define __WM_HD __device__
#define __WM_FN __WM_HD
#if __CUDA_ARCH__ < 200
#define WARPSIM_NO_FMAF
#endif
#elif defined(__CUDA__)
/* Without line numbers: an instruction belongs to the line of the program that calls. */
#define __WM_HD __attribute__((host, device, nodebug))
#else
#define __WM_HD
#endif
#ifndef __WM_FN
#define __WM_FN static inline __WM_HD
#endif
/* A long function that programs seldom need is not a part of its callers. */
#ifdef __WARPSIM__
#define __WM_RARE __noinline__ __WM_HD
#else
#define __WM_RARE __WM_FN
#endif

/* `double` has the precision of `float` where a chip has no other: there the functions of `float`
 * compute. */
#if defined(__WARPSIM__) && __CUDA_ARCH__ < 130
__WM_FN float __wm_a(double x) { return (float)x; }
#else
__WM_FN double __wm_a(double x) { return x; }
#endif
__WM_FN float __wm_a(float x) { return x; }

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

#define __WM_CAST(To, name, From)                                                                      \
    __WM_FN To name(From x) {                                                                          \
        To y;                                                                                          \
        __builtin_memcpy(&y, &x, sizeof y);                                                            \
        return y;                                                                                      \
    }
#ifdef __WARPSIM__
#undef __WM_CAST
#define __WM_CAST(To, name, From) __intrinsic__("bitcast") To name(From x);
#endif
__WM_CAST(unsigned, __wm_bits, float)
__WM_CAST(unsigned long long, __wm_bits, double)
__WM_CAST(float, __wm_float, unsigned)
__WM_CAST(float, __wm_from, unsigned)
__WM_CAST(double, __wm_from, unsigned long long)
#undef __WM_CAST

/* ---- Operations of the instruction set; of the embedded compiler in `library.cuh`. */
#ifndef __WARPSIM__
__WM_FN float __wm_fma(float a, float b, float c) {
#ifdef WARPSIM_NO_FMAF
    return a * b + c;
#else
    return __builtin_fmaf(a, b, c);
#endif
}
__WM_FN double __wm_fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
/* A rounded product that the compiler never fuses with an addition. */
#ifdef __CUDA_ARCH__
#define __WM_PRODUCT(T, type, letter)                                                                  \
    __WM_FN T __wm_mul(T a, T b) {                                                                     \
        T p;                                                                                           \
        asm("mul.rn." type " %0, %1, %2;" : "=" letter(p) : letter(a), letter(b));                     \
        return p;                                                                                      \
    }
#else
#define __WM_PRODUCT(T, type, letter)                                                                  \
    __WM_FN T __wm_mul(T a, T b) { return a * b; }
#endif
__WM_PRODUCT(float, "f32", "f")
__WM_PRODUCT(double, "f64", "d")
#undef __WM_PRODUCT
#define __WM_UNARY(name, builtin)                                                                      \
    __WM_FN float __wm_##name(float x) { return __builtin_##builtin##f(x); }                           \
    __WM_FN double __wm_##name(double x) { return __builtin_##builtin(x); }
__WM_UNARY(abs, fabs)
__WM_UNARY(rint, rint)
__WM_UNARY(floor, floor)
__WM_UNARY(ceil, ceil)
__WM_UNARY(trunc, trunc)
__WM_UNARY(sqrt, sqrt)
#undef __WM_UNARY
#endif

/* ---- Classes of numbers; independent of compiler flags that assume finite numbers. */
template <class T> __WM_FN typename __wm_t<T>::bits __wm_abs_bits(T x) {
    return __wm_bits(x) & ~((typename __wm_t<T>::bits)1 << (sizeof(T) * 8 - 1));
}
template <class T> __WM_FN typename __wm_t<T>::bits __wm_inf_bits() {
    return (typename __wm_t<T>::bits)__wm_t<T>::top << __wm_t<T>::mantissa;
}
template <class T> __WM_FN T __wm_inf() { return __wm_from(__wm_inf_bits<T>()); }
/* The NaN of the arithmetic units: all bits of a float but the sign; for doubles the x86's. */
template <class T> __WM_FN T __wm_nan() {
    typedef typename __wm_t<T>::bits bits;
    if (sizeof(T) == 4) return __wm_from((bits)0x7fffffffu);
    return __wm_from((bits)~(((bits)1 << (__wm_t<T>::mantissa - 1)) - 1));
}
template <class T> __WM_FN bool __wm_is_nan(T x) { return __wm_abs_bits(x) > __wm_inf_bits<T>(); }
template <class T> __WM_FN bool __wm_is_inf(T x) { return __wm_abs_bits(x) == __wm_inf_bits<T>(); }
template <class T> __WM_FN bool __wm_is_finite(T x) { return __wm_abs_bits(x) < __wm_inf_bits<T>(); }
template <class T> __WM_FN bool __wm_sign(T x) {
    return (typename __wm_t<T>::sbits)__wm_bits(x) < 0;
}
template <class T> __WM_FN typename __wm_t<T>::bits __wm_sign_bit(T x) {
    return __wm_bits(x) & (typename __wm_t<T>::bits)1 << (sizeof(T) * 8 - 1);
}
template <class T> __WM_FN T __wm_copysign(T x, T y) {
    return __wm_from(__wm_abs_bits(x) | __wm_sign_bit(y));
}
/* The result of an odd function from its result for |x|, which is not negative. */
template <class T> __WM_FN T __wm_odd(T result, T x) {
    return __wm_from(__wm_bits(result) | __wm_sign_bit(x));
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

/* ---- Polynomials. One step of Horner's scheme; `x` is the argument. */
#define __H(p, c) __wm_fma(p, x, c)

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
    return __wm_make<double>(p, __wm_fma(a, b, -p));
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
    return __wm_make<float>(p, __wm_fma(a, b, -p));
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
