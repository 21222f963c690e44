/* `min` and `max` of numbers, also of two types, on the host and on the device. */
#ifndef WARPCC_DEVICE_MIN_MAX_H
#define WARPCC_DEVICE_MIN_MAX_H
#pragma clang system_header

#undef min
#undef max

#define WARPCC_ORDER(T, A, B)                                                                                \
    static inline __host__ __device__ T min(A a, B b) { return (T)a < (T)b ? (T)a : (T)b; }                  \
    static inline __host__ __device__ T max(A a, B b) { return (T)a > (T)b ? (T)a : (T)b; }
#define WARPCC_MIXED_ORDER(T, A, B) \
    WARPCC_ORDER(T, A, B)           \
    WARPCC_ORDER(T, B, A)
WARPCC_ORDER(int, int, int)
WARPCC_ORDER(unsigned int, unsigned int, unsigned int)
WARPCC_ORDER(long, long, long)
WARPCC_ORDER(unsigned long, unsigned long, unsigned long)
WARPCC_ORDER(long long, long long, long long)
WARPCC_ORDER(unsigned long long, unsigned long long, unsigned long long)
WARPCC_MIXED_ORDER(unsigned int, int, unsigned int)
WARPCC_MIXED_ORDER(unsigned long, long, unsigned long)
WARPCC_MIXED_ORDER(unsigned long long, long long, unsigned long long)

/* As `fmin` and `fmax`: the other argument if one is not a number. */
#define WARPCC_ORDER_F(T, A, B, suffix)                                                                \
    static inline __host__ __device__ T min(A a, B b) { return __builtin_fmin##suffix((T)a, (T)b); }   \
    static inline __host__ __device__ T max(A a, B b) { return __builtin_fmax##suffix((T)a, (T)b); }
WARPCC_ORDER_F(float, float, float, f)
WARPCC_ORDER_F(double, double, double, )
WARPCC_ORDER_F(double, float, double, )
WARPCC_ORDER_F(double, double, float, )

#if defined(__CUDA__)
static __device__ inline unsigned int umin(unsigned int a, unsigned int b) { return min(a, b); }
static __device__ inline unsigned int umax(unsigned int a, unsigned int b) { return max(a, b); }
static __device__ inline long long llmin(long long a, long long b) { return min(a, b); }
static __device__ inline long long llmax(long long a, long long b) { return max(a, b); }
static __device__ inline unsigned long long ullmin(unsigned long long a, unsigned long long b) {
    return min(a, b);
}
static __device__ inline unsigned long long ullmax(unsigned long long a, unsigned long long b) {
    return max(a, b);
}
#endif

#undef WARPCC_ORDER
#undef WARPCC_MIXED_ORDER
#undef WARPCC_ORDER_F

#endif
