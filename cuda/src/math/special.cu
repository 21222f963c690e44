// The error function, the gamma function, and functions that follow from others.

// exp(x * x) * erfc(x) for x >= 0.5, by polynomials in s, which goes from -1 to 1.
__device__ float __ws_erfcx_large(float x) {
    if (x < 1.5f) {
        float s = fmaf(x, 2.0f, -2.0f);
        float p = -8.03504756e-7f;
        p = fmaf(p, s, 4.44406658e-6f);
        p = fmaf(p, s, -2.15823292e-5f);
        p = fmaf(p, s, 1.08605420e-4f);
        p = fmaf(p, s, -5.20701729e-4f);
        p = fmaf(p, s, 2.34837744e-3f);
        p = fmaf(p, s, -9.90336882e-3f);
        p = fmaf(p, s, 0.0385928767f);
        p = fmaf(p, s, -0.136606007f);
        p = fmaf(p, s, 0.427583576f);
        return p;
    }
    if (x < 4.0f) {
        float s = fmaf(x, 0.8f, -2.2f);
        float p = -2.00185946e-6f;
        p = fmaf(p, s, 6.73798305e-6f);
        p = fmaf(p, s, -1.62041471e-5f);
        p = fmaf(p, s, 5.14001718e-5f);
        p = fmaf(p, s, -1.65742155e-4f);
        p = fmaf(p, s, 5.01420090e-4f);
        p = fmaf(p, s, -1.47147474e-3f);
        p = fmaf(p, s, 4.19796047e-3f);
        p = fmaf(p, s, -0.0115905096f);
        p = fmaf(p, s, 0.0308728220f);
        p = fmaf(p, s, -0.0790470469f);
        p = fmaf(p, s, 0.193662096f);
        return p;
    }
    float s = fmaf(1.0f / (x * x), 32.0f, -1.0f);
    float p = -2.12231429e-7f;
    p = fmaf(p, s, 1.95491410e-6f);
    p = fmaf(p, s, -2.18588754e-5f);
    p = fmaf(p, s, 3.33581824e-4f);
    p = fmaf(p, s, -8.07380529e-3f);
    p = fmaf(p, s, 0.555758169f);
    return p / x;
}
__device__ float __ws_erfc_large(float x) {
    // The square of the upper half of x is exact.
    float h = __int_as_float(__float_as_int(x) & (int)0xfffff000u);
    return expf(-h * h) * expf((h - x) * (h + x)) * __ws_erfcx_large(x);
}
__device__ float __ws_erf_small(float x) {
    float s = fmaf(x * x, 8.0f, -1.0f);
    float p = 1.15211977e-6f;
    p = fmaf(p, s, -4.76527177e-5f);
    p = fmaf(p, s, 1.61307154e-3f);
    p = fmaf(p, s, -0.0436420515f);
    p = fmaf(p, s, 1.08307524f);
    return x * p;
}
__device__ float erff(float x) {
    float a = fabsf(x);
    if (isnan(x)) return x;
    if (a > 4.0f) return copysignf(1.0f, x);
    if (a < 0.5f) return __ws_erf_small(x);
    return copysignf(1.0f - __ws_erfc_large(a), x);
}
__device__ float erfcf(float x) {
    if (isnan(x)) return x;
    if (x > 10.1f) return 0.0f;
    if (x < -4.0f) return 2.0f;
    float a = fabsf(x);
    if (a < 0.5f) return 1.0f - __ws_erf_small(x);
    float e = __ws_erfc_large(a);
    return x < 0.0f ? 2.0f - e : e;
}
__device__ float erfcxf(float x) {
    if (x >= 0.5f) return isinf(x) ? 0.0f : __ws_erfcx_large(x);
    return expf(x * x) * erfcf(x);
}
__D float normcdff(float x) { return 0.5f * erfcf(x * -0.7071067812f); }

