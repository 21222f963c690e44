/* Intrinsic functions of floating point: rounding modes, conversions and fast approximations. */
#ifndef WARPCC_DEVICE_FLOAT_INTRINSICS_H
#define WARPCC_DEVICE_FLOAT_INTRINSICS_H
#pragma clang system_header

/* Inline PTX with one result: `%0` from the operands. */
#define WARPCC_1(name, R, r, A, a, text) \
    WARPCC_D R name(A x) { \
        R result; \
        asm(text " %0, %1;" : "=" r(result) : a(x)); \
        return result; \
    }
#define WARPCC_2(name, T, t, text) \
    WARPCC_D T name(T x, T y) { \
        T result; \
        asm(text " %0, %1, %2;" : "=" t(result) : t(x), t(y)); \
        return result; \
    }
#define WARPCC_3(name, T, t, text) \
    WARPCC_D T name(T x, T y, T z) { \
        T result; \
        asm(text " %0, %1, %2, %3;" : "=" t(result) : t(x), t(y), t(z)); \
        return result; \
    }

/* `__fadd_rn` and the like: never fused with another operation. */
#define WARPCC_ROUNDED(mode, text) \
    WARPCC_2(__fadd_##mode, float, "f", "add." text ".f32") \
    WARPCC_2(__fmul_##mode, float, "f", "mul." text ".f32") \
    WARPCC_3(__fmaf_##mode, float, "f", "fma." text ".f32") \
    WARPCC_2(__fdiv_##mode, float, "f", "div." text ".f32") \
    WARPCC_1(__frcp_##mode, float, "f", float, "f", "rcp." text ".f32") \
    WARPCC_1(__fsqrt_##mode, float, "f", float, "f", "sqrt." text ".f32") \
    WARPCC_2(__dadd_##mode, double, "d", "add." text ".f64") \
    WARPCC_2(__dmul_##mode, double, "d", "mul." text ".f64") \
    WARPCC_3(__fma_##mode, double, "d", "fma." text ".f64") \
    WARPCC_2(__ddiv_##mode, double, "d", "div." text ".f64") \
    WARPCC_1(__drcp_##mode, double, "d", double, "d", "rcp." text ".f64") \
    WARPCC_1(__dsqrt_##mode, double, "d", double, "d", "sqrt." text ".f64") \
    WARPCC_1(__double2float_##mode, float, "f", double, "d", "cvt." text ".f32.f64") \
    WARPCC_1(__int2float_##mode, float, "f", int, "r", "cvt." text ".f32.s32") \
    WARPCC_1(__uint2float_##mode, float, "f", unsigned int, "r", "cvt." text ".f32.u32") \
    WARPCC_1(__ll2float_##mode, float, "f", long long, "l", "cvt." text ".f32.s64") \
    WARPCC_1(__ull2float_##mode, float, "f", unsigned long long, "l", "cvt." text ".f32.u64") \
    WARPCC_1(__ll2double_##mode, double, "d", long long, "l", "cvt." text ".f64.s64") \
    WARPCC_1(__ull2double_##mode, double, "d", unsigned long long, "l", "cvt." text ".f64.u64") \
    WARPCC_1(__float2int_##mode, int, "r", float, "f", "cvt." text "i.s32.f32") \
    WARPCC_1(__float2uint_##mode, unsigned int, "r", float, "f", "cvt." text "i.u32.f32") \
    WARPCC_1(__float2ll_##mode, long long, "l", float, "f", "cvt." text "i.s64.f32") \
    WARPCC_1(__float2ull_##mode, unsigned long long, "l", float, "f", "cvt." text "i.u64.f32") \
    WARPCC_1(__double2int_##mode, int, "r", double, "d", "cvt." text "i.s32.f64") \
    WARPCC_1(__double2uint_##mode, unsigned int, "r", double, "d", "cvt." text "i.u32.f64") \
    WARPCC_1(__double2ll_##mode, long long, "l", double, "d", "cvt." text "i.s64.f64") \
    WARPCC_1(__double2ull_##mode, unsigned long long, "l", double, "d", "cvt." text "i.u64.f64")
WARPCC_ROUNDED(rn, "rn")
WARPCC_ROUNDED(rz, "rz")
WARPCC_ROUNDED(ru, "rp")
WARPCC_ROUNDED(rd, "rm")
#undef WARPCC_ROUNDED

/* Half precision as 16 bits. */
WARPCC_D unsigned short __float2half_rn(float x) {
    unsigned short r;
    asm("cvt.rn.f16.f32 %0, %1;" : "=h"(r) : "f"(x));
    return r;
}
WARPCC_D float __half2float(unsigned short x) {
    float r;
    asm("cvt.f32.f16 %0, %1;" : "=f"(r) : "h"(x));
    return r;
}

/* Approximations of the special function units. */
WARPCC_1(__sinf, float, "f", float, "f", "sin.approx.f32")
WARPCC_1(__cosf, float, "f", float, "f", "cos.approx.f32")
WARPCC_1(__log2f, float, "f", float, "f", "lg2.approx.f32")
WARPCC_1(warpcc_exp2, float, "f", float, "f", "ex2.approx.f32")
WARPCC_2(__fdividef, float, "f", "div.approx.f32")
WARPCC_1(__frsqrt_rn, float, "f", float, "f", "rsqrt.approx.f32")
WARPCC_1(__saturatef, float, "f", float, "f", "cvt.sat.f32.f32")
#undef WARPCC_1
#undef WARPCC_2
#undef WARPCC_3

#endif
