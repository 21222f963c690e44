/* Included by sources for CUDA: the names are in `cuda_runtime.h`. */
#ifndef WARPCC_COMMON_FUNCTIONS_H
#define WARPCC_COMMON_FUNCTIONS_H

#include "cuda_runtime.h"

#endif
