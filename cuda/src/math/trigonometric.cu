// Trigonometric and hyperbolic functions of float, and the error function.

// Reduction of large arguments: x modulo pi/2 by the product with enough digits of 2/pi.
__device__ __noinline__ float __ws_reduce_large(float x, int *quadrant) {
    unsigned int bits = __float_as_uint(x);
    int e = (int)(bits >> 23 & 255) - 126;
    unsigned int m = (bits & 0x7fffffu | 0x800000u) << 8;
    unsigned int r[7];
    const unsigned int digits[6] = {0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u, 0xdb629599u, 0x3c439041u};
    unsigned long long carry = 0;
    #pragma unroll
    for (int i = 5; i >= 0; i--) {
        carry += (unsigned long long)digits[i] * m;
        r[i + 1] = (unsigned int)carry;
        carry >>= 32;
    }
    r[0] = (unsigned int)carry;
    // Two bits of the integer part come first.
    int b = e - 2, k = b >> 5, s = b & 31;
    unsigned int w0 = 0, w1 = 0, w2 = 0;
    #pragma unroll
    for (int i = 0; i < 5; i++) {
        if (i == k) {
            w0 = r[i];
            w1 = r[i + 1];
            w2 = r[i + 2];
        }
    }
    if (s != 0) {
        w0 = w0 << s | w1 >> (32 - s);
        w1 = w1 << s | w2 >> (32 - s);
    }
    int q = (int)(w0 >> 30);
    long long fraction = (long long)((unsigned long long)w0 << 34 | (unsigned long long)w1 << 2);
    // A fraction of one half or more is negative here: the quadrant is the next one.
    q += fraction < 0;
    float f = (float)fraction * 5.42101086e-20f;
    f = fmaf(f, 1.57079637f, f * -4.37113883e-8f);
    *quadrant = (int)bits < 0 ? -q : q;
    return (int)bits < 0 ? -f : f;
}
__D float __ws_reduce(float x, int *quadrant) {
    if (fabsf(x) > 12000.0f) return __ws_reduce_large(x, quadrant);
    float j = rintf(x * 0.6366197723675814f);
    *quadrant = (int)j;
    // pi/2 in parts: the products of the first ones with j are exact.
#if __CUDA_ARCH__ >= 200
    float r = fmaf(j, -1.57079625f, x);
    r = fmaf(j, -7.54978942e-8f, r);
    return fmaf(j, -5.39030295e-15f, r);
#else
    float r = x - j * 1.5703125f;
    r = r - j * 4.837512969970703e-4f;
    r = r - j * 7.549533620476723e-8f;
    return r - j * 2.563282919e-12f;
#endif
}
// sin(r) and cos(r) for |r| <= pi/4.
__D float __ws_sin_small(float r) {
    float z = r * r;
    float p = fmaf(z, 2.7557319e-6f, -1.9841270e-4f);
    p = fmaf(p, z, 8.3333333e-3f);
    p = fmaf(p, z, -1.6666667e-1f);
    return fmaf(p * z, r, r);
}
__D float __ws_cos_small(float r) {
    float z = r * r;
    float p = fmaf(z, -2.7557319e-7f, 2.4801587e-5f);
    p = fmaf(p, z, -1.3888889e-3f);
    p = fmaf(p, z, 4.1666667e-2f);
    return fmaf(p * z, z, fmaf(z, -0.5f, 1.0f));
}
__device__ float __ws_sin_quadrant(float r, int q) {
    float v = q & 1 ? __ws_cos_small(r) : __ws_sin_small(r);
    return q & 2 ? -v : v;
}
#ifdef __USE_FAST_MATH__
__D float sinf(float x) { return __sinf(x); }
__D float cosf(float x) { return __cosf(x); }
__D float tanf(float x) { return __tanf(x); }
#else
__device__ float sinf(float x) {
    int q;
    if (!(fabsf(x) < __INF_F)) return NAN;
    float r = __ws_reduce(x, &q);
    return __ws_sin_quadrant(r, q);
}
__device__ float cosf(float x) {
    int q;
    if (!(fabsf(x) < __INF_F)) return NAN;
    float r = __ws_reduce(x, &q);
    return __ws_sin_quadrant(r, q + 1);
}
__device__ float tanf(float x) {
    int q;
    if (!(fabsf(x) < __INF_F)) return NAN;
    float r = __ws_reduce(x, &q);
    float s = __ws_sin_small(r), c = __ws_cos_small(r);
    return q & 1 ? -c / s : s / c;
}
#endif
__D void sincosf(float x, float *s, float *c) {
    *s = sinf(x);
    *c = cosf(x);
}
// A number without bits behind the point and without an odd one becomes 0, infinity becomes NaN.
__D float __ws_without_even(float x) { return fabsf(x) >= 16777216.0f ? x * 0.0f : x; }
__device__ float sinpif(float x) {
    x = __ws_without_even(x);
    float j = rintf(x + x);
    float r = fmaf(j, -0.5f, x) * 3.141592654f;
    return __ws_sin_quadrant(r, (int)fmodf(j, 4.0f));
}
__device__ float cospif(float x) {
    x = __ws_without_even(x);
    float j = rintf(x + x);
    float r = fmaf(j, -0.5f, x) * 3.141592654f;
    return __ws_sin_quadrant(r, (int)fmodf(j, 4.0f) + 1);
}

