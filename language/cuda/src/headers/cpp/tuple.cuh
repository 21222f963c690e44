// <tuple>.
#include <type_traits>
namespace std {
template <class... T> class tuple;
template <> class tuple<> {
public:
    template <class O> bool __is_same(const O &) const { return true; }
    template <class O> bool __is_less(const O &) const { return false; }
};
template <class H> class tuple<H> {
public:
    H __head;
    tuple() : __head() {}
    tuple(const H &head) : __head(head) {}
    template <class A, class = enable_if_t<!is_same<decay_t<A>, tuple>::value>> tuple(A &&head)
        : __head((A &&)head) {}
    template <class A> tuple(const tuple<A> &other) : __head(other.__head) {}
    tuple(const tuple &) = default;
    tuple(tuple &&) = default;
    tuple &operator=(const tuple &other) {
        __head = other.__head;
        return *this;
    }
    tuple &operator=(tuple &&other) {
        __head = (H &&)other.__head;
        return *this;
    }
    template <class A> tuple &operator=(const tuple<A> &other) {
        __head = other.__head;
        return *this;
    }
    template <class O> bool __is_same(const O &other) const { return __head == other.__head; }
    template <class O> bool __is_less(const O &other) const { return __head < other.__head; }
    void swap(tuple &other) { __swap_parts(__head, other.__head); }
};
template <class H, class... T> class tuple<H, T...> {
public:
    // libstdc++ makes the last element first.
    tuple<T...> __tail;
    H __head;
    tuple() : __tail(), __head() {}
    tuple(const H &head, const T &...tail) : __tail(tail...), __head(head) {}
    template <class A, class... B, class = enable_if_t<sizeof...(B) == sizeof...(T)>> tuple(A &&head, B &&...tail)
        : __tail((B &&)tail...), __head((A &&)head) {}
    template <class A, class... B> tuple(const tuple<A, B...> &other) : __tail(other.__tail), __head(other.__head) {}
    template <class A, class B> tuple(const pair<A, B> &other) : __tail(other.second), __head(other.first) {}
    tuple(const tuple &) = default;
    tuple(tuple &&) = default;
    tuple &operator=(const tuple &other) {
        __head = other.__head;
        __tail = other.__tail;
        return *this;
    }
    tuple &operator=(tuple &&other) {
        __head = (H &&)other.__head;
        __tail = (tuple<T...> &&)other.__tail;
        return *this;
    }
    template <class A, class... B> tuple &operator=(const tuple<A, B...> &other) {
        __head = other.__head;
        __tail = other.__tail;
        return *this;
    }
    template <class A, class B> tuple &operator=(const pair<A, B> &other) {
        __head = other.first;
        __tail.__head = other.second;
        return *this;
    }
    template <class O> bool __is_same(const O &other) const {
        return __head == other.__head && __tail.__is_same(other.__tail);
    }
    template <class O> bool __is_less(const O &other) const {
        return __head < other.__head || !(other.__head < __head) && __tail.__is_less(other.__tail);
    }
    void swap(tuple &other) {
        __swap_parts(__head, other.__head);
        __tail.swap(other.__tail);
    }
};
template <class... T> tuple(T...) -> tuple<T...>;
template <class A, class B> tuple(pair<A, B>) -> tuple<A, B>;
template <class... T> struct tuple_size<tuple<T...>> : integral_constant<size_t, sizeof...(T)> {};
template <class H, class... T> struct tuple_element<0, tuple<H, T...>> { typedef H type; };
template <size_t N, class H, class... T> struct tuple_element<N, tuple<H, T...>> {
    typedef typename tuple_element<N - 1, tuple<T...>>::type type;
};
template <class T> inline constexpr size_t tuple_size_v = tuple_size<T>::value;
template <class X, class... T> inline constexpr size_t __index_of = 0;
template <class X, class H, class... T> inline constexpr size_t __index_of<X, H, T...> =
    is_same<X, H>::value ? 0 : 1 + __index_of<X, T...>;
template <size_t N, class... T> inline typename tuple_element<N, tuple<T...>>::type &get(tuple<T...> &from) {
    if constexpr (N == 0) return from.__head;
    else return get<N - 1>(from.__tail);
}
template <size_t N, class... T>
inline const typename tuple_element<N, tuple<T...>>::type &get(const tuple<T...> &from) {
    if constexpr (N == 0) return from.__head;
    else return get<N - 1>(from.__tail);
}
template <size_t N, class... T> inline typename tuple_element<N, tuple<T...>>::type &&get(tuple<T...> &&from) {
    return (typename tuple_element<N, tuple<T...>>::type &&)get<N>(from);
}
template <class X, class... T> inline X &get(tuple<T...> &from) { return get<__index_of<X, T...>>(from); }
template <class X, class... T> inline const X &get(const tuple<T...> &from) {
    return get<__index_of<X, T...>>(from);
}
template <class... T> inline tuple<T &...> tie(T &...parts) { return tuple<T &...>(parts...); }
struct __ignored {
    template <class T> const __ignored &operator=(const T &) const { return *this; }
};
inline const __ignored ignore = __ignored();
template <class... T> inline tuple<typename __unwrapped<decay_t<T>>::type...> make_tuple(T &&...parts) {
    return tuple<typename __unwrapped<decay_t<T>>::type...>((T &&)parts...);
}
template <class... T> inline tuple<T &&...> forward_as_tuple(T &&...parts) { return tuple<T &&...>((T &&)parts...); }
template <class... A, class... B, size_t... I, size_t... J>
inline tuple<A..., B...> __joined_tuple(const tuple<A...> &a, const tuple<B...> &b, index_sequence<I...>,
                                        index_sequence<J...>) {
    return tuple<A..., B...>(get<I>(a)..., get<J>(b)...);
}
inline tuple<> tuple_cat() { return tuple<>(); }
template <class... A> inline tuple<A...> tuple_cat(const tuple<A...> &a) { return a; }
template <class... A, class... B, class... C>
inline auto tuple_cat(const tuple<A...> &a, const tuple<B...> &b, const C &...rest) {
    return tuple_cat(__joined_tuple(a, b, index_sequence_for<A...>(), index_sequence_for<B...>()), rest...);
}
template <class A, class B, class... C> inline auto tuple_cat(const pair<A, B> &a, const C &...rest) {
    return tuple_cat(tuple<A, B>(a), rest...);
}
template <class... A, class B, class C, class... D>
inline auto tuple_cat(const tuple<A...> &a, const pair<B, C> &b, const D &...rest) {
    return tuple_cat(a, tuple<B, C>(b), rest...);
}
template <class F, class T, size_t... I> inline decltype(auto) __applied(F &&call, T &&parts, index_sequence<I...>) {
    return call(get<I>((T &&)parts)...);
}
template <class F, class T, size_t N = tuple_size<decay_t<T>>::value> inline decltype(auto) apply(F &&call, T &&parts) {
    return __applied((F &&)call, (T &&)parts, make_index_sequence<N>());
}
template <class R, class T, size_t... I> inline R __made_from(T &&parts, index_sequence<I...>) {
    return R(get<I>((T &&)parts)...);
}
template <class R, class T> inline R make_from_tuple(T &&parts) {
    return __made_from<R>((T &&)parts, make_index_sequence<tuple_size<decay_t<T>>::value>());
}
template <class... A, class... B> inline bool operator==(const tuple<A...> &a, const tuple<B...> &b) {
    return a.__is_same(b);
}
template <class... A, class... B> inline bool operator!=(const tuple<A...> &a, const tuple<B...> &b) {
    return !a.__is_same(b);
}
template <class... A, class... B> inline bool operator<(const tuple<A...> &a, const tuple<B...> &b) {
    return a.__is_less(b);
}
template <class... A, class... B> inline bool operator>(const tuple<A...> &a, const tuple<B...> &b) {
    return b.__is_less(a);
}
template <class... A, class... B> inline bool operator<=(const tuple<A...> &a, const tuple<B...> &b) {
    return !b.__is_less(a);
}
template <class... A, class... B> inline bool operator>=(const tuple<A...> &a, const tuple<B...> &b) {
    return !a.__is_less(b);
}
}
