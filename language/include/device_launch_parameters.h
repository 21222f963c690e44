/* The built-in variables of kernels. Each member is a property that reads a special register. */
#ifndef WARPCC_DEVICE_LAUNCH_PARAMETERS_H
#define WARPCC_DEVICE_LAUNCH_PARAMETERS_H

#include "vector_types.h"

#ifdef __CUDA__

#define WARPCC_MEMBER(name, member)                                                  \
    __declspec(property(get = warpcc_##member)) unsigned int member;                 \
    static inline __attribute__((always_inline, nodebug)) __device__ unsigned int warpcc_##member() { \
        return __nvvm_read_ptx_sreg_##name##_##member();                             \
    }

#define WARPCC_VARIABLE(variable, name)                                    \
    struct warpcc_##variable##_t {                                         \
        WARPCC_MEMBER(name, x)                                             \
        WARPCC_MEMBER(name, y)                                             \
        WARPCC_MEMBER(name, z)                                             \
        __device__ operator uint3() const {                                \
            uint3 v;                                                       \
            v.x = x;                                                       \
            v.y = y;                                                       \
            v.z = z;                                                       \
            return v;                                                      \
        }                                                                  \
        __device__ operator dim3() const { return dim3(x, y, z); }         \
        __device__ warpcc_##variable##_t *operator&() const;               \
    };                                                                     \
    extern const __device__ __attribute__((weak)) warpcc_##variable##_t variable;

WARPCC_VARIABLE(threadIdx, tid)
WARPCC_VARIABLE(blockIdx, ctaid)
WARPCC_VARIABLE(blockDim, ntid)
WARPCC_VARIABLE(gridDim, nctaid)

#undef WARPCC_VARIABLE
#undef WARPCC_MEMBER

/* A constant rather than a special register: 32 on every chip. */
static const int warpSize = 32;

#endif
#endif