#if __CUDA_ARCH__ >= 130
__device__ double __ws_erfcx_large(double x) {
    if (x < 1.25) {
        double s = fma(x, 2.6666666666666667, -2.3333333333333333);
        double p = -3.3354795181211825e-13;
        p = fma(p, s, 2.9098481674425839e-12);
        p = fma(p, s, -2.3361099372376539e-11);
        p = fma(p, s, 1.9189761867805772e-10);
        p = fma(p, s, -1.5293528100325786e-9);
        p = fma(p, s, 1.1766503709242535e-8);
        p = fma(p, s, -8.7268508504599994e-8);
        p = fma(p, s, 6.2198377957044954e-7);
        p = fma(p, s, -4.2438883178186861e-6);
        p = fma(p, s, 2.7594391880156708e-5);
        p = fma(p, s, -1.7001257906258004e-4);
        p = fma(p, s, 9.8537637739965702e-4);
        p = fma(p, s, -5.3216573972803476e-3);
        p = fma(p, s, 0.026431442405603922);
        p = fma(p, s, -0.11843771118406568);
        p = fma(p, s, 0.46431158320266900);
        return p;
    }
    if (x < 2.25) {
        double s = fma(x, 2.0, -3.5);
        double p = -5.2375292439163337e-13;
        p = fma(p, s, 3.9985433701133017e-12);
        p = fma(p, s, -2.7748928373966349e-11);
        p = fma(p, s, 2.0150574978464334e-10);
        p = fma(p, s, -1.4297033194347150e-9);
        p = fma(p, s, 9.8506433375581755e-9);
        p = fma(p, s, -6.5928406575293293e-8);
        p = fma(p, s, 4.2775486065236089e-7);
        p = fma(p, s, -2.6838543295114704e-6);
        p = fma(p, s, 1.6237570707180544e-5);
        p = fma(p, s, -9.4405457856344275e-5);
        p = fma(p, s, 5.2526995045254913e-4);
        p = fma(p, s, -2.7824994051735739e-3);
        p = fma(p, s, 0.013940907521772079);
        p = fma(p, s, -0.065488172757242606);
        p = fma(p, s, 0.28497223473743639);
        return p;
    }
    if (x < 4.0) {
        double s = fma(x, 1.1428571428571428, -3.5714285714285714);
        double p = -5.0284587598234161e-13;
        p = fma(p, s, 2.8420249939855385e-12);
        p = fma(p, s, -1.3560456774631624e-11);
        p = fma(p, s, 7.3945741889709362e-11);
        p = fma(p, s, -4.0083239335242207e-10);
        p = fma(p, s, 2.1144714329827585e-9);
        p = fma(p, s, -1.0950893525134863e-8);
        p = fma(p, s, 5.5674954519760034e-8);
        p = fma(p, s, -2.7750889053391487e-7);
        p = fma(p, s, 1.3546976287904926e-6);
        p = fma(p, s, -6.4692777794536380e-6);
        p = fma(p, s, 3.0182166632060338e-5);
        p = fma(p, s, -1.3736729366428885e-4);
        p = fma(p, s, 6.0886229368044056e-4);
        p = fma(p, s, -2.6230544567301581e-3);
        p = fma(p, s, 0.010958549051398010);
        p = fma(p, s, -0.044276720649811584);
        p = fma(p, s, 0.17244435210217361);
        return p;
    }
    double s = fma(1.0 / (x * x), 32.0, -1.0);
    double p = 5.9715218133303244e-14;
    p = fma(p, s, -2.4594994658000741e-13);
    p = fma(p, s, 8.3916402095798097e-13);
    p = fma(p, s, -3.9260229819858897e-12);
    p = fma(p, s, 1.9829923228175363e-11);
    p = fma(p, s, -1.0491831183661025e-10);
    p = fma(p, s, 5.9964611139904130e-10);
    p = fma(p, s, -3.7519038704069464e-9);
    p = fma(p, s, 2.6102697649471699e-8);
    p = fma(p, s, -2.0641936364981772e-7);
    p = fma(p, s, 1.9147125647453460e-6);
    p = fma(p, s, -2.1861074881549257e-5);
    p = fma(p, s, 3.3359701308000886e-4);
    p = fma(p, s, -8.0738051685160085e-3);
    p = fma(p, s, 0.55575816857528361);
    return p / x;
}
__device__ double __ws_erfc_large(double x) {
    double z = x * x;
    return exp(-z) * (1.0 - fma(x, x, -z)) * __ws_erfcx_large(x);
}
__device__ double __ws_erf_small(double x) {
    double s = fma(x * x, 8.0, -1.0);
    double p = 8.7772998097877168e-14;
    p = fma(p, s, -6.3768685873280503e-12);
    p = fma(p, s, 4.1270252134730293e-10);
    p = fma(p, s, -2.3472289797042593e-8);
    p = fma(p, s, 1.1516037795194740e-6);
    p = fma(p, s, -4.7623369345195519e-5);
    p = fma(p, s, 1.6130716680617081e-3);
    p = fma(p, s, -0.043642058886697884);
    p = fma(p, s, 1.0830752376761713);
    return x * p;
}
__device__ double erf(double x) {
    double a = fabs(x);
    if (isnan(x)) return x;
    if (a > 6.0) return copysign(1.0, x);
    if (a < 0.5) return __ws_erf_small(x);
    return copysign(1.0 - __ws_erfc_large(a), x);
}
__device__ double erfc(double x) {
    if (isnan(x)) return x;
    if (x > 27.3) return 0.0;
    if (x < -6.0) return 2.0;
    double a = fabs(x);
    if (a < 0.5) return 1.0 - __ws_erf_small(x);
    double e = __ws_erfc_large(a);
    return x < 0.0 ? 2.0 - e : e;
}
__device__ double erfcx(double x) {
    if (x >= 0.5) return isinf(x) ? 0.0 : __ws_erfcx_large(x);
    return exp(x * x) * erfc(x);
}
__D double asinh(double x) {
    double a = fabs(x);
    double r = a > 1e8 ? log(a) + 0.69314718055994531 : log1p(a + a * a / (1.0 + sqrt(fma(a, a, 1.0))));
    return copysign(r, x);
}
__D double acosh(double x) {
    double t = x - 1.0;
    return x > 1e8 ? log(x) + 0.69314718055994531 : log1p(t + sqrt(fma(t, t, t + t)));
}
__D double atanh(double x) {
    double a = fabs(x);
    return copysign(0.5 * log1p((a + a) / (1.0 - a)), x);
}
__D double __ws_without_even(double x) { return fabs(x) >= 9007199254740992.0 ? x * 0.0 : x; }
__device__ double sinpi(double x) {
    x = __ws_without_even(x);
    double j = rint(x + x);
    return __ws_sin_quadrant(fma(j, -0.5, x) * 3.1415926535897931, (int)fmod(j, 4.0));
}
__device__ double cospi(double x) {
    x = __ws_without_even(x);
    double j = rint(x + x);
    return __ws_sin_quadrant(fma(j, -0.5, x) * 3.1415926535897931, (int)fmod(j, 4.0) + 1);
}
__D double exp10(double x) {
    // The low part of x * log(10) is added to the result.
    double h = x * 2.3025850929940459;
    double l = fma(x, 2.3025850929940459, -h) + x * -2.1707562233822494e-16;
    return fma(exp(h), x > 309.0 ? 0.0 : l, exp(h));
}
__D double rcbrt(double x) { return 1.0 / cbrt(x); }
__D int ilogb(double x) {
    int e;
    frexp(x, &e);
    return isinf(x) ? 2147483647 : x == 0.0 || isnan(x) ? -2147483647 - 1 : e - 1;
}
__D double logb(double x) { return x == 0.0 ? -HUGE_VAL : isinf(x) || isnan(x) ? x * x : (double)ilogb(x); }
__D double scalbn(double x, int e) { return ldexp(x, e); }
__D double remainder(double x, double y) {
    double a = fabs(x), b = fabs(y);
    double r = b < 8e307 ? fmod(a, b + b) : a;
    if (r + r > b && b < HUGE_VAL) {
        r -= b;
        if (r + r >= b) r -= b;
    }
    return __double2hiint(x) < 0 ? -r : r;
}
#else
#define __WS_WIDE(NAME) __D double NAME(double x) { return NAME##f((float)x); }
__WS_WIDE(erf)
__WS_WIDE(erfc)
__WS_WIDE(erfcx)
__WS_WIDE(asinh)
__WS_WIDE(acosh)
__WS_WIDE(atanh)
__WS_WIDE(sinpi)
__WS_WIDE(cospi)
__WS_WIDE(exp10)
__D double remainder(double x, double y) { return remainderf((float)x, (float)y); }
#endif
__D double normcdf(double x) { return 0.5 * erfc(x * -0.70710678118654752); }
__D float erf(float x) { return erff(x); }
__D float erfc(float x) { return erfcf(x); }
__D float asinh(float x) { return asinhf(x); }
__D float acosh(float x) { return acoshf(x); }
__D float atanh(float x) { return atanhf(x); }
__D float remainder(float x, float y) { return remainderf(x, y); }

