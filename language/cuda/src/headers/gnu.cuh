// Built-in functions of GNU's compilers, which host compilers and nvcc have.
#ifdef __WARPSIM_C__
#define __B static inline
#else
#define __B inline __host__ __device__ constexpr
#endif
__B long __builtin_expect(long value, long likely) { return value; }
__B int __builtin_constant_p(long long value) { return 0; }
__B int __builtin_popcountll(unsigned long long x) {
    x = x - ((x >> 1) & 0x5555555555555555);
    x = (x & 0x3333333333333333) + ((x >> 2) & 0x3333333333333333);
    return (int)((((x + (x >> 4)) & 0x0f0f0f0f0f0f0f0f) * 0x0101010101010101) >> 56);
}
__B int __builtin_popcountl(unsigned long x) { return __builtin_popcountll(x); }
__B int __builtin_popcount(unsigned int x) { return __builtin_popcountll(x); }
__B int __builtin_parityll(unsigned long long x) { return __builtin_popcountll(x) & 1; }
__B int __builtin_parityl(unsigned long x) { return __builtin_popcountll(x) & 1; }
__B int __builtin_parity(unsigned int x) { return __builtin_popcountll(x) & 1; }
__B int __builtin_clzll(unsigned long long x) {
    x = x | (x >> 1);
    x = x | (x >> 2);
    x = x | (x >> 4);
    x = x | (x >> 8);
    x = x | (x >> 16);
    return 64 - __builtin_popcountll(x | (x >> 32));
}
__B int __builtin_clzl(unsigned long x) { return __builtin_clzll(x); }
__B int __builtin_clz(unsigned int x) { return __builtin_clzll(x) - 32; }
__B int __builtin_ctzll(unsigned long long x) { return __builtin_popcountll((x & (0 - x)) - 1); }
__B int __builtin_ctzl(unsigned long x) { return __builtin_ctzll(x); }
__B int __builtin_ctz(unsigned int x) { return __builtin_ctzll(x); }
__B int __builtin_ffsll(long long x) { return x == 0 ? 0 : __builtin_ctzll((unsigned long long)x) + 1; }
__B int __builtin_ffsl(long x) { return __builtin_ffsll(x); }
__B int __builtin_ffs(int x) { return __builtin_ffsll(x); }
__B unsigned short __builtin_bswap16(unsigned short x) { return (unsigned short)(x << 8 | x >> 8); }
__B unsigned int __builtin_bswap32(unsigned int x) {
    x = (x & 0x00ff00ff) << 8 | (x >> 8 & 0x00ff00ff);
    return x << 16 | x >> 16;
}
__B unsigned long long __builtin_bswap64(unsigned long long x) {
    return (unsigned long long)__builtin_bswap32((unsigned int)x) << 32 | __builtin_bswap32((unsigned int)(x >> 32));
}
__B int __builtin_isnan(double x) { return x != x; }
__B int __builtin_isinf(double x) { return x - x != 0 && x == x; }
__B int __builtin_isfinite(double x) { return x - x == 0; }
__B double __builtin_huge_val() { return 1e300 * 1e300; }
__B double __builtin_inf() { return 1e300 * 1e300; }
__B float __builtin_huge_valf() { return (float)(1e300 * 1e300); }
__B float __builtin_inff() { return (float)(1e300 * 1e300); }
__B double __builtin_nan(const char *text) { return 1e300 * 1e300 - 1e300 * 1e300; }
__B float __builtin_nanf(const char *text) { return (float)(1e300 * 1e300 - 1e300 * 1e300); }
#ifdef __WARPSIM_C__
static inline void __builtin_prefetch(const void *address, ...) {}
static inline void *__builtin_assume_aligned(const void *address, size_t alignment, ...) { return (void *)address; }
#else
inline __host__ __device__ void __builtin_prefetch(const void *address, int write = 0, int locality = 3) {}
inline __host__ __device__ void *__builtin_assume_aligned(const void *address, size_t alignment, size_t offset = 0) {
    return (void *)address;
}
template <class T> inline __host__ __device__ T *__builtin_addressof(T &object) {
    return (T *)&(char &)object;
}
#endif
#ifdef __CUDA_ARCH__
inline __device__ void __builtin_unreachable() { __trap(); }
inline __device__ void __builtin_trap() { __trap(); }
#elif defined(__WARPSIM_C__)
static inline void __builtin_unreachable() { abort(); }
static inline void __builtin_trap() { abort(); }
#else
inline void __builtin_unreachable() { abort(); }
inline void __builtin_trap() { abort(); }
#endif
#undef __B
#if !defined(__CUDA_ARCH__) && !defined(__WARPSIM_C__)
// Atomic functions of GNU's compilers: host code has one thread at a time.
#define __WS_SYNC(name, op)                                                            \
    template <class T, class V> inline T __sync_fetch_and_##name(volatile T *at, V value) { \
        T old = *at;                                                                   \
        *at = old op (T)value;                                                         \
        return old;                                                                    \
    }                                                                                  \
    template <class T, class V> inline T __sync_##name##_and_fetch(volatile T *at, V value) { \
        return *at = *at op (T)value;                                                  \
    }
__WS_SYNC(add, +)
__WS_SYNC(sub, -)
__WS_SYNC(or, |)
__WS_SYNC(and, &)
__WS_SYNC(xor, ^)
#undef __WS_SYNC
template <class T, class O, class V>
inline T __sync_val_compare_and_swap(volatile T *at, O old, V value) {
    T found = *at;
    if (found == (T)old) *at = (T)value;
    return found;
}
template <class T, class O, class V>
inline bool __sync_bool_compare_and_swap(volatile T *at, O old, V value) {
    return __sync_val_compare_and_swap(at, old, value) == (T)old;
}
template <class T, class V> inline T __sync_lock_test_and_set(volatile T *at, V value) {
    T old = *at;
    *at = (T)value;
    return old;
}
template <class T> inline void __sync_lock_release(volatile T *at) { *at = 0; }
inline void __sync_synchronize() {}
#endif
