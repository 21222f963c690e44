/* Complex numbers as vectors of two components. */
#ifndef WARPCC_CUCOMPLEX_H
#define WARPCC_CUCOMPLEX_H

#include <math.h>

#include "vector_functions.h"

#ifdef __cplusplus
#define WARPCC_C static inline __host__ __device__
#else
#define WARPCC_C static __inline__
#endif

typedef float2 cuFloatComplex;
typedef cuFloatComplex cuComplex;
typedef double2 cuDoubleComplex;

#define WARPCC_COMPLEX(C, T, make, real, imag, conj, add, sub, mul, div, cabs, fabs, sqrt)   \
    WARPCC_C C make_##C(T x, T y) { return make(x, y); }                                     \
    WARPCC_C T real(C a) { return a.x; }                                                     \
    WARPCC_C T imag(C a) { return a.y; }                                                     \
    WARPCC_C C conj(C a) { return make(a.x, -a.y); }                                         \
    WARPCC_C C add(C a, C b) { return make(a.x + b.x, a.y + b.y); }                          \
    WARPCC_C C sub(C a, C b) { return make(a.x - b.x, a.y - b.y); }                          \
    WARPCC_C C mul(C a, C b) { return make(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }  \
    WARPCC_C C div(C a, C b) {                                                               \
        T s = 1 / (fabs(b.x) + fabs(b.y));                                                   \
        T ax = a.x * s, ay = a.y * s, bx = b.x * s, by = b.y * s, d = 1 / (bx * bx + by * by); \
        return make((ax * bx + ay * by) * d, (ay * bx - ax * by) * d);                       \
    }                                                                                        \
    WARPCC_C T cabs(C a) {                                                                   \
        T v = fabs(a.x), w = fabs(a.y), t;                                                   \
        if (v < w) t = v, v = w, w = t;                                                      \
        if (v == 0) return w;                                                                \
        t = w / v;                                                                           \
        return v * sqrt(1 + t * t);                                                          \
    }
WARPCC_COMPLEX(cuFloatComplex, float, make_float2, cuCrealf, cuCimagf, cuConjf, cuCaddf, cuCsubf, cuCmulf,
               cuCdivf, cuCabsf, fabsf, sqrtf)
WARPCC_COMPLEX(cuDoubleComplex, double, make_double2, cuCreal, cuCimag, cuConj, cuCadd, cuCsub, cuCmul, cuCdiv,
               cuCabs, fabs, sqrt)
#undef WARPCC_COMPLEX
WARPCC_C cuComplex make_cuComplex(float x, float y) { return make_float2(x, y); }
WARPCC_C cuFloatComplex cuCfmaf(cuFloatComplex a, cuFloatComplex b, cuFloatComplex c) {
    return cuCaddf(cuCmulf(a, b), c);
}
WARPCC_C cuDoubleComplex cuCfma(cuDoubleComplex a, cuDoubleComplex b, cuDoubleComplex c) {
    return cuCadd(cuCmul(a, b), c);
}
#undef WARPCC_C

#endif
