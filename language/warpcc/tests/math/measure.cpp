/* Measures the largest errors of the device math library on the host.
 *
 *     clang++ -O2 -ffp-contract=off -mfma measure.cpp -lquadmath -lm -lpthread
 *     ./a.out [--all] [--step N] [--samples N] [NAME...]
 *
 * The reference has more precision than the function: `double` or `__float128` (libquadmath).
 * Functions of one `float` are compared for all 2^32 arguments with `--all`,
 * and for each N-th with `--step N`. Otherwise, and for the
 * other functions, the arguments are special values, and numbers spread over all exponents and over
 * the range of interest. The exit status is 1 if an error exceeds the programming guide's bound.
 */
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>
extern "C" {
#include <quadmath.h>
}
#include "../../../include/math/algorithms.h"
#include "reference.h"

typedef __float128 quad;

/* Error in ulps of T of `got` against `want`; huge if their kinds or the signs of zeros differ. */
template <class T, class R> double ulps(T got, R want) {
    T near = (T)want;
    if (want != want) return got != got ? 0 : 1e30;
    if (got != got) return 1e30;
    if (__wm_is_inf(near) || __wm_is_inf(got)) {
        if (near == got) return 0;
        /* the rounding to infinity may differ by the error of a large finite number */
        R limit = (R)__wm_from(__wm_inf_bits<T>() - 1);
        if (__wm_is_inf(got) && (want > 0) == (got > 0) && (want > limit || want < -limit)) return 1;
        if (__wm_is_inf(near) && (near > 0) == (got > 0) && (got >= (T)limit || got <= -(T)limit)) return 1;
        return 1e30;
    }
    if (near == 0 && got == 0) return __wm_sign(near) == __wm_sign(got) ? 0 : 1e30;
    int e;
    T a = near < 0 ? -near : near;
    if (a == 0) {
        e = 1 - __wm_t<T>::bias - __wm_t<T>::mantissa;
    } else {
        e = __wm_ilogb(a);
        if (e < 1 - __wm_t<T>::bias) e = 1 - __wm_t<T>::bias;
        e -= __wm_t<T>::mantissa;
    }
    R d = (R)got - want;
    if (d < 0) d = -d;
    return (double)(d * (R)scalbnq((quad)1, -e));
}

struct Worst {
    double error = 0;
    double x = 0, y = 0;
    double absolute = 0;
    uint64_t count = 0;
    void add(double e, double a, double b) {
        count++;
        if (e > error) {
            error = e;
            x = a;
            y = b;
        }
    }
    void merge(const Worst &o) {
        uint64_t n = count + o.count;
        double most = absolute > o.absolute ? absolute : o.absolute;
        if (o.error > error) *this = o;
        absolute = most;
        count = n;
    }
};

struct Random {
    uint64_t state;
    uint64_t next() {
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        uint64_t x = state;
        x ^= x >> 33;
        x *= 0xff51afd7ed558ccdull;
        x ^= x >> 29;
        return x;
    }
    double unit() { return (double)(next() >> 11) * 0x1p-53; }
};

static const double SPECIAL[] = {0.0, 0.25, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 8.0, 10.0, 16.0, 0.1, 1.0 / 3, 0.7, 0.75,
    1.4142135623730951, 1.5707963267948966, 3.141592653589793, 0.7853981633974483, 2.718281828459045,
    88.0, 88.7228, 88.73, 103.97, 104.5, 709.78, 709.79, 745.1, 746.0, 128.0, 150.0, 1024.0, 1075.0, 38.53, 308.25, 324.0,
    4096.0, 1048576.0, 1e10, 1e20, 1e30, 1e38, 1e300, 171.6, 171.7, 35.04, 35.05, 1e-5, 1e-10, 1e-20, 1e-38, 1e-300};

