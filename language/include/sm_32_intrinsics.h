/* Included by sources for CUDA: the names are in `cuda_runtime.h`. */
#ifndef WARPCC_SM_32_INTRINSICS_H
#define WARPCC_SM_32_INTRINSICS_H

#include "cuda_runtime.h"

#endif
