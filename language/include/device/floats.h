/* Functions of floating point that follow from others; both compilers read them. */
#ifndef WARPCC_DEVICE_FLOATS_H
#define WARPCC_DEVICE_FLOATS_H
#pragma clang system_header

WARPCC_D void __sincosf(float x, float *s, float *c) {
    *s = __sinf(x);
    *c = __cosf(x);
}
WARPCC_D float __tanf(float x) { return __fdividef(__sinf(x), __cosf(x)); }
WARPCC_D float __logf(float x) { return __log2f(x) * 0.693147180559945f; }
WARPCC_D float __log10f(float x) { return __log2f(x) * 0.301029995663981f; }
WARPCC_D float __expf(float x) { return warpcc_exp2(x * 1.44269504088896f); }
WARPCC_D float __exp10f(float x) { return warpcc_exp2(x * 3.32192809488736f); }
WARPCC_D float __powf(float x, float y) { return warpcc_exp2(y * __log2f(x)); }

WARPCC_D float __exp2f(float x) { return warpcc_exp2(x); }

/* Differences and conversions that are exact or follow from a sum. */
#define WARPCC_DIFFERENCES(mode)                                                              \
    WARPCC_D float __fsub_##mode(float x, float y) { return __fadd_##mode(x, -y); }           \
    WARPCC_D double __dsub_##mode(double x, double y) { return __dadd_##mode(x, -y); }
WARPCC_DIFFERENCES(rn)
WARPCC_DIFFERENCES(rz)
WARPCC_DIFFERENCES(ru)
WARPCC_DIFFERENCES(rd)
#undef WARPCC_DIFFERENCES
WARPCC_D double __int2double_rn(int x) { return (double)x; }
WARPCC_D double __uint2double_rn(unsigned int x) { return (double)x; }

#endif
