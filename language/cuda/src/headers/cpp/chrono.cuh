// <chrono>: times count the nanoseconds of the simulated host.
#include <ratio>
#include <type_traits>
namespace std {
namespace chrono {
template <class R, class P = ratio<1> > class duration;
template <class R> struct treat_as_floating_point : is_floating_point<R> {};
// Whether no part of a count is lost.
template <class R, class P, class S, class Q> inline constexpr bool __is_exact =
    is_floating_point<R>::value || (!is_floating_point<S>::value && ratio_divide<Q, P>::den == 1);
template <class T, class R, class P> constexpr T duration_cast(const duration<R, P> &from) {
    typedef ratio_divide<P, typename T::period> factor;
    typedef common_type_t<typename T::rep, R, long> both;
    return T((typename T::rep)((both)from.count() * (both)factor::num / (both)factor::den));
}
template <class R, class P> class duration {
public:
    typedef R rep;
    typedef P period;
    R __count;
    constexpr duration() : __count(0) {}
    template <class __Number, class = enable_if_t<is_floating_point<R>::value || !is_floating_point<__Number>::value>>
    constexpr explicit duration(__Number count) : __count((R)count) {}
    template <class S, class Q, class = enable_if_t<__is_exact<R, P, S, Q>>>
    constexpr duration(const duration<S, Q> &other) : __count(duration_cast<duration>(other).count()) {}
    constexpr R count() const { return __count; }
    constexpr duration operator+() const { return *this; }
    constexpr duration operator-() const { return duration(-__count); }
    duration &operator++() {
        ++__count;
        return *this;
    }
    duration operator++(int) { return duration(__count++); }
    duration &operator--() {
        --__count;
        return *this;
    }
    duration operator--(int) { return duration(__count--); }
    duration &operator+=(const duration &other) {
        __count += other.__count;
        return *this;
    }
    duration &operator-=(const duration &other) {
        __count -= other.__count;
        return *this;
    }
    duration &operator*=(const R &factor) {
        __count *= factor;
        return *this;
    }
    duration &operator/=(const R &factor) {
        __count /= factor;
        return *this;
    }
    duration &operator%=(const duration &other) {
        __count %= other.__count;
        return *this;
    }
    static constexpr duration zero() { return duration((R)0); }
    static constexpr duration min() { return duration(is_floating_point<R>::value ? (R)-DBL_MAX : (R)LONG_MIN); }
    static constexpr duration max() { return duration(is_floating_point<R>::value ? (R)DBL_MAX : (R)LONG_MAX); }
};
typedef duration<long, nano> nanoseconds;
typedef duration<long, micro> microseconds;
typedef duration<long, milli> milliseconds;
typedef duration<long> seconds;
typedef duration<long, ratio<60> > minutes;
typedef duration<long, ratio<3600> > hours;
template <class A, class B> struct __both;
template <class R, class P, class S, class Q> struct __both<duration<R, P>, duration<S, Q>> {
    typedef duration<common_type_t<R, S>, ratio<__gcd(P::num, Q::num), P::den / __gcd(P::den, Q::den) * Q::den>> type;
};
template <class A, class B> using __both_t = typename __both<A, B>::type;
#define __WS_DURATION(OP)                                                                                  \
    template <class R, class P, class S, class Q>                                                          \
    constexpr __both_t<duration<R, P>, duration<S, Q>> operator OP(const duration<R, P> &a,                \
                                                                   const duration<S, Q> &b) {              \
        typedef __both_t<duration<R, P>, duration<S, Q>> both;                                             \
        return both(both(a).count() OP both(b).count());                                                   \
    }
__WS_DURATION(+)
__WS_DURATION(-)
__WS_DURATION(%)
#undef __WS_DURATION
template <class R, class P, class __Number>
constexpr duration<common_type_t<R, __Number>, P> operator*(const duration<R, P> &a, __Number b) {
    return duration<common_type_t<R, __Number>, P>(a.count() * b);
}
template <class R, class P, class __Number>
constexpr duration<common_type_t<R, __Number>, P> operator*(__Number a, const duration<R, P> &b) {
    return b * a;
}
template <class R, class P, class __Number>
constexpr duration<common_type_t<R, __Number>, P> operator/(const duration<R, P> &a, __Number b) {
    return duration<common_type_t<R, __Number>, P>(a.count() / b);
}
template <class R, class P, class __Number>
constexpr duration<common_type_t<R, __Number>, P> operator%(const duration<R, P> &a, __Number b) {
    return duration<common_type_t<R, __Number>, P>(a.count() % b);
}
template <class R, class P, class S, class Q>
constexpr common_type_t<R, S> operator/(const duration<R, P> &a, const duration<S, Q> &b) {
    typedef __both_t<duration<R, P>, duration<S, Q>> both;
    return both(a).count() / both(b).count();
}
// A clock counts in its duration.
template <class C, class D = typename C::duration> class time_point {
public:
    typedef C clock;
    typedef D duration;
    typedef typename D::rep rep;
    typedef typename D::period period;
    D __since;
    constexpr time_point() : __since(D::zero()) {}
    constexpr explicit time_point(const D &since) : __since(since) {}
    template <class E> constexpr time_point(const time_point<C, E> &other) : __since(other.time_since_epoch()) {}
    constexpr D time_since_epoch() const { return __since; }
    time_point &operator+=(const D &other) {
        __since += other;
        return *this;
    }
    time_point &operator-=(const D &other) {
        __since -= other;
        return *this;
    }
    static constexpr time_point min() { return time_point(D::min()); }
    static constexpr time_point max() { return time_point(D::max()); }
};
template <class C, class D, class R, class P>
constexpr time_point<C, __both_t<D, duration<R, P>>> operator+(const time_point<C, D> &a, const duration<R, P> &b) {
    return time_point<C, __both_t<D, duration<R, P>>>(a.time_since_epoch() + b);
}
template <class C, class D, class R, class P>
constexpr time_point<C, __both_t<D, duration<R, P>>> operator+(const duration<R, P> &a, const time_point<C, D> &b) {
    return b + a;
}
template <class C, class D, class R, class P>
constexpr time_point<C, __both_t<D, duration<R, P>>> operator-(const time_point<C, D> &a, const duration<R, P> &b) {
    return time_point<C, __both_t<D, duration<R, P>>>(a.time_since_epoch() - b);
}
template <class C, class D, class E>
constexpr __both_t<D, E> operator-(const time_point<C, D> &a, const time_point<C, E> &b) {
    return a.time_since_epoch() - b.time_since_epoch();
}
#define __WS_COMPARE(OP)                                                                                   \
    template <class R, class P, class S, class Q>                                                          \
    constexpr bool operator OP(const duration<R, P> &a, const duration<S, Q> &b) {                         \
        typedef __both_t<duration<R, P>, duration<S, Q>> both;                                             \
        return both(a).count() OP both(b).count();                                                         \
    }                                                                                                      \
    template <class C, class D, class E>                                                                   \
    constexpr bool operator OP(const time_point<C, D> &a, const time_point<C, E> &b) {                     \
        return a.time_since_epoch() OP b.time_since_epoch();                                               \
    }
__WS_COMPARE(==)
__WS_COMPARE(!=)
__WS_COMPARE(<)
__WS_COMPARE(>)
__WS_COMPARE(<=)
__WS_COMPARE(>=)
#undef __WS_COMPARE
template <class T, class C, class D> constexpr time_point<C, T> time_point_cast(const time_point<C, D> &at) {
    return time_point<C, T>(duration_cast<T>(at.time_since_epoch()));
}
template <class T, class R, class P> constexpr T floor(const duration<R, P> &from) {
    T made = duration_cast<T>(from);
    return made > from ? T(made.count() - 1) : made;
}
template <class T, class R, class P> constexpr T ceil(const duration<R, P> &from) {
    T made = duration_cast<T>(from);
    return made < from ? T(made.count() + 1) : made;
}
template <class T, class R, class P> constexpr T round(const duration<R, P> &from) {
    T low = floor<T>(from), high = T(low.count() + 1);
    auto below = from - low, above = high - from;
    return below < above || (below == above && low.count() % 2 == 0) ? low : high;
}
inline long __now(int clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return now.tv_sec * 1000000000L + now.tv_nsec;
}
#define __WS_CLOCK(NAME, STEADY, CLOCK)                                                                    \
    typedef nanoseconds duration;                                                                          \
    typedef long rep;                                                                                      \
    typedef nano period;                                                                                   \
    typedef std::chrono::time_point<NAME, nanoseconds> time_point;                                         \
    static constexpr bool is_steady = STEADY;                                                              \
    static time_point now() { return time_point(nanoseconds(__now(CLOCK))); }
class steady_clock {
public:
    __WS_CLOCK(steady_clock, true, CLOCK_MONOTONIC)
};
class system_clock {
public:
    __WS_CLOCK(system_clock, false, CLOCK_REALTIME)
    static time_t to_time_t(const time_point &at) { return at.time_since_epoch().count() / 1000000000L; }
    static time_point from_time_t(time_t at) { return time_point(seconds(at)); }
};
#undef __WS_CLOCK
typedef system_clock high_resolution_clock;
}
namespace literals {
namespace chrono_literals {
#define __WS_LITERAL(NAME, TYPE)                                                                           \
    inline chrono::TYPE operator""NAME(unsigned long long count) { return chrono::TYPE(count); }            \
    inline chrono::duration<double, chrono::TYPE::period> operator""NAME(long double count) {               \
        return chrono::duration<double, chrono::TYPE::period>(count);                                       \
    }
__WS_LITERAL(h, hours)
__WS_LITERAL(min, minutes)
__WS_LITERAL(s, seconds)
__WS_LITERAL(ms, milliseconds)
__WS_LITERAL(us, microseconds)
__WS_LITERAL(ns, nanoseconds)
#undef __WS_LITERAL
}
using namespace chrono_literals;
}
namespace chrono_literals = literals::chrono_literals;
using namespace literals;
namespace chrono {
using namespace literals::chrono_literals;
}
}
