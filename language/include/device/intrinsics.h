/* Intrinsic functions of integers that are instructions, and casts between bit patterns. */
#ifndef WARPCC_DEVICE_INTRINSICS_H
#define WARPCC_DEVICE_INTRINSICS_H
#pragma clang system_header

WARPCC_D int __mul24(int a, int b) { return __nvvm_mul24_i(a, b); }
WARPCC_D unsigned int __umul24(unsigned int a, unsigned int b) {
    return (unsigned int)__nvvm_mul24_ui(a, b);
}
WARPCC_D int __mulhi(int a, int b) { return __nvvm_mulhi_i(a, b); }
WARPCC_D unsigned int __umulhi(unsigned int a, unsigned int b) {
    return (unsigned int)__nvvm_mulhi_ui(a, b);
}
WARPCC_D long long __mul64hi(long long a, long long b) { return __nvvm_mulhi_ll(a, b); }
WARPCC_D unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return (unsigned long long)__nvvm_mulhi_ull(a, b);
}
WARPCC_D unsigned int __sad(int a, int b, unsigned int c) {
    unsigned int r;
    asm("sad.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
    return r;
}
WARPCC_D unsigned int __usad(unsigned int a, unsigned int b, unsigned int c) {
    unsigned int r;
    asm("sad.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c));
    return r;
}
WARPCC_D int __popc(unsigned int x) { return __builtin_popcount(x); }
WARPCC_D int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
WARPCC_D int __clz(int x) { return x == 0 ? 32 : __builtin_clz((unsigned int)x); }
WARPCC_D int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll((unsigned long long)x); }
WARPCC_D int __ffs(int x) { return x == 0 ? 0 : __builtin_ctz((unsigned int)x) + 1; }
WARPCC_D int __ffsll(long long x) { return x == 0 ? 0 : __builtin_ctzll((unsigned long long)x) + 1; }
WARPCC_D unsigned int __brev(unsigned int x) { return __builtin_bitreverse32(x); }
WARPCC_D unsigned long long __brevll(unsigned long long x) { return __builtin_bitreverse64(x); }
WARPCC_D unsigned int __byte_perm(unsigned int a, unsigned int b, unsigned int selector) {
    return (unsigned int)__nvvm_prmt(a, b, selector);
}

/* Bit patterns. */
#define WARPCC_BITS(name, From, To)             \
    WARPCC_D To name(From x) {                  \
        To r;                                   \
        __builtin_memcpy(&r, &x, sizeof(To));   \
        return r;                               \
    }
WARPCC_BITS(__float_as_int, float, int)
WARPCC_BITS(__int_as_float, int, float)
WARPCC_BITS(__float_as_uint, float, unsigned int)
WARPCC_BITS(__uint_as_float, unsigned int, float)
WARPCC_BITS(__double_as_longlong, double, long long)
WARPCC_BITS(__longlong_as_double, long long, double)
#undef WARPCC_BITS

#endif
