// <optional>.
#include <exception>
#include <type_traits>
namespace std {
struct nullopt_t {
    int __none;
};
inline constexpr nullopt_t nullopt = {0};
class bad_optional_access : public exception {
public:
    const char *what() const noexcept override { return "bad optional access"; }
};
template <class T> class optional {
public:
    typedef T value_type;
    alignas(T) unsigned char __bytes[sizeof(T)];
    bool __has;
    optional() : __has(false) {}
    optional(nullopt_t) : __has(false) {}
    optional(const optional &other) : __has(false) {
        if (other.__has) emplace(*other);
    }
    optional(optional &&other) : __has(false) {
        if (other.__has) emplace((T &&)*other);
    }
    template <class U, class = enable_if_t<is_convertible<const U &, T>::value && !is_same<U, T>::value>>
    optional(const optional<U> &other) : __has(false) {
        if (other.__has) emplace(*other);
    }
    optional(const T &value) : __has(false) { emplace(value); }
    optional(T &&value) : __has(false) { emplace((T &&)value); }
    template <class U, class = enable_if_t<is_convertible<U, T>::value && !is_same<decay_t<U>, T>::value &&
                                           !is_same<decay_t<U>, optional>::value>>
    optional(U &&value) : __has(false) {
        emplace((U &&)value);
    }
    template <class... A> explicit optional(in_place_t, A &&...arguments) : __has(false) { emplace((A &&)arguments...); }
    ~optional() { reset(); }
    optional &operator=(const optional &other) {
        if (this == &other) return *this;
        if (__has && other.__has) **this = *other;
        else if (other.__has) emplace(*other);
        else reset();
        return *this;
    }
    optional &operator=(optional &&other) {
        if (__has && other.__has) **this = (T &&)*other;
        else if (other.__has) emplace((T &&)*other);
        else reset();
        return *this;
    }
    optional &operator=(nullopt_t) {
        reset();
        return *this;
    }
    // A number comes through the constructor, so that `= {}` leaves nothing.
    template <class U = T, class = enable_if_t<is_convertible<U, T>::value && !is_same<decay_t<U>, optional>::value &&
                                               !(is_scalar<T>::value && is_same<decay_t<U>, T>::value)>>
    optional &operator=(U &&value) {
        if (__has) **this = (U &&)value;
        else emplace((U &&)value);
        return *this;
    }
    template <class... A> T &emplace(A &&...arguments) {
        reset();
        new ((void *)__bytes) T((A &&)arguments...);
        __has = true;
        return **this;
    }
    void reset() {
        if (__has) (**this).~T();
        __has = false;
    }
    bool has_value() const { return __has; }
    explicit operator bool() const { return __has; }
    T &operator*() { return *(T *)__bytes; }
    const T &operator*() const { return *(const T *)__bytes; }
    T *operator->() { return (T *)__bytes; }
    const T *operator->() const { return (const T *)__bytes; }
    T &value() {
        if (!__has) throw bad_optional_access();
        return **this;
    }
    const T &value() const {
        if (!__has) throw bad_optional_access();
        return **this;
    }
    template <class U> T value_or(U &&other) const {
        if (__has) return **this;
        return (T)(U &&)other;
    }
    void swap(optional &other) {
        optional old((optional &&)*this);
        *this = (optional &&)other;
        other = (optional &&)old;
    }
};
template <class T> optional(T) -> optional<T>;
template <class T> inline optional<decay_t<T>> make_optional(T &&value) { return optional<decay_t<T>>((T &&)value); }
template <class T, class... A> inline optional<T> make_optional(A &&...arguments) {
    return optional<T>(in_place, (A &&)arguments...);
}
#define __WS_COMPARED(OP, BOTH, LEFT, RIGHT)                                                          \
    template <class T, class U> inline bool operator OP(const optional<T> &a, const optional<U> &b) {        \
        return BOTH;                                                                                         \
    }                                                                                                        \
    template <class T> inline bool operator OP(const optional<T> &a, nullopt_t) { return a.__has OP false; }    \
    template <class T> inline bool operator OP(nullopt_t, const optional<T> &a) { return false OP a.__has; }    \
    template <class T, class U> inline bool operator OP(const optional<T> &a, const U &b) {                  \
        return a.__has ? *a OP b : LEFT;                                                                     \
    }                                                                                                        \
    template <class T, class U> inline bool operator OP(const U &a, const optional<T> &b) {                  \
        return b.__has ? a OP *b : RIGHT;                                                                    \
    }
__WS_COMPARED(==, a.__has == b.__has && (!a.__has || *a == *b), false, false)
__WS_COMPARED(!=, a.__has != b.__has || a.__has && *a != *b, true, true)
__WS_COMPARED(<, b.__has && (!a.__has || *a < *b), true, false)
__WS_COMPARED(>, a.__has && (!b.__has || *a > *b), false, true)
__WS_COMPARED(<=, !a.__has || b.__has && *a <= *b, true, false)
__WS_COMPARED(>=, !b.__has || a.__has && *a >= *b, false, true)
#undef __WS_COMPARED
template <class T> inline void swap(optional<T> &a, optional<T> &b) { a.swap(b); }
}
