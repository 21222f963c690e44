/* Included by sources for CUDA: the names are in `cuda_runtime.h`. */
#ifndef WARPCC_CUDA_SURFACE_TYPES_H
#define WARPCC_CUDA_SURFACE_TYPES_H

#include "cuda_runtime.h"

#endif
