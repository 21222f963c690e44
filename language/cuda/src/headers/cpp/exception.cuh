// <exception>, <new> and <stdexcept>. GNU's library declares `bad_cast` with the exceptions.
namespace std {
class exception {
public:
    const char *__text;
    bool __owned;
    exception() : __text("std::exception"), __owned(false) {}
    exception(const exception &other) : __text(other.__text), __owned(false) {
        if (other.__owned) __copy(other.__text);
    }
    exception &operator=(const exception &other) {
        if (this != &other) {
            if (__owned) free((void *)__text);
            __text = other.__text;
            __owned = false;
            if (other.__owned) __copy(other.__text);
        }
        return *this;
    }
    virtual ~exception() {
        if (__owned) free((void *)__text);
    }
    void __copy(const char *text) {
        __text = strdup(text);
        __owned = true;
    }
    virtual const char *what() const { return __text; }
};
class bad_alloc : public exception {
public:
    bad_alloc() { __text = "std::bad_alloc"; }
};
class bad_array_new_length : public bad_alloc {
public:
    bad_array_new_length() { __text = "std::bad_array_new_length"; }
};
class bad_exception : public exception {
public:
    bad_exception() { __text = "std::bad_exception"; }
};
class bad_function_call : public exception {
public:
    bad_function_call() { __text = "bad_function_call"; }
};
struct nothrow_t {
    int __unused;
};
static const nothrow_t nothrow = {0};
inline void terminate() { abort(); }
inline int uncaught_exceptions() noexcept { return __ws_exceptions_flying(); }
inline bool uncaught_exception() noexcept { return __ws_exceptions_flying() > 0; }
// An owner of the object of an exception.
class exception_ptr {
public:
    void *__object;
    exception_ptr() noexcept : __object(0) {}
    exception_ptr(decltype(nullptr)) noexcept : __object(0) {}
    exception_ptr(const exception_ptr &other) noexcept : __object(other.__object) {
        if (__object) __ws_exception_share(__object);
    }
    exception_ptr(exception_ptr &&other) noexcept : __object(other.__object) { other.__object = 0; }
    ~exception_ptr() {
        if (__object) __ws_exception_drop(__object);
    }
    exception_ptr &operator=(exception_ptr other) noexcept {
        swap(other);
        return *this;
    }
    void swap(exception_ptr &other) noexcept {
        void *object = __object;
        __object = other.__object;
        other.__object = object;
    }
    explicit operator bool() const noexcept { return __object != 0; }
    friend bool operator==(const exception_ptr &a, const exception_ptr &b) noexcept { return a.__object == b.__object; }
    friend bool operator!=(const exception_ptr &a, const exception_ptr &b) noexcept { return a.__object != b.__object; }
};
inline exception_ptr current_exception() noexcept {
    exception_ptr made;
    made.__object = __ws_exception_handled();
    return made;
}
[[noreturn]] inline void rethrow_exception(exception_ptr exception) {
    if (!exception) terminate();
    __ws_exception_throw(exception.__object);
}
template <class E> inline exception_ptr make_exception_ptr(E value) noexcept {
    try {
        throw value;
    } catch (...) {
        return current_exception();
    }
}
class nested_exception {
    exception_ptr __nested;

public:
    nested_exception() noexcept : __nested(current_exception()) {}
    virtual ~nested_exception() {}
    [[noreturn]] void rethrow_nested() const { rethrow_exception(__nested); }
    exception_ptr nested_ptr() const noexcept { return __nested; }
};
template <class T> struct __with_nested : T, nested_exception {
    explicit __with_nested(const T &value) : T(value) {}
};
template <class T> [[noreturn]] inline void throw_with_nested(const T &value) { throw __with_nested<T>(value); }
template <class E> inline void rethrow_if_nested(const E &exception) {
    if constexpr (__is_polymorphic(E)) {
        const nested_exception *nested = dynamic_cast<const nested_exception *>(&exception);
        if (nested && nested->nested_ptr()) nested->rethrow_nested();
    }
}
template <class T> constexpr T *launder(T *object) noexcept { return object; }
}
#include <typeinfo>
