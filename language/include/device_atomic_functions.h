/* Included by sources for CUDA: the names are in `cuda_runtime.h`. */
#ifndef WARPCC_DEVICE_ATOMIC_FUNCTIONS_H
#define WARPCC_DEVICE_ATOMIC_FUNCTIONS_H

#include "cuda_runtime.h"

#endif
