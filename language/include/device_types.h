/* Included by sources for CUDA: the names are in `cuda_runtime.h`. */
#ifndef WARPCC_DEVICE_TYPES_H
#define WARPCC_DEVICE_TYPES_H

#include "cuda_runtime.h"

#endif
