// <any>: a copy of a value of any type.
#include <type_traits>
#include <typeinfo>
namespace std {
class bad_any_cast : public bad_cast {
public:
    const char *what() const noexcept override { return "bad any_cast"; }
};
template <class T> struct __any_value {
    static void *copy(const void *object) { return new T(*(const T *)object); }
    static void end(void *object) { delete (T *)object; }
    static const type_info &type() { return typeid(T); }
};
struct __any_kind {
    void *(*copy)(const void *);
    void (*end)(void *);
    const type_info &(*type)();
};
template <class T> inline const __any_kind __any_kind_of = {__any_value<T>::copy, __any_value<T>::end, __any_value<T>::type};
class any {
public:
    void *__object;
    const __any_kind *__kind;
    any() : __object(0), __kind(0) {}
    any(const any &other) : __object(other.__object ? other.__kind->copy(other.__object) : 0), __kind(other.__kind) {}
    any(any &&other) noexcept : __object(other.__object), __kind(other.__kind) {
        other.__object = 0;
        other.__kind = 0;
    }
    template <class T, class = enable_if_t<!is_same<decay_t<T>, any>::value>> any(T &&value)
        : __object(new decay_t<T>((T &&)value)), __kind(&__any_kind_of<decay_t<T>>) {}
    ~any() { reset(); }
    any &operator=(const any &other) {
        any copy(other);
        swap(copy);
        return *this;
    }
    any &operator=(any &&other) noexcept {
        any old((any &&)other);
        swap(old);
        return *this;
    }
    template <class T, class = enable_if_t<!is_same<decay_t<T>, any>::value>> any &operator=(T &&value) {
        any made((T &&)value);
        swap(made);
        return *this;
    }
    template <class T, class... A> T &emplace(A &&...arguments) {
        reset();
        T *made = new T((A &&)arguments...);
        __object = made;
        __kind = &__any_kind_of<T>;
        return *made;
    }
    void reset() {
        if (__object) __kind->end(__object);
        __object = 0;
        __kind = 0;
    }
    void swap(any &other) noexcept {
        __swap_parts(__object, other.__object);
        __swap_parts(__kind, other.__kind);
    }
    bool has_value() const { return __object != 0; }
    const type_info &type() const { return __object ? __kind->type() : typeid(void); }
};
template <class T> inline T *any_cast(any *from) {
    return from && from->__kind && from->__kind->type() == typeid(T) ? (T *)from->__object : 0;
}
template <class T> inline const T *any_cast(const any *from) {
    return from && from->__kind && from->__kind->type() == typeid(T) ? (const T *)from->__object : 0;
}
template <class T> inline T any_cast(any &from) {
    auto *found = any_cast<remove_cv_t<remove_reference_t<T>>>(&from);
    if (!found) throw bad_any_cast();
    return static_cast<T>(*found);
}
template <class T> inline T any_cast(const any &from) {
    auto *found = any_cast<remove_cv_t<remove_reference_t<T>>>(&from);
    if (!found) throw bad_any_cast();
    return static_cast<T>(*found);
}
template <class T> inline T any_cast(any &&from) { return any_cast<T>(from); }
template <class T, class... A> inline any make_any(A &&...arguments) {
    any made;
    made.emplace<T>((A &&)arguments...);
    return made;
}
inline void swap(any &a, any &b) noexcept { a.swap(b); }
}
