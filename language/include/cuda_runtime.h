/* CUDA C for the simulator: included before the first line of each file that clang compiles as
 * CUDA, and by files for the host compiler that call the runtime API. */
#ifndef WARPCC_CUDA_RUNTIME_H
#define WARPCC_CUDA_RUNTIME_H
#pragma clang system_header

#include "host_defines.h"

/* Sources test whether CUDA's headers are included by the names of their guards. */
#define __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_API_H__
#define __DRIVER_TYPES_H__
#define __DRIVER_FUNCTIONS_H__
#define __VECTOR_TYPES_H__
#define __VECTOR_FUNCTIONS_H__
#define __DEVICE_TYPES_H__
#define __DEVICE_FUNCTIONS_H__
#define __DEVICE_LAUNCH_PARAMETERS_H__
#define __HOST_DEFINES_H__
#define __HOST_CONFIG_H__
#define __BUILTIN_TYPES_H__
#define __CHANNEL_DESCRIPTOR_H__
#define __TEXTURE_TYPES_H__
#define __SURFACE_TYPES_H__
#define __MATH_FUNCTIONS_H__

/* Flags of the driver API that programs of the runtime API use. */
#ifndef CU_MEMHOSTALLOC_PORTABLE
#define CU_MEMHOSTALLOC_PORTABLE 0x01
#define CU_MEMHOSTALLOC_DEVICEMAP 0x02
#define CU_MEMHOSTALLOC_WRITECOMBINED 0x04
#endif

#if defined(__CUDA__) && defined(__cplusplus)
/* Declared before the C++ library, so that its own functions of these names remain host functions. */
#include "device/early.h"
#endif

#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "vector_types.h"
#include "vector_functions.h"
#include "driver_types.h"
#include "texture_types.h"
#include "surface_types.h"
#include "cuda_runtime_api.h"
#include "driver_functions.h"

#ifdef __cplusplus
#include "channel_descriptor.h"
#include "device/templates.h"
#endif

#if defined(__CUDA__) && defined(__cplusplus)
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <new>
#include "device_launch_parameters.h"
#include "device/library.h"
#include "device/sync.h"
#include "device/atomics.h"
#include "device/intrinsics.h"
#include "device/integers.h"
#include "device/simd.h"
#include "device/float_intrinsics.h"
#include "device/floats.h"
#include "device/old_names.h"
#include "device/texture_types.h"
#include "device/textures.h"
#include "device/surfaces.h"
#endif

/* The memory of the managed variables of this executable or library, if it has any. */
#if defined(__CUDA__) && defined(__cplusplus) && !defined(__CUDA_ARCH__) && defined(__linux__)
extern "C" {
extern char __start_warpsim_managed[] __attribute__((weak, visibility("hidden")));
extern char __stop_warpsim_managed[] __attribute__((weak, visibility("hidden")));
void __warpsimManagedMemory(void *start, void *end);
}
static __attribute__((constructor)) void warpcc_managed_memory() {
    if (__start_warpsim_managed)
        __warpsimManagedMemory(__start_warpsim_managed, __stop_warpsim_managed);
}
#endif

/* clang registers the device code of a file only if the host uses a part of it. With -rdc=true,
 * other files may call its functions. */
#if defined(WARPCC_RELOCATABLE) && defined(__CUDA__) && !defined(__CUDA_ARCH__)
static __device__ __attribute__((used)) char warpcc_registers_this_file;
#endif

#endif
