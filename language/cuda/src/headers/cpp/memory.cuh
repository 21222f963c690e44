// <memory>: pointers that own their objects.
#include <__algobase>
#include <utility>
namespace std {
template <class T> struct default_delete {
    void operator()(T *object) const { delete object; }
};
template <class T> struct default_delete<T[]> {
    void operator()(T *first) const { delete[] first; }
};
template <class T, class D = default_delete<T> > class unique_ptr {
public:
    typedef T element_type;
    typedef T *pointer;
    T *__object;
    D __delete;
    unique_ptr() : __object(0), __delete() {}
    explicit unique_ptr(T *object) : __object(object), __delete() {}
    unique_ptr(nullptr_t) : __object(0), __delete() {}
    unique_ptr(T *object, const D &deleter) : __object(object), __delete(deleter) {}
    unique_ptr(const unique_ptr &) = delete;
    unique_ptr(unique_ptr &&other) : __object(other.release()), __delete(other.__delete) {}
    template <class __Derived> unique_ptr(unique_ptr<__Derived> &&other) : __object(other.release()), __delete() {}
    ~unique_ptr() { reset(); }
    unique_ptr &operator=(const unique_ptr &) = delete;
    unique_ptr &operator=(unique_ptr &&other) {
        reset(other.release());
        return *this;
    }
    template <class __Derived> unique_ptr &operator=(unique_ptr<__Derived> &&other) {
        reset(other.release());
        return *this;
    }
    unique_ptr &operator=(nullptr_t) {
        reset();
        return *this;
    }
    T *get() const { return __object; }
    T &operator*() const { return *__object; }
    T *operator->() const { return __object; }
    explicit operator bool() const { return __object != 0; }
    D &get_deleter() { return __delete; }
    T *release() {
        T *object = __object;
        __object = 0;
        return object;
    }
    void reset(T *object = 0) {
        T *old = __object;
        __object = object;
        if (old) __delete(old);
    }
    void swap(unique_ptr &other) {
        T *object = __object;
        __object = other.__object;
        other.__object = object;
    }
};
template <class T, class D> class unique_ptr<T[], D> {
public:
    typedef T element_type;
    typedef T *pointer;
    T *__object;
    D __delete;
    unique_ptr() : __object(0), __delete() {}
    explicit unique_ptr(T *object) : __object(object), __delete() {}
    unique_ptr(T *object, const D &deleter) : __object(object), __delete(deleter) {}
    unique_ptr(const unique_ptr &) = delete;
    unique_ptr(unique_ptr &&other) : __object(other.release()), __delete(other.__delete) {}
    ~unique_ptr() { reset(); }
    unique_ptr &operator=(const unique_ptr &) = delete;
    unique_ptr &operator=(unique_ptr &&other) {
        reset(other.release());
        return *this;
    }
    T *get() const { return __object; }
    T &operator[](size_t at) const { return __object[at]; }
    explicit operator bool() const { return __object != 0; }
    T *release() {
        T *object = __object;
        __object = 0;
        return object;
    }
    void reset(T *object = 0) {
        T *old = __object;
        __object = object;
        if (old) __delete(old);
    }
};
template <class T, class D> inline bool operator==(const unique_ptr<T, D> &a, nullptr_t) {
    return a.get() == 0;
}
template <class T, class D> inline bool operator!=(const unique_ptr<T, D> &a, nullptr_t) {
    return a.get() != 0;
}
template <class T> struct __made {
    typedef unique_ptr<T> one;
};
template <class T> struct __made<T[]> {
    typedef unique_ptr<T[]> list;
};
template <class T> inline typename __made<T>::one make_unique() { return unique_ptr<T>(new T()); }
template <class T, class A> inline typename __made<T>::one make_unique(A &&a) {
    return unique_ptr<T>(new T((A &&)a));
}
template <class T, class A, class B> inline typename __made<T>::one make_unique(A &&a, B &&b) {
    return unique_ptr<T>(new T((A &&)a, (B &&)b));
}
template <class T, class A, class B, class C> inline typename __made<T>::one make_unique(A &&a, B &&b, C &&c) {
    return unique_ptr<T>(new T((A &&)a, (B &&)b, (C &&)c));
}
template <class T> struct __element;
template <class T> struct __element<T[]> {
    typedef T type;
};
template <class T> inline typename __made<T>::list make_unique(size_t count) {
    return unique_ptr<T>(new typename __element<T>::type[count]());
}
// What the pointers to an object share: the object as it was made.
struct __shared {
    long count;
    void *object;
    void (*end)(void *);
};
template <class T> inline void __end_shared(void *object) { delete (T *)object; }
template <class T> class shared_ptr {
public:
    typedef T element_type;
    T *__object;
    __shared *__count;
    shared_ptr() : __object(0), __count(0) {}
    shared_ptr(nullptr_t) : __object(0), __count(0) {}
    template <class __Made> explicit shared_ptr(__Made *object) : __object(object), __count(new __shared()) {
        __count->count = 1;
        __count->object = object;
        __count->end = __end_shared<__Made>;
    }
    shared_ptr(const shared_ptr &other) : __object(other.__object), __count(other.__count) {
        if (__count) ++__count->count;
    }
    template <class __Derived> shared_ptr(const shared_ptr<__Derived> &other)
        : __object(other.__object), __count(other.__count) {
        if (__count) ++__count->count;
    }
    shared_ptr(shared_ptr &&other) : __object(other.__object), __count(other.__count) {
        other.__object = 0;
        other.__count = 0;
    }
    ~shared_ptr() { reset(); }
    shared_ptr &operator=(const shared_ptr &other) {
        shared_ptr copy(other);
        swap(copy);
        return *this;
    }
    shared_ptr &operator=(shared_ptr &&other) {
        swap(other);
        return *this;
    }
    void swap(shared_ptr &other) {
        T *object = __object;
        __shared *count = __count;
        __object = other.__object;
        __count = other.__count;
        other.__object = object;
        other.__count = count;
    }
    void reset() {
        if (__count && --__count->count == 0) {
            __count->end(__count->object);
            delete __count;
        }
        __object = 0;
        __count = 0;
    }
    template <class __Made> void reset(__Made *object) {
        shared_ptr made(object);
        swap(made);
    }
    T *get() const { return __object; }
    T &operator*() const { return *__object; }
    T *operator->() const { return __object; }
    explicit operator bool() const { return __object != 0; }
    long use_count() const { return __count ? __count->count : 0; }
};
template <class T, class U> inline shared_ptr<T> dynamic_pointer_cast(const shared_ptr<U> &from) {
    shared_ptr<T> made;
    made.__object = dynamic_cast<T *>(from.__object);
    if (made.__object) {
        made.__count = from.__count;
        ++made.__count->count;
    }
    return made;
}
template <class T, class U> inline shared_ptr<T> static_pointer_cast(const shared_ptr<U> &from) {
    shared_ptr<T> made;
    made.__object = static_cast<T *>(from.__object);
    made.__count = from.__count;
    if (made.__count) ++made.__count->count;
    return made;
}
template <class T> inline shared_ptr<T> make_shared() { return shared_ptr<T>(new T()); }
template <class T, class A> inline shared_ptr<T> make_shared(A &&a) { return shared_ptr<T>(new T((A &&)a)); }
template <class T, class A, class B> inline shared_ptr<T> make_shared(A &&a, B &&b) {
    return shared_ptr<T>(new T((A &&)a, (B &&)b));
}
template <class T, class A, class B, class C> inline shared_ptr<T> make_shared(A &&a, B &&b, C &&c) {
    return shared_ptr<T>(new T((A &&)a, (B &&)b, (C &&)c));
}
}
