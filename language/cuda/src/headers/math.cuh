// Functions of math.h that are one instruction or a few.
#define __INF_F 1e39f
#define NAN __int_as_float(0x7fffffff)
__D float nanf(const char *tag) { return NAN; }
__D double nan(const char *tag) { return __longlong_as_double(0x7ff8000000000000LL); }

#define __WS_UNARY(NAME, OP)                                                                               \
    __intrinsic__(OP) float NAME##f(float x);                                                              \
    __intrinsic__(OP) float NAME(float x);                                                                 \
    __intrinsic__(OP) double NAME(double x);                                                               \
    __D double NAME(int x) { return NAME((double)x); }                                                     \
    __D double NAME(unsigned int x) { return NAME((double)x); }                                            \
    __D double NAME(long long x) { return NAME((double)x); }                                               \
    __D double NAME(unsigned long long x) { return NAME((double)x); }                                      \
    __D double NAME(long x) { return NAME((double)x); }                                                    \
    __D double NAME(unsigned long x) { return NAME((double)x); }
__WS_UNARY(fabs, "abs")
__WS_UNARY(sqrt, "sqrt")
__WS_UNARY(rsqrt, "rsqrt")
__WS_UNARY(floor, "floor")
__WS_UNARY(ceil, "ceil")
__WS_UNARY(trunc, "trunc")
__WS_UNARY(rint, "rint")
__WS_UNARY(nearbyint, "rint")

__intrinsic__("fma") float fmaf(float x, float y, float z);
__intrinsic__("fma") float fma(float x, float y, float z);
__intrinsic__("fma") double fma(double x, double y, double z);
__intrinsic__("min") float fminf(float x, float y);
__intrinsic__("max") float fmaxf(float x, float y);
__intrinsic__("min") float fmin(float x, float y);
__intrinsic__("max") float fmax(float x, float y);
__intrinsic__("min") double fmin(double x, double y);
__intrinsic__("max") double fmax(double x, double y);

#define __WS_MIN_MAX(T)                                                                                    \
    __intrinsic__("min") T min(T x, T y);                                                                  \
    __intrinsic__("max") T max(T x, T y);
__WS_MIN_MAX(int)
__WS_MIN_MAX(unsigned int)
__WS_MIN_MAX(long)
__WS_MIN_MAX(unsigned long)
__WS_MIN_MAX(long long)
__WS_MIN_MAX(unsigned long long)
__WS_MIN_MAX(float)
__WS_MIN_MAX(double)
__D unsigned int min(int x, unsigned int y) { return min((unsigned int)x, y); }
__D unsigned int min(unsigned int x, int y) { return min(x, (unsigned int)y); }
__D unsigned int max(int x, unsigned int y) { return max((unsigned int)x, y); }
__D unsigned int max(unsigned int x, int y) { return max(x, (unsigned int)y); }
__D double min(float x, double y) { return min((double)x, y); }
__D double min(double x, float y) { return min(x, (double)y); }
__D double max(float x, double y) { return max((double)x, y); }
__D double max(double x, float y) { return max(x, (double)y); }

__intrinsic__("abs") int abs(int x);
__intrinsic__("abs") long abs(long x);
__intrinsic__("abs") long long abs(long long x);
__intrinsic__("abs") float abs(float x);
__intrinsic__("abs") double abs(double x);
__intrinsic__("abs") long labs(long x);
__intrinsic__("abs") long long llabs(long long x);

__intrinsic__("isnan") bool __ws_isnan(float x);
__intrinsic__("isnan") bool __ws_isnan(double x);
__D int isnan(float x) { return __ws_isnan(x); }
__D int isnan(double x) { return __ws_isnan(x); }
__intrinsic__("abs") float __builtin_fabsf(float x);
__intrinsic__("abs") double __builtin_fabs(double x);
#define __builtin_inff() __INF_F
#define __builtin_inf() HUGE_VAL
__D int signbit(float x) { return __float_as_int(x) < 0; }
__D int signbit(double x) { return __double2hiint(x) < 0; }
__D float copysignf(float x, float y) {
    return __int_as_float((__float_as_int(x) & 0x7fffffff) | (__float_as_int(y) & (int)0x80000000u));
}
__D double copysign(double x, double y) {
    return __hiloint2double((__double2hiint(x) & 0x7fffffff) | (__double2hiint(y) & (int)0x80000000u),
                            __double2loint(x));
}
__D float copysign(float x, float y) { return copysignf(x, y); }
__D void *memcpy(void *to, const void *from, size_t bytes) {
    for (size_t at = 0; at < bytes; at++) ((char *)to)[at] = ((const char *)from)[at];
    return to;
}
__D void *memmove(void *to, const void *from, size_t bytes) {
    if (to <= from) return memcpy(to, from, bytes);
    for (size_t at = bytes; at > 0; at--) ((char *)to)[at - 1] = ((const char *)from)[at - 1];
    return to;
}
__D void *memset(void *to, int value, size_t bytes) {
    for (size_t at = 0; at < bytes; at++) ((char *)to)[at] = (char)value;
    return to;
}

#ifdef NDEBUG
#define assert(e) ((void)0)
#elif __CUDA_ARCH__ >= 200
#define assert(e) __warpsim_assert(e, #e)
#else
#define assert(e) ((void)0)
#endif
