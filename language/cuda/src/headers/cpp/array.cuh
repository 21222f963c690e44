// <array>.
#include <stdexcept>
#include <utility>
namespace std {
template <class T, size_t N> struct array {
    typedef T value_type;
    typedef T *iterator;
    typedef const T *const_iterator;
    typedef std::reverse_iterator<T *> reverse_iterator;
    typedef std::reverse_iterator<const T *> const_reverse_iterator;
    typedef size_t size_type;
    T __items[N];
    constexpr T *begin() { return __items; }
    constexpr const T *begin() const { return __items; }
    constexpr T *end() { return __items + N; }
    constexpr const T *end() const { return __items + N; }
    reverse_iterator rbegin() { return reverse_iterator(end()); }
    reverse_iterator rend() { return reverse_iterator(begin()); }
    const_reverse_iterator rbegin() const { return const_reverse_iterator(end()); }
    const_reverse_iterator rend() const { return const_reverse_iterator(begin()); }
    const_reverse_iterator crbegin() const { return rbegin(); }
    const_reverse_iterator crend() const { return rend(); }
    constexpr size_t size() const { return N; }
    constexpr size_t max_size() const { return N; }
    constexpr bool empty() const { return N == 0; }
    constexpr T *data() { return __items; }
    constexpr const T *data() const { return __items; }
    constexpr T &operator[](size_t at) { return __items[at]; }
    constexpr const T &operator[](size_t at) const { return __items[at]; }
    T &at(size_t at) {
        __check(at);
        return __items[at];
    }
    const T &at(size_t at) const {
        __check(at);
        return __items[at];
    }
    constexpr T &front() { return __items[0]; }
    constexpr const T &front() const { return __items[0]; }
    constexpr T &back() { return __items[N - 1]; }
    constexpr const T &back() const { return __items[N - 1]; }
    constexpr void fill(const T &value) {
        for (size_t i = 0; i < N; ++i) __items[i] = value;
    }
    void __check(size_t at) const {
        if (at >= N) {
            char text[128];
            sprintf(text, "array::at: __n (which is %zu) >= _Nm (which is %zu)", at, (size_t)N);
            throw out_of_range(text);
        }
    }
};
template <class T, class... U> array(T, U...) -> array<T, 1 + sizeof...(U)>;
template <class T, size_t N> constexpr bool operator==(const array<T, N> &a, const array<T, N> &b) {
    for (size_t i = 0; i < N; ++i)
        if (!(a[i] == b[i])) return false;
    return true;
}
template <class T, size_t N> constexpr bool operator!=(const array<T, N> &a, const array<T, N> &b) {
    return !(a == b);
}
template <class T, size_t N> constexpr bool operator<(const array<T, N> &a, const array<T, N> &b) {
    for (size_t i = 0; i < N; ++i) {
        if (a[i] < b[i]) return true;
        if (b[i] < a[i]) return false;
    }
    return false;
}
template <class T, size_t N> constexpr bool operator>(const array<T, N> &a, const array<T, N> &b) { return b < a; }
template <class T, size_t N> constexpr bool operator<=(const array<T, N> &a, const array<T, N> &b) { return !(b < a); }
template <class T, size_t N> constexpr bool operator>=(const array<T, N> &a, const array<T, N> &b) { return !(a < b); }
template <class T, size_t N> struct tuple_size<array<T, N>> { static constexpr size_t value = N; };
template <size_t I, class T, size_t N> struct tuple_element<I, array<T, N>> { typedef T type; };
template <size_t I, class T, size_t N> constexpr T &get(array<T, N> &from) {
    static_assert(I < N, "the index is below the number of elements");
    return from[I];
}
template <size_t I, class T, size_t N> constexpr const T &get(const array<T, N> &from) {
    static_assert(I < N, "the index is below the number of elements");
    return from[I];
}
template <size_t I, class T, size_t N> constexpr T &&get(array<T, N> &&from) { return (T &&)get<I>(from); }
}