template <class T> T sample(Random &r, uint64_t i, double lo, double hi) {
    const uint64_t specials = sizeof SPECIAL / sizeof *SPECIAL;
    if (i < specials) return (T)SPECIAL[i];
    if (i < 2 * specials) return -(T)SPECIAL[i - specials];
    if (i < 3 * specials) return __wm_nextafter((T)SPECIAL[i - 2 * specials], (T)0);
    if (i < 4 * specials) return __wm_nextafter((T)SPECIAL[i - 3 * specials], __wm_inf<T>());
    switch (i - 4 * specials) {
    case 0: return __wm_inf<T>();
    case 1: return -__wm_inf<T>();
    case 2: return __wm_nan<T>();
    case 3: return (T)-0.0;
    case 4: return __wm_from((typename __wm_t<T>::bits)1);
    case 5: return __wm_from(__wm_inf_bits<T>() - 1);
    case 6: return -__wm_from(__wm_inf_bits<T>() - 1);
    case 7: return __wm_pow2<T>(1 - __wm_t<T>::bias);
    }
    if (i % 4 == 0) return __wm_from((typename __wm_t<T>::bits)r.next());
    if (i % 4 == 1) return (T)((hi - lo) * std::ldexp(r.unit(), -(int)(r.next() % 30)) * (r.next() & 1 ? 1 : -1));
    return (T)(lo + (hi - lo) * r.unit());
}

/* One row of the table of functions. */
struct Function {
    const char *name;
    double bound;
    double lo, hi;
    Worst (*run)(const Function &, uint64_t from, uint64_t to, uint64_t step);
    bool one;
    bool (*skip)(double, double);
    double absolute; /* if not 0: bound of the absolute error from |x| = 8 on */
};

template <class T, class R, T (*F)(T), R (*G)(R)> Worst run1(const Function &f, uint64_t from, uint64_t to, uint64_t step) {
    Worst w;
    Random r = {from * 77 + 5};
    for (uint64_t i = from; i < to; i++) {
        T x = step ? (T)__wm_float((unsigned)(i * step)) : sample<T>(r, i, f.lo, f.hi);
        if (f.skip && f.skip((double)x, 0)) continue;
        T got = F(x);
        R want = G((R)x);
        if (f.absolute != 0 && (x >= 8 || x <= -8)) {
            double d = std::fabs((double)((R)got - want));
            if (got != got || want != want) d = (got != got) == (want != want) ? 0 : 1e30;
            if (d > w.absolute) w.absolute = d;
            w.add(d > f.absolute ? 1e30 : 0, (double)x, 0);
            continue;
        }
        w.add(ulps<T, R>(got, want), (double)x, 0);
    }
    return w;
}
template <class T, class R, T (*F)(T, T), R (*G)(R, R)>
Worst run2(const Function &f, uint64_t from, uint64_t to, uint64_t) {
    Worst w;
    Random r = {from * 77 + 5};
    for (uint64_t i = from; i < to; i++) {
        uint64_t special = 400;
        T x = sample<T>(r, i < 40000 ? i / 200 : i, f.lo, f.hi);
        T y = sample<T>(r, i < 40000 ? i % 200 : i + special + (i >> 2), f.lo, f.hi);
        if (i >= 40000 && i % 8 == 5) y = (T)((double)x * (0.5 + r.unit()));
        if (f.skip && f.skip((double)x, (double)y)) continue;
        w.add(ulps<T, R>(F(x, y), G((R)x, (R)y)), (double)x, (double)y);
    }
    return w;
}

