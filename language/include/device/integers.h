/* Functions of integers that follow from others; both compilers read them. */
#ifndef WARPCC_DEVICE_INTEGERS_H
#define WARPCC_DEVICE_INTEGERS_H
#pragma clang system_header

/* Half of a sum, rounded down or up, without a carry. */
WARPCC_D int __hadd(int a, int b) { return (a & b) + ((a ^ b) >> 1); }
WARPCC_D int __rhadd(int a, int b) { return (a | b) - ((a ^ b) >> 1); }
WARPCC_D unsigned int __uhadd(unsigned int a, unsigned int b) { return (a & b) + ((a ^ b) >> 1); }
WARPCC_D unsigned int __urhadd(unsigned int a, unsigned int b) { return (a | b) - ((a ^ b) >> 1); }

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

/* Halves of a number. */
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
#undef WARPCC_U_LANE
#undef WARPCC_S_LANE

#endif
