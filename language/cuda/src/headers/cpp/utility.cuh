// <utility>: moves and pairs.
#include <initializer_list>
namespace std {
typedef decltype(nullptr) nullptr_t;
template <class T> struct remove_reference { typedef T type; };
template <class T> struct remove_reference<T &> { typedef T type; };
template <class T> struct remove_reference<T &&> { typedef T type; };
template <class T> inline typename remove_reference<T>::type &&move(T &&value) {
    return static_cast<typename remove_reference<T>::type &&>(value);
}
template <class T> inline T &&forward(typename remove_reference<T>::type &value) {
    return static_cast<T &&>(value);
}
template <class T> inline T exchange(T &object, const T &value) {
    T old = (T &&)object;
    object = value;
    return old;
}
template <class T, T... V> struct integer_sequence {
    typedef T value_type;
    static constexpr size_t size() { return sizeof...(V); }
};
template <size_t... N> using index_sequence = integer_sequence<size_t, N...>;
template <class A, class B> struct __joined;
template <size_t... A, size_t... B> struct __joined<index_sequence<A...>, index_sequence<B...>> {
    typedef index_sequence<A..., (sizeof...(A) + B)...> type;
};
template <size_t N> struct __sequence {
    typedef typename __joined<typename __sequence<N / 2>::type, typename __sequence<N - N / 2>::type>::type type;
};
template <> struct __sequence<0> { typedef index_sequence<> type; };
template <> struct __sequence<1> { typedef index_sequence<0> type; };
template <size_t N> using make_index_sequence = typename __sequence<N>::type;
template <class... T> using index_sequence_for = make_index_sequence<sizeof...(T)>;
// The type that an iterator refers to, with `const`.
template <class I> struct __element { typedef typename I::__element_type type; };
template <class T> struct __element<T *> { typedef T type; };
template <class T> struct __bare { typedef T type; };
template <class T> struct __bare<const T> { typedef T type; };
// The element in front of another iterator.
template <class I> class reverse_iterator {
public:
    typedef typename __element<I>::type __element_type;
    I __at;
    reverse_iterator() : __at() {}
    explicit reverse_iterator(I at) : __at(at) {}
    I base() const { return __at; }
    __element_type &operator*() const {
        I at = __at;
        --at;
        return *at;
    }
    __element_type *operator->() const { return &**this; }
    __element_type &operator[](ptrdiff_t at) const { return __at[-at - 1]; }
    reverse_iterator &operator++() {
        --__at;
        return *this;
    }
    reverse_iterator operator++(int) {
        reverse_iterator old = *this;
        --__at;
        return old;
    }
    reverse_iterator &operator--() {
        ++__at;
        return *this;
    }
    reverse_iterator operator--(int) {
        reverse_iterator old = *this;
        ++__at;
        return old;
    }
    reverse_iterator &operator+=(ptrdiff_t count) {
        __at -= count;
        return *this;
    }
    reverse_iterator &operator-=(ptrdiff_t count) {
        __at += count;
        return *this;
    }
    reverse_iterator operator+(ptrdiff_t count) const { return reverse_iterator(__at - count); }
    reverse_iterator operator-(ptrdiff_t count) const { return reverse_iterator(__at + count); }
    ptrdiff_t operator-(const reverse_iterator &other) const { return other.__at - __at; }
    bool operator==(const reverse_iterator &other) const { return __at == other.__at; }
    bool operator!=(const reverse_iterator &other) const { return __at != other.__at; }
    bool operator<(const reverse_iterator &other) const { return other.__at < __at; }
    bool operator>(const reverse_iterator &other) const { return __at < other.__at; }
    bool operator<=(const reverse_iterator &other) const { return !(__at < other.__at); }
    bool operator>=(const reverse_iterator &other) const { return !(other.__at < __at); }
};
template <class A, class B> struct pair {
    typedef A first_type;
    typedef B second_type;
    A first;
    B second;
    pair() : first(), second() {}
    pair(const A &a, const B &b) : first(a), second(b) {}
    template <class C, class D> pair(const pair<C, D> &other) : first(other.first), second(other.second) {}
};
template <class A, class B> pair(A, B) -> pair<A, B>;
template <class A, class B> inline pair<A, B> make_pair(A a, B b) { return pair<A, B>((A &&)a, (B &&)b); }
template <class T> inline void __swap_parts(T &a, T &b) {
    T old = (T &&)a;
    a = (T &&)b;
    b = (T &&)old;
}
// The parts of pairs, arrays and tuples.
template <class T> struct tuple_size;
template <size_t N, class T> struct tuple_element;
template <size_t N, class T> using tuple_element_t = typename tuple_element<N, T>::type;
template <class A, class B> struct tuple_size<pair<A, B>> { static constexpr size_t value = 2; };
template <class A, class B> struct tuple_element<0, pair<A, B>> { typedef A type; };
template <class A, class B> struct tuple_element<1, pair<A, B>> { typedef B type; };
template <size_t N, class A, class B> inline typename tuple_element<N, pair<A, B>>::type &get(pair<A, B> &from) {
    if constexpr (N == 0) return from.first;
    else return from.second;
}
template <size_t N, class A, class B>
inline const typename tuple_element<N, pair<A, B>>::type &get(const pair<A, B> &from) {
    if constexpr (N == 0) return from.first;
    else return from.second;
}
struct in_place_t {};
inline constexpr in_place_t in_place = {};
template <class T> inline T *addressof(T &object) { return (T *)&(char &)object; }
template <class T> inline const T &as_const(T &value) { return value; }
template <class A, class B> inline bool operator==(const pair<A, B> &a, const pair<A, B> &b) {
    return a.first == b.first && a.second == b.second;
}
template <class A, class B> inline bool operator!=(const pair<A, B> &a, const pair<A, B> &b) {
    return !(a == b);
}
template <class A, class B> inline bool operator<(const pair<A, B> &a, const pair<A, B> &b) {
    return a.first < b.first || !(b.first < a.first) && a.second < b.second;
}
template <class A, class B> inline bool operator>(const pair<A, B> &a, const pair<A, B> &b) { return b < a; }
template <class A, class B> inline bool operator<=(const pair<A, B> &a, const pair<A, B> &b) {
    return !(b < a);
}
template <class A, class B> inline bool operator>=(const pair<A, B> &a, const pair<A, B> &b) {
    return !(a < b);
}
}
