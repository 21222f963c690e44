// Exponentials, logarithms and powers of float.

// 2 to the power of an integer times x, for every exponent.
__D float ldexpf(float x, int e) {
    if (e > 127) {
        x *= 1.7014118346046923e38f;
        e -= 127;
        if (e > 127) {
            x *= 1.7014118346046923e38f;
            e = min(e - 127, 127);
        }
    } else if (e < -126) {
        x *= 1.1754943508222875e-38f;
        e += 126;
        if (e < -126) {
            x *= 1.1754943508222875e-38f;
            e = max(e + 126, -126);
        }
    }
    return x * __int_as_float((e + 127) << 23);
}
__D float scalbnf(float x, int e) { return ldexpf(x, e); }
__D float scalblnf(float x, long e) { return ldexpf(x, (int)max(min(e, 1000L), -1000L)); }

// e to the power of f minus 1, by the Taylor series. The factor of the seventh power is p.
__D float __ws_exp_series(float f, float p) {
    p = fmaf(p, f, 1.3888889e-3f);
    p = fmaf(p, f, 8.3333333e-3f);
    p = fmaf(p, f, 4.1666667e-2f);
    p = fmaf(p, f, 1.6666667e-1f);
    p = fmaf(p, f, 0.5f);
    return fmaf(p * f, f, f);
}
__D float __ws_exp_small(float f) { return __ws_exp_series(f, 1.9841270e-4f); }
#ifdef __USE_FAST_MATH__
__D float expf(float x) { return __expf(x); }
#else
__device__ float expf(float x) {
    if (x > 88.73f) return INFINITY;
    if (x < -104.0f) return 0.0f;
    float j = rintf(x * 1.4426950408889634f);
    float f = fmaf(j, -0.693145752f, x);
    f = fmaf(j, -1.42860677e-6f, f);
    return ldexpf(__ws_exp_small(f) + 1.0f, (int)j);
}
#endif
__device__ float exp2f(float x) {
    if (x > 128.0f) return INFINITY;
    if (x < -151.0f) return 0.0f;
    float j = rintf(x);
    return ldexpf(__ws_exp_small((x - j) * 0.6931471805599453f) + 1.0f, (int)j);
}
#ifdef __USE_FAST_MATH__
__D float exp10f(float x) { return __exp10f(x); }
#else
__device__ float exp10f(float x) {
    if (x > 38.54f) return INFINITY;
    if (x < -46.0f) return 0.0f;
    float j = rintf(x * 3.3219280948873623f);
    float f = fmaf(j, -0.301025391f, x);
    f = fmaf(j, -4.60503907e-6f, f);
    return ldexpf(__ws_exp_small(f * 2.302585093f) + 1.0f, (int)j);
}
#endif
__device__ float expm1f(float x) {
    if (x > 87.0f) return expf(x);
    if (x < -17.4f) return -1.0f;
    // Without the sum with t, which has other digits than the result.
    if (fabsf(x) < 0.5f) return __ws_exp_series(x, fmaf(x, 2.4801587e-5f, 1.9841270e-4f));
    float j = rintf(x * 1.4426950408889634f);
    float f = fmaf(j, -0.693145752f, x);
    f = fmaf(j, -1.42860677e-6f, f);
    float t = ldexpf(1.0f, (int)j);
    return fmaf(__ws_exp_small(f), t, t - 1.0f);
}

