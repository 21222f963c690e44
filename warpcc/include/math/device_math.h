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

template <bool, class T> struct __wm_if {};
template <class T> struct __wm_if<true, T> {
    typedef T type;
};
/* Kind of a type: 1 for integers, 2 for floating-point numbers, 0 for others. */
template <class T> struct __wm_kind {
    enum { value = 0 };
};
#define __WM_KIND(T, kind)                                                                             \
    template <> struct __wm_kind<T> {                                                                  \
        enum { value = kind };                                                                         \
    };
__WM_KIND(bool, 1)
__WM_KIND(char, 1)
__WM_KIND(signed char, 1)
__WM_KIND(unsigned char, 1)
__WM_KIND(wchar_t, 1)
__WM_KIND(short, 1)
__WM_KIND(unsigned short, 1)
__WM_KIND(int, 1)
__WM_KIND(unsigned, 1)
__WM_KIND(long, 1)
__WM_KIND(unsigned long, 1)
__WM_KIND(long long, 1)
__WM_KIND(unsigned long long, 1)
__WM_KIND(float, 2)
__WM_KIND(double, 2)
#undef __WM_KIND

/* Declarations. */
#define __WM_F(where, result, name, params, ...) __WM_SIDE_##where result name params;
#define __WM_N(result, name, params, ...)
#define __WM_I(where, result, name)                                                                    \
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

__WM_FN float __wm_zero(float) { return 0.0f; }
__WM_FN double __wm_zero(double) { return 0.0; }
template <class T> __WM_FN T __wm_powi(T x, int n) {
    T r = __wm_pow(__wm_abs(x), T(n));
    return n & 1 ? __wm_copysign(r, x) : r;
}

/* Definitions. */
#define __WM_F(where, result, name, params, ...)                                                       \
    __WM_SIDE_##where result name params { __VA_ARGS__; }
#define __WM_N(result, name, params, ...)                                                              \
    extern "C" inline __attribute__((device, nodebug)) result __nv_##name params { __VA_ARGS__; }
#define __WM_I(where, result, name)                                                                    \
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
