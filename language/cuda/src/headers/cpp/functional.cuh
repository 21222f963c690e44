// <functional>: objects that can be called.
#include <__algobase>
#include <__functions>
#include <__hash>
#include <exception>
#include <tuple>
#include <type_traits>
#include <utility>
namespace std {
template <class T> class reference_wrapper {
public:
    typedef T type;
    T *__object;
    reference_wrapper(T &object) : __object(&object) {}
    T &get() const { return *__object; }
    operator T &() const { return *__object; }
    template <class... A> decltype(auto) operator()(A &&...arguments) const {
        return (*__object)((A &&)arguments...);
    }
};
template <class T> inline reference_wrapper<T> ref(reference_wrapper<T> object) { return object; }
template <class T> inline reference_wrapper<const T> cref(reference_wrapper<T> object) {
    return reference_wrapper<const T>(object.get());
}
template <class T> inline reference_wrapper<T> ref(T &object) { return reference_wrapper<T>(object); }
template <class T> inline reference_wrapper<const T> cref(const T &object) {
    return reference_wrapper<const T>(object);
}

template <class T> inline T &__object_of(T &object) { return object; }
template <class T> inline T &__object_of(T *object) { return *object; }
template <class T> inline T &__object_of(const reference_wrapper<T> &object) { return object.get(); }
template <class F, class T>
inline auto __at_member(F member, T &&object) -> decltype(__object_of(object).*member) {
    return __object_of(object).*member;
}
template <class F, class T, class... A> inline decltype(auto) __call_member(F method, T &&object, A &&...arguments) {
    return (__object_of(object).*method)((A &&)arguments...);
}
template <class F, class... A> inline decltype(auto) invoke(F &&callable, A &&...arguments) {
    if constexpr (__member_kind<decay_t<F>> == 0) return ((F &&)callable)((A &&)arguments...);
    else if constexpr (__member_kind<decay_t<F>> == 1) return __at_member(callable, (A &&)arguments...);
    else return __call_member(callable, (A &&)arguments...);
}
template <class M, class C, class... A> struct invoke_result<M C::*, A...> {
    typedef decltype(invoke(declval<M C::*>(), declval<A>()...)) type;
};
template <class F> struct __mem_fn {
    F __member;
    template <class... A> decltype(auto) operator()(A &&...arguments) const {
        return invoke(__member, (A &&)arguments...);
    }
};
template <class T, class C> inline __mem_fn<T C::*> mem_fn(T C::*member) { return __mem_fn<T C::*>{member}; }

// A callable object of any class behind one type. Its copy is on the heap.
template <class F> inline void *__copied_callable(void *object) { return new F(*(F *)object); }
template <class F> inline void __deleted_callable(void *object) { delete (F *)object; }
template <class T> class function;
template <class T> inline constexpr bool __is_void = false;
template <> inline constexpr bool __is_void<void> = true;
template <class F, class R, class... A> inline R __called(void *object, A... arguments) {
    if constexpr (__is_void<R>) invoke(*(F *)object, (A &&)arguments...);
    else if constexpr (__member_kind<F> != 0) return invoke(*(F *)object, (A &&)arguments...);
    else return (*(F *)object)((A &&)arguments...);
}
template <class R, class... A> class function<R(A...)> {
public:
    typedef R result_type;
    void *__object;
    R (*__call)(void *, A...);
    void *(*__copy)(void *);
    void (*__delete)(void *);
    function() : __object(0), __call(0), __copy(0), __delete(0) {}
    function(nullptr_t) : __object(0), __call(0), __copy(0), __delete(0) {}
    template <class C, class __Callable = decay_t<C>, class = enable_if_t<!is_same<__Callable, function>::value>>
    function(C &&callable)
        : __object(new __Callable((C &&)callable)), __call(__called<__Callable, R, A...>),
          __copy(__copied_callable<__Callable>), __delete(__deleted_callable<__Callable>) {}
    function(const function &other)
        : __object(other.__object ? other.__copy(other.__object) : 0), __call(other.__call), __copy(other.__copy),
          __delete(other.__delete) {}
    function(function &&other) noexcept
        : __object(other.__object), __call(other.__call), __copy(other.__copy), __delete(other.__delete) {
        other.__object = 0;
    }
    function &operator=(function &&other) noexcept {
        function old((function &&)other);
        swap(old);
        return *this;
    }
    function &operator=(nullptr_t) {
        function none;
        swap(none);
        return *this;
    }
    function &operator=(const function &other) {
        if (this != &other) {
            void *object = other.__object ? other.__copy(other.__object) : 0;
            if (__object) __delete(__object);
            __object = object;
            __call = other.__call;
            __copy = other.__copy;
            __delete = other.__delete;
        }
        return *this;
    }
    ~function() {
        if (__object) __delete(__object);
    }
    explicit operator bool() const { return __object != 0; }
    R operator()(A... arguments) const {
        if (!__object) throw bad_function_call();
        return __call(__object, (A &&)arguments...);
    }
    void swap(function &other) noexcept {
        __swap_parts(__object, other.__object);
        __swap_parts(__call, other.__call);
        __swap_parts(__copy, other.__copy);
        __swap_parts(__delete, other.__delete);
    }
};
template <class R, class... A> inline bool operator==(const function<R(A...)> &one, nullptr_t) { return !one; }
template <class R, class... A> inline bool operator!=(const function<R(A...)> &one, nullptr_t) { return !!one; }

template <class F> class __negated {
public:
    F __call;
    explicit __negated(const F &call) : __call(call) {}
    template <class... A> auto operator()(A &&...arguments) { return !__call((A &&)arguments...); }
    template <class... A> auto operator()(A &&...arguments) const { return !__call((A &&)arguments...); }
};
template <class F> inline __negated<decay_t<F>> not_fn(F &&call) { return __negated<decay_t<F>>((F &&)call); }
// Of C++98: functions and objects that bind one argument.
template <class F, class T> struct binder1st {
    F op;
    T value;
    template <class B> auto operator()(const B &b) const { return op(value, b); }
};
template <class F, class T> struct binder2nd {
    F op;
    T value;
    template <class A> auto operator()(const A &a) const { return op(a, value); }
};
template <class F, class T> inline binder1st<F, T> bind1st(const F &f, const T &value) { return {f, value}; }
template <class F, class T> inline binder2nd<F, T> bind2nd(const F &f, const T &value) { return {f, value}; }
template <class T, class C> inline __mem_fn<T C::*> mem_fun(T C::*member) { return __mem_fn<T C::*>{member}; }
template <class T, class C> inline __mem_fn<T C::*> mem_fun_ref(T C::*member) { return __mem_fn<T C::*>{member}; }
template <class R, class... A> struct __pointer_to_function {
    R (*__function)(A...);
    R operator()(A... arguments) const { return __function(arguments...); }
};
template <class R, class... A> inline __pointer_to_function<R, A...> ptr_fun(R (*function)(A...)) {
    return __pointer_to_function<R, A...>{function};
}
template <class F> inline __negated<F> not1(const F &call) { return __negated<F>(call); }
template <class F> inline __negated<F> not2(const F &call) { return __negated<F>(call); }

// A call with some arguments given. The others are placeholders.
template <int N> struct __placeholder {};
namespace placeholders {
inline constexpr __placeholder<1> _1 = {};
inline constexpr __placeholder<2> _2 = {};
inline constexpr __placeholder<3> _3 = {};
inline constexpr __placeholder<4> _4 = {};
inline constexpr __placeholder<5> _5 = {};
inline constexpr __placeholder<6> _6 = {};
inline constexpr __placeholder<7> _7 = {};
inline constexpr __placeholder<8> _8 = {};
inline constexpr __placeholder<9> _9 = {};
}
template <class F, class... B> class __bound;
template <class T> struct is_placeholder : integral_constant<int, 0> {};
template <int N> struct is_placeholder<__placeholder<N>> : integral_constant<int, N> {};
template <class T> struct is_bind_expression : false_type {};
template <class F, class... B> struct is_bind_expression<__bound<F, B...>> : true_type {};
template <class T> inline constexpr bool __is_wrapped = false;
template <class T> inline constexpr bool __is_wrapped<reference_wrapper<T>> = true;
template <class B, class T> inline decltype(auto) __bound_value(B &bound, T &arguments) {
    if constexpr (is_placeholder<B>::value != 0) return get<is_placeholder<B>::value - 1>((T &&)arguments);
    else if constexpr (__is_wrapped<B>) return bound.get();
    else if constexpr (is_bind_expression<B>::value) return apply(bound, (T &&)arguments);
    else return (bound);
}
template <class F, class... B> class __bound {
public:
    F __call;
    tuple<B...> __values;
    template <class G, class... C> explicit __bound(int, G &&call, C &&...values)
        : __call((G &&)call), __values((C &&)values...) {}
    template <class T, size_t... I> decltype(auto) __go(T &&arguments, index_sequence<I...>) {
        return invoke(__call, __bound_value(get<I>(__values), arguments)...);
    }
    template <class... A> decltype(auto) operator()(A &&...arguments) {
        return __go(tuple<A &&...>((A &&)arguments...), index_sequence_for<B...>());
    }
};
template <class F, class... B> inline __bound<decay_t<F>, decay_t<B>...> bind(F &&call, B &&...values) {
    return __bound<decay_t<F>, decay_t<B>...>(0, (F &&)call, (B &&)values...);
}
}
