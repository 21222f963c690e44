/* Included by sources for CUDA: the names are in `cuda_runtime.h`. */
#ifndef WARPCC_HOST_CONFIG_H
#define WARPCC_HOST_CONFIG_H

#include "cuda_runtime.h"

#endif
