// <functional>: comparisons and arithmetic as objects, and objects that can be called.
#include <__algobase>
#include <exception>
#include <utility>
namespace std {
#define __WS_FUNCTION(NAME, RESULT, OP)                                                                    \
    template <class T = void> struct NAME {                                                                \
        RESULT operator()(const T &a, const T &b) const { return a OP b; }                                 \
    };                                                                                                     \
    template <> struct NAME<void> {                                                                        \
        template <class T, class U> auto operator()(const T &a, const U &b) const { return a OP b; }       \
    };
__WS_FUNCTION(less, bool, <)
__WS_FUNCTION(greater, bool, >)
__WS_FUNCTION(less_equal, bool, <=)
__WS_FUNCTION(greater_equal, bool, >=)
__WS_FUNCTION(equal_to, bool, ==)
__WS_FUNCTION(not_equal_to, bool, !=)
__WS_FUNCTION(plus, T, +)
__WS_FUNCTION(minus, T, -)
__WS_FUNCTION(multiplies, T, *)
__WS_FUNCTION(divides, T, /)
__WS_FUNCTION(modulus, T, %)
__WS_FUNCTION(logical_and, bool, &&)
__WS_FUNCTION(logical_or, bool, ||)
__WS_FUNCTION(bit_and, T, &)
__WS_FUNCTION(bit_or, T, |)
__WS_FUNCTION(bit_xor, T, ^)
#undef __WS_FUNCTION
template <class T = void> struct negate {
    T operator()(const T &a) const { return -a; }
};
template <class T = void> struct logical_not {
    bool operator()(const T &a) const { return !a; }
};
template <> struct negate<void> {
    template <class T> auto operator()(const T &a) const { return -a; }
};
template <> struct logical_not<void> {
    template <class T> bool operator()(const T &a) const { return !a; }
};

template <class T> class reference_wrapper {
public:
    typedef T type;
    T *__object;
    reference_wrapper(T &object) : __object(&object) {}
    T &get() const { return *__object; }
    operator T &() const { return *__object; }
};
template <class T> inline reference_wrapper<T> ref(T &object) { return reference_wrapper<T>(object); }
template <class T> inline reference_wrapper<const T> cref(const T &object) {
    return reference_wrapper<const T>(object);
}

// A callable object of any class behind one type. Its copy is on the heap.
template <class F> inline void *__copied_callable(void *object) { return new F(*(F *)object); }
template <class F> inline void __deleted_callable(void *object) { delete (F *)object; }
template <class T> class function;
template <class T> inline constexpr bool __is_void = false;
template <> inline constexpr bool __is_void<void> = true;
template <class F, class R, class... A> inline R __called(void *object, A... arguments) {
    if constexpr (__is_void<R>) (*(F *)object)((A &&)arguments...);
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
    template <class __Callable> function(__Callable callable)
        : __object(new __Callable(callable)), __call(__called<__Callable, R, A...>),
          __copy(__copied_callable<__Callable>), __delete(__deleted_callable<__Callable>) {}
    function(const function &other)
        : __object(other.__object ? other.__copy(other.__object) : 0), __call(other.__call), __copy(other.__copy),
          __delete(other.__delete) {}
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
    void swap(function &other) {
        function old(other);
        other = *this;
        *this = old;
    }
};
template <class R, class... A> inline bool operator==(const function<R(A...)> &one, nullptr_t) { return !one; }
template <class R, class... A> inline bool operator!=(const function<R(A...)> &one, nullptr_t) { return !!one; }
}
