// <valarray>: arrays of numbers. Each operation makes a new array.
#include <__algobase>
#include <initializer_list>
#include <math.h>
#include <vector>
namespace std {
class slice {
public:
    size_t __start, __size, __stride;
    slice() : __start(0), __size(0), __stride(0) {}
    slice(size_t start, size_t size, size_t stride) : __start(start), __size(size), __stride(stride) {}
    size_t start() const { return __start; }
    size_t size() const { return __size; }
    size_t stride() const { return __stride; }
};
template <class T> class valarray;
// The elements of an array that a slice names.
template <class T> class slice_array {
public:
    typedef T value_type;
    T *__first;
    slice __part;
    slice_array(T *first, const slice &part) : __first(first), __part(part) {}
    slice_array(const slice_array &) = default;
    T &__at(size_t i) const { return __first[__part.__start + i * __part.__stride]; }
    const slice_array &operator=(const slice_array &other) const {
        return *this = valarray<T>(other);
    }
    const slice_array &operator=(const valarray<T> &other) const {
        for (size_t i = 0; i < __part.__size; ++i) __at(i) = other[i];
        return *this;
    }
    const slice_array &operator=(const T &value) const {
        for (size_t i = 0; i < __part.__size; ++i) __at(i) = value;
        return *this;
    }
#define __WS_SLICE(OP)                                                                                     \
    void operator OP(const valarray<T> &other) const {                                                     \
        for (size_t i = 0; i < __part.__size; ++i) __at(i) OP other[i];                                    \
    }
    __WS_SLICE(+=)
    __WS_SLICE(-=)
    __WS_SLICE(*=)
    __WS_SLICE(/=)
#undef __WS_SLICE
};
// Elements have addresses, which those of a `vector<bool>` lack.
template <class T> struct __stored { typedef T type; };
template <> struct __stored<bool> { typedef char type; };
template <class T> class valarray {
public:
    typedef T value_type;
    // An array of `bool` has elements, too.
    vector<typename __stored<T>::type> __items;
    valarray() {}
    explicit valarray(size_t size) : __items(size) {}
    valarray(const T &value, size_t size) : __items(size, value) {}
    valarray(const T *first, size_t size) : __items(first, first + size) {}
    valarray(initializer_list<T> list) : __items(list.begin(), list.end()) {}
    valarray(const slice_array<T> &part) {
        for (size_t i = 0; i < part.__part.__size; ++i) __items.push_back(part.__at(i));
    }
    valarray(const valarray &) = default;
    valarray &operator=(const valarray &) = default;
    valarray &operator=(const T &value) {
        for (size_t i = 0; i < __items.size(); ++i) __items[i] = value;
        return *this;
    }
    valarray &operator=(initializer_list<T> list) {
        __items.assign(list.begin(), list.end());
        return *this;
    }
    valarray &operator=(const slice_array<T> &part) { return *this = valarray(part); }
    size_t size() const { return __items.size(); }
    void resize(size_t size, T value = T()) { __items.assign(size, value); }
    void swap(valarray &other) { __items.swap(other.__items); }
    T &operator[](size_t at) { return (T &)__items[at]; }
    const T &operator[](size_t at) const { return (const T &)__items[at]; }
    slice_array<T> operator[](slice part) { return slice_array<T>((T *)__items.data(), part); }
    valarray operator[](slice part) const {
        return valarray(slice_array<T>((T *)__items.data(), part));
    }
    T *begin() { return (T *)__items.data(); }
    T *end() { return begin() + size(); }
    const T *begin() const { return (const T *)__items.data(); }
    const T *end() const { return begin() + size(); }
    T sum() const {
        T all = __items[0];
        for (size_t i = 1; i < __items.size(); ++i) all += __items[i];
        return all;
    }
    T min() const {
        T best = __items[0];
        for (size_t i = 1; i < __items.size(); ++i)
            if (__items[i] < best) best = __items[i];
        return best;
    }
    T max() const {
        T best = __items[0];
        for (size_t i = 1; i < __items.size(); ++i)
            if (best < __items[i]) best = __items[i];
        return best;
    }
    template <class F> valarray apply(F function) const {
        valarray made(__items.size());
        for (size_t i = 0; i < __items.size(); ++i) made.__items[i] = function(__items[i]);
        return made;
    }
    // Element `i` is element `i + count`; elements from outside are zero.
    valarray shift(int count) const {
        valarray made(__items.size());
        for (size_t i = 0; i < __items.size(); ++i) {
            long from = (long)i + count;
            if (from >= 0 && from < (long)__items.size()) made.__items[i] = __items[from];
        }
        return made;
    }
    valarray cshift(int count) const {
        valarray made(__items.size());
        long size = (long)__items.size();
        for (long i = 0; i < size; ++i) made.__items[i] = __items[((i + count) % size + size) % size];
        return made;
    }
    valarray operator+() const { return *this; }
    valarray operator-() const {
        return apply([](const T &value) { return -value; });
    }
    valarray operator~() const {
        return apply([](const T &value) { return ~value; });
    }
    valarray<bool> operator!() const {
        valarray<bool> made(__items.size());
        for (size_t i = 0; i < __items.size(); ++i) made[i] = !__items[i];
        return made;
    }
#define __WS_ASSIGN(OP)                                                                                    \
    valarray &operator OP(const valarray &other) {                                                         \
        for (size_t i = 0; i < __items.size(); ++i) __items[i] OP other.__items[i];                        \
        return *this;                                                                                      \
    }                                                                                                      \
    valarray &operator OP(const T &value) {                                                                \
        for (size_t i = 0; i < __items.size(); ++i) __items[i] OP value;                                   \
        return *this;                                                                                      \
    }
    __WS_ASSIGN(+=)
    __WS_ASSIGN(-=)
    __WS_ASSIGN(*=)
    __WS_ASSIGN(/=)
    __WS_ASSIGN(%=)
    __WS_ASSIGN(&=)
    __WS_ASSIGN(|=)
    __WS_ASSIGN(^=)
    __WS_ASSIGN(<<=)
    __WS_ASSIGN(>>=)
#undef __WS_ASSIGN
};
#define __WS_BINARY(OP, RESULT)                                                                            \
    template <class T> inline valarray<RESULT> operator OP(const valarray<T> &a, const valarray<T> &b) {   \
        valarray<RESULT> made(a.size());                                                                   \
        for (size_t i = 0; i < a.size(); ++i) made[i] = a[i] OP b[i];                                      \
        return made;                                                                                       \
    }                                                                                                      \
    template <class T>                                                                                     \
    inline valarray<RESULT> operator OP(const valarray<T> &a, const typename valarray<T>::value_type &b) { \
        valarray<RESULT> made(a.size());                                                                   \
        for (size_t i = 0; i < a.size(); ++i) made[i] = a[i] OP b;                                         \
        return made;                                                                                       \
    }                                                                                                      \
    template <class T>                                                                                     \
    inline valarray<RESULT> operator OP(const typename valarray<T>::value_type &a, const valarray<T> &b) { \
        valarray<RESULT> made(b.size());                                                                   \
        for (size_t i = 0; i < b.size(); ++i) made[i] = a OP b[i];                                         \
        return made;                                                                                       \
    }
__WS_BINARY(+, T)
__WS_BINARY(-, T)
__WS_BINARY(*, T)
__WS_BINARY(/, T)
__WS_BINARY(%, T)
__WS_BINARY(&, T)
__WS_BINARY(|, T)
__WS_BINARY(^, T)
__WS_BINARY(<<, T)
__WS_BINARY(>>, T)
__WS_BINARY(==, bool)
__WS_BINARY(!=, bool)
__WS_BINARY(<, bool)
__WS_BINARY(<=, bool)
__WS_BINARY(>, bool)
__WS_BINARY(>=, bool)
__WS_BINARY(&&, bool)
__WS_BINARY(||, bool)
#undef __WS_BINARY
#define __WS_EACH(NAME)                                                                                    \
    template <class T> inline valarray<T> NAME(const valarray<T> &a) {                                     \
        valarray<T> made(a.size());                                                                        \
        for (size_t i = 0; i < a.size(); ++i) made[i] = (T)NAME(a[i]);                                     \
        return made;                                                                                       \
    }
__WS_EACH(abs)
__WS_EACH(acos)
__WS_EACH(asin)
__WS_EACH(atan)
__WS_EACH(cos)
__WS_EACH(cosh)
__WS_EACH(exp)
__WS_EACH(log)
__WS_EACH(log10)
__WS_EACH(sin)
__WS_EACH(sinh)
__WS_EACH(sqrt)
__WS_EACH(tan)
__WS_EACH(tanh)
#undef __WS_EACH
template <class T> inline valarray<T> pow(const valarray<T> &a, const valarray<T> &b) {
    valarray<T> made(a.size());
    for (size_t i = 0; i < a.size(); ++i) made[i] = (T)pow(a[i], b[i]);
    return made;
}
template <class T> inline valarray<T> pow(const valarray<T> &a, const typename valarray<T>::value_type &b) {
    valarray<T> made(a.size());
    for (size_t i = 0; i < a.size(); ++i) made[i] = (T)pow(a[i], b);
    return made;
}
template <class T> inline T *begin(valarray<T> &a) { return a.begin(); }
template <class T> inline T *end(valarray<T> &a) { return a.end(); }
template <class T> inline const T *begin(const valarray<T> &a) { return a.begin(); }
template <class T> inline const T *end(const valarray<T> &a) { return a.end(); }
}
