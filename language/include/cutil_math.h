/* The name of `helper_math.h` in the CUDA SDK 1 to 4. */
#ifndef WARPCC_CUTIL_MATH_H
#define WARPCC_CUTIL_MATH_H

#include "helper_math.h"

#endif
