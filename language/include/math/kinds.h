/* Kinds of types, which choose between overloads. */
#ifndef WARPSIM_MATH_KINDS_H
#define WARPSIM_MATH_KINDS_H

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

#endif
