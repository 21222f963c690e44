/* Included by sources for CUDA: the names are in `cuda_runtime.h`. */
#ifndef WARPCC_SURFACE_INDIRECT_FUNCTIONS_H
#define WARPCC_SURFACE_INDIRECT_FUNCTIONS_H

#include "cuda_runtime.h"

#endif
