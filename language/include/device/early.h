/* Functions of the device that are declared before the C++ library, and the device math library. */
#ifndef WARPCC_DEVICE_EARLY_H
#define WARPCC_DEVICE_EARLY_H
#pragma clang system_header

/* Without debug information: an instruction belongs to the line of the program that calls. */
#define WARPCC_D static __device__ inline __attribute__((always_inline, nodebug))

/* What the operators `new` and `delete` of the device call. */
extern "C" {
__device__ void *malloc(__SIZE_TYPE__) __attribute__((nothrow));
__device__ void free(void *) __attribute__((nothrow));
}

/* Classification of numbers. */
WARPCC_D bool isnan(float x) { return x != x; }
WARPCC_D bool isnan(double x) { return x != x; }
WARPCC_D bool signbit(float x) {
    int bits;
    __builtin_memcpy(&bits, &x, 4);
    return bits < 0;
}
WARPCC_D bool signbit(double x) {
    long long bits;
    __builtin_memcpy(&bits, &x, 8);
    return bits < 0;
}
#include "classes.h"

namespace std {
using ::isfinite;
using ::isinf;
using ::isnan;
using ::isnormal;
using ::signbit;
}

/* C++98 has the operator under another name only. */
#if __cplusplus < 201103L
#define decltype __decltype
#endif
/* `-prec-sqrt=false`: the instruction flushes denormals with `-ftz=true`. */
#if defined(WARPCC_APPROXIMATE_SQRT) && defined(__CUDA_ARCH__)
static __host__ __device__ inline __attribute__((always_inline, nodebug)) float warpcc_approximate_sqrt(float x) {
    float root;
    asm(WARPCC_APPROXIMATE_SQRT " %0, %1;" : "=f"(root) : "f"(x));
    return root;
}
#define __builtin_sqrtf(x) warpcc_approximate_sqrt(x)
#endif
#include "../math/device_math.h"
#undef __builtin_sqrtf
#if __cplusplus < 201103L
#undef decltype
#endif

#endif
