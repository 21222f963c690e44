/* `min` and `max` of numbers, also of two types: then the result has the type of the expression a + b. */
#ifndef WARPSIM_MATH_MIN_MAX_H
#define WARPSIM_MATH_MIN_MAX_H

#define __WM_MIN_MAX(T)                                                                                \
    __WM_SIDE_B T min(T a, T b) { return b < a ? b : a; }                                              \
    __WM_SIDE_B T max(T a, T b) { return a < b ? b : a; }
__WM_MIN_MAX(int)
__WM_MIN_MAX(unsigned)
__WM_MIN_MAX(long)
__WM_MIN_MAX(unsigned long)
__WM_MIN_MAX(long long)
__WM_MIN_MAX(unsigned long long)
#undef __WM_MIN_MAX
__WM_SIDE_B float min(float a, float b) { return __wm_use_fmin(a, b); }
__WM_SIDE_B double min(double a, double b) { return __wm_use_fmin(a, b); }
__WM_SIDE_B float max(float a, float b) { return __wm_use_fmax(a, b); }
__WM_SIDE_B double max(double a, double b) { return __wm_use_fmax(a, b); }

template <class A, class B>
struct __wm_mixed : __wm_if<__wm_kind<A>::value != 0 && __wm_kind<B>::value != 0, decltype(A() + B())> {};
template <class A> struct __wm_mixed<A, A> {};
template <class A, class B> __WM_SIDE_B typename __wm_mixed<A, B>::type min(A a, B b) {
    typedef typename __wm_mixed<A, B>::type T;
    return min((T)a, (T)b);
}
template <class A, class B> __WM_SIDE_B typename __wm_mixed<A, B>::type max(A a, B b) {
    typedef typename __wm_mixed<A, B>::type T;
    return max((T)a, (T)b);
}

#endif
