// <chrono>: times count the nanoseconds of the simulated host.
namespace std {
template <long N, long D = 1> struct ratio {
    static const long num = N;
    static const long den = D;
};
typedef ratio<1, 1000000000> nano;
typedef ratio<1, 1000000> micro;
typedef ratio<1, 1000> milli;
typedef ratio<1000> kilo;
typedef ratio<1000000> mega;
typedef ratio<1000000000> giga;
namespace chrono {
template <class R, class P = ratio<1> > class duration {
public:
    typedef R rep;
    typedef P period;
    R __count;
    duration() : __count(0) {}
    template <class __Number> explicit duration(__Number count) : __count((R)count) {}
    template <class S, class Q> duration(const duration<S, Q> &other)
        : __count((R)((R)other.count() * (R)(Q::num * P::den) / (R)(Q::den * P::num))) {}
    R count() const { return __count; }
    duration &operator+=(const duration &other) {
        __count += other.__count;
        return *this;
    }
    duration &operator-=(const duration &other) {
        __count -= other.__count;
        return *this;
    }
    static duration zero() { return duration(0); }
};
typedef duration<long, nano> nanoseconds;
typedef duration<long, micro> microseconds;
typedef duration<long, milli> milliseconds;
typedef duration<long> seconds;
typedef duration<long, ratio<60> > minutes;
typedef duration<long, ratio<3600> > hours;
// The result has the type of the first: programs subtract and add times of one clock.
template <class R, class P> inline duration<R, P> operator+(const duration<R, P> &a, const duration<R, P> &b) {
    return duration<R, P>(a.count() + b.count());
}
template <class R, class P> inline duration<R, P> operator-(const duration<R, P> &a, const duration<R, P> &b) {
    return duration<R, P>(a.count() - b.count());
}
template <class R, class P> inline duration<R, P> operator/(const duration<R, P> &a, long b) {
    return duration<R, P>(a.count() / b);
}
template <class R, class P> inline duration<R, P> operator*(const duration<R, P> &a, long b) {
    return duration<R, P>(a.count() * b);
}
template <class R, class P> inline bool operator<(const duration<R, P> &a, const duration<R, P> &b) {
    return a.count() < b.count();
}
template <class R, class P> inline bool operator>(const duration<R, P> &a, const duration<R, P> &b) {
    return a.count() > b.count();
}
template <class R, class P> inline bool operator<=(const duration<R, P> &a, const duration<R, P> &b) {
    return a.count() <= b.count();
}
template <class R, class P> inline bool operator>=(const duration<R, P> &a, const duration<R, P> &b) {
    return a.count() >= b.count();
}
template <class R, class P> inline bool operator==(const duration<R, P> &a, const duration<R, P> &b) {
    return a.count() == b.count();
}
template <class R, class P> inline bool operator!=(const duration<R, P> &a, const duration<R, P> &b) {
    return a.count() != b.count();
}
template <class T, class R, class P> inline T duration_cast(const duration<R, P> &from) { return T(from); }
template <class C, class D = nanoseconds> class time_point {
public:
    typedef D duration;
    D __since;
    time_point() : __since(0) {}
    explicit time_point(const D &since) : __since(since) {}
    D time_since_epoch() const { return __since; }
    time_point &operator+=(const D &other) {
        __since += other;
        return *this;
    }
    time_point &operator-=(const D &other) {
        __since -= other;
        return *this;
    }
};
// The duration of a clock is at least as fine as that of a literal.
template <class C, class D, class R, class P>
inline time_point<C, D> operator+(const time_point<C, D> &a, const duration<R, P> &b) {
    return time_point<C, D>(a.time_since_epoch() + D(b));
}
template <class C, class D, class R, class P>
inline time_point<C, D> operator-(const time_point<C, D> &a, const duration<R, P> &b) {
    return time_point<C, D>(a.time_since_epoch() - D(b));
}
template <class C, class D> inline D operator-(const time_point<C, D> &a, const time_point<C, D> &b) {
    return D(a.time_since_epoch().count() - b.time_since_epoch().count());
}
template <class C, class D> inline bool operator<(const time_point<C, D> &a, const time_point<C, D> &b) {
    return a.time_since_epoch().count() < b.time_since_epoch().count();
}
template <class C, class D> inline bool operator>(const time_point<C, D> &a, const time_point<C, D> &b) {
    return a.time_since_epoch().count() > b.time_since_epoch().count();
}
template <class C, class D> inline bool operator<=(const time_point<C, D> &a, const time_point<C, D> &b) {
    return a.time_since_epoch().count() <= b.time_since_epoch().count();
}
template <class C, class D> inline bool operator>=(const time_point<C, D> &a, const time_point<C, D> &b) {
    return a.time_since_epoch().count() >= b.time_since_epoch().count();
}
template <class C, class D> inline bool operator==(const time_point<C, D> &a, const time_point<C, D> &b) {
    return a.time_since_epoch().count() == b.time_since_epoch().count();
}
template <class C, class D> inline bool operator!=(const time_point<C, D> &a, const time_point<C, D> &b) {
    return a.time_since_epoch().count() != b.time_since_epoch().count();
}
template <class T, class C, class D> inline time_point<C, T> time_point_cast(const time_point<C, D> &at) {
    return time_point<C, T>(duration_cast<T>(at.time_since_epoch()));
}
class steady_clock {
public:
    typedef nanoseconds duration;
    typedef std::chrono::time_point<steady_clock> time_point;
    static const bool is_steady = true;
    static time_point now() {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        return time_point(nanoseconds(now.tv_sec * 1000000000L + now.tv_nsec));
    }
};
typedef steady_clock high_resolution_clock;
class system_clock {
public:
    typedef nanoseconds duration;
    typedef std::chrono::time_point<system_clock> time_point;
    static time_point now() {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        return time_point(nanoseconds(now.tv_sec * 1000000000L + now.tv_nsec));
    }
    static time_t to_time_t(const time_point &at) { return at.time_since_epoch().count() / 1000000000L; }
};
}
}
