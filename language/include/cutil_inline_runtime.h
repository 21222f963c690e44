/* Part of `cutil_inline.h` in the CUDA SDK. */
#ifndef WARPCC_CUTIL_INLINE_RUNTIME_H
#define WARPCC_CUTIL_INLINE_RUNTIME_H

#include "cutil_inline.h"

#endif
