// <functional>: comparisons and arithmetic as objects, and objects that can be called.
#include <__algobase>
#include <exception>
#include <utility>
namespace std {
#define __WS_FUNCTION(NAME, RESULT, OP)                                                                    \
    template <class T> struct NAME {                                                                       \
        RESULT operator()(const T &a, const T &b) const { return a OP b; }                                 \
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
template <class T> struct negate {
    T operator()(const T &a) const { return -a; }
};
template <class T> struct logical_not {
    bool operator()(const T &a) const { return !a; }
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
template <class F, class R> inline R __called0(void *object) {
    return (*(F *)object)();
}
template <class R> class function<R()> {
public:
    typedef R result_type;
    void *__object;
    R (*__call)(void *);
    void *(*__copy)(void *);
    void (*__delete)(void *);
    function() : __object(0), __call(0), __copy(0), __delete(0) {}
    function(nullptr_t) : __object(0), __call(0), __copy(0), __delete(0) {}
    template <class __Callable> function(__Callable callable)
        : __object(new __Callable(callable)), __call(__called0<__Callable, R>),
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
    R operator()() const {
        if (!__object) throw bad_function_call();
        return __call(__object);
    }
};
template <class F, class R, class A> inline R __called1(void *object, A a) {
    return (*(F *)object)((A &&)a);
}
template <class R, class A> class function<R(A)> {
public:
    typedef R result_type;
    void *__object;
    R (*__call)(void *, A);
    void *(*__copy)(void *);
    void (*__delete)(void *);
    function() : __object(0), __call(0), __copy(0), __delete(0) {}
    function(nullptr_t) : __object(0), __call(0), __copy(0), __delete(0) {}
    template <class __Callable> function(__Callable callable)
        : __object(new __Callable(callable)), __call(__called1<__Callable, R, A>),
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
    R operator()(A a) const {
        if (!__object) throw bad_function_call();
        return __call(__object, (A &&)a);
    }
};
template <class F, class R, class A, class B> inline R __called2(void *object, A a, B b) {
    return (*(F *)object)((A &&)a, (B &&)b);
}
template <class R, class A, class B> class function<R(A, B)> {
public:
    typedef R result_type;
    void *__object;
    R (*__call)(void *, A, B);
    void *(*__copy)(void *);
    void (*__delete)(void *);
    function() : __object(0), __call(0), __copy(0), __delete(0) {}
    function(nullptr_t) : __object(0), __call(0), __copy(0), __delete(0) {}
    template <class __Callable> function(__Callable callable)
        : __object(new __Callable(callable)), __call(__called2<__Callable, R, A, B>),
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
    R operator()(A a, B b) const {
        if (!__object) throw bad_function_call();
        return __call(__object, (A &&)a, (B &&)b);
    }
};
template <class F, class R, class A, class B, class C> inline R __called3(void *object, A a, B b, C c) {
    return (*(F *)object)((A &&)a, (B &&)b, (C &&)c);
}
template <class R, class A, class B, class C> class function<R(A, B, C)> {
public:
    typedef R result_type;
    void *__object;
    R (*__call)(void *, A, B, C);
    void *(*__copy)(void *);
    void (*__delete)(void *);
    function() : __object(0), __call(0), __copy(0), __delete(0) {}
    function(nullptr_t) : __object(0), __call(0), __copy(0), __delete(0) {}
    template <class __Callable> function(__Callable callable)
        : __object(new __Callable(callable)), __call(__called3<__Callable, R, A, B, C>),
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
    R operator()(A a, B b, C c) const {
        if (!__object) throw bad_function_call();
        return __call(__object, (A &&)a, (B &&)b, (C &&)c);
    }
};
template <class F, class R, class A, class B, class C, class D> inline R __called4(void *object, A a, B b, C c, D d) {
    return (*(F *)object)((A &&)a, (B &&)b, (C &&)c, (D &&)d);
}
template <class R, class A, class B, class C, class D> class function<R(A, B, C, D)> {
public:
    typedef R result_type;
    void *__object;
    R (*__call)(void *, A, B, C, D);
    void *(*__copy)(void *);
    void (*__delete)(void *);
    function() : __object(0), __call(0), __copy(0), __delete(0) {}
    function(nullptr_t) : __object(0), __call(0), __copy(0), __delete(0) {}
    template <class __Callable> function(__Callable callable)
        : __object(new __Callable(callable)), __call(__called4<__Callable, R, A, B, C, D>),
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
    R operator()(A a, B b, C c, D d) const {
        if (!__object) throw bad_function_call();
        return __call(__object, (A &&)a, (B &&)b, (C &&)c, (D &&)d);
    }
};
}
