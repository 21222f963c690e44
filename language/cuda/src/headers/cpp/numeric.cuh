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
}
