/* The version of the interface that the headers provide. */
#ifndef WARPCC_CUDA_H
#define WARPCC_CUDA_H

#ifndef CUDA_VERSION
#define CUDA_VERSION 8000
#endif

#include "cuda_runtime_api.h"

/* The few names of the driver API that programs of the runtime API use. */
typedef int CUdevice;
typedef enum cudaError_enum {
    CUDA_SUCCESS = 0,
    CUDA_ERROR_INVALID_VALUE = 1,
    CUDA_ERROR_OUT_OF_MEMORY = 2,
    CUDA_ERROR_NOT_INITIALIZED = 3,
    CUDA_ERROR_NO_DEVICE = 100,
    CUDA_ERROR_INVALID_DEVICE = 101,
    CUDA_ERROR_UNKNOWN = 999
} CUresult;

static inline CUresult cuInit(unsigned int flags)
{
    return flags == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static inline CUresult cuDeviceGetCount(int *count)
{
    return cudaGetDeviceCount(count) == cudaSuccess ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static inline CUresult cuDriverGetVersion(int *version)
{
    return cudaDriverGetVersion(version) == cudaSuccess ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

static inline CUresult cuMemGetInfo(size_t *free_bytes, size_t *total)
{
    return cudaMemGetInfo(free_bytes, total) == cudaSuccess ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

#endif
