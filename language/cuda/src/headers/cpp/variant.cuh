// <variant>.
#include <exception>
#include <tuple>
#include <utility>
namespace std {
struct monostate {};
inline bool operator==(monostate, monostate) { return true; }
inline bool operator!=(monostate, monostate) { return false; }
inline bool operator<(monostate, monostate) { return false; }
class bad_variant_access : public exception {
public:
    const char *__text;
    bad_variant_access(const char *text = "bad variant access") : __text(text) {}
    const char *what() const noexcept override { return __text; }
};
inline constexpr size_t variant_npos = -1;
inline void __wrong_alternative(unsigned char index) {
    throw bad_variant_access(index == 255 ? "std::get: variant is valueless" : "std::get: wrong index for variant");
}
template <class... T> class variant;
template <class V> struct variant_size;
template <class... T> struct variant_size<variant<T...>> : integral_constant<size_t, sizeof...(T)> {};
template <class V> inline constexpr size_t variant_size_v = variant_size<V>::value;
template <size_t N, class V> struct variant_alternative;
template <size_t N, class... T> struct variant_alternative<N, variant<T...>> {
    typedef typename tuple_element<N, tuple<T...>>::type type;
};
template <size_t N, class V> using variant_alternative_t = typename variant_alternative<N, V>::type;
// The alternative that a value initializes: that of its type, or the only one to which it converts
// without a loss.
template <class A, class B> inline constexpr bool __widens =
    is_floating_point<A>::value ? is_floating_point<B>::value && sizeof(A) <= sizeof(B)
    : is_integral<B>::value && (sizeof(A) < sizeof(B) ? is_unsigned<A>::value || is_signed<B>::value
                                : sizeof(A) == sizeof(B) && is_unsigned<A>::value == is_unsigned<B>::value);
template <class U, class H> inline constexpr bool __fits =
    is_convertible<U, H>::value && !is_same<H, bool>::value &&
    (!(is_arithmetic<H>::value && is_arithmetic<decay_t<U>>::value) || __widens<decay_t<U>, H>);
template <class U, class... T> inline constexpr size_t __first_fit = 0;
template <class U, class H, class... T> inline constexpr size_t __first_fit<U, H, T...> =
    __fits<U, H> ? 0 : 1 + __first_fit<U, T...>;
template <class U, class... T> constexpr size_t __alternative() {
    if constexpr ((is_same<decay_t<U>, T>::value || ...)) {
        return __index_of<decay_t<U>, T...>;
    } else {
        static_assert((0 + ... + int(__fits<U, T>)) == 1, "the value fits no alternative of the variant, or several");
        return __first_fit<U, T...>;
    }
}
template <size_t... N> inline constexpr size_t __largest = 0;
template <size_t H, size_t... N> inline constexpr size_t __largest<H, N...> =
    H < __largest<N...> ? __largest<N...> : H;
template <class... T> class variant {
public:
    template <size_t N> using __type = typename tuple_element<N, tuple<T...>>::type;
    alignas(__largest<alignof(T)...>) unsigned char __bytes[__largest<sizeof(T)...>];
    unsigned char __index;
    variant() : __index(255) { emplace<0>(); }
    variant(const variant &other) : __index(255) { __copy<0>(other); }
    variant(variant &&other) : __index(255) { __move<0>(other); }
    template <class U, class = enable_if_t<!is_same<decay_t<U>, variant>::value>> variant(U &&value) : __index(255) {
        emplace<__alternative<U, T...>()>((U &&)value);
    }
    template <size_t N, class... A> explicit variant(in_place_index_t<N>, A &&...arguments) : __index(255) {
        emplace<N>((A &&)arguments...);
    }
    template <class X, class... A> explicit variant(in_place_type_t<X>, A &&...arguments) : __index(255) {
        emplace<X>((A &&)arguments...);
    }
    ~variant() { __end<0>(); }
    // Values of the same alternative are assigned, others are exchanged.
    variant &operator=(const variant &other) {
        if (this == &other) return *this;
        if (__index != other.__index) {
            __end<0>();
            __copy<0>(other);
        } else {
            __assign<0>((const variant &)other);
        }
        return *this;
    }
    variant &operator=(variant &&other) {
        if (this == &other) return *this;
        if (__index != other.__index) {
            __end<0>();
            __move<0>(other);
        } else {
            __assign<0>((variant &&)other);
        }
        return *this;
    }
    template <size_t N, class V> void __assign(V &&other) {
        if constexpr (N < sizeof...(T)) {
            if (__index != N) __assign<N + 1>((V &&)other);
            else if constexpr (is_lvalue_reference<V>::value) *(__type<N> *)__bytes = *(const __type<N> *)other.__bytes;
            else *(__type<N> *)__bytes = (__type<N> &&)*(__type<N> *)other.__bytes;
        }
    }
    template <class U, class = enable_if_t<!is_same<decay_t<U>, variant>::value>> variant &operator=(U &&value) {
        constexpr size_t at = __alternative<U, T...>();
        if (__index == at) *(__type<at> *)__bytes = (U &&)value;
        else emplace<at>((U &&)value);
        return *this;
    }
    template <size_t N, class... A> __type<N> &emplace(A &&...arguments) {
        __end<0>();
        new ((void *)__bytes) __type<N>((A &&)arguments...);
        __index = N;
        return *(__type<N> *)__bytes;
    }
    void swap(variant &other) {
        variant old((variant &&)other);
        other = (variant &&)*this;
        *this = (variant &&)old;
    }
    template <class X, class... A> X &emplace(A &&...arguments) {
        return emplace<__index_of<X, T...>>((A &&)arguments...);
    }
    size_t index() const { return __index == 255 ? variant_npos : __index; }
    bool valueless_by_exception() const { return __index == 255; }
    template <size_t N> void __copy(const variant &other) {
        if constexpr (N < sizeof...(T)) {
            if (other.__index == N) emplace<N>(*(const __type<N> *)other.__bytes);
            else __copy<N + 1>(other);
        }
    }
    template <size_t N> void __move(variant &other) {
        if constexpr (N < sizeof...(T)) {
            if (other.__index == N) emplace<N>((__type<N> &&)*(__type<N> *)other.__bytes);
            else __move<N + 1>(other);
        }
    }
    template <size_t N> void __end() {
        if constexpr (N < sizeof...(T)) {
            if (__index == N) __end_of((__type<N> *)__bytes);
            else __end<N + 1>();
        } else {
            __index = 255;
        }
    }
    template <class X> void __end_of(X *object) {
        __index = 255;
        object->~X();
    }
};
template <size_t N, class... T> inline typename tuple_element<N, tuple<T...>>::type &get(variant<T...> &from) {
    if (from.__index != N) __wrong_alternative(from.__index);
    return *(typename tuple_element<N, tuple<T...>>::type *)from.__bytes;
}
template <size_t N, class... T>
inline const typename tuple_element<N, tuple<T...>>::type &get(const variant<T...> &from) {
    if (from.__index != N) __wrong_alternative(from.__index);
    return *(const typename tuple_element<N, tuple<T...>>::type *)from.__bytes;
}
template <size_t N, class... T> inline typename tuple_element<N, tuple<T...>>::type &&get(variant<T...> &&from) {
    return (typename tuple_element<N, tuple<T...>>::type &&)get<N>(from);
}
template <class X, class... T> inline X &&get(variant<T...> &&from) { return (X &&)get<__index_of<X, T...>>(from); }
template <class X, class... T> inline X &get(variant<T...> &from) { return get<__index_of<X, T...>>(from); }
template <class X, class... T> inline const X &get(const variant<T...> &from) {
    return get<__index_of<X, T...>>(from);
}
template <size_t N, class... T> inline typename tuple_element<N, tuple<T...>>::type *get_if(variant<T...> *from) {
    return from && from->__index == N ? &get<N>(*from) : nullptr;
}
template <size_t N, class... T>
inline const typename tuple_element<N, tuple<T...>>::type *get_if(const variant<T...> *from) {
    return from && from->__index == N ? &get<N>(*from) : nullptr;
}
template <class X, class... T> inline X *get_if(variant<T...> *from) { return get_if<__index_of<X, T...>>(from); }
template <class X, class... T> inline const X *get_if(const variant<T...> *from) {
    return get_if<__index_of<X, T...>>(from);
}
template <class X, class... T> inline bool holds_alternative(const variant<T...> &from) {
    return from.__index == __index_of<X, T...>;
}
template <size_t N, class F, class V> inline decltype(auto) __visited(F &call, V &from) {
    if constexpr (N + 1 == variant_size<remove_cv_t<V>>::value) {
        return call(get<N>(from));
    } else {
        if (from.__index == N) return call(get<N>(from));
        return __visited<N + 1>(call, from);
    }
}
template <class F, class V> inline decltype(auto) visit(F &&call, V &&from) {
    if (from.valueless_by_exception()) throw bad_variant_access("std::visit: variant is valueless");
    return __visited<0>(call, from);
}
template <class F, class V, class W> inline decltype(auto) visit(F &&call, V &&from, W &&other) {
    return visit([&](auto &one) -> decltype(auto) {
        return visit([&](auto &two) -> decltype(auto) { return call(one, two); }, other);
    }, from);
}
template <size_t N, class... T> inline bool __is_same(const variant<T...> &a, const variant<T...> &b) {
    if constexpr (N < sizeof...(T)) {
        if (a.__index == N) return get<N>(a) == get<N>(b);
        return __is_same<N + 1>(a, b);
    } else {
        return true;
    }
}
template <class... T> inline bool operator==(const variant<T...> &a, const variant<T...> &b) {
    return a.__index == b.__index && __is_same<0>(a, b);
}
template <class... T> inline bool operator!=(const variant<T...> &a, const variant<T...> &b) { return !(a == b); }
template <size_t N, class... T> inline bool __is_less(const variant<T...> &a, const variant<T...> &b) {
    if constexpr (N < sizeof...(T)) {
        if (a.__index == N) return get<N>(a) < get<N>(b);
        return __is_less<N + 1>(a, b);
    } else {
        return false;
    }
}
// A variant without a value comes first.
template <class... T> inline bool operator<(const variant<T...> &a, const variant<T...> &b) {
    if (a.__index == b.__index) return __is_less<0>(a, b);
    return b.__index != 255 && (a.__index == 255 || a.__index < b.__index);
}
template <class... T> inline bool operator>(const variant<T...> &a, const variant<T...> &b) { return b < a; }
template <class... T> inline bool operator<=(const variant<T...> &a, const variant<T...> &b) { return !(b < a); }
template <class... T> inline bool operator>=(const variant<T...> &a, const variant<T...> &b) { return !(a < b); }
}
