/* The header of the folder `common`. */
#ifndef WARPCC_CPU_ANIM_H
#define WARPCC_CPU_ANIM_H

#include "common/cpu_anim.h"

#endif