// Splits x into 2 to the power of e and 1 + f with f in [-1/3, 1/3).
__D float __ws_log_split(float x, float *e) {
    int offset = 0;
    if (x < 1.17549435e-38f) {
        x *= 8388608.0f;
        offset = -23;
    }
    int bits = __float_as_int(x) - 0x3f2aaaab;
    *e = (float)((bits >> 23) + offset);
    return __int_as_float((bits & 0x7fffff) + 0x3f2aaaab) - 1.0f;
}
// log(1 + f) - f.
__D float __ws_log_rest(float f) {
    float s = f / (2.0f + f);
    float z = s * s;
    float r = fmaf(z, 0.1818182f, 0.2222222f);
    r = fmaf(r, z, 0.2857143f);
    r = fmaf(r, z, 0.4f);
    r = fmaf(r, z, 0.6666667f);
    float h = 0.5f * f * f;
    return fmaf(s, fmaf(z, r, h), -h);
}
// Results for arguments that have no logarithm, or for infinity.
__D bool __ws_log_special(float x, float *result) {
    if (x > 0.0f && x < __INF_F) return false;
    *result = x == 0.0f ? -__INF_F : (x > 0.0f ? x : NAN);
    return true;
}
#ifdef __USE_FAST_MATH__
__D float logf(float x) { return __logf(x); }
#else
__device__ float logf(float x) {
    float e, special;
    if (__ws_log_special(x, &special)) return special;
    float f = __ws_log_split(x, &e);
    return fmaf(e, 0.693145752f, f + fmaf(e, 1.42860677e-6f, __ws_log_rest(f)));
}
#endif
#ifdef __USE_FAST_MATH__
__D float log2f(float x) { return __log2f(x); }
#else
__device__ float log2f(float x) {
    float e, special;
    if (__ws_log_special(x, &special)) return special;
    float f = __ws_log_split(x, &e);
    float rest = __ws_log_rest(f);
    // The factor 1.4427 is 1.4375 and a remainder, so that the first product is nearly exact.
    float low = fmaf(rest, 1.442695041f, f * 5.19504089e-3f);
    return e + fmaf(f, 1.4375f, low);
}
#endif
#ifdef __USE_FAST_MATH__
__D float log10f(float x) { return __log10f(x); }
#else
__device__ float log10f(float x) {
    float e, special;
    if (__ws_log_special(x, &special)) return special;
    float f = __ws_log_split(x, &e);
    float low = fmaf(__ws_log_rest(f), 0.4342944819f, f * 2.31948190e-4f);
    return fmaf(e, 0.301025391f, fmaf(f, 0.434062500f, fmaf(e, 4.60503907e-6f, low)));
}
#endif
__device__ float log1pf(float x) {
    float u = 1.0f + x;
    if (u == 1.0f) return x;
    if (u == __INF_F) return u;
    return logf(u) * (x / (u - 1.0f));
}

// The rounding error of the product p of a and b.
__D float __ws_product_error(float a, float b, float p) {
#if __CUDA_ARCH__ >= 200
    return fmaf(a, b, -p);
#else
    // Halves of the factors have exact products.
    float ah = __int_as_float(__float_as_int(a) & (int)0xfffff000u), al = __fadd_rn(a, -ah);
    float bh = __int_as_float(__float_as_int(b) & (int)0xfffff000u), bl = __fadd_rn(b, -bh);
    float e = __fadd_rn(__fmul_rn(ah, bh), -p);
    e = __fadd_rn(e, __fmul_rn(ah, bl));
    e = __fadd_rn(e, __fmul_rn(al, bh));
    return __fadd_rn(e, __fmul_rn(al, bl));
#endif
}
// x to the power of y for x > 0, with the logarithm in two parts.
__D float __ws_pow_positive(float x, float y) {
    float e;
    float f = __ws_log_split(x, &e);
    float t = 2.0f + f, u = f - (t - 2.0f);
    float s = f / t;
    float z = s * s;
    // The rest of the quotient.
    float st = __fmul_rn(s, t);
    float low = (__fadd_rn(f, -st) - __ws_product_error(s, t, st) - s * u) / t;
    float r = fmaf(z, 0.2623270f, 0.3205989f);
    r = fmaf(r, z, 0.4121986f);
    r = fmaf(r, z, 0.5770780f);
    r = fmaf(r, z, 0.9617967f);
    float main = __fmul_rn(s, 2.885390043f);
    float error = __ws_product_error(s, 2.885390043f, main);
    error = fmaf(s, 3.85185990e-8f, error) + low * 2.885390043f;
    float sum = __fadd_rn(e, main);
    float rest = fabsf(e) > fabsf(main) ? __fadd_rn(__fadd_rn(e, -sum), main) : __fadd_rn(__fadd_rn(main, -sum), e);
    rest += error + s * z * r;
    float high = __fadd_rn(sum, rest);
    rest = __fadd_rn(__fadd_rn(sum, -high), rest);
    float p = __fmul_rn(y, high);
    if (p > 129.0f) return INFINITY;
    if (p < -151.0f) return 0.0f;
    float q = __ws_product_error(y, high, p) + y * rest;
    float j = rintf(p);
    return ldexpf(__ws_exp_small((p - j + q) * 0.6931471805599453f) + 1.0f, (int)j);
}
#ifdef __USE_FAST_MATH__
__D float powf(float x, float y) { return __powf(x, y); }
#else
__device__ float powf(float x, float y) {
    if (x == 1.0f || y == 0.0f) return 1.0f;
    if (isnan(x) || isnan(y)) return x + y;
    float a = fabsf(x);
    bool integer = truncf(y) == y;
    bool odd = integer && fabsf(y) < 16777216.0f && ((int)y & 1);
    if (a == 0.0f || a == __INF_F) {
        float r = (a == 0.0f) == (y > 0.0f) ? 0.0f : INFINITY;
        return odd && signbit(x) ? -r : r;
    }
    if (fabsf(y) == __INF_F) {
        if (a == 1.0f) return 1.0f;
        return (a > 1.0f) == (y > 0.0f) ? INFINITY : 0.0f;
    }
    if (x < 0.0f && !integer) return NAN;
    float r = __ws_pow_positive(a, y);
    return x < 0.0f && odd ? -r : r;
}
#endif
__D float powif(float x, int y) { return powf(x, (float)y); }

