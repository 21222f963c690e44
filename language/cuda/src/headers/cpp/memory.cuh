// <memory>: pointers that own their objects, and functions for raw memory.
#include <__algobase>
#include <__allocator>
#include <exception>
#include <utility>
namespace std {
template <class T> struct default_delete {
    default_delete() {}
    template <class U> default_delete(const default_delete<U> &) {}
    void operator()(T *object) const { delete object; }
};
template <class T> struct default_delete<T[]> {
    void operator()(T *first) const { delete[] first; }
};
template <class T, class E, class D> class __owner : __held<D> {
public:
    typedef E element_type;
    typedef E *pointer;
    typedef D deleter_type;
    E *__object;
    __owner() : __object(0) {}
    explicit __owner(E *object) : __object(object) {}
    __owner(E *object, const D &deleter) : __held<D>(deleter), __object(object) {}
    ~__owner() { reset(); }
    E *get() const { return __object; }
    explicit operator bool() const { return __object != 0; }
    D &get_deleter() { return this->__get(); }
    E *release() {
        E *object = __object;
        __object = 0;
        return object;
    }
    void reset(E *object = 0) {
        E *old = __object;
        __object = object;
        if (old) this->__get()(old);
    }
    void __swap(__owner &other) {
        __swap_parts(__object, other.__object);
        __swap_parts(this->__get(), other.__get());
    }
};
template <class T, class D = default_delete<T> > class unique_ptr : public __owner<T, T, D> {
public:
    unique_ptr() {}
    explicit unique_ptr(T *object) : __owner<T, T, D>(object) {}
    unique_ptr(nullptr_t) {}
    unique_ptr(T *object, const D &deleter) : __owner<T, T, D>(object, deleter) {}
    unique_ptr(const unique_ptr &) = delete;
    unique_ptr(unique_ptr &&other) noexcept : __owner<T, T, D>(other.release(), other.get_deleter()) {}
    template <class U, class E, class = decltype(static_cast<T *>((U *)0))> unique_ptr(unique_ptr<U, E> &&other)
        : __owner<T, T, D>(other.release(), other.get_deleter()) {}
    unique_ptr &operator=(const unique_ptr &) = delete;
    unique_ptr &operator=(unique_ptr &&other) noexcept {
        this->reset(other.release());
        this->get_deleter() = (D &&)other.get_deleter();
        return *this;
    }
    template <class U, class E> unique_ptr &operator=(unique_ptr<U, E> &&other) {
        this->reset(other.release());
        return *this;
    }
    unique_ptr &operator=(nullptr_t) {
        this->reset();
        return *this;
    }
    T &operator*() const { return *this->__object; }
    T *operator->() const { return this->__object; }
    void swap(unique_ptr &other) noexcept { this->__swap(other); }
};
template <class T, class D> class unique_ptr<T[], D> : public __owner<T[], T, D> {
public:
    unique_ptr() {}
    explicit unique_ptr(T *object) : __owner<T[], T, D>(object) {}
    unique_ptr(nullptr_t) {}
    unique_ptr(T *object, const D &deleter) : __owner<T[], T, D>(object, deleter) {}
    unique_ptr(const unique_ptr &) = delete;
    unique_ptr(unique_ptr &&other) noexcept : __owner<T[], T, D>(other.release(), other.get_deleter()) {}
    unique_ptr &operator=(const unique_ptr &) = delete;
    unique_ptr &operator=(unique_ptr &&other) noexcept {
        this->reset(other.release());
        this->get_deleter() = (D &&)other.get_deleter();
        return *this;
    }
    unique_ptr &operator=(nullptr_t) {
        this->reset();
        return *this;
    }
    T &operator[](size_t at) const { return this->__object[at]; }
    void swap(unique_ptr &other) noexcept { this->__swap(other); }
};
template <class T, class D> inline void swap(unique_ptr<T, D> &a, unique_ptr<T, D> &b) noexcept { a.swap(b); }
template <class T> struct __made {
    typedef unique_ptr<T> one;
};
template <class T> struct __made<T[]> {
    typedef T element;
    typedef unique_ptr<T[]> list;
};
template <class T, class... A> inline typename __made<T>::one make_unique(A &&...arguments) {
    return unique_ptr<T>(new T((A &&)arguments...));
}
template <class T> inline typename __made<T>::list make_unique(size_t count) {
    return unique_ptr<T>(new typename __made<T>::element[count]());
}
class bad_weak_ptr : public exception {
public:
    bad_weak_ptr() { __text = "bad_weak_ptr"; }
};
// What the pointers to an object share. All pointers that own the object count as one more that
// observes it.
struct __shared {
    long owners;
    long observers;
    __shared() : owners(1), observers(1) {}
    virtual ~__shared() {}
    virtual void __end() = 0;
    void __leave() {
        if (--owners == 0) {
            __end();
            __forget();
        }
    }
    void __forget() {
        if (--observers == 0) delete this;
    }
};
template <class T, class D> struct __shared_pointer : __shared {
    T *object;
    D end;
    __shared_pointer(T *object, const D &end) : object(object), end(end) {}
    void __end() override { end(object); }
};
// An object beside its counts.
template <class T> struct __shared_object : __shared {
    alignas(T) unsigned char bytes[sizeof(T)];
    void __end() override { ((T *)bytes)->~T(); }
};
template <class T> class weak_ptr;
template <class T> class enable_shared_from_this;
template <class T> struct __pointed { typedef T type; };
template <class T> struct __pointed<T[]> { typedef T type; };
template <class T> inline constexpr bool __is_list = false;
template <class T> inline constexpr bool __is_list<T[]> = true;
template <class T> class shared_ptr {
public:
    typedef typename __pointed<T>::type element_type;
    typedef std::weak_ptr<T> weak_type;
    element_type *__object;
    __shared *__count;
    shared_ptr() : __object(0), __count(0) {}
    shared_ptr(nullptr_t) : __object(0), __count(0) {}
    template <class __Made> explicit shared_ptr(__Made *object) : __object(object) {
        if constexpr (__is_list<T>) __count = new __shared_pointer<__Made, default_delete<__Made[]>>(object, default_delete<__Made[]>());
        else __count = new __shared_pointer<__Made, default_delete<__Made>>(object, default_delete<__Made>());
        __observe(object);
    }
    template <class __Made, class D> shared_ptr(__Made *object, D end)
        : __object(object), __count(new __shared_pointer<__Made, D>(object, end)) {
        __observe(object);
    }
    template <class D> shared_ptr(nullptr_t, D end)
        : __object(0), __count(new __shared_pointer<element_type, D>((element_type *)0, end)) {}
    shared_ptr(const shared_ptr &other) : __object(other.__object), __count(other.__count) {
        if (__count) ++__count->owners;
    }
    template <class U, class = decltype(static_cast<element_type *>((typename shared_ptr<U>::element_type *)0))>
    shared_ptr(const shared_ptr<U> &other)
        : __object(other.__object), __count(other.__count) {
        if (__count) ++__count->owners;
    }
    template <class U> shared_ptr(const shared_ptr<U> &other, element_type *object)
        : __object(object), __count(other.__count) {
        if (__count) ++__count->owners;
    }
    shared_ptr(shared_ptr &&other) noexcept : __object(other.__object), __count(other.__count) {
        other.__object = 0;
        other.__count = 0;
    }
    template <class U, class = decltype(static_cast<element_type *>((typename shared_ptr<U>::element_type *)0))>
    shared_ptr(shared_ptr<U> &&other)
        : __object(other.__object), __count(other.__count) {
        other.__object = 0;
        other.__count = 0;
    }
    template <class U> explicit shared_ptr(const weak_ptr<U> &other) : __object(other.__object), __count(other.__count) {
        if (other.expired()) throw bad_weak_ptr();
        ++__count->owners;
    }
    template <class U, class D> shared_ptr(unique_ptr<U, D> &&other) : __object(other.get()), __count(0) {
        if (!__object) return;
        __count = new __shared_pointer<U, D>(other.get(), other.get_deleter());
        __observe(other.release());
    }
    ~shared_ptr() {
        if (__count) __count->__leave();
    }
    shared_ptr &operator=(const shared_ptr &other) {
        shared_ptr copy(other);
        swap(copy);
        return *this;
    }
    shared_ptr &operator=(shared_ptr &&other) noexcept {
        shared_ptr old((shared_ptr &&)other);
        swap(old);
        return *this;
    }
    template <class U> shared_ptr &operator=(const shared_ptr<U> &other) {
        shared_ptr copy(other);
        swap(copy);
        return *this;
    }
    template <class U, class D> shared_ptr &operator=(unique_ptr<U, D> &&other) {
        shared_ptr made((unique_ptr<U, D> &&)other);
        swap(made);
        return *this;
    }
    void swap(shared_ptr &other) noexcept {
        __swap_parts(__object, other.__object);
        __swap_parts(__count, other.__count);
    }
    void reset() {
        shared_ptr none;
        swap(none);
    }
    template <class __Made> void reset(__Made *object) {
        shared_ptr made(object);
        swap(made);
    }
    template <class __Made, class D> void reset(__Made *object, D end) {
        shared_ptr made(object, end);
        swap(made);
    }
    element_type *get() const { return __object; }
    element_type &operator*() const { return *__object; }
    element_type *operator->() const { return __object; }
    element_type &operator[](ptrdiff_t at) const { return __object[at]; }
    explicit operator bool() const { return __object != 0; }
    long use_count() const { return __count ? __count->owners : 0; }
    bool unique() const { return use_count() == 1; }
    template <class U> bool owner_before(const shared_ptr<U> &other) const { return __count < other.__count; }
    // The object knows its first owner.
    template <class U> void __observe(const enable_shared_from_this<U> *object) {
        if (object && object->__self.expired()) object->__self.__set((U *)object, __count);
    }
    void __observe(const volatile void *) {}
};
template <class T> class weak_ptr {
public:
    typedef T element_type;
    T *__object;
    __shared *__count;
    weak_ptr() : __object(0), __count(0) {}
    weak_ptr(const weak_ptr &other) : __object(other.__object), __count(other.__count) {
        if (__count) ++__count->observers;
    }
    weak_ptr(weak_ptr &&other) noexcept : __object(other.__object), __count(other.__count) {
        other.__object = 0;
        other.__count = 0;
    }
    template <class U> weak_ptr(const weak_ptr<U> &other) : __object(other.__object), __count(other.__count) {
        if (__count) ++__count->observers;
    }
    template <class U> weak_ptr(const shared_ptr<U> &other) : __object(other.__object), __count(other.__count) {
        if (__count) ++__count->observers;
    }
    ~weak_ptr() {
        if (__count) __count->__forget();
    }
    weak_ptr &operator=(const weak_ptr &other) {
        weak_ptr copy(other);
        swap(copy);
        return *this;
    }
    weak_ptr &operator=(weak_ptr &&other) noexcept {
        weak_ptr old((weak_ptr &&)other);
        swap(old);
        return *this;
    }
    template <class U> weak_ptr &operator=(const weak_ptr<U> &other) {
        weak_ptr copy(other);
        swap(copy);
        return *this;
    }
    template <class U> weak_ptr &operator=(const shared_ptr<U> &other) {
        weak_ptr copy(other);
        swap(copy);
        return *this;
    }
    void __set(T *object, __shared *count) {
        weak_ptr none;
        swap(none);
        __object = object;
        __count = count;
        ++count->observers;
    }
    void swap(weak_ptr &other) noexcept {
        __swap_parts(__object, other.__object);
        __swap_parts(__count, other.__count);
    }
    void reset() {
        weak_ptr none;
        swap(none);
    }
    long use_count() const { return __count ? __count->owners : 0; }
    bool expired() const { return use_count() == 0; }
    shared_ptr<T> lock() const { return expired() ? shared_ptr<T>() : shared_ptr<T>(*this); }
    template <class U> bool owner_before(const weak_ptr<U> &other) const { return __count < other.__count; }
};
template <class T> class enable_shared_from_this {
public:
    mutable weak_ptr<T> __self;
    shared_ptr<T> shared_from_this() { return shared_ptr<T>(__self); }
    shared_ptr<const T> shared_from_this() const { return shared_ptr<const T>(__self); }
    weak_ptr<T> weak_from_this() { return __self; }

protected:
    enable_shared_from_this() {}
    enable_shared_from_this(const enable_shared_from_this &) {}
    enable_shared_from_this &operator=(const enable_shared_from_this &) { return *this; }
    ~enable_shared_from_this() {}
};
#define __WS_POINTER_CAST(NAME, CAST)                                                                      \
    template <class T, class U> inline shared_ptr<T> NAME(const shared_ptr<U> &from) {                     \
        T *object = CAST<T *>(from.__object);                                                              \
        return object ? shared_ptr<T>(from, object) : shared_ptr<T>();                                     \
    }
__WS_POINTER_CAST(dynamic_pointer_cast, dynamic_cast)
__WS_POINTER_CAST(static_pointer_cast, static_cast)
__WS_POINTER_CAST(const_pointer_cast, const_cast)
__WS_POINTER_CAST(reinterpret_pointer_cast, reinterpret_cast)
#undef __WS_POINTER_CAST
template <class T, class... A> inline shared_ptr<T> make_shared(A &&...arguments) {
    if constexpr (__is_list<T>) {
        return shared_ptr<T>(new typename __pointed<T>::type[(0 + ... + (size_t)arguments)]());
    } else {
        __shared_object<T> *count = new __shared_object<T>();
        shared_ptr<T> made;
        try {
            made.__object = new ((void *)count->bytes) T((A &&)arguments...);
        } catch (...) {
            delete count;
            throw;
        }
        made.__count = count;
        made.__observe(made.__object);
        return made;
    }
}
template <class T> inline void swap(shared_ptr<T> &a, shared_ptr<T> &b) noexcept { a.swap(b); }
#define __WS_POINTERS(OP)                                                                                  \
    template <class T, class D, class U, class E>                                                          \
    inline bool operator OP(const unique_ptr<T, D> &a, const unique_ptr<U, E> &b) {                        \
        return a.get() OP b.get();                                                                         \
    }                                                                                                      \
    template <class T, class U> inline bool operator OP(const shared_ptr<T> &a, const shared_ptr<U> &b) {  \
        return a.get() OP b.get();                                                                         \
    }
__WS_POINTERS(==)
__WS_POINTERS(!=)
__WS_POINTERS(<)
__WS_POINTERS(>)
__WS_POINTERS(<=)
__WS_POINTERS(>=)
#undef __WS_POINTERS
#define __WS_NULL(OP)                                                                                      \
    template <class T, class D> inline bool operator OP(const unique_ptr<T, D> &a, nullptr_t) {            \
        return a.get() OP 0;                                                                               \
    }                                                                                                      \
    template <class T, class D> inline bool operator OP(nullptr_t, const unique_ptr<T, D> &a) {            \
        return a.get() OP 0;                                                                               \
    }                                                                                                      \
    template <class T> inline bool operator OP(const shared_ptr<T> &a, nullptr_t) { return a.get() OP 0; } \
    template <class T> inline bool operator OP(nullptr_t, const shared_ptr<T> &a) { return a.get() OP 0; }
__WS_NULL(==)
__WS_NULL(!=)
#undef __WS_NULL
template <class T = void> struct owner_less {
    template <class A, class B> bool operator()(const A &a, const B &b) const { return a.__count < b.__count; }
};

template <class T> inline void destroy_at(T *at) { at->~T(); }
template <class I> inline void destroy(I first, I last) {
    for (; first != last; ++first) destroy_at(addressof(*first));
}
template <class I, class N> inline I destroy_n(I first, N count) {
    for (; count > 0; --count) {
        destroy_at(addressof(*first));
        ++first;
    }
    return first;
}
template <class I> using __value_of = typename iterator_traits<I>::value_type;
template <class I, class O> inline O uninitialized_copy(I first, I last, O to) {
    for (; first != last; ++first) {
        new ((void *)addressof(*to)) __value_of<O>(*first);
        ++to;
    }
    return to;
}
template <class I, class N, class O> inline O uninitialized_copy_n(I first, N count, O to) {
    for (; count > 0; --count) {
        new ((void *)addressof(*to)) __value_of<O>(*first);
        ++to;
        ++first;
    }
    return to;
}
template <class I, class O> inline O uninitialized_move(I first, I last, O to) {
    for (; first != last; ++first) {
        new ((void *)addressof(*to)) __value_of<O>((__value_of<I> &&)*first);
        ++to;
    }
    return to;
}
template <class I, class T> inline void uninitialized_fill(I first, I last, const T &value) {
    for (; first != last; ++first) new ((void *)addressof(*first)) __value_of<I>(value);
}
template <class I, class N, class T> inline I uninitialized_fill_n(I first, N count, const T &value) {
    for (; count > 0; --count) {
        new ((void *)addressof(*first)) __value_of<I>(value);
        ++first;
    }
    return first;
}
template <class I> inline void uninitialized_default_construct(I first, I last) {
    for (; first != last; ++first) new ((void *)addressof(*first)) __value_of<I>;
}
template <class I> inline void uninitialized_value_construct(I first, I last) {
    for (; first != last; ++first) new ((void *)addressof(*first)) __value_of<I>();
}
inline void *align(size_t align, size_t size, void *&at, size_t &space) {
    size_t skipped = (align - (size_t)at % align) % align;
    if (space < size || space - size < skipped) return 0;
    space -= skipped;
    at = (char *)at + skipped;
    return at;
}
// The copy of an `auto_ptr` takes the object. GNU's library has it in all standards.
template <class T> struct __auto_ptr_of {
    T *__object;
};
template <class T> class auto_ptr {
public:
    typedef T element_type;
    T *__object;
    explicit auto_ptr(T *object = 0) : __object(object) {}
    auto_ptr(auto_ptr &other) : __object(other.release()) {}
    template <class U> auto_ptr(auto_ptr<U> &other) : __object(other.release()) {}
    auto_ptr(__auto_ptr_of<T> other) : __object(other.__object) {}
    ~auto_ptr() { delete __object; }
    auto_ptr &operator=(auto_ptr &other) {
        reset(other.release());
        return *this;
    }
    template <class U> auto_ptr &operator=(auto_ptr<U> &other) {
        reset(other.release());
        return *this;
    }
    auto_ptr &operator=(__auto_ptr_of<T> other) {
        reset(other.__object);
        return *this;
    }
    T &operator*() const { return *__object; }
    T *operator->() const { return __object; }
    T *get() const { return __object; }
    T *release() {
        T *object = __object;
        __object = 0;
        return object;
    }
    void reset(T *object = 0) {
        if (object != __object) {
            delete __object;
            __object = object;
        }
    }
    template <class U> operator __auto_ptr_of<U>() { return __auto_ptr_of<U>{release()}; }
    template <class U> operator auto_ptr<U>() { return auto_ptr<U>(release()); }
};
template <class T> struct hash;
template <class T> struct hash<shared_ptr<T>> {
    size_t operator()(const shared_ptr<T> &value) const { return (size_t)value.get(); }
};
template <class T, class D> struct hash<unique_ptr<T, D>> {
    size_t operator()(const unique_ptr<T, D> &value) const { return (size_t)value.get(); }
};
template <class S, class T> inline S &operator<<(S &to, const shared_ptr<T> &value) {
    to << (const void *)value.get();
    return to;
}
}