// atan(t) / t - 1 for |t| <= tan(pi/8).
__D float __ws_atan_rest(float t) {
    float z = t * t;
    float p = fmaf(z, -5.2631579e-2f, 5.8823529e-2f);
    p = fmaf(p, z, -6.6666667e-2f);
    p = fmaf(p, z, 7.6923077e-2f);
    p = fmaf(p, z, -9.0909091e-2f);
    p = fmaf(p, z, 1.1111111e-1f);
    p = fmaf(p, z, -1.4285714e-1f);
    p = fmaf(p, z, 0.2f);
    p = fmaf(p, z, -3.3333333e-1f);
    return p * z;
}
// atan(b / a) for 0 <= b <= a.
__D float __ws_atan_ratio(float b, float a) {
    if (b <= 0.4142135624f * a) {
        float t = b / a;
        return fmaf(__ws_atan_rest(t), t, t);
    }
    // The first sum is nearly exact, and pi/4 has a second part.
    float t = (b - a) / (b + a);
    return 0.7853981634f + t + fmaf(__ws_atan_rest(t), t, -2.18556941e-8f);
}
__device__ float atanf(float x) {
    float a = fabsf(x);
    if (isnan(x)) return x;
    float r = a > 1.0f ? 1.570796327f - __ws_atan_ratio(1.0f, a) : __ws_atan_ratio(a, 1.0f);
    return copysignf(r, x);
}
__device__ float atan2f(float y, float x) {
    float a = fabsf(x), b = fabsf(y);
    if (isnan(x) || isnan(y)) return NAN;
    if (a > 1e38f || b > 1e38f) {
        a *= 0.25f;
        b *= 0.25f;
    }
    float r;
    if (a == 0.0f && b == 0.0f) r = 0.0f;
    else if (a == __INF_F && b == __INF_F) r = 0.7853981634f;
    else if (b == __INF_F || a == 0.0f) r = 1.570796327f;
    else if (a == __INF_F) r = 0.0f;
    else if (b > a) r = 1.570796327f - (a < b * 1e-30f ? 0.0f : __ws_atan_ratio(a, b));
    else r = __ws_atan_ratio(b, a);
    if (signbit(x)) r = 3.141592654f - r;
    return copysignf(r, y);
}
__device__ float asinf(float x) {
    if (fabsf(x) > 1.0f) return NAN;
    return atan2f(x, sqrtf((1.0f - x) * (1.0f + x)));
}
__device__ float acosf(float x) {
    if (fabsf(x) > 1.0f) return NAN;
    return atan2f(sqrtf((1.0f - x) * (1.0f + x)), x);
}

// Half of e to the power of x, also where e to the power of x is infinite.
__device__ float __ws_exp_half(float x) {
    if (x > 89.5f) return INFINITY;
    float j = rintf(x * 1.4426950408889634f);
    float f = fmaf(j, -0.693145752f, x);
    f = fmaf(j, -1.42860677e-6f, f);
    return ldexpf(__ws_exp_small(f) + 1.0f, (int)j - 1);
}
__device__ float sinhf(float x) {
    float a = fabsf(x);
    if (a < 1.0f) {
        float z = x * x;
        float p = fmaf(z, 2.7557319e-6f, 1.9841270e-4f);
        p = fmaf(p, z, 8.3333333e-3f);
        p = fmaf(p, z, 1.6666667e-1f);
        return fmaf(p * z, x, x);
    }
    if (a > 88.0f) return copysignf(__ws_exp_half(a), x);
    float e = expf(a);
    return copysignf(0.5f * e - 0.5f / e, x);
}
__device__ float coshf(float x) {
    float a = fabsf(x);
    if (a > 88.0f) return __ws_exp_half(a);
    float e = expf(a);
    return 0.5f * e + 0.5f / e;
}
__device__ float tanhf(float x) {
    float a = fabsf(x);
    if (isnan(x)) return x;
    if (a > 10.0f) return copysignf(1.0f, x);
    float t = expm1f(a + a);
    return copysignf(t / (t + 2.0f), x);
}
__device__ float asinhf(float x) {
    float a = fabsf(x);
    if (!(a < 1e18f)) return copysignf(logf(a) + 0.6931471806f, x);
    float z = a * a;
    return copysignf(log1pf(a + z / (1.0f + sqrtf(z + 1.0f))), x);
}
__device__ float acoshf(float x) {
    if (x > 1e18f) return logf(x) + 0.6931471806f;
    float t = x - 1.0f;
    return log1pf(t + sqrtf(t * (t + 2.0f)));
}
__device__ float atanhf(float x) {
    float a = fabsf(x);
    return copysignf(0.5f * log1pf((a + a) / (1.0f - a)), x);
}