__device__ float cbrtf(float x) {
    float a = fabsf(x);
    if (a == 0.0f || !(a < __INF_F)) return x;
    float y = exp2f(log2f(a) * 0.3333333433f);
    y = y - (y - a / (y * y)) * 0.3333333433f;
    return copysignf(y, x);
}
__D float rcbrtf(float x) { return 1.0f / cbrtf(x); }

__D float frexpf(float x, int *e) {
    float a = fabsf(x);
    if (a == 0.0f || !(a < __INF_F)) {
        *e = 0;
        return x;
    }
    int offset = 0;
    if (a < 1.17549435e-38f) {
        x *= 16777216.0f;
        offset = -24;
    }
    int bits = __float_as_int(x);
    *e = ((bits >> 23) & 255) - 126 + offset;
    return __int_as_float((bits & (int)0x807fffffu) | 0x3f000000);
}
__D int ilogbf(float x) {
    int e;
    if (x == 0.0f) return INT_MIN;
    if (!(fabsf(x) < __INF_F)) return INT_MAX;
    frexpf(x, &e);
    return e - 1;
}
__D float logbf(float x) {
    if (x == 0.0f) return -INFINITY;
    if (!(fabsf(x) < __INF_F)) return fabsf(x);
    return (float)ilogbf(x);
}

// The remainder of x / y, exactly: subtractions of y times powers of two.
__device__ float fmodf(float x, float y) {
    float a = fabsf(x), b = fabsf(y);
    if (isnan(x) || isnan(y) || a == __INF_F || b == 0.0f) return NAN;
    if (a < b) return x;
    int ea, eb;
    float ma = frexpf(a, &ea), mb = frexpf(b, &eb);
    unsigned int ra = (unsigned int)(ma * 16777216.0f), rb = (unsigned int)(mb * 16777216.0f);
    for (int n = ea - eb; n > 0; n--) {
        if (ra >= rb) ra -= rb;
        ra <<= 1;
    }
    if (ra >= rb) ra -= rb;
    return copysignf(ldexpf((float)ra, eb - 24), x);
}
__device__ float remainderf(float x, float y) {
    float b = fabsf(y);
    if (b < 1.7014118346046923e38f) x = fmodf(x, b + b);
    float a = fabsf(x);
    if (isnan(x) || isnan(y) || b == 0.0f) return NAN;
    if (b < 2.3509887e-38f) {
        if (a + a > b) {
            a -= b;
            if (a + a >= b) a -= b;
        }
    } else if (a > 0.5f * b) {
        a -= b;
        if (a >= 0.5f * b) a -= b;
    }
    return signbit(x) ? -a : a;
}

__device__ float hypotf(float x, float y) {
    float a = fmaxf(fabsf(x), fabsf(y)), b = fminf(fabsf(x), fabsf(y));
    if (isinf(x) || isinf(y)) return INFINITY;
    if (isnan(x) || isnan(y)) return NAN;
    if (a == 0.0f) return 0.0f;
    float q = b / a;
    return a * sqrtf(fmaf(q, q, 1.0f));
}
