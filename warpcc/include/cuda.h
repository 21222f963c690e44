/* The version of the interface that the headers provide. */
#ifndef WARPCC_CUDA_H
#define WARPCC_CUDA_H

#ifndef CUDA_VERSION
#define CUDA_VERSION 8000
#endif

#include "cuda_runtime_api.h"

#endif
