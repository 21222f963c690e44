// Functions of double, and the overloads of C++ for all of math.h.
#if __CUDA_ARCH__ < 130
// `double` is computed as `float` here.
#define __WS_ONE(NAME)                                                                                     \
    __D float NAME(float x) { return NAME##f(x); }                                                         \
    __D double NAME(double x) { return NAME##f((float)x); }
#else
#define __WS_ONE(NAME) __D float NAME(float x) { return NAME##f(x); }

__D double ldexp(double x, int e) {
    if (e > 1023) {
        x *= 8.98846567431158e307;
        e -= 1023;
        if (e > 1023) {
            x *= 8.98846567431158e307;
            e = min(e - 1023, 1023);
        }
    } else if (e < -1022) {
        x *= 2.2250738585072014e-308;
        e += 1022;
        if (e < -1022) {
            x *= 2.2250738585072014e-308;
            e = max(e + 1022, -1022);
        }
    }
    return x * __hiloint2double((e + 1023) << 20, 0);
}
__D double frexp(double x, int *e) {
    double a = fabs(x);
    *e = 0;
    if (a == 0.0 || !(a < HUGE_VAL)) return x;
    int offset = 0;
    if (a < 2.2250738585072014e-308) {
        x *= 18014398509481984.0;
        offset = -54;
    }
    int hi = __double2hiint(x);
    *e = (hi >> 20 & 2047) - 1022 + offset;
    return __hiloint2double((hi & (int)0x800fffffu) | 0x3fe00000, __double2loint(x));
}
// e to the power of f, minus 1, for |f| <= 0.35, by the Taylor series.
__D double __ws_exp_small(double f) {
    double p = fma(f, 1.6059043836821613e-10, 2.0876756987868099e-9);
    p = fma(p, f, 2.5052108385441719e-8);
    p = fma(p, f, 2.7557319223985891e-7);
    p = fma(p, f, 2.7557319223985893e-6);
    p = fma(p, f, 2.4801587301587302e-5);
    p = fma(p, f, 1.9841269841269841e-4);
    p = fma(p, f, 1.3888888888888889e-3);
    p = fma(p, f, 8.3333333333333333e-3);
    p = fma(p, f, 4.1666666666666667e-2);
    p = fma(p, f, 1.6666666666666667e-1);
    p = fma(p, f, 0.5);
    return fma(p * f, f, f);
}
__device__ double exp(double x) {
    if (x > 709.79) return HUGE_VAL;
    if (x < -745.2) return 0.0;
    double j = rint(x * 1.4426950408889634);
    double f = fma(j, -0.69314718055994529, x);
    f = fma(j, -2.3190468138462996e-17, f);
    return ldexp(__ws_exp_small(f) + 1.0, (int)j);
}
__device__ double exp2(double x) {
    if (x > 1024.0) return HUGE_VAL;
    if (x < -1076.0) return 0.0;
    double j = rint(x);
    return ldexp(__ws_exp_small((x - j) * 0.69314718055994529) + 1.0, (int)j);
}
__device__ double expm1(double x) {
    if (x > 709.0) return exp(x);
    if (x < -37.5) return -1.0;
    double j = rint(x * 1.4426950408889634);
    double f = fma(j, -0.69314718055994529, x);
    f = fma(j, -2.3190468138462996e-17, f);
    double t = ldexp(1.0, (int)j);
    return j == 0.0 ? __ws_exp_small(x) : fma(__ws_exp_small(f), t, t - 1.0);
}
// log(x) in two parts.
__D double __ws_log_parts(double x, double *low) {
    int e;
    double m = frexp(x, &e);
    if (m < 0.70710678118654752) {
        m *= 2.0;
        e--;
    }
    double f = m - 1.0, t = 2.0 + f, u = f - (t - 2.0);
    double s = f / t, z = s * s;
    // The rest of the quotient.
    double rest = (fma(-s, t, f) - s * u) / t;
    double r = 0.0;
    #pragma unroll
    for (int n = 25; n >= 3; n -= 2) r = fma(r, z, 2.0 / n);
    // The product of the upper part of log(2) with an exponent is exact.
    double j = (double)e, a = j * 0.69314718036912382, b = s + s;
    double high = a + b;
    double error = fabs(a) > fabs(b) ? a - high + b : b - high + a;
    *low = error + fma(j, 1.9082149292705877e-10, fma(s * z, r, rest + rest));
    return high;
}
__device__ double log(double x) {
    if (!(x > 0.0 && x < HUGE_VAL)) return x == 0.0 ? -HUGE_VAL : (x > 0.0 ? x : __hiloint2double(0x7fffffff, -1));
    double low, high = __ws_log_parts(x, &low);
    return high + low;
}
__D double log2(double x) { return log(x) * 1.4426950408889634; }
__D double log10(double x) { return log(x) * 0.43429448190325183; }
__device__ double log1p(double x) {
    double u = 1.0 + x;
    if (u == 1.0) return x;
    if (u == HUGE_VAL) return u;
    return log(u) * (x / (u - 1.0));
}
__device__ double pow(double x, double y) {
    if (x == 1.0 || y == 0.0) return 1.0;
    if (isnan(x) || isnan(y)) return x + y;
    double a = fabs(x);
    bool integer = trunc(y) == y;
    bool odd = integer && fabs(y) < 9007199254740992.0 && ((long long)y & 1);
    if (a == 0.0 || a == HUGE_VAL) {
        double r = (a == 0.0) == (y > 0.0) ? 0.0 : HUGE_VAL;
        return odd && signbit(x) ? -r : r;
    }
    if (fabs(y) == HUGE_VAL) {
        if (a == 1.0) return 1.0;
        return (a > 1.0) == (y > 0.0) ? HUGE_VAL : 0.0;
    }
    if (x < 0.0 && !integer) return __hiloint2double(0x7fffffff, -1);
    double low, high = __ws_log_parts(a, &low);
    double sum = high + low;
    low = high - sum + low;
    double p = y * sum, q = fma(y, sum, -p) + y * low;
    double r = exp(p);
    if (r > 0.0 && r < HUGE_VAL) r = fma(r, q, r);
    return x < 0.0 && odd ? -r : r;
}
__D double __ws_reduce(double x, int *quadrant) {
    double j = rint(x * 0.63661977236758138);
    *quadrant = (int)((long long)j & 3);
    double r = fma(j, -1.5707963267948966, x);
    r = fma(j, -6.123233995736766e-17, r);
    return fma(j, 1.4973849048591833e-33, r);
}
__device__ double __ws_sin_quadrant(double r, int q) {
    double z = r * r, v;
    if (q & 1) {
        double p = fma(z, -1.5619206968586225e-16, 4.7794773323873853e-14);
        p = fma(p, z, -1.1470745597729725e-11);
        p = fma(p, z, 2.0876756987868099e-9);
        p = fma(p, z, -2.7557319223985891e-7);
        p = fma(p, z, 2.4801587301587302e-5);
        p = fma(p, z, -1.3888888888888889e-3);
        p = fma(p, z, 4.1666666666666667e-2);
        v = fma(p * z, z, fma(z, -0.5, 1.0));
    } else {
        double p = fma(z, 2.8114572543455208e-15, -7.6471637318198165e-13);
        p = fma(p, z, 1.6059043836821615e-10);
        p = fma(p, z, -2.5052108385441719e-8);
        p = fma(p, z, 2.7557319223985891e-6);
        p = fma(p, z, -1.9841269841269841e-4);
        p = fma(p, z, 8.3333333333333333e-3);
        p = fma(p, z, -1.6666666666666667e-1);
        v = fma(p * z, r, r);
    }
    return q & 2 ? -v : v;
}
__device__ double sin(double x) {
    int q;
    double r = __ws_reduce(x, &q);
    return __ws_sin_quadrant(r, q);
}
__device__ double cos(double x) {
    int q;
    double r = __ws_reduce(x, &q);
    return __ws_sin_quadrant(r, q + 1);
}
__D double tan(double x) { return sin(x) / cos(x); }
__D double __ws_atan_small(double t) {
    double z = t * t, p = 0.0;
    #pragma unroll
    for (int n = 41; n >= 3; n -= 2) p = fma(p, z, (n & 2 ? -1.0 : 1.0) / n);
    return fma(p * z, t, t);
}
__device__ double atan(double x) {
    double a = fabs(x), base = 0.0;
    if (a > 2.414213562373095) {
        base = 1.5707963267948966;
        a = -1.0 / a;
    } else if (a > 0.4142135623730950) {
        base = 0.78539816339744831;
        a = (a - 1.0) / (a + 1.0);
    }
    return copysign(base + __ws_atan_small(a), x);
}
__device__ double atan2(double y, double x) {
    double a = fabs(x), b = fabs(y), r;
    if (isnan(x) || isnan(y)) return x + y;
    if (b == 0.0) r = 0.0;
    else if (a == b) r = 0.78539816339744831;
    else if (b > a) r = 1.5707963267948966 - atan(a / b);
    else r = atan(b / a);
    if (signbit(x)) r = 3.1415926535897931 - r;
    return copysign(r, y);
}
__D double asin(double x) { return atan2(x, sqrt((1.0 - x) * (1.0 + x))); }
__D double acos(double x) { return atan2(sqrt((1.0 - x) * (1.0 + x)), x); }
__D double sinh(double x) { return fabs(x) < 0.3 ? 0.5 * (expm1(x) - expm1(-x)) : 0.5 * (exp(x) - exp(-x)); }
__D double cosh(double x) { return 0.5 * (exp(x) + exp(-x)); }
__device__ double tanh(double x) {
    double a = fabs(x);
    if (a > 22.0) return copysign(1.0, x);
    double t = expm1(a + a);
    return copysign(t / (t + 2.0), x);
}
__device__ double cbrt(double x) {
    double a = fabs(x);
    if (a == 0.0 || !(a < HUGE_VAL)) return x;
    double y = exp(log(a) * 0.33333333333333333);
    y = y - (y - a / (y * y)) * 0.33333333333333333;
    return copysign(y, x);
}
__device__ double hypot(double x, double y) {
    double a = fmax(fabs(x), fabs(y)), b = fmin(fabs(x), fabs(y));
    if (a == 0.0 || isinf(a)) return a;
    double q = b / a;
    return a * sqrt(fma(q, q, 1.0));
}
__device__ double fmod(double x, double y) {
    double a = fabs(x), b = fabs(y);
    if (isnan(x) || isnan(y) || a == HUGE_VAL || b == 0.0) return __hiloint2double(0x7fffffff, -1);
    if (a < b) return x;
    int ea, eb;
    double ma = frexp(a, &ea), mb = frexp(b, &eb);
    unsigned long long ra = (unsigned long long)(ma * 9007199254740992.0);
    unsigned long long rb = (unsigned long long)(mb * 9007199254740992.0);
    for (int n = ea - eb; n > 0; n--) {
        if (ra >= rb) ra -= rb;
        ra <<= 1;
    }
    if (ra >= rb) ra -= rb;
    return copysign(ldexp((double)ra, eb - 53), x);
}
#endif

#define __WS_INT(NAME) __D double NAME(int x) { return NAME((double)x); }
__WS_ONE(exp) __WS_INT(exp)
__WS_ONE(exp2) __WS_INT(exp2)
__WS_ONE(expm1)
__WS_ONE(log) __WS_INT(log)
__WS_ONE(log2) __WS_INT(log2)
__WS_ONE(log10) __WS_INT(log10)
__WS_ONE(log1p)
__WS_ONE(sin) __WS_INT(sin)
__WS_ONE(cos) __WS_INT(cos)
__WS_ONE(tan) __WS_INT(tan)
__WS_ONE(asin)
__WS_ONE(acos)
__WS_ONE(atan) __WS_INT(atan)
__WS_ONE(sinh)
__WS_ONE(cosh)
__WS_ONE(tanh)
__WS_ONE(cbrt)
#if __CUDA_ARCH__ < 130
#define __WS_TWO(NAME) __D double NAME(double x, double y) { return NAME##f((float)x, (float)y); }
__WS_TWO(pow)
__WS_TWO(atan2)
__WS_TWO(hypot)
__WS_TWO(fmod)
__D double ldexp(double x, int e) { return ldexpf((float)x, e); }
__D double frexp(double x, int *e) { return frexpf((float)x, e); }
#endif
#define __WS_PAIR(NAME)                                                                                    \
    __D float NAME(float x, float y) { return NAME##f(x, y); }                                             \
    __D double NAME(float x, double y) { return NAME((double)x, y); }                                      \
    __D double NAME(double x, float y) { return NAME(x, (double)y); }                                      \
    __D double NAME(double x, int y) { return NAME(x, (double)y); }                                        \
    __D double NAME(int x, double y) { return NAME((double)x, y); }                                        \
    __D double NAME(int x, int y) { return NAME((double)x, (double)y); }
__WS_PAIR(pow)
__WS_PAIR(atan2)
__WS_PAIR(hypot)
__WS_PAIR(fmod)
__D float pow(float x, int y) { return powf(x, (float)y); }
__D double pow(int x, float y) { return pow((double)x, (double)y); }
__D double fmod(int x, float y) { return fmod((double)x, (double)y); }
__D float ldexp(float x, int e) { return ldexpf(x, e); }
__D float frexp(float x, int *e) { return frexpf(x, e); }
__D void sincos(double x, double *s, double *c) {
    *s = sin(x);
    *c = cos(x);
}
