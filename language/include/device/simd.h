/* Operations on the two halves or the four bytes of a word; both compilers read them. */
#ifndef WARPCC_DEVICE_SIMD_H
#define WARPCC_DEVICE_SIMD_H
#pragma clang system_header

#define WARPCC_U_LANE(v, bits, shift) (int)(((v) >> (shift)) & ((1u << (bits)) - 1))
#define WARPCC_S_LANE(v, bits, shift) ((int)((v) << (32 - (bits) - (shift))) >> (32 - (bits)))
#define WARPCC_LANES(name, bits, lane, expression)                                     \
    WARPCC_D unsigned int name(unsigned int a, unsigned int b) {                       \
        const int least = -(1 << (bits - 1)), most = ~least;                           \
        unsigned int r = 0;                                                            \
        for (int shift = 0; shift < 32; shift += bits) {                               \
            const int x = lane(a, bits, shift), y = lane(b, bits, shift);              \
            r |= ((unsigned int)(expression) & ((1u << bits) - 1)) << shift;           \
        }                                                                              \
        return r;                                                                      \
    }
#define WARPCC_LANE(name, bits, expression)                                            \
    WARPCC_D unsigned int name(unsigned int a) {                                       \
        const int least = -(1 << (bits - 1)), most = ~least;                           \
        unsigned int r = 0;                                                            \
        for (int shift = 0; shift < 32; shift += bits) {                               \
            const int x = WARPCC_S_LANE(a, bits, shift);                               \
            r |= ((unsigned int)(expression) & ((1u << bits) - 1)) << shift;           \
        }                                                                              \
        return r;                                                                      \
    }
#define WARPCC_SUM(name, bits, lane)                                                   \
    WARPCC_D unsigned int name(unsigned int a, unsigned int b) {                       \
        unsigned int r = 0;                                                            \
        for (int shift = 0; shift < 32; shift += bits) {                               \
            const int x = lane(a, bits, shift), y = lane(b, bits, shift);              \
            r += (unsigned int)(x > y ? x - y : y - x);                                \
        }                                                                              \
        return r;                                                                      \
    }
#define WARPCC_BOTH(name, lane, expression)             \
    WARPCC_LANES(name##2, 16, lane, expression)         \
    WARPCC_LANES(name##4, 8, lane, expression)
/* Of signed and of unsigned lanes. */
#define WARPCC_ALL(name, expression)                    \
    WARPCC_BOTH(name##s, WARPCC_S_LANE, expression)     \
    WARPCC_BOTH(name##u, WARPCC_U_LANE, expression)
#define WARPCC_CLAMP(v, least, most) ((v) < (least) ? (least) : (v) > (most) ? (most) : (v))

WARPCC_BOTH(__vadd, WARPCC_U_LANE, x + y)
WARPCC_BOTH(__vaddss, WARPCC_S_LANE, WARPCC_CLAMP(x + y, least, most))
WARPCC_BOTH(__vaddus, WARPCC_U_LANE, WARPCC_CLAMP(x + y, 0, most - least))
WARPCC_BOTH(__vsub, WARPCC_U_LANE, x - y)
WARPCC_BOTH(__vsubss, WARPCC_S_LANE, WARPCC_CLAMP(x - y, least, most))
WARPCC_BOTH(__vsubus, WARPCC_U_LANE, WARPCC_CLAMP(x - y, 0, most - least))
WARPCC_ALL(__vabsdiff, x > y ? x - y : y - x)
WARPCC_ALL(__vmax, x > y ? x : y)
WARPCC_ALL(__vmin, x < y ? x : y)
/* Halves are rounded away from zero, as `vavrg2` and `vavrg4` do. */
WARPCC_ALL(__vavg, (x + y + (x + y >= 0)) >> 1)
WARPCC_BOTH(__vhaddu, WARPCC_U_LANE, (x + y) >> 1)

#define WARPCC_COMPARE(name, operator)                                \
    WARPCC_ALL(__vcmp##name, x operator y ? -1 : 0)                   \
    WARPCC_ALL(__vset##name, x operator y)
WARPCC_COMPARE(ge, >=)
WARPCC_COMPARE(gt, >)
WARPCC_COMPARE(le, <=)
WARPCC_COMPARE(lt, <)
WARPCC_BOTH(__vcmpeq, WARPCC_U_LANE, x == y ? -1 : 0)
WARPCC_BOTH(__vcmpne, WARPCC_U_LANE, x != y ? -1 : 0)
WARPCC_BOTH(__vseteq, WARPCC_U_LANE, x == y)
WARPCC_BOTH(__vsetne, WARPCC_U_LANE, x != y)

WARPCC_LANE(__vabs2, 16, x < 0 ? -x : x)
WARPCC_LANE(__vabs4, 8, x < 0 ? -x : x)
WARPCC_LANE(__vabsss2, 16, x == least ? most : x < 0 ? -x : x)
WARPCC_LANE(__vabsss4, 8, x == least ? most : x < 0 ? -x : x)
WARPCC_LANE(__vneg2, 16, -x)
WARPCC_LANE(__vneg4, 8, -x)
WARPCC_LANE(__vnegss2, 16, x == least ? most : -x)
WARPCC_LANE(__vnegss4, 8, x == least ? most : -x)

WARPCC_SUM(__vsads2, 16, WARPCC_S_LANE)
WARPCC_SUM(__vsads4, 8, WARPCC_S_LANE)
WARPCC_SUM(__vsadu2, 16, WARPCC_U_LANE)
WARPCC_SUM(__vsadu4, 8, WARPCC_U_LANE)

#undef WARPCC_CLAMP
#undef WARPCC_COMPARE
#undef WARPCC_ALL
#undef WARPCC_BOTH
#undef WARPCC_SUM
#undef WARPCC_LANE
#undef WARPCC_LANES
#undef WARPCC_U_LANE
#undef WARPCC_S_LANE

#endif
