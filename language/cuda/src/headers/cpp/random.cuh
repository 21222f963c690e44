// <random>: engines of the standard, and the sequences of the distributions of libstdc++ 12.
#include <limits>
#include <utility>
#include <vector>
namespace std {
class seed_seq {
public:
    typedef unsigned int result_type;
    vector<unsigned int> __values;
    seed_seq() {}
    seed_seq(initializer_list<long> list) : seed_seq(list.begin(), list.end()) {}
    template <class I> seed_seq(I first, I last) {
        for (; first != last; ++first) __values.push_back((unsigned int)*first);
    }
    seed_seq(const seed_seq &) = delete;
    seed_seq &operator=(const seed_seq &) = delete;
    size_t size() const { return __values.size(); }
    template <class O> void param(O to) const {
        for (size_t i = 0; i < __values.size(); ++i) *to++ = __values[i];
    }
    // [rand.util.seedseq]
    template <class I> void generate(I first, I last) {
        if (first == last) return;
        for (I at = first; at != last; ++at) *at = 0x8b8b8b8bu;
        size_t n = last - first, s = __values.size();
        size_t t = n >= 623 ? 11 : n >= 68 ? 7 : n >= 39 ? 5 : n >= 7 ? 3 : (n - 1) / 2;
        size_t p = (n - t) / 2, q = p + t, m = s + 1 > n ? s + 1 : n;
        for (size_t k = 0; k < m + n; ++k) {
            bool second = k >= m;
            unsigned int a = first[k % n], b = first[(k + p) % n], c = first[(k + n - 1) % n];
            unsigned int mixed = second ? a + b + c : a ^ b ^ c;
            unsigned int r = (second ? 1566083941u : 1664525u) * (mixed ^ (mixed >> 27));
            unsigned int more = (unsigned int)(k % n);
            if (!second) more = k == 0 ? (unsigned int)s : more + (k <= s ? __values[k - 1] : 0u);
            unsigned int u = second ? r - more : r + more;
            if (second) {
                first[(k + p) % n] ^= r;
                first[(k + q) % n] ^= u;
            } else {
                first[(k + p) % n] += r;
                first[(k + q) % n] += u;
            }
            first[k % n] = u;
        }
    }
};
class mt19937 {
public:
    typedef unsigned int result_type;
    unsigned int __state[624];
    int __at;
    bool operator==(const mt19937 &other) const {
        return __at == other.__at && memcmp(__state, other.__state, sizeof(__state)) == 0;
    }
    bool operator!=(const mt19937 &other) const { return !(*this == other); }
    mt19937(unsigned long value = 5489u) { seed(value); }
    void seed(unsigned long value = 5489u) {
        __state[0] = (unsigned int)value;
        for (int i = 1; i < 624; ++i)
            __state[i] = 1812433253u * (__state[i - 1] ^ (__state[i - 1] >> 30)) + (unsigned int)i;
        __at = 624;
    }
    mt19937(seed_seq &values) { seed(values); }
    void seed(seed_seq &values) {
        values.generate(__state, __state + 624);
        unsigned int any = __state[0] & 0x80000000u;
        for (int i = 1; i < 624; ++i) any |= __state[i];
        if (any == 0) __state[0] = 0x80000000u;
        __at = 624;
    }
    static constexpr unsigned int min() { return 0; }
    static constexpr unsigned int max() { return 4294967295u; }
    unsigned int operator()() {
        if (__at == 624) {
            for (int i = 0; i < 624; ++i) {
                unsigned int y = (__state[i] & 0x80000000u) | (__state[(i + 1) % 624] & 0x7fffffffu);
                __state[i] = __state[(i + 397) % 624] ^ (y >> 1) ^ (y & 1 ? 0x9908b0dfu : 0u);
            }
            __at = 0;
        }
        unsigned int y = __state[__at++];
        y ^= y >> 11;
        y ^= (y << 7) & 0x9d2c5680u;
        y ^= (y << 15) & 0xefc60000u;
        return y ^ (y >> 18);
    }
    void discard(unsigned long count) {
        for (; count > 0; --count) (*this)();
    }
};
class mt19937_64 {
public:
    typedef unsigned long result_type;
    unsigned long __state[312];
    int __at;
    bool operator==(const mt19937_64 &other) const {
        return __at == other.__at && memcmp(__state, other.__state, sizeof(__state)) == 0;
    }
    bool operator!=(const mt19937_64 &other) const { return !(*this == other); }
    mt19937_64(unsigned long value = 5489u) { seed(value); }
    void seed(unsigned long value = 5489u) {
        __state[0] = value;
        for (int i = 1; i < 312; ++i)
            __state[i] = 6364136223846793005UL * (__state[i - 1] ^ (__state[i - 1] >> 62)) + (unsigned long)i;
        __at = 312;
    }
    mt19937_64(seed_seq &values) { seed(values); }
    void seed(seed_seq &values) {
        unsigned int words[624];
        values.generate(words, words + 624);
        unsigned long any = words[1] & 0x80000000u;
        for (int i = 0; i < 312; ++i) {
            __state[i] = words[2 * i] | (unsigned long)words[2 * i + 1] << 32;
            if (i > 0) any |= __state[i];
        }
        if (any == 0) __state[0] = 1UL << 63;
        __at = 312;
    }
    static constexpr unsigned long min() { return 0; }
    static constexpr unsigned long max() { return 18446744073709551615UL; }
    unsigned long operator()() {
        if (__at == 312) {
            for (int i = 0; i < 312; ++i) {
                unsigned long y = (__state[i] & 0xffffffff80000000UL) | (__state[(i + 1) % 312] & 0x7fffffffUL);
                __state[i] = __state[(i + 156) % 312] ^ (y >> 1) ^ (y & 1 ? 0xb5026f5aa96619e9UL : 0UL);
            }
            __at = 0;
        }
        unsigned long y = __state[__at++];
        y ^= (y >> 29) & 0x5555555555555555UL;
        y ^= (y << 17) & 0x71d67fffeda60000UL;
        y ^= (y << 37) & 0xfff7eee000000000UL;
        return y ^ (y >> 43);
    }
    void discard(unsigned long count) {
        for (; count > 0; --count) (*this)();
    }
};
template <unsigned int A> class __minstd {
public:
    typedef unsigned long result_type;
    unsigned long __state;
    __minstd(unsigned long value = 1) { seed(value); }
    void seed(unsigned long value = 1) {
        __state = value % 2147483647UL;
        if (__state == 0) __state = 1;
    }
    __minstd(seed_seq &values) { seed(values); }
    void seed(seed_seq &values) {
        unsigned int words[4];
        values.generate(words, words + 4);
        seed((unsigned long)words[3]);
    }
    static constexpr unsigned long min() { return 1; }
    static constexpr unsigned long max() { return 2147483646; }
    unsigned long operator()() {
        __state = __state * A % 2147483647UL;
        return __state;
    }
    void discard(unsigned long count) {
        for (; count > 0; --count) (*this)();
    }
};
typedef __minstd<16807> minstd_rand0;
typedef __minstd<48271> minstd_rand;
typedef minstd_rand0 default_random_engine;
// [rand.eng.sub]. A word of the state takes one or two numbers of 32 bits.
template <class T, size_t W, size_t S, size_t R> class subtract_with_carry_engine {
public:
    typedef T result_type;
    static constexpr size_t word_size = W, short_lag = S, long_lag = R;
    static constexpr T default_seed = 19780503;
    T __state[R];
    bool __carry;
    size_t __at;
    explicit subtract_with_carry_engine(unsigned long value = default_seed) { seed(value); }
    explicit subtract_with_carry_engine(seed_seq &values) { seed(values); }
    void seed(unsigned long value = default_seed) {
        unsigned long word = (unsigned int)(value ? value : default_seed) % 2147483563UL;
        if (word == 0) word = 1;
        unsigned int words[R * 2];
        for (size_t i = 0; i < R * ((W + 31) / 32); ++i) words[i] = (unsigned int)(word = word * 40014 % 2147483563UL);
        __fill(words);
    }
    void seed(seed_seq &values) {
        unsigned int words[R * 2];
        values.generate(words, words + R * ((W + 31) / 32));
        __fill(words);
    }
    void __fill(const unsigned int *words) {
        for (size_t i = 0; i < R; ++i) {
            unsigned long made = W > 32 ? words[2 * i] | (unsigned long)words[2 * i + 1] << 32 : words[i];
            __state[i] = (T)(made & max());
        }
        __carry = __state[R - 1] == 0;
        __at = 0;
    }
    static constexpr T min() { return 0; }
    static constexpr T max() { return (T)(W == 64 ? ~0UL : (1UL << W) - 1); }
    T operator()() {
        T plus = __state[(__at + R - S) % R], minus = __state[__at];
        T made = (plus - minus - __carry) & max();
        __carry = plus < minus || plus == minus && __carry;
        __state[__at] = made;
        __at = (__at + 1) % R;
        return made;
    }
    void discard(unsigned long count) {
        for (; count > 0; --count) (*this)();
    }
    bool operator==(const subtract_with_carry_engine &other) const {
        for (size_t i = 0; i < R; ++i)
            if (__state[(__at + i) % R] != other.__state[(other.__at + i) % R]) return false;
        return __carry == other.__carry;
    }
    bool operator!=(const subtract_with_carry_engine &other) const { return !(*this == other); }
};
// [rand.adapt]: engines that change the numbers of an engine. `__start` begins with its numbers.
#define __WS_ADAPTOR(NAME)                                                                                 \
    typedef typename E::result_type result_type;                                                           \
    E __base;                                                                                              \
    NAME() { __start(); }                                                                                  \
    explicit NAME(const E &base) : __base(base) { __start(); }                                             \
    explicit NAME(unsigned long value) : __base(value) { __start(); }                                      \
    explicit NAME(seed_seq &values) : __base(values) { __start(); }                                        \
    void seed() {                                                                                          \
        __base.seed();                                                                                     \
        __start();                                                                                         \
    }                                                                                                      \
    void seed(unsigned long value) {                                                                       \
        __base.seed(value);                                                                                \
        __start();                                                                                         \
    }                                                                                                      \
    void seed(seed_seq &values) {                                                                          \
        __base.seed(values);                                                                               \
        __start();                                                                                         \
    }                                                                                                      \
    const E &base() const { return __base; }                                                               \
    static constexpr result_type min() { return E::min(); }                                                \
    static constexpr result_type max() { return E::max(); }                                                \
    void discard(unsigned long count) {                                                                    \
        for (; count > 0; --count) (*this)();                                                              \
    }
template <class E, size_t P, size_t R> class discard_block_engine {
public:
    __WS_ADAPTOR(discard_block_engine)
    size_t __used;
    void __start() { __used = 0; }
    result_type operator()() {
        if (__used == R) {
            __base.discard(P - R);
            __used = 0;
        }
        ++__used;
        return __base();
    }
};
template <class E, size_t K> class shuffle_order_engine {
public:
    __WS_ADAPTOR(shuffle_order_engine)
    result_type __table[K], __last;
    void __start() {
        for (size_t i = 0; i < K; ++i) __table[i] = __base();
        __last = __base();
    }
    result_type operator()() {
        size_t at = (size_t)((double)(__last - min()) / ((double)(max() - min()) + 1) * K);
        __last = __table[at];
        __table[at] = __base();
        return __last;
    }
};
#undef __WS_ADAPTOR
typedef subtract_with_carry_engine<unsigned long, 24, 10, 24> ranlux24_base;
typedef subtract_with_carry_engine<unsigned long, 48, 5, 12> ranlux48_base;
typedef discard_block_engine<ranlux24_base, 223, 23> ranlux24;
typedef discard_block_engine<ranlux48_base, 389, 11> ranlux48;
typedef shuffle_order_engine<minstd_rand0, 256> knuth_b;
// Every run is the same: it gives the numbers of an engine.
class random_device {
public:
    typedef unsigned int result_type;
    mt19937 __engine;
    static constexpr unsigned int min() { return 0; }
    static constexpr unsigned int max() { return 4294967295u; }
    unsigned int operator()() { return __engine(); }
    double entropy() const { return 0; }
};
// A number in [0, 1).
template <class G> inline double __canonical(G &random, double) {
    double range = (double)(random.max() - random.min()) + 1.0, sum = 0, scale = 1;
    int count = range > 1e18 ? 1 : 2;
    for (int i = 0; i < count; ++i) {
        sum += (double)(random() - random.min()) * scale;
        scale *= range;
    }
    double made = sum / scale;
    return made >= 1.0 ? 0.99999999999999988898 : made;
}
template <class G> inline float __canonical(G &random, float) {
    float range = (float)((double)(random.max() - random.min()) + 1.0);
    float made = (float)(random() - random.min()) / range;
    return made >= 1.0f ? 0.999999940395355224609375f : made;
}
template <class R, size_t Bits, class G> inline R generate_canonical(G &random) {
    if constexpr (sizeof(R) == sizeof(double) && Bits <= 32) {
        double range = (double)(random.max() - random.min()) + 1.0;
        if (range >= (double)(1UL << Bits)) {
            double made = (double)(random() - random.min()) / range;
            return made >= 1.0 ? 0.99999999999999988898 : made;
        }
    }
    return __canonical(random, (R)0);
}
// A number in [0, range), of an engine.
template <class G> inline unsigned long __below(G &random, unsigned long most) {
    const unsigned long engine = random.max() - random.min();
    if (engine == most) return random() - random.min();
    if (engine > most) {
        unsigned long range = most + 1;
        if (engine == 4294967295UL) {
            unsigned long product = (unsigned long)random() * range;
            unsigned int low = (unsigned int)product;
            if (low < (unsigned int)range) {
                unsigned int limit = (0u - (unsigned int)range) % (unsigned int)range;
                while (low < limit) {
                    product = (unsigned long)random() * range;
                    low = (unsigned int)product;
                }
            }
            return product >> 32;
        }
        if (engine == 18446744073709551615UL) {
            for (;;) {
                unsigned long value = random();
                unsigned long a = value >> 32, b = value & 0xffffffffUL, c = range >> 32, d = range & 0xffffffffUL;
                unsigned long bd = b * d, ad = a * d, bc = b * c;
                unsigned long middle = (bd >> 32) + (ad & 0xffffffffUL) + (bc & 0xffffffffUL);
                unsigned long high = a * c + (ad >> 32) + (bc >> 32) + (middle >> 32);
                unsigned long low = value * range;
                if (low >= range || low >= (0UL - range) % range) return high;
            }
        }
        unsigned long scale = engine / range, past = range * scale, value;
        do value = random() - random.min();
        while (value >= past);
        return value / scale;
    }
    // One call of the engine gives too little.
    unsigned long value, part;
    do {
        unsigned long parts = engine + 1;
        part = parts * __below(random, most / parts);
        value = part + (random() - random.min());
    } while (value > most || value < part);
    return value;
}
// What distributions have in common: their parameters are themselves, as another object.
#define __WS_PARAM(NAME)                                                                                   \
    typedef NAME param_type;                                                                               \
    typedef NAME distribution_type;                                                                        \
    NAME param() const { return *this; }                                                                   \
    void param(const NAME &other) { *this = other; }                                                       \
    template <class G> result_type operator()(G &random, const NAME &other) {                              \
        NAME one = other;                                                                                  \
        return one(random);                                                                                \
    }
template <class T = int> class uniform_int_distribution {
public:
    typedef T result_type;
    __WS_PARAM(uniform_int_distribution)
    T __a, __b;
    uniform_int_distribution() : __a(0), __b(numeric_limits<T>::max()) {}
    explicit uniform_int_distribution(T a, T b = numeric_limits<T>::max()) : __a(a), __b(b) {}
    template <class G> T operator()(G &random) {
        return (T)(__below(random, (unsigned long)__b - (unsigned long)__a) + (unsigned long)__a);
    }
    T a() const { return __a; }
    T b() const { return __b; }
    T min() const { return __a; }
    T max() const { return __b; }
    void reset() {}
};
template <class T = double> class uniform_real_distribution {
public:
    typedef T result_type;
    __WS_PARAM(uniform_real_distribution)
    T __a, __b;
    explicit uniform_real_distribution(T a = 0, T b = 1) : __a(a), __b(b) {}
    template <class G> T operator()(G &random) { return __canonical(random, (T)0) * (__b - __a) + __a; }
    T a() const { return __a; }
    T b() const { return __b; }
    T min() const { return __a; }
    T max() const { return __b; }
    void reset() {}
};
template <class T = double> class normal_distribution {
public:
    typedef T result_type;
    typedef normal_distribution param_type;
    normal_distribution param() const { return *this; }
    void param(const normal_distribution &other) {
        __mean = other.__mean;
        __stddev = other.__stddev;
    }
    // The saved number is of this object.
    template <class G> T operator()(G &random, const normal_distribution &other) {
        T mean = __mean, stddev = __stddev;
        param(other);
        T made = (*this)(random);
        __mean = mean;
        __stddev = stddev;
        return made;
    }
    T min() const { return -numeric_limits<T>::max(); }
    T max() const { return numeric_limits<T>::max(); }
    T __mean, __stddev, __saved;
    bool __has_saved;
    explicit normal_distribution(T mean = 0, T stddev = 1) : __mean(mean), __stddev(stddev), __saved(0), __has_saved(false) {}
    template <class G> T operator()(G &random) {
        T made;
        if (__has_saved) {
            __has_saved = false;
            made = __saved;
        } else {
            T x, y, r2;
            do {
                x = (T)2 * __canonical(random, (T)0) - (T)1;
                y = (T)2 * __canonical(random, (T)0) - (T)1;
                r2 = x * x + y * y;
            } while (r2 > (T)1 || r2 == (T)0);
            T scale = sqrt((T)-2 * log(r2) / r2);
            __saved = x * scale;
            __has_saved = true;
            made = y * scale;
        }
        return made * __stddev + __mean;
    }
    T mean() const { return __mean; }
    T stddev() const { return __stddev; }
    void reset() { __has_saved = false; }
};
template <class T = double> class exponential_distribution {
public:
    typedef T result_type;
    __WS_PARAM(exponential_distribution)
    T __lambda;
    explicit exponential_distribution(T lambda = 1) : __lambda(lambda) {}
    template <class G> T operator()(G &random) { return -log((T)1 - __canonical(random, (T)0)) / __lambda; }
    T lambda() const { return __lambda; }
    void reset() {}
};
class bernoulli_distribution {
public:
    typedef bool result_type;
    __WS_PARAM(bernoulli_distribution)
    double __p;
    explicit bernoulli_distribution(double p = 0.5) : __p(p) {}
    template <class G> bool operator()(G &random) { return __canonical(random, 0.0) < __p; }
    double p() const { return __p; }
    void reset() {}
};
template <class T = int> class geometric_distribution {
public:
    typedef T result_type;
    __WS_PARAM(geometric_distribution)
    double __p;
    explicit geometric_distribution(double p = 0.5) : __p(p) {}
    template <class G> T operator()(G &random) {
        double made;
        do made = floor(log(1 - __canonical(random, 0.0)) / log(1 - __p));
        while (made > (double)numeric_limits<T>::max());
        return (T)made;
    }
    double p() const { return __p; }
    void reset() {}
};
template <class T = double> class cauchy_distribution {
public:
    typedef T result_type;
    __WS_PARAM(cauchy_distribution)
    T __a, __b;
    explicit cauchy_distribution(T a = 0, T b = 1) : __a(a), __b(b) {}
    template <class G> T operator()(G &random) {
        T u;
        do u = __canonical(random, (T)0);
        while (u == (T)0.5);
        return __a + __b * tan((T)3.1415926535897932384626433832795029L * u);
    }
    T a() const { return __a; }
    T b() const { return __b; }
    void reset() {}
};
template <class T = double> class weibull_distribution {
public:
    typedef T result_type;
    __WS_PARAM(weibull_distribution)
    T __a, __b;
    explicit weibull_distribution(T a = 1, T b = 1) : __a(a), __b(b) {}
    template <class G> T operator()(G &random) {
        return __b * pow(-log((T)1 - __canonical(random, (T)0)), (T)1 / __a);
    }
    T a() const { return __a; }
    T b() const { return __b; }
    void reset() {}
};
template <class T = double> class lognormal_distribution {
public:
    typedef T result_type;
    normal_distribution<T> __normal;
    T __m, __s;
    explicit lognormal_distribution(T m = 0, T s = 1) : __normal(0, 1), __m(m), __s(s) {}
    template <class G> T operator()(G &random) { return exp(__s * __normal(random) + __m); }
    T m() const { return __m; }
    T s() const { return __s; }
    void reset() { __normal.reset(); }
};
template <class T = double> class gamma_distribution {
public:
    typedef T result_type;
    T __alpha, __beta, __malpha, __a2;
    normal_distribution<T> __normal;
    explicit gamma_distribution(T alpha = 1, T beta = 1) : __alpha(alpha), __beta(beta), __normal(0, 1) {
        __malpha = alpha < 1 ? alpha + 1 : alpha;
        T a1 = __malpha - (T)1 / (T)3;
        __a2 = (T)1 / sqrt((T)9 * a1);
    }
    template <class G> T operator()(G &random) {
        T u, v, n, a1 = __malpha - (T)1 / (T)3;
        do {
            do {
                n = __normal(random);
                v = (T)1 + __a2 * n;
            } while (v <= 0);
            v = v * v * v;
            u = __canonical(random, (T)0);
        } while (u > (T)1 - (T)0.0331 * n * n * n * n && log(u) > (T)0.5 * n * n + a1 * ((T)1 - v + log(v)));
        if (__alpha == __malpha) return a1 * v * __beta;
        do u = __canonical(random, (T)0);
        while (u == 0);
        return pow(u, (T)1 / __alpha) * a1 * v * __beta;
    }
    T alpha() const { return __alpha; }
    T beta() const { return __beta; }
    void reset() { __normal.reset(); }
};
#define __WS_OF_GAMMA(NAME, PARAMETER)                                                                     \
    template <class T = double> class NAME##_distribution {                                                \
    public:                                                                                                \
        typedef T result_type;                                                                             \
        __WS_PARAM(NAME##_distribution)                                                                    \
        T __n;                                                                                             \
        normal_distribution<T> __normal;                                                                   \
        gamma_distribution<T> __gamma;                                                                     \
        explicit NAME##_distribution(T n = 1) : __n(n), __normal(0, 1), __gamma(n / 2, PARAMETER) {}       \
        template <class G> T operator()(G &random);                                                        \
        T n() const { return __n; }                                                                        \
        void reset() {                                                                                     \
            __normal.reset();                                                                              \
            __gamma.reset();                                                                               \
        }                                                                                                  \
    };
__WS_OF_GAMMA(chi_squared, 1)
__WS_OF_GAMMA(student_t, 2)
#undef __WS_OF_GAMMA
template <class T> template <class G> inline T chi_squared_distribution<T>::operator()(G &random) {
    return 2 * __gamma(random);
}
template <class T> template <class G> inline T student_t_distribution<T>::operator()(G &random) {
    T normal = __normal(random);
    return normal * sqrt(__n / __gamma(random));
}
// Devroye, Non-Uniform Random Variate Generation (1986), X.3 with its errata, in the order in which
// libstdc++ draws: a mean of 12 or more by rejection from six parts, a smaller one by products.
template <class T = int> class poisson_distribution {
public:
    typedef T result_type;
    __WS_PARAM(poisson_distribution)
    double __mean;
    normal_distribution<double> __normal;
    explicit poisson_distribution(double mean = 1.0) : __mean(mean), __normal(0, 1) {}
    template <class G> T operator()(G &random) {
        if (__mean >= 12) return __rejected(random);
        T count = -1;
        double least = exp(-__mean), product = 1;
        do {
            product *= __canonical(random, 0.0);
            count += 1;
        } while (product > least);
        return count;
    }
    template <class G> T __rejected(G &random) {
        const double quarter = 0.785398163397448309615660845819875721, half = 0.5 - 0x1p-54;
        double whole = floor(__mean), slope = log(__mean), root = sqrt(whole), base = lgamma(whole + 1);
        double reach = sqrt(2 * whole * log(32 * whole / quarter));
        double far = round(fmax(6.0, fmin(whole, reach))), wide = 2 * whole + far, narrow = 1 / wide;
        double left = root * 1.25331413731550025120788264240552263;
        double right = sqrt(quarter * wide) * exp(narrow) + left;
        double one = right + 2 + exp(1 / 78.0);
        double all = 2 * wide * exp(-far * narrow * (1 + far / 2)) / far + one;
        for (;;) {
            double u = all * __canonical(random, 0.0), bound = -log(1 - __canonical(random, 0.0)), x, w = 0;
            if (u <= left) {
                double n = __normal(random);
                x = floor(-fabs(n) * root - 1);
                if (x < -whole) continue;
                w = -n * n / 2;
            } else if (u <= right) {
                double y = 1 + fabs(__normal(random)) * sqrt(wide / 2);
                x = ceil(y);
                if (x > far) continue;
                w = y * (2 - y) * narrow;
            } else if (u <= right + 2) {
                x = u <= right + 1 ? -1 : 0;
            } else if (u <= one) {
                x = 1;
                w = 1 / 78.0;
            } else {
                double y = far - log(1 - __canonical(random, 0.0)) * (2 * wide) / far;
                x = ceil(y);
                w = -far * narrow * (1 + y / 2);
            }
            bool is_over = w - bound - x * slope > base - lgamma(x + whole + 1);
            if (!is_over && x + whole < (double)numeric_limits<T>::max() + half) return (T)(x + whole + half);
        }
    }
    double mean() const { return __mean; }
    T min() const { return 0; }
    T max() const { return numeric_limits<T>::max(); }
    void reset() { __normal.reset(); }
};
// Devroye, X.4 with its errata: a mean of 8 or more by rejection from four parts, and the rest of
// the trials, or all of them, by waiting times (X.4.3).
template <class T = int> class binomial_distribution {
public:
    typedef T result_type;
    __WS_PARAM(binomial_distribution)
    T __t;
    double __p;
    normal_distribution<double> __normal;
    explicit binomial_distribution(T t = 1, double p = 0.5) : __t(t), __p(p), __normal(0, 1) {}
    template <class G> double __exponential(G &random) { return -log(1 - __canonical(random, 0.0)); }
    template <class G> T __waiting(G &random, T trials, double limit) {
        T count = 0;
        double sum = 0;
        do {
            if (count == trials) return count;
            sum += __exponential(random) / (trials - count);
            count += 1;
        } while (sum <= limit);
        return count - 1;
    }
    template <class G> T operator()(G &random) {
        double p = __p <= 0.5 ? __p : 1 - __p;
        T made = __t * p >= 8 ? __rejected(random, p) : __waiting(random, __t, -log(1 - p));
        return p == __p ? made : __t - made;
    }
    template <class G> T __rejected(G &random, double p) {
        const double quarter = 0.785398163397448309615660845819875721, half = 0.5 - 0x1p-54;
        const double root = 1.25331413731550025120788264240552263;
        double n = __t, whole = floor(n * p), part = whole / n, rest = 1 - part, deviation = sqrt(whole * rest);
        double right = sqrt(whole * rest * log(32 * whole / (81 * quarter * rest)));
        double left = sqrt(whole * rest * log(32 * n * rest / (quarter * part)));
        double d1 = round(fmax(1.0, right)), d2 = round(fmax(1.0, left));
        double s1 = deviation * (1 + d1 / (4 * whole)), s2 = deviation * (1 + d2 / (4 * n * rest));
        double c = 2 * d1 / whole, v1 = s1 * s1, v2 = s2 * s2;
        double a1 = exp(c) * s1 * root, a2 = a1 + s2 * root;
        double a3 = a2 + exp(d1 / (n * rest)) * 2 * v1 / d1 * exp(-d1 * d1 / (2 * v1));
        double all = a3 + 2 * v2 / d2 * exp(-d2 * d2 / (2 * v2));
        double base = lgamma(whole + 1) + lgamma(n - whole + 1), odds = log(part / rest);
        for (;;) {
            double u = all * __canonical(random, 0.0), x, y, w;
            if (u <= a2) {
                bool is_right = u <= a1;
                double z = __normal(random);
                y = (is_right ? s1 : s2) * fabs(z);
                if (y >= (is_right ? d1 : d2)) continue;
                x = floor(is_right ? y : -y);
                w = -__exponential(random) - z * z / 2 + (is_right ? c : 0);
            } else if (u <= a3) {
                y = d1 + 2 * v1 * __exponential(random) / d1;
                x = floor(y);
                w = -__exponential(random) + d1 * (1 / (n - whole) - y / (2 * v1));
            } else {
                y = d2 + 2 * v2 * __exponential(random) / d2;
                x = floor(-y);
                w = -__exponential(random) - d2 * y / (2 * v2);
            }
            if (x < -whole || x > n - whole) continue;
            double level = lgamma(whole + x + 1) + lgamma(n - (whole + x) + 1);
            if (w > base - level + x * odds || x + whole >= (double)numeric_limits<T>::max() + half) continue;
            T count = (T)(x + whole + half);
            return count + __waiting(random, __t - count, -log(1 - (p - part) / rest));
        }
    }
    T t() const { return __t; }
    double p() const { return __p; }
    T min() const { return 0; }
    T max() const { return __t; }
    void reset() { __normal.reset(); }
};
template <class T = int> class negative_binomial_distribution {
public:
    typedef T result_type;
    __WS_PARAM(negative_binomial_distribution)
    T __k;
    double __p;
    gamma_distribution<double> __gamma;
    explicit negative_binomial_distribution(T k = 1, double p = 0.5) : __k(k), __p(p), __gamma(k, (1 - p) / p) {}
    template <class G> T operator()(G &random) {
        poisson_distribution<T> made(__gamma(random));
        return made(random);
    }
    T k() const { return __k; }
    double p() const { return __p; }
    T min() const { return 0; }
    T max() const { return numeric_limits<T>::max(); }
    void reset() { __gamma.reset(); }
};
template <class T = double> class extreme_value_distribution {
public:
    typedef T result_type;
    __WS_PARAM(extreme_value_distribution)
    T __a, __b;
    explicit extreme_value_distribution(T a = 0, T b = 1) : __a(a), __b(b) {}
    template <class G> T operator()(G &random) {
        return __a - __b * log(-log((T)1 - __canonical(random, (T)0)));
    }
    T a() const { return __a; }
    T b() const { return __b; }
    void reset() {}
};
template <class T = double> class fisher_f_distribution {
public:
    typedef T result_type;
    __WS_PARAM(fisher_f_distribution)
    T __m, __n;
    gamma_distribution<T> __first, __second;
    explicit fisher_f_distribution(T m = 1, T n = 1) : __m(m), __n(n), __first(m / 2), __second(n / 2) {}
    template <class G> T operator()(G &random) {
        T above = __first(random) * __n;
        return above / (__second(random) * __m);
    }
    T m() const { return __m; }
    T n() const { return __n; }
    void reset() {
        __first.reset();
        __second.reset();
    }
};
template <class T = int> class discrete_distribution {
public:
    typedef T result_type;
    vector<double> __p, __sums;
    discrete_distribution() {}
    template <class __Iterator> discrete_distribution(__Iterator first, __Iterator last) : __p(first, last) { __init(); }
    discrete_distribution(initializer_list<double> list) : __p(list.begin(), list.end()) { __init(); }
    void __init() {
        if (__p.size() < 2) {
            __p.clear();
            return;
        }
        double sum = 0;
        for (double one : __p) sum = sum + one;
        for (double &one : __p) one /= sum;
        double so_far = 0;
        for (double one : __p) __sums.push_back(so_far = so_far + one);
        __sums[__sums.size() - 1] = 1.0;
    }
    template <class G> T operator()(G &random) {
        if (__sums.empty()) return 0;
        double value = __canonical(random, 0.0);
        return (T)(lower_bound(__sums.begin(), __sums.end(), value) - __sums.begin());
    }
    vector<double> probabilities() const { return __p.empty() ? vector<double>(1, 1.0) : __p; }
    T min() const { return 0; }
    T max() const { return __p.empty() ? 0 : (T)(__p.size() - 1); }
    void reset() {}
};
#undef __WS_PARAM
// As libstdc++: two choices from one number while the product of their ranges fits.
template <class I, class O, class N, class G> inline O sample(I first, I last, O to, N count, G &&random) {
    unsigned long engine = random.max() - random.min(), left = distance(first, last), wanted = count;
    if (wanted > left) wanted = left;
    bool has_two = left && engine / left >= left;
    while (wanted > 0) {
        unsigned long choices[2], made = 1;
        if (has_two && left >= 2) {
            unsigned long both = __below(random, left * (left - 1) - 1);
            choices[0] = both / (left - 1);
            choices[1] = both % (left - 1);
            made = 2;
        } else {
            choices[0] = __below(random, left - 1);
        }
        for (unsigned long i = 0; i < made && wanted > 0; ++i, ++first, --left)
            if (choices[i] < wanted) {
                *to++ = *first;
                --wanted;
            }
    }
    return to;
}
// As libstdc++: two positions from one number while the product of their ranges fits.
template <class I, class G> inline void shuffle(I first, I last, G &&random) {
    if (first == last) return;
    unsigned long engine = random.max() - random.min(), count = last - first;
    if (engine / count >= count) {
        I at = first + 1;
        if (count % 2 == 0) {
            swap(*at, first[__below(random, 1)]);
            ++at;
        }
        while (at != last) {
            unsigned long range = (unsigned long)(at - first) + 1;
            unsigned long both = __below(random, range * (range + 1) - 1);
            swap(*at, first[both / (range + 1)]);
            ++at;
            swap(*at, first[both % (range + 1)]);
            ++at;
        }
        return;
    }
    for (I at = first + 1; at != last; ++at) swap(*at, first[__below(random, (unsigned long)(at - first))]);
}
}
