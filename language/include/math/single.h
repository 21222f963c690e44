/* Algorithms for `float` alone, where few instructions are enough for the bound of the guide. */
#ifndef WARPSIM_MATH_SINGLE_H
#define WARPSIM_MATH_SINGLE_H

/* ---- Trigonometric functions. */

/* a - quadrant pi/2 for 0 <= a <= 12000, at most pi/4 and a little in magnitude. */
__WM_FN float __wm_reduce_near(float a, int *quadrant) {
    float j = __wm_rint(a * 0.6366197723675814f);
    *quadrant = (int)j;
    /* pi/2 in parts: the products of the first ones with j are exact. */
#ifdef WARPSIM_NO_FMAF
    float r = a - j * 1.5703125f;
    r = r - j * 4.837512969970703e-4f;
    r = r - j * 7.549533620476723e-8f;
    return r - j * 2.563282919e-12f;
#else
    float r = __wm_fma(j, -1.57079625f, a);
    r = __wm_fma(j, -7.54978942e-8f, r);
    return __wm_fma(j, -5.39030295e-15f, r);
#endif
}
/* sin(r) and cos(r) for |r| <= pi/4. */
__WM_FN float __wm_sin_small(float r) {
    float z = r * r;
    float p = __wm_fma(z, 2.7557319e-6f, -1.9841270e-4f);
    p = __wm_fma(p, z, 8.3333333e-3f);
    p = __wm_fma(p, z, -1.6666667e-1f);
    return __wm_fma(p * z, r, r);
}
__WM_FN float __wm_cos_small(float r) {
    float z = r * r;
    float p = __wm_fma(z, -2.7557319e-7f, 2.4801587e-5f);
    p = __wm_fma(p, z, -1.3888889e-3f);
    p = __wm_fma(p, z, 4.1666667e-2f);
    return __wm_fma(p * z, z, __wm_fma(z, -0.5f, 1.0f));
}
/* The value, negative if the highest bit of `sign` says so. */
__WM_FN float __wm_negate_by(float v, unsigned sign) {
    return __wm_float(__wm_bits(v) ^ (sign & 0x80000000u));
}
/* sin(|x| + quadrant pi/2), negative if the highest bit of `sign` says so. */
__WM_FN float __wm_sin_shifted(float x, int quadrant, unsigned sign) {
    int q;
    float a = __wm_abs(x), r;
    if (a <= 12000.0f) {
        r = __wm_reduce_near(a, &q);
    } else if (__wm_is_finite(x)) {
        r = __wm_reduce_far(a, &q).h;
    } else {
        return __wm_nan<float>();
    }
    q += quadrant;
    float v = q & 1 ? __wm_cos_small(r) : __wm_sin_small(r);
    return __wm_negate_by(v, (unsigned)q << 30 ^ sign);
}
template <> inline __WM_HD float __wm_sin<float>(float x) { return __wm_sin_shifted(x, 0, __wm_bits(x)); }
template <> inline __WM_HD float __wm_cos<float>(float x) { return __wm_sin_shifted(x, 1, 0u); }
template <> inline __WM_HD void __wm_sincos<float, float>(float x, float *s, float *c) {
    *s = __wm_sin(x);
    *c = __wm_cos(x);
}
template <> inline __WM_HD float __wm_tan<float>(float x) {
    int q;
    float a = __wm_abs(x), r;
    if (a <= 12000.0f) {
        r = __wm_reduce_near(a, &q);
    } else if (__wm_is_finite(x)) {
        r = __wm_reduce_far(a, &q).h;
    } else {
        return __wm_nan<float>();
    }
    float s = __wm_sin_small(r), c = __wm_cos_small(r);
    return __wm_negate_by(q & 1 ? -c / s : s / c, __wm_bits(x));
}

/* ---- Logarithms. */

/* Splits x into 2 to the power of e and 1 + f with f in [-1/3, 1/3). */
__WM_FN float __wm_log_third(float x, float *e) {
    int offset = 0;
    if (x < 1.17549435e-38f) {
        x *= 8388608.0f;
        offset = -23;
    }
    int bits = (int)__wm_bits(x) - 0x3f2aaaab;
    *e = (float)((bits >> 23) + offset);
    return __wm_float((unsigned)((bits & 0x7fffff) + 0x3f2aaaab)) - 1.0f;
}
/* log(1 + f) - f. */
__WM_FN float __wm_log_rest(float f) {
    float s = f / (2.0f + f);
    float z = s * s;
    float r = __wm_fma(z, 0.1818182f, 0.2222222f);
    r = __wm_fma(r, z, 0.2857143f);
    r = __wm_fma(r, z, 0.4f);
    r = __wm_fma(r, z, 0.6666667f);
    float h = 0.5f * f * f;
    return __wm_fma(s, __wm_fma(z, r, h), -h);
}
template <> inline __WM_HD float __wm_log<float>(float x) {
    float e, special;
    if (__wm_log_special(x, &special)) return special;
    float f = __wm_log_third(x, &e);
    return __wm_fma(e, 0.693145752f, f + __wm_fma(e, 1.42860677e-6f, __wm_log_rest(f)));
}
/* With separately rounded products the error would exceed the bound. */
#ifndef WARPSIM_NO_FMAF
template <> inline __WM_HD float __wm_log2<float>(float x) {
    float e, special;
    if (__wm_log_special(x, &special)) return special;
    float f = __wm_log_third(x, &e);
    /* The factor 1.4427 is 1.4375 and a remainder, so that the first product is nearly exact. */
    float low = __wm_fma(__wm_log_rest(f), 1.442695041f, f * 5.19504089e-3f);
    return e + __wm_fma(f, 1.4375f, low);
}
template <> inline __WM_HD float __wm_log10<float>(float x) {
    float e, special;
    if (__wm_log_special(x, &special)) return special;
    float f = __wm_log_third(x, &e);
    float low = __wm_fma(__wm_log_rest(f), 0.4342944819f, f * 2.31948190e-4f);
    return __wm_fma(e, 0.301025391f, __wm_fma(f, 0.434062500f, __wm_fma(e, 4.60503907e-6f, low)));
}
#endif

/* ---- Lengths. */

template <> inline __WM_HD float __wm_hypot<float>(float x, float y) {
    x = __wm_abs(x);
    y = __wm_abs(y);
    if (__wm_is_inf(x) || __wm_is_inf(y)) return __wm_inf<float>();
    float a = x > y ? x : y, b = x > y ? y : x;
    if (!(a > 0.0f)) return x + y;
    float q = b / a;
    return a * __wm_sqrt(__wm_fma(q, q, 1.0f));
}

#endif
