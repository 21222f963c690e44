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
