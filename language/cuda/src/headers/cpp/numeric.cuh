// <numeric>.
namespace std {
template <class I, class T> inline T accumulate(I first, I last, T sum) {
    for (; first != last; ++first) sum = sum + *first;
    return sum;
}
template <class I, class T, class F> inline T accumulate(I first, I last, T sum, F add) {
    for (; first != last; ++first) sum = add(sum, *first);
    return sum;
}
template <class I, class T> inline void iota(I first, I last, T value) {
    for (; first != last; ++first) {
        *first = value;
        ++value;
    }
}
template <class I, class J, class T> inline T inner_product(I first, I last, J other, T sum) {
    for (; first != last; ++first) {
        sum = sum + *first * *other;
        ++other;
    }
    return sum;
}
template <class I, class O> inline O partial_sum(I first, I last, O to) {
    if (first == last) return to;
    auto sum = *first;
    *to = sum;
    for (++first; first != last; ++first) {
        sum = sum + *first;
        ++to;
        *to = sum;
    }
    ++to;
    return to;
}
template <class I, class O, class F> inline O partial_sum(I first, I last, O to, F add) {
    if (first == last) return to;
    auto sum = *first;
    *to = sum;
    for (++first; first != last; ++first) {
        sum = add(sum, *first);
        ++to;
        *to = sum;
    }
    ++to;
    return to;
}
template <class T> inline T gcd(T a, T b) {
    while (b != 0) {
        T rest = a % b;
        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}
template <class T> inline T lcm(T a, T b) { return a == 0 || b == 0 ? 0 : (a < 0 ? -a : a) / gcd(a, b) * (b < 0 ? -b : b); }
template <class T, class U> inline decltype(T() + U()) gcd(T a, U b) {
    typedef decltype(T() + U()) R;
    return gcd((R)a, (R)b);
}
template <class T, class U> inline decltype(T() + U()) lcm(T a, U b) {
    typedef decltype(T() + U()) R;
    return lcm((R)a, (R)b);
}
// Differences of integers as numbers of 64 bits do not overflow.
template <class T> inline constexpr T midpoint(T a, T b) {
    typedef decltype(T() + 0ull) U;
    return a > b ? T(U(a) - (U(a) - U(b)) / 2) : T(U(a) + (U(b) - U(a)) / 2);
}
template <class T> inline constexpr T *midpoint(T *a, T *b) { return a + (b - a) / 2; }
inline float midpoint(float a, float b) { return (float)(((double)a + b) / 2); }
inline double midpoint(double a, double b) {
    return fabs(a) <= DBL_MAX / 2 && fabs(b) <= DBL_MAX / 2 ? (a + b) / 2 : a / 2 + b / 2;
}
template <class I, class J, class T, class F, class G>
inline T inner_product(I first, I last, J other, T sum, F add, G times) {
    for (; first != last; ++first) {
        sum = add(sum, times(*first, *other));
        ++other;
    }
    return sum;
}
template <class I, class O, class F> inline O adjacent_difference(I first, I last, O to, F minus) {
    if (first == last) return to;
    auto before = *first;
    *to = before;
    while (++first != last) {
        auto value = *first;
        *++to = minus(value, before);
        before = value;
    }
    return ++to;
}
struct __minus {
    template <class T> T operator()(const T &a, const T &b) const { return a - b; }
};
struct __plus {
    template <class T> T operator()(const T &a, const T &b) const { return a + b; }
};
template <class I, class O> inline O adjacent_difference(I first, I last, O to) {
    return adjacent_difference(first, last, to, __minus());
}
template <class I, class T, class F> inline T reduce(I first, I last, T sum, F add) {
    for (; first != last; ++first) sum = add(sum, *first);
    return sum;
}
template <class I, class T> inline T reduce(I first, I last, T sum) {
    for (; first != last; ++first) sum = sum + *first;
    return sum;
}
template <class I> inline auto reduce(I first, I last) {
    auto sum = *first;
    sum = {};
    for (; first != last; ++first) sum = sum + *first;
    return sum;
}
template <class I, class O, class T, class F> inline O exclusive_scan(I first, I last, O to, T sum, F add) {
    for (; first != last; ++first) {
        T next = add(sum, *first);
        *to = sum;
        ++to;
        sum = next;
    }
    return to;
}
template <class I, class O, class T> inline O exclusive_scan(I first, I last, O to, T sum) {
    return exclusive_scan(first, last, to, sum, __plus());
}
template <class I, class O, class F, class T> inline O inclusive_scan(I first, I last, O to, F add, T sum) {
    for (; first != last; ++first) {
        sum = add(sum, *first);
        *to = sum;
        ++to;
    }
    return to;
}
template <class I, class O, class F> inline O inclusive_scan(I first, I last, O to, F add) {
    return partial_sum(first, last, to, add);
}
template <class I, class O> inline O inclusive_scan(I first, I last, O to) { return partial_sum(first, last, to); }
template <class I, class J, class T, class F, class G>
inline T transform_reduce(I first, I last, J other, T sum, F add, G times) {
    return inner_product(first, last, other, sum, add, times);
}
template <class I, class J, class T> inline T transform_reduce(I first, I last, J other, T sum) {
    return inner_product(first, last, other, sum);
}
template <class I, class T, class F, class G> inline T transform_reduce(I first, I last, T sum, F add, G call) {
    for (; first != last; ++first) sum = add(sum, call(*first));
    return sum;
}
template <class I, class O, class T, class F, class G>
inline O transform_exclusive_scan(I first, I last, O to, T sum, F add, G call) {
    for (; first != last; ++first) {
        T next = add(sum, call(*first));
        *to = sum;
        ++to;
        sum = next;
    }
    return to;
}
template <class I, class O, class F, class G, class T>
inline O transform_inclusive_scan(I first, I last, O to, F add, G call, T sum) {
    for (; first != last; ++first) {
        sum = add(sum, call(*first));
        *to = sum;
        ++to;
    }
    return to;
}
template <class I, class O, class F, class G>
inline O transform_inclusive_scan(I first, I last, O to, F add, G call) {
    if (first == last) return to;
    auto sum = call(*first);
    *to = sum;
    return transform_inclusive_scan(++first, last, ++to, add, call, sum);
}
}
