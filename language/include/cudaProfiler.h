/* The profiler of the driver API, which has no effect here. */
#ifndef WARPCC_CUDAPROFILER_H
#define WARPCC_CUDAPROFILER_H

#include "cuda.h"

#endif
