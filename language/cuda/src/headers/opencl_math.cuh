// Functions of one element that need the device math library.
#define __D __forceinline__ __device__
#define NAN __int_as_float(0x7fffffff)
__intrinsic__("ex2.approx") float __cl_native_exp2(float x);
#define __CL_MATH(T)                                                                                       \
    __D T __cl_acospi(T x) { return acos(x) * (T)0.31830988618379067154; }                                 \
    __D T __cl_asinpi(T x) { return asin(x) * (T)0.31830988618379067154; }                                 \
    __D T __cl_atanpi(T x) { return atan(x) * (T)0.31830988618379067154; }                                 \
    __D T __cl_atan2pi(T y, T x) { return atan2(y, x) * (T)0.31830988618379067154; }                       \
    __D T __cl_fract(T x, T *whole) {                                                                      \
        T down = floor(x);                                                                                 \
        *whole = down;                                                                                     \
        if (x != x) return x;                                                                              \
        if (__cl_isinf(x)) return copysign((T)0, x);                                                       \
        T rest = x - down;                                                                                 \
        T most = sizeof(T) == 4 ? (T)0x1.fffffep-1f : (T)0x1.fffffffffffffp-1;                             \
        return copysign(fmin(rest, most), rest == (T)0 ? x : rest);                                        \
    }                                                                                                      \
    __D int __cl_ilogb(T x) {                                                                              \
        if (x == (T)0) return -2147483647 - 1;                                                             \
        return x != x || __cl_isinf(x) ? 2147483647 : ilogb(x);                                            \
    }                                                                                                      \
    __D T __cl_lgamma_r(T x, int *sign) {                                                                  \
        T down = floor(x);                                                                                 \
        bool is_pole = x <= (T)0 && down == x;                                                             \
        bool is_odd = down - (T)2 * floor(down * (T)0.5) != (T)0;                                          \
        *sign = is_pole || x != x ? (x == (T)0 && !is_pole ? 0 : 0) : x > (T)0 || !is_odd ? 1 : -1;        \
        return lgamma(x);                                                                                  \
    }                                                                                                      \
    __D T __cl_pown(T x, int n) { return pow(x, n); }                                                      \
    __D T __cl_powr(T x, T y) {                                                                            \
        if (x < (T)0 || x != x || y != y) return x * (T)0 / (T)0 + y;                                      \
        if (x == (T)0 && y == (T)0 || x == (T)1 && __cl_isinf(y) || __cl_isinf(x) && y == (T)0)            \
            return (T)NAN;                                                                                 \
        return pow(fabs(x), y);                                                                            \
    }                                                                                                      \
    __D T __cl_sincos(T x, T *c) {                                                                         \
        T s, t;                                                                                            \
        sincos(x, &s, &t);                                                                                 \
        *c = t;                                                                                            \
        return s;                                                                                          \
    }                                                                                                      \
    __D T __cl_remquo(T x, T y, int *quotient) {                                                           \
        int whole;                                                                                         \
        T rest = remquo(x, y, &whole);                                                                     \
        *quotient = whole;                                                                                 \
        return rest;                                                                                       \
    }                                                                                                      \
    __D T __cl_tanpi(T x) {                                                                                \
        T s, c;                                                                                            \
        sincospi(x, &s, &c);                                                                               \
        return s / c;                                                                                      \
    }                                                                                                      \
    __D T __cl_rootn(T x, int n) { return __wm_rootn(x, n); }
__CL_MATH(float)
__D float __cl_pow(float x, float y) {
#ifdef __USE_FAST_MATH__
    // `__powf` is no number for negative bases, which `-cl-fast-relaxed-math` does not exclude.
    float size = y == 0.0f ? 1.0f : powf(fabsf(x), y);
    if (x >= 0.0f) return size;
    if (rintf(y) != y) return NAN;
    return rintf(y * 0.5f) != y * 0.5f ? -size : size;
#else
    return powf(x, y);
#endif
}
#if __CUDA_ARCH__ >= 130
__CL_MATH(double)
__D double __cl_pow(double x, double y) { return pow(x, y); }
#endif
