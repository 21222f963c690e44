/* The header of the folder `common`. */
#ifndef WARPCC_CPU_BITMAP_H
#define WARPCC_CPU_BITMAP_H

#include "common/cpu_bitmap.h"

#endif
