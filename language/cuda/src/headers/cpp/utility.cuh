// <utility>: moves and pairs.
#include <initializer_list>
namespace std {
typedef decltype(nullptr) nullptr_t;
template <class T, T V> struct integral_constant {
    typedef T value_type;
    typedef integral_constant type;
    static const T value = V;
    operator T() const { return V; }
    T operator()() const { return V; }
};
template <bool V> using bool_constant = integral_constant<bool, V>;
typedef integral_constant<bool, true> true_type;
typedef integral_constant<bool, false> false_type;
template <class T> struct remove_reference { typedef T type; };
template <class T> struct remove_reference<T &> { typedef T type; };
template <class T> struct remove_reference<T &&> { typedef T type; };
template <class T> inline typename remove_reference<T>::type &&move(T &&value) noexcept {
    return static_cast<typename remove_reference<T>::type &&>(value);
}
template <class T> inline T &&forward(typename remove_reference<T>::type &value) noexcept {
    return static_cast<T &&>(value);
}
template <class T> inline T &&forward(typename remove_reference<T>::type &&value) noexcept {
    return static_cast<T &&>(value);
}
template <class T, class = void> struct __has_copy { static constexpr bool value = false; };
template <class T> struct __has_copy<T, decltype((void)T(*(const T *)nullptr))> { static constexpr bool value = true; };
// Copies an object whose move may throw, if it has a copy.
template <class T> inline decltype(auto) move_if_noexcept(T &value) noexcept {
    if constexpr (noexcept(T(static_cast<T &&>(value))) || !__has_copy<T>::value)
        return static_cast<T &&>(value);
    else
        return static_cast<const T &>(value);
}
template <class T, class U = T> inline T exchange(T &object, U &&value) {
    T old = (T &&)object;
    object = (U &&)value;
    return old;
}
// A value of a type, in an expression that is not evaluated.
template <class T> T &&declval() noexcept;
template <class T, T... V> struct integer_sequence {
    typedef T value_type;
    static constexpr size_t size() { return sizeof...(V); }
};
template <class T, size_t... N> integer_sequence<T, (T)N...> __sequence_of(integer_sequence<size_t, N...>);
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
template <class T, T N> using make_integer_sequence = decltype(__sequence_of<T>(make_index_sequence<(size_t)N>()));
template <class... T> using index_sequence_for = make_index_sequence<sizeof...(T)>;
template <class T> struct __bare { typedef T type; };
template <class T> struct __bare<const T> { typedef T type; };
struct input_iterator_tag {};
struct output_iterator_tag {};
struct forward_iterator_tag : input_iterator_tag {};
struct bidirectional_iterator_tag : forward_iterator_tag {};
struct random_access_iterator_tag : bidirectional_iterator_tag {};
template <class C, class T, class D = ptrdiff_t, class P = T *, class R = T &> struct iterator {
    typedef C iterator_category;
    typedef T value_type;
    typedef D difference_type;
    typedef P pointer;
    typedef R reference;
};
// The types of an iterator that refers to a `T`, or a `const T`.
template <class C, class T> struct __iterated {
    typedef C iterator_category;
    typedef typename __bare<T>::type value_type;
    typedef ptrdiff_t difference_type;
    typedef T *pointer;
    typedef T &reference;
};
template <class I> struct iterator_traits {
    typedef typename I::iterator_category iterator_category;
    typedef typename I::value_type value_type;
    typedef typename I::difference_type difference_type;
    typedef typename I::pointer pointer;
    typedef typename I::reference reference;
};
template <class T> struct iterator_traits<T *> : __iterated<random_access_iterator_tag, T> {};
template <class... T> struct __void { typedef void type; };
template <class I, class V = void> struct __category { typedef forward_iterator_tag type; };
template <class I> struct __category<I, typename __void<typename I::iterator_category>::type> {
    typedef typename I::iterator_category type;
};
template <class T> struct __category<T *, void> { typedef random_access_iterator_tag type; };
template <class C, class D> struct __is_category { static constexpr bool value = __is_base_of(C, D); };
template <class I> inline constexpr bool __is_random =
    __is_category<random_access_iterator_tag, typename __category<I>::type>::value;
template <class I> inline constexpr bool __can_go_back =
    __is_category<bidirectional_iterator_tag, typename __category<I>::type>::value;
// Whether the elements can be read once only.
template <class I> inline constexpr bool __reads_once =
    !__is_category<forward_iterator_tag, typename __category<I>::type>::value;
// The element in front of another iterator.
template <class I> class reverse_iterator {
public:
    typedef typename iterator_traits<I>::iterator_category iterator_category;
    typedef typename iterator_traits<I>::value_type value_type;
    typedef ptrdiff_t difference_type;
    typedef typename iterator_traits<I>::pointer pointer;
    typedef typename iterator_traits<I>::reference reference;
    typedef I iterator_type;
    I __at;
    template <class J> reverse_iterator(const reverse_iterator<J> &other) : __at(other.__at) {}
    reverse_iterator() : __at() {}
    explicit reverse_iterator(I at) : __at(at) {}
    I base() const { return __at; }
    reference operator*() const {
        I at = __at;
        --at;
        return *at;
    }
    pointer operator->() const { return &**this; }
    reference operator[](ptrdiff_t at) const { return __at[-at - 1]; }
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
template <class T>
inline void __swap_parts(T &a, T &b) noexcept(noexcept(T(static_cast<T &&>(a))) && noexcept(a = static_cast<T &&>(b))) {
    T old = (T &&)a;
    a = (T &&)b;
    b = (T &&)old;
}
struct piecewise_construct_t {};
inline constexpr piecewise_construct_t piecewise_construct = {};
template <class... T> class tuple;
// Makes a pair whose second part has these arguments.
struct __in_pair {};
template <class A, class B> struct pair {
    typedef A first_type;
    typedef B second_type;
    A first;
    B second;
    pair() : first(), second() {}
    pair(const A &a, const B &b) : first(a), second(b) {}
    template <class C, class D, class = decltype(static_cast<A>(declval<C>())),
              class = decltype(static_cast<B>(declval<D>()))>
    pair(C &&a, D &&b) : first((C &&)a), second((D &&)b) {}
    template <class C, class D> pair(const pair<C, D> &other) : first(other.first), second(other.second) {}
    template <class C, class D> pair(pair<C, D> &&other) : first((C &&)other.first), second((D &&)other.second) {}
    template <class... C, class... D> pair(piecewise_construct_t, tuple<C...> a, tuple<D...> b)
        : pair(a, b, index_sequence_for<C...>(), index_sequence_for<D...>()) {}
    template <class C, class D, size_t... I, size_t... J>
    pair(C &a, D &b, index_sequence<I...>, index_sequence<J...>)
        : first(get<I>((C &&)a)...), second(get<J>((D &&)b)...) {}
    template <class C, class... D> pair(__in_pair, C &&a, D &&...b) : first((C &&)a), second((D &&)b...) {}
    void swap(pair &other) noexcept(noexcept(__swap_parts(declval<A &>(), declval<A &>())) &&
                                    noexcept(__swap_parts(declval<B &>(), declval<B &>()))) {
        __swap_parts(first, other.first);
        __swap_parts(second, other.second);
    }
};
template <class A, class B> pair(A, B) -> pair<A, B>;
template <class A, class B> inline pair<A, B> make_pair(A a, B b) { return pair<A, B>((A &&)a, (B &&)b); }
template <class A, class B> inline void swap(pair<A, B> &a, pair<A, B> &b) noexcept(noexcept(a.swap(b))) { a.swap(b); }
// The parts of pairs, arrays and tuples.
template <class T> struct tuple_size;
template <size_t N, class T> struct tuple_element;
template <size_t N, class T> using tuple_element_t = typename tuple_element<N, T>::type;
template <class A, class B> inline constexpr bool __is_named_same = false;
template <class A> inline constexpr bool __is_named_same<A, A> = true;
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
template <class X, class A, class B> inline X &get(pair<A, B> &from) {
    if constexpr (__is_named_same<X, A>) return from.first;
    else return from.second;
}
template <class X, class A, class B> inline const X &get(const pair<A, B> &from) {
    if constexpr (__is_named_same<X, A>) return from.first;
    else return from.second;
}
struct in_place_t {};
inline constexpr in_place_t in_place = {};
template <class T> struct in_place_type_t {};
template <class T> inline constexpr in_place_type_t<T> in_place_type = {};
template <size_t N> struct in_place_index_t {};
template <size_t N> inline constexpr in_place_index_t<N> in_place_index = {};
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