// log(gamma(2 + t)) for |t| <= 0.5: the series with the zeta function. It is 0 at t = 0.
__device__ double __ws_lgamma_two(double t) {
    double p = -2.7595228851242331e-10;
    p = fma(p, t, 5.731367241678862e-10);
    p = fma(p, t, -1.1921401405860912e-9);
    p = fma(p, t, 2.4836745438024783e-9);
    p = fma(p, t, -5.1834750419700467e-9);
    p = fma(p, t, 1.0838659214896954e-8);
    p = fma(p, t, -2.2711094608943165e-8);
    p = fma(p, t, 4.7698101693639806e-8);
    p = fma(p, t, -1.00432248239681e-7);
    p = fma(p, t, 2.1207184805554666e-7);
    p = fma(p, t, -4.492469198764566e-7);
    p = fma(p, t, 9.5514121304074198e-7);
    p = fma(p, t, -2.0392157538013662e-6);
    p = fma(p, t, 4.3748667899074878e-6);
    p = fma(p, t, -9.4394882752683959e-6);
    p = fma(p, t, 2.0507212775670692e-5);
    p = fma(p, t, -4.4926236738133142e-5);
    p = fma(p, t, 9.9457512781808534e-5);
    p = fma(p, t, -0.00022315475845357938);
    p = fma(p, t, 0.00050966952474304242);
    p = fma(p, t, -0.001192753911703261);
    p = fma(p, t, 0.0028905103307415233);
    p = fma(p, t, -0.0073855510286739853);
    p = fma(p, t, 0.020580808427784548);
    p = fma(p, t, -0.067352301053198095);
    p = fma(p, t, 0.32246703342411322);
    p = fma(p, t, 0.42278433509846714);
    return p * t;
}
// The product (x - 1) (x - 2) ... that remains when x is reduced to 1.5 to 2.5, and its error.
__device__ double __ws_gamma_product(double *x, double *error) {
    double product = 1.0, rest = 0.0, y = *x;
    while (y > 2.5) {
        y -= 1.0;
        double next = product * y;
        rest = fma(rest, y, fma(product, y, -next));
        product = next;
    }
    *x = y;
    *error = rest;
    return product;
}
__device__ double __ws_lgamma_positive(double x) {
    if (x >= 9.0) {
        if (x > 2.5e305) return HUGE_VAL;
        double r = 1.0 / x, z = r * r;
        double s = fma(z, 6.4102564102564103e-3, -1.9175269175269175e-3);
        s = fma(s, z, 8.4175084175084175e-4);
        s = fma(s, z, -5.9523809523809524e-4);
        s = fma(s, z, 7.9365079365079365e-4);
        s = fma(s, z, -2.7777777777777778e-3);
        s = fma(s, z, 8.3333333333333333e-2);
        return fma(x - 0.5, log(x) - 1.0, fma(s, r, 0.41893853320467274));
    }
    if (x > 2.5) {
        double error, product = __ws_gamma_product(&x, &error);
        return log(product + error) + __ws_lgamma_two(x - 2.0);
    }
    if (x >= 1.5) return __ws_lgamma_two(x - 2.0);
    if (x >= 0.5) return __ws_lgamma_two(x - 1.0) - log1p(x - 1.0);
    return __ws_lgamma_two(x) - log1p(x) - log(x);
}
__device__ double lgamma(double x) {
    if (isnan(x)) return x;
    if (x > 0.0) return __ws_lgamma_positive(x);
    if (x == rint(x)) return HUGE_VAL;
    if (x > -1e-17) return -log(-x);
    double s = fabs(sinpi(x));
    return 1.1447298858494002 - log(s * -x) - __ws_lgamma_positive(-x);
}
__device__ double __ws_tgamma_positive(double x) {
    if (x > 171.7) return HUGE_VAL;
    if (x < 0.5) return exp(__ws_lgamma_two(x)) / ((1.0 + x) * x);
    if (x < 1.5) return exp(__ws_lgamma_two(x - 1.0)) / x;
    // The product is larger than the result, and may overflow where the result does not.
    double scale = 1.0;
    if (x > 171.0) scale = x -= 1.0;
    double error, product = __ws_gamma_product(&x, &error);
    double last = exp(__ws_lgamma_two(x - 2.0));
    return fma(product, last, error * last) * scale;
}
__device__ double tgamma(double x) {
    if (isnan(x)) return x;
    if (x > 0.0) return __ws_tgamma_positive(x);
    if (x == 0.0) return 1.0 / x;
    if (x == rint(x)) return NAN;
    if (x < -184.0) return fmod(x, 2.0) < -1.0 ? 0.0 : -0.0;
    if (x > -1e-17) return 1.0 / x;
    // The second division keeps small results.
    double s = sinpi(x) * x;
    if (x < -170.0) {
        double part = __ws_tgamma_positive(-x - 16.0), rest = 1.0;
        for (int k = 1; k <= 16; k++) rest *= -x - k;
        return -3.1415926535897931 / s / part / rest;
    }
    return -3.1415926535897931 / (s * __ws_tgamma_positive(-x));
}
// Exact enough where `double` exists; below it is `float`.
__D float lgammaf(float x) { return (float)lgamma((double)x); }
__D float tgammaf(float x) { return (float)tgamma((double)x); }
__D float lgamma(float x) { return lgammaf(x); }
__D float tgamma(float x) { return tgammaf(x); }
__D float nextafterf(float x, float y) {
    if (isnan(x) || isnan(y)) return x + y;
    if (x == y) return y;
    if (x == 0.0f) return __int_as_float((__float_as_int(y) & (int)0x80000000u) | 1);
    return __int_as_float(__float_as_int(x) + ((x < y) == (x > 0.0f) ? 1 : -1));
}
__D float rhypotf(float x, float y) { return 1.0f / hypotf(x, y); }
__D float norm3df(float x, float y, float z) { return hypotf(hypotf(x, y), z); }
// The inverse: two steps of Halley's method from an approximation.
__device__ float erfinvf(float y) {
    float a = fabsf(y);
    if (!(a <= 1.0f)) return NAN;
    if (a == 1.0f) return copysignf(INFINITY, y);
    float l = log1pf(-a * a), b = fmaf(l, 0.5f, 4.33075f);
    float x = sqrtf(sqrtf(fmaf(b, b, -6.802721f * l)) - b);
    for (int step = 0; step < 2; step++) {
        float e = a < 0.5f ? erff(x) - a : (1.0f - a) - erfcf(x);
        float d = e / (1.128379167f * expf(-x * x));
        x -= d / fmaf(x, d, 1.0f);
    }
    return copysignf(x, y);
}
__D float erfcinvf(float y) { return erfinvf(1.0f - y); }
__D float normcdfinvf(float y) { return 1.414213562f * erfinvf(fmaf(y, 2.0f, -1.0f)); }
