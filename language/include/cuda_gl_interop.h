/* Included by programs without use of OpenGL. Its functions are not provided. */
#ifndef WARPCC_CUDA_GL_INTEROP_H
#define WARPCC_CUDA_GL_INTEROP_H

#include "cuda_runtime_api.h"

#endif
