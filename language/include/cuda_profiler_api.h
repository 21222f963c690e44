/* `cudaProfilerStart` and `cudaProfilerStop` are among the functions of the runtime API. */
#ifndef WARPCC_CUDA_PROFILER_API_H
#define WARPCC_CUDA_PROFILER_API_H

#include "cuda_runtime_api.h"

#endif
