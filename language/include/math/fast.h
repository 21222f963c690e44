/* The functions of `float` that `-use_fast_math` replaces by the approximations of the special function
 * units, as the table of the CUDA C Programming Guide says. */
#ifndef WARPSIM_MATH_FAST_H
#define WARPSIM_MATH_FAST_H

#if defined(__CUDA_ARCH__) && (defined(__USE_FAST_MATH__) || defined(__FAST_MATH__) || \
                               defined(__CLANG_CUDA_APPROX_TRANSCENDENTALS__) ||       \
                               defined(__CLANG_GPU_APPROX_TRANSCENDENTALS__))
__WM_FN float __wm_use_sin(float x) { return __nvvm_sin_approx_ftz_f(x); }
__WM_FN float __wm_use_cos(float x) { return __nvvm_cos_approx_ftz_f(x); }
__WM_FN float __wm_use_tan(float x) {
    return __nvvm_div_approx_ftz_f(__nvvm_sin_approx_ftz_f(x), __nvvm_cos_approx_ftz_f(x));
}
__WM_FN void __wm_use_sincos(float x, float *s, float *c) {
    *s = __nvvm_sin_approx_ftz_f(x);
    *c = __nvvm_cos_approx_ftz_f(x);
}
__WM_FN float __wm_use_log2(float x) { return __nvvm_lg2_approx_ftz_f(x); }
__WM_FN float __wm_use_log(float x) { return __nvvm_lg2_approx_ftz_f(x) * __wm_c<float>::ln2f_h(); }
__WM_FN float __wm_use_log10(float x) {
    return __nvvm_lg2_approx_ftz_f(x) * (__wm_c<float>::log10_2_h() + __wm_c<float>::log10_2_l());
}
__WM_FN float __wm_use_exp(float x) { return __nvvm_ex2_approx_ftz_f(x * __wm_c<float>::log2e_h()); }
__WM_FN float __wm_use_exp10(float x) {
    return __nvvm_ex2_approx_ftz_f(x * (__wm_c<float>::log2e_h() * __wm_c<float>::ln10_h()));
}
__WM_FN float __wm_use_pow(float x, float y) {
    return __nvvm_ex2_approx_ftz_f(y * __nvvm_lg2_approx_ftz_f(x));
}
#else
__WM_FN float __wm_use_sin(float x) { return __wm_sin(x); }
__WM_FN float __wm_use_cos(float x) { return __wm_cos(x); }
__WM_FN float __wm_use_tan(float x) { return __wm_tan(x); }
__WM_FN void __wm_use_sincos(float x, float *s, float *c) { __wm_sincos(x, s, c); }
__WM_FN float __wm_use_log2(float x) { return __wm_log2(x); }
__WM_FN float __wm_use_log(float x) { return __wm_log(x); }
__WM_FN float __wm_use_log10(float x) { return __wm_log10(x); }
__WM_FN float __wm_use_exp(float x) { return __wm_exp(x); }
__WM_FN float __wm_use_exp10(float x) { return __wm_exp10(x); }
__WM_FN float __wm_use_pow(float x, float y) { return __wm_pow(x, y); }
#endif

/* rsqrt.approx on the device; its error is 2 ulp. */
__WM_FN float __wm_use_rsqrt(float x) {
#ifdef __CUDA_ARCH__
    return __nvvm_rsqrt_approx_f(x);
#else
    return __wm_rsqrt(x);
#endif
}
__WM_FN float __wm_use_fmin(float a, float b) {
#ifdef __CUDA_ARCH__
    return __builtin_fminf(a, b);
#else
    return __wm_fmin(a, b);
#endif
}
__WM_FN double __wm_use_fmin(double a, double b) {
#ifdef __CUDA_ARCH__
    return __builtin_fmin(a, b);
#else
    return __wm_fmin(a, b);
#endif
}
__WM_FN float __wm_use_fmax(float a, float b) {
#ifdef __CUDA_ARCH__
    return __builtin_fmaxf(a, b);
#else
    return __wm_fmax(a, b);
#endif
}
__WM_FN double __wm_use_fmax(double a, double b) {
#ifdef __CUDA_ARCH__
    return __builtin_fmax(a, b);
#else
    return __wm_fmax(a, b);
#endif
}

#endif
