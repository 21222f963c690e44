/* Device math library: the functions of the CUDA math API for device code, as overloads beside the C
 * library's functions for the host, and the same functions with the prefix `__nv_`.
 *
 * Include this file before <cmath>: the overloads must be known when <cmath> declares its own.
 * Include it for both sides, because clang also checks device code when it compiles for the host.
 */
#ifndef WARPSIM_MATH_DEVICE_MATH_H
#define WARPSIM_MATH_DEVICE_MATH_H
#pragma clang system_header

#define __WM_SIDE_D static inline __attribute__((device, nodebug))
#define __WM_SIDE_B static inline __attribute__((host, device, nodebug))

#include "kinds.h"

/* Declarations. */
#define __WM_F(name, where, result, params, ...) __WM_SIDE_##where result name params;
#define __WM_N(name, result, params, ...)
#define __WM_I(name, where, result)                                                                    \
    template <class I> __WM_SIDE_##where typename __wm_if<__wm_kind<I>::value == 1, result>::type name(I x);
#include "names.h"
#undef __WM_F
#undef __WM_N
#undef __WM_I

#include <cmath>
#include <cstdlib>
#include <math.h>
#include <stdlib.h>

#include "algorithms.h"
#include "fast.h"

/* Definitions. */
#define __WM_F(name, where, result, params, ...)                                                       \
    __WM_SIDE_##where result name params { __VA_ARGS__; }
#define __WM_N(name, result, params, ...)                                                              \
    extern "C" inline __attribute__((device, nodebug)) result __nv_##name params { __VA_ARGS__; }
#define __WM_I(name, where, result)                                                                    \
    template <class I>                                                                                 \
    __WM_SIDE_##where typename __wm_if<__wm_kind<I>::value == 1, result>::type name(I x) {             \
        return name((result)x);                                                                        \
    }
#include "names.h"
#undef __WM_F
#undef __WM_N
#undef __WM_I

#include "min_max.h"

#undef __WM_SIDE_D
#undef __WM_SIDE_B

#endif
