// What the device math library needs of this compiler: operations, builtins of clang, and the meaning of
// the rows of its list of names.
#define WARPCC_D __forceinline__ __device__
#define __WS_OPERATION(NAME, OP)                                                                           \
    __intrinsic__(OP) float __wm_##NAME(float x);                                                          \
    __intrinsic__(OP) double __wm_##NAME(double x);
__WS_OPERATION(abs, "abs")
__WS_OPERATION(sqrt, "sqrt")
__WS_OPERATION(floor, "floor")
__WS_OPERATION(ceil, "ceil")
__WS_OPERATION(trunc, "trunc")
__WS_OPERATION(rint, "rint")
__intrinsic__("fma") float __wm_fma(float x, float y, float z);
__intrinsic__("fma") double __wm_fma(double x, double y, double z);
__intrinsic__("mul_rn") float __wm_mul(float x, float y);
__intrinsic__("mul_rn") double __wm_mul(double x, double y);
__intrinsic__("min") float __builtin_fminf(float x, float y);
__intrinsic__("min") double __builtin_fmin(double x, double y);
__intrinsic__("max") float __builtin_fmaxf(float x, float y);
__intrinsic__("max") double __builtin_fmax(double x, double y);
__intrinsic__("clz") int __builtin_clz(unsigned int x);
__intrinsic__("sin.approx") float __nvvm_sin_approx_ftz_f(float x);
__intrinsic__("cos.approx") float __nvvm_cos_approx_ftz_f(float x);
__intrinsic__("ex2.approx") float __nvvm_ex2_approx_ftz_f(float x);
__intrinsic__("lg2.approx") float __nvvm_lg2_approx_ftz_f(float x);
__intrinsic__("div.approx") float __nvvm_div_approx_ftz_f(float x, float y);
__intrinsic__("rsqrt") float __nvvm_rsqrt_approx_f(float x);

#define __WM_F(NAME, WHERE, RESULT, PARAMETERS, ...) __WM_FN RESULT NAME PARAMETERS { __VA_ARGS__; }
#define __WM_N(NAME, RESULT, PARAMETERS, ...)
#define __WM_I(NAME, WHERE, RESULT)                                                                        \
    template <class I> __WM_FN typename __wm_if<__wm_kind<I>::value == 1, RESULT>::type NAME(I x) {        \
        return NAME((RESULT)x);                                                                            \
    }
