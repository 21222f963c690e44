/* Qualifiers of CUDA C as attributes of clang, and the macros of CUDA's headers that sources use. */
#ifndef WARPCC_HOST_DEFINES_H
#define WARPCC_HOST_DEFINES_H

#ifdef __CUDA__
#ifndef __CUDACC__
#define __CUDACC__ 1
#endif
#ifndef __CUDACC_VER_MAJOR__
#define __CUDACC_VER_MAJOR__ 8
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 0
#endif
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
/* A managed variable is a variable of the device whose shadow in the host program is the variable
 * itself. The section tells the library which variables these are. */
#if defined(__CUDA_ARCH__)
#define __managed__ __device__
#elif defined(__linux__)
#define __managed__ __device__ __attribute__((section("warpsim_managed")))
#endif
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#else
/* A file for the host compiler: declarations with qualifiers are accepted, kernels are not. */
#define __host__
#define __device__
#define __constant__
#define __shared__
#define __launch_bounds__(...)
#endif

/* `__noinline__` is no macro: it is a keyword of clang, and the C++ library uses the name. */
#ifndef __forceinline__
#define __forceinline__ __inline__ __attribute__((always_inline))
#endif
#define __inline_hint__
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)
#define __no_return__ __attribute__((noreturn))
#define __device_builtin__
#define __device_builtin_texture_type__
#define __device_builtin_surface_type__
#define __cudart_builtin__
#define __specialization_static static
#ifndef CUDARTAPI
#define CUDARTAPI
#endif
#ifndef CUDARTAPI_CDECL
#define CUDARTAPI_CDECL
#endif
#ifndef CUDART_CB
#define CUDART_CB
#endif
#ifndef CUDART_DEVICE
#define CUDART_DEVICE
#endif
#ifndef CUDART_VERSION
#define CUDART_VERSION 8000
#endif
#ifndef CUDA_VERSION
#define CUDA_VERSION 8000
#endif

#endif
