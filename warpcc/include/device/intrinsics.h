/* Intrinsic functions of integers, and casts between bit patterns. */
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
WARPCC_D int __hadd(int a, int b) { return (int)(((long long)a + b) >> 1); }
WARPCC_D int __rhadd(int a, int b) { return (int)(((long long)a + b + 1) >> 1); }
WARPCC_D unsigned int __uhadd(unsigned int a, unsigned int b) {
    return (unsigned int)(((unsigned long long)a + b) >> 1);
}
WARPCC_D unsigned int __urhadd(unsigned int a, unsigned int b) {
    return (unsigned int)(((unsigned long long)a + b + 1) >> 1);
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
WARPCC_D unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int shift) {
    return (unsigned int)((((unsigned long long)high << 32 | low) << (shift & 31)) >> 32);
}
WARPCC_D unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int shift) {
    return (unsigned int)(((unsigned long long)high << 32 | low) >> (shift & 31));
}
WARPCC_D unsigned int __funnelshift_lc(unsigned int low, unsigned int high, unsigned int shift) {
    return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
WARPCC_D unsigned int __funnelshift_rc(unsigned int low, unsigned int high, unsigned int shift) {
    return shift >= 32 ? high : __funnelshift_r(low, high, shift);
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
WARPCC_D int __double2hiint(double x) { return (int)(__double_as_longlong(x) >> 32); }
WARPCC_D int __double2loint(double x) { return (int)__double_as_longlong(x); }
WARPCC_D double __hiloint2double(int high, int low) {
    return __longlong_as_double((long long)((unsigned long long)(unsigned int)high << 32 | (unsigned int)low));
}

/* Loads through the read-only cache: an ordinary load before compute capability 3.5. */
template <class T>
WARPCC_D T __ldg(const T *pointer) {
    return *pointer;
}

/* Operations on the bytes and halves of a word (`__vadd4` and the like). */
#define WARPCC_LANES(name, bits, sign, expression)                                     \
    WARPCC_D unsigned int name(unsigned int a, unsigned int b) {                       \
        unsigned int r = 0;                                                            \
        for (int shift = 0; shift < 32; shift += bits) {                               \
            int x = (int)(sign##_LANE(a, bits, shift)), y = (int)(sign##_LANE(b, bits, shift)); \
            r |= ((unsigned int)(expression) & ((1u << bits) - 1)) << shift;           \
        }                                                                              \
        return r;                                                                      \
    }
#define WARPCC_U_LANE(v, bits, shift) (((v) >> (shift)) & ((1u << (bits)) - 1))
#define WARPCC_S_LANE(v, bits, shift) ((int)((v) << (32 - (bits) - (shift))) >> (32 - (bits)))
#define WARPCC_BOTH(name, sign, expression)             \
    WARPCC_LANES(name##4, 8, sign, expression)          \
    WARPCC_LANES(name##2, 16, sign, expression)
WARPCC_BOTH(__vadd, WARPCC_U, x + y)
WARPCC_BOTH(__vsub, WARPCC_U, x - y)
WARPCC_BOTH(__vabsdiffu, WARPCC_U, x > y ? x - y : y - x)
WARPCC_BOTH(__vabsdiffs, WARPCC_S, x > y ? x - y : y - x)
WARPCC_BOTH(__vmaxu, WARPCC_U, x > y ? x : y)
WARPCC_BOTH(__vmaxs, WARPCC_S, x > y ? x : y)
WARPCC_BOTH(__vminu, WARPCC_U, x < y ? x : y)
WARPCC_BOTH(__vmins, WARPCC_S, x < y ? x : y)
WARPCC_BOTH(__vavgu, WARPCC_U, (x + y + 1) >> 1)
WARPCC_BOTH(__vcmpeq, WARPCC_U, x == y ? -1 : 0)
WARPCC_BOTH(__vcmpne, WARPCC_U, x != y ? -1 : 0)
WARPCC_BOTH(__vcmpgtu, WARPCC_U, x > y ? -1 : 0)
WARPCC_BOTH(__vcmpgts, WARPCC_S, x > y ? -1 : 0)
WARPCC_BOTH(__vseteq, WARPCC_U, x == y)
WARPCC_BOTH(__vsetne, WARPCC_U, x != y)
#undef WARPCC_BOTH
#undef WARPCC_LANES

#endif
