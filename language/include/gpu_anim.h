/* The header of the folder `common`. */
#ifndef WARPCC_GPU_ANIM_H
#define WARPCC_GPU_ANIM_H

#include "common/gpu_anim.h"

#endif