#define ONE(name, bound, lo, hi, wm, ref, skip, absolute)                                                       \
    {name "f", bound, lo, hi, run1<float, double, __wm_##wm<float>, ref<double>>, true, skip, absolute}
#define TWO(name, bound, lo, hi, wm, ref, skip)                                                                 \
    {name "f", bound, lo, hi, run2<float, double, __wm_##wm<float>, ref<double>>, false, skip, 0}
#define ONED(name, bound, lo, hi, wm, ref, skip, absolute)                                                      \
    {name, bound, lo, hi, run1<double, quad, __wm_##wm<double>, ref<quad>>, true, skip, absolute}
#define TWOD(name, bound, lo, hi, wm, ref, skip)                                                                \
    {name, bound, lo, hi, run2<double, quad, __wm_##wm<double>, ref<quad>>, false, skip, 0}

/* Functions of more than two numbers, and of a number and an integer, as functions of two numbers. */
template <class T> int whole(T y) { return y > T(2e9) ? 2000000000 : y < T(-2e9) ? -2000000000 : y == y ? (int)y : 0; }
template <class T> T __wm_norm3d_2(T x, T y) { return __wm_norm3d(x, y, x); }
template <class T> T __wm_norm4d_2(T x, T y) { return __wm_norm4d(x, y, x, y); }
template <class T> T __wm_rnorm3d_2(T x, T y) { return __wm_rnorm3d(x, y, x); }
template <class T> T __wm_rnorm4d_2(T x, T y) { return __wm_rnorm4d(x, y, x, y); }
template <class T> T __wm_powi_2(T x, T y) { return __wm_powi(x, whole(y)); }
template <class T> T __wm_rootn_2(T x, T y) { return __wm_rootn(x, whole(y)); }
template <class R> R ref_powi(R x, R y) { return ref_pow(x, (R)whole(y)); }
template <class R> R ref_rootn(R x, R y) {
    int n = whole(y);
    if (n == 0 || (x < 0 && n % 2 == 0)) return (R)NAN;
    R r = ref_pow(x < 0 ? -x : x + 0, (R)1 / n);
    return n % 2 != 0 && (x < 0 || (x == 0 && 1 / x < 0)) ? -r : r;
}

static bool outside_gamma(double x, double) { return x < 0 && x > -10.0001 && x < -2.2637; }
static bool outside_gamma_d(double x, double) { return x < 0 && x > -11.0001 && x < -2.2637; }
static bool huge(double x, double) { return std::fabs(x) > 1e4; }
static bool huge_or_small(double x, double) { return !(x >= 8 && x < 1e4); }

static const Function FUNCTIONS[] = {
#include "functions.inc"
};

/* Functions with exact results: equal to the C library's in all bits; and the functions of two results. */
template <class T> bool same(T a, T b) { return __wm_bits(a) == __wm_bits(b) || (a != a && b != b); }
template <class T> int exact(uint64_t samples) {
    Random r = {9};
    for (uint64_t i = 0; i < samples; i++) {
        T x = sample<T>(r, i, -99, 99), y = sample<T>(r, i * 7 % 300 + (i > 300 ? i : 0), -99, 99), w, v;
        int e = (int)(r.next() % 4400) - 2200, f, g, q, p;
        const char *bad = nullptr;
        if (!same(__wm_ldexp(x, e), (T)std::ldexp(x, e))) bad = "ldexp";
        if (!same(__wm_scalbln(x, (long)e), (T)std::scalbln(x, (long)e))) bad = "scalbln";
        if (!same(__wm_frexp(x, &f), (T)std::frexp(x, &g)) || (std::isfinite(x) && f != g)) bad = "frexp";
        if (!same(__wm_modf(x, &w), (T)std::modf(x, &v)) || !same(w, v)) bad = "modf";
        if (!same(__wm_nextafter(x, y), (T)std::nextafter(x, y))) bad = "nextafter";
        if (!same(__wm_copysign(x, y), (T)std::copysign(x, y))) bad = "copysign";
        if (!same(__wm_fmin(x, y), (T)std::fmin(x, y)) && x != y) bad = "fmin";
        if (!same(__wm_fmax(x, y), (T)std::fmax(x, y)) && x != y) bad = "fmax";
        if (!std::isnan(x) && __wm_ilogb(x) != std::ilogb(x)) bad = "ilogb";
        if (!same(__wm_round(x), (T)std::round(x))) bad = "round";
        if (!same(__wm_fmod(x, y), (T)std::fmod(x, y))) bad = "fmod";
        bool defined = std::isfinite(x) && y != 0 && !std::isnan(y);
        if (!same(__wm_remquo(x, y, &q), (T)std::remquo(x, y, &p)) || (defined && (q & 7) != (p & 7))) bad = "remquo";
        __wm_sincos(x, &w, &v);
        if (!same(w, __wm_sin(x)) || !same(v, __wm_cos(x))) bad = "sincos";
        __wm_sincospi(x, &w, &v);
        if (!same(w, __wm_sinpi(x)) || !same(v, __wm_cospi(x))) bad = "sincospi";
        if (bad) {
            printf("    FAILS: %s(%a, %a, %d)\n", bad, (double)x, (double)y, e);
            return 1;
        }
    }
    return 0;
}

/* Results with their signs at arguments that the samples do not have. */
template <class T> int points() {
    struct Point {
        const char *name;
        T got, want;
    } all[] = {
        {"jn(3, -0)", __wm_jn(3, T(-0.0)), T(-0.0)},
        {"jn(2, 2^-60)", __wm_jn(2, T(0x1p-60)), T(0x1p-123)},
        {"jn(3, -2^-41)", __wm_jn(3, T(-0x1p-41)), T(-0x1.5555555555556p-129)},
        {"pow(1 + ulp, int)", __wm_powi(T(1) + __wm_pow2<T>(-23), 16777217), T(7.38905609893066773)},
        {"pow(-2, int)", __wm_powi(T(-2), -3), T(-0.125)},
        {"pow(-0, int)", __wm_powi(T(-0.0), -1), -__wm_inf<T>()},
        {"rootn(-8, 3)", __wm_rootn(T(-8), 3), T(-2)},
        {"rootn(-0, -3)", __wm_rootn(T(-0.0), -3), -__wm_inf<T>()},
        {"rootn(0, -2)", __wm_rootn(T(0), -2), __wm_inf<T>()},
        {"rootn(largest, 3)", __wm_rootn(__wm_pow2<T>(126), 3), __wm_pow2<T>(42)},
    };
    int bad = 0;
    for (const Point &p : all) {
        if (same(p.got, p.want)) continue;
        printf("    FAILS: %s = %a, not %a\n", p.name, (double)p.got, (double)p.want);
        bad = 1;
    }
    return bad;
}

int main(int argc, char **argv) {
    bool all = false;
    uint64_t step = 1;
    uint64_t samples = 100000;
    std::vector<std::string> names;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--all")) all = true;
        else if (!strcmp(argv[i], "--step") && i + 1 < argc) all = true, step = strtoull(argv[++i], 0, 10);
        else if (!strcmp(argv[i], "--samples") && i + 1 < argc) samples = strtoull(argv[++i], 0, 10);
        else names.push_back(argv[i]);
    }
    int bad = names.empty() ? exact<float>(samples) | exact<double>(samples) | points<float>() | points<double>() : 0;
    for (const Function &f : FUNCTIONS) {
        bool wanted = names.empty();
        for (const std::string &n : names) wanted = wanted || n == f.name;
        if (!wanted) continue;
        size_t length = strlen(f.name);
        bool each = all && f.one && f.name[length - 1] == 'f' && strcmp(f.name, "erf") && strcmp(f.name, "normcdf");
        uint64_t total = each ? ((uint64_t)1 << 32) / step : samples;
        const int threads = 2;
        Worst part[threads];
        std::vector<std::thread> running;
        for (int t = 0; t < threads; t++)
            running.emplace_back([&, t] { part[t] = f.run(f, total * t / threads, total * (t + 1) / threads, each ? step : 0); });
        for (std::thread &t : running) t.join();
        part[0].merge(part[1]);
        const Worst &w = part[0];
        bool fails = w.error > f.bound + 0.5; /* the guide counts from the correctly rounded result */
        bad |= fails;
        printf("%s | %g | %.2f | %llu%s\n", f.name, f.bound, w.error, (unsigned long long)w.count,
               each && step == 1 ? " (all)" : "");
        if (f.absolute != 0) printf("    absolute error from |x| = 8 on: bound %g, measured %.2g\n", f.absolute, w.absolute);
        if (fails || getenv("WORST"))
            printf("    %s %s(%a, %a)\n", fails ? "FAILS:" : "worst:", f.name, w.x, w.y);
        fflush(stdout);
    }
    return bad;
}
