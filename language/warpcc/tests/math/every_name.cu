// Calls every name of the device math library in device code, in the ways programs do.
#define __CUDACC__ 1 // for libstdc++: no __float128
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#include "../../../include/math/device_math.h"
#include <cmath>
#include <algorithm>


#define CALL1(n) *f++ = n##f(*f); *f++ = n(*f); *d++ = n(*d); *f++ = __nv_##n##f(*f); *d++ = __nv_##n(*d);
#define CALL2(n) *f++ = n##f(f[0], f[1]); *f++ = n(f[0], f[1]); *d++ = n(d[0], d[1]); \
    *f++ = __nv_##n##f(f[0], f[1]); *d++ = __nv_##n(d[0], d[1]);

extern "C" __global__ void one(float *f, double *d) {
    CALL1(sin) CALL1(cos) CALL1(tan) CALL1(sinpi) CALL1(cospi) CALL1(asin) CALL1(acos) CALL1(atan)
    CALL1(sinh) CALL1(cosh) CALL1(tanh) CALL1(asinh) CALL1(acosh) CALL1(atanh)
    CALL1(exp) CALL1(exp2) CALL1(exp10) CALL1(expm1) CALL1(log) CALL1(log2) CALL1(log10) CALL1(log1p)
    CALL1(sqrt) CALL1(rsqrt) CALL1(cbrt) CALL1(rcbrt)
}
extern "C" __global__ void special(float *f, double *d) {
    CALL1(erf) CALL1(erfc) CALL1(erfinv) CALL1(erfcinv) CALL1(erfcx) CALL1(normcdf) CALL1(normcdfinv)
    CALL1(tgamma) CALL1(lgamma) CALL1(j0) CALL1(j1) CALL1(y0) CALL1(y1)
    CALL1(cyl_bessel_i0) CALL1(cyl_bessel_i1)
    *f++ = jnf(3, *f); *f++ = ynf(3, *f); *d++ = jn(3, *d); *d++ = yn(3, *d);
}
extern "C" __global__ void two(float *f, double *d) {
    CALL2(pow) CALL2(atan2) CALL2(hypot) CALL2(rhypot) CALL2(fmod) CALL2(remainder) CALL2(fdim)
    CALL2(fmin) CALL2(fmax) CALL2(copysign) CALL2(nextafter)
    *f++ = norm3df(f[0], f[1], f[2]); *f++ = rnorm4df(f[0], f[1], f[2], f[3]); *d++ = norm4d(d[0], d[1], d[2], d[3]);
}
extern "C" __global__ void parts(float *f, double *d, int *i, long long *l) {
    CALL1(fabs) CALL1(ceil) CALL1(floor) CALL1(trunc) CALL1(round) CALL1(rint) CALL1(nearbyint) CALL1(logb)
    *f++ = fmaf(f[0], f[1], f[2]); *d++ = fma(d[0], d[1], d[2]); *f++ = fma(f[0], f[1], f[2]);
    *l++ = lrintf(*f); *l++ = llrintf(*f); *l++ = lroundf(*f); *l++ = llroundf(*f);
    *l++ = lrint(*d); *l++ = llrint(*d); *l++ = lround(*d); *l++ = llround(*d);
    *f++ = frexpf(*f, i++); *d++ = frexp(*d, i++); *f++ = ldexpf(*f, *i); *d++ = ldexp(*d, *i);
    *f++ = scalbnf(*f, *i); *f++ = scalblnf(*f, *l); *d++ = scalbn(*d, *i); *d++ = scalbln(*d, *l);
    *f++ = modff(f[1], f + 2); *d++ = modf(d[1], d + 2); *i++ = ilogbf(*f); *i++ = ilogb(*d);
    *f++ = remquof(f[0], f[1], i++); *d++ = remquo(d[0], d[1], i++); *f++ = nanf(""); *d++ = nan("");
    sincosf(f[0], f + 1, f + 2); sincos(d[0], d + 1, d + 2); sincospif(f[3], f + 4, f + 5); sincospi(d[3], d + 4, d + 5);
    i[0] = isnan(f[6]) + isinf(f[7]) + isfinite(f[8]) + signbit(f[9]) + isnan(d[6]) + isinf(d[7]) + isfinite(d[8]) + signbit(d[9]);
    i[1] = std::isnan(f[6]) + std::isinf(d[7]) + std::isfinite(f[8]) + std::signbit(d[9]);
}
extern "C" __global__ void overloads(float *f, double *d, int *i, unsigned *u, long long *l, short *s) {
    *f++ = std::sin(*f); *d++ = std::sin(*d); *f++ = std::sqrt(*f); *f++ = std::abs(*f); *d++ = std::abs(*d);
    *f++ = std::pow(*f, *f); *d++ = std::pow(*d, 2); *f++ = pow(*f, 3); *d++ = pow(*f, *d); *d++ = std::pow(*f, 2);
    *d++ = sin(*i); *d++ = std::sqrt(*i); *d++ = sqrt(*u); *d++ = log(*i); *d++ = exp(*l); *d++ = floor(*i);
    *f++ = std::exp(*f); *f++ = std::floor(*f); *f++ = fabs(*f); *f++ = std::fabs(*f); *f++ = std::fmax(f[0], f[1]);
    *d++ = pow(*i, *i); *d++ = atan2(*i, *i); *d++ = fmod(*d, *i); *d++ = std::fmax(*f, *d); *f++ = std::cbrt(*f);
    *i++ = abs(*i); *i++ = std::abs(*i); *l++ = abs(*l); *l++ = labs(*l); *l++ = llabs(*l); *i++ = abs(*s);
    *i++ = min(i[0], i[1]); *u++ = max(u[0], u[1]); *l++ = min(l[0], l[1]); *f++ = max(f[0], f[1]); *d++ = min(d[0], d[1]);
    *f++ = max(*f, 0); *f++ = min(1, *f); *d++ = max(*f, *d); *d++ = max(*d, 0.0f); *u++ = min(*u, *i); *l++ = max(*l, *i);
    *u++ = min(*u, 5); *i++ = min(*s, *i); *l++ = max((long)i[0], i[1]); *l++ = min((unsigned long)u[0], u[1]);
    *s = min(s[0], s[1]);
}
static __host__ __device__ float both(float x) { return sinf(x) + expf(x) + std::sqrt(x) + max(x, 1.0f) + std::pow(x, 2.5f); }
extern "C" __global__ void shared_code(float *f) { *f = both(*f); }
float host_side(float x, double y, int i) {
    return both(x) + sinf(x) + std::sin(x) + std::sin(y) + sin(i) + rsqrtf(x) + rsqrt(y) + sinpif(x) + normcdff(x) + erfinv(y) +
           std::abs(i) + abs(i) + min(i, 3) + max(x, 2.0f) + std::max(i, 4) + fabsf(x) + pow(x, 2) + std::pow(y, 2) + exp10f(x);
}
