// What constructors, destructors, `new` and `delete` need, in both halves.
inline void __ws_nothing() {}
// The table of a part of an object begins with what is known of the object's class (its name, the
// number of its public base classes, and the same of each one with its offset), and the offset of
// the part.
inline char *__ws_whole_object(void *part) { return part ? (char *)part - (*(long **)part)[1] : 0; }
template <class T> inline void __ws_destroy(T *first, size_t count) {
    while (count > 0) first[--count].~T();
}
template <class T, size_t N> inline void __ws_destroy_array(T *first) { __ws_destroy(first, N); }
#ifndef __CUDA_ARCH__
// Elements of an array: they end, and the memory is free, if the constructor of the next one fails.
template <class T> struct __ws_unfinished {
    T *first;
    size_t count;
    void *memory;
    ~__ws_unfinished() {
        __ws_destroy(first, count);
        free(memory);
    }
    void finish() {
        count = 0;
        memory = 0;
    }
};
#define __WS_ELEMENTS(FIRST, MEMORY, COUNT, ...)                                                           \
    __ws_unfinished<T> made = {FIRST, 0, MEMORY};                                                          \
    for (; made.count < COUNT; ++made.count) {                                                             \
        size_t i = made.count;                                                                             \
        new (FIRST + i) __VA_ARGS__;                                                                       \
    }                                                                                                      \
    made.finish();
#else
#define __WS_ELEMENTS(FIRST, MEMORY, COUNT, ...)                                                           \
    for (size_t i = 0; i < COUNT; ++i) new (FIRST + i) __VA_ARGS__;
#endif
template <class T> inline void __ws_construct(T *first, size_t count) { __WS_ELEMENTS(first, 0, count, T) }
template <class T> inline void __ws_copy_array(T *to, const T *from, size_t count) {
    __WS_ELEMENTS(to, 0, count, T(from[i]))
}
template <class T> inline void __ws_move_array(T *to, T *from, size_t count) {
    __WS_ELEMENTS(to, 0, count, T((T &&)from[i]))
}
template <class T> inline void __ws_assign_array(T *to, const T *from, size_t count) {
    for (size_t i = 0; i < count; ++i) to[i] = from[i];
}
template <class T> inline T *__ws_new_array(size_t count) { return (T *)__ws_malloc(count * sizeof(T)); }
template <class T> inline T *__ws_new_zeroed(size_t count) { return (T *)__ws_calloc(count, sizeof(T)); }
template <size_t N> inline void *__ws_new_bytes(size_t count) { return __ws_malloc(count * N); }
template <size_t N> inline void *__ws_new_zeroed_bytes(size_t count) { return __ws_calloc(count, N); }
// Elements in memory that exists.
template <class T> inline size_t __ws_size(size_t count) { return count * sizeof(T); }
template <class T> inline T *__ws_array_in(void *memory, size_t) { return (T *)memory; }
template <class T> inline T *__ws_zeroed_in(void *memory, size_t count) {
    for (size_t i = 0; i < count; ++i) ((T *)memory)[i] = T();
    return (T *)memory;
}
template <class T> inline T *__ws_objects_in(void *memory, size_t count) {
    __ws_construct((T *)memory, count);
    return (T *)memory;
}
template <class T> inline T *__ws_new_objects(size_t count) {
    T *first = (T *)__ws_malloc(count * sizeof(T));
    __WS_ELEMENTS(first, (void *)first, count, T)
    return first;
}
// Elements that are destroyed: their number is in front of them.
template <class T> inline size_t __ws_front() { return alignof(T) > sizeof(size_t) ? alignof(T) : sizeof(size_t); }
template <class T> inline size_t __ws_size_counted(size_t count) { return __ws_front<T>() + count * sizeof(T); }
template <class T> inline T *__ws_counted_in(void *memory, size_t count) {
    T *first = (T *)((char *)memory + __ws_front<T>());
    ((size_t *)first)[-1] = count;
    __ws_construct(first, count);
    return first;
}
template <class T> inline T *__ws_new_counted(size_t count) {
    char *memory = (char *)__ws_malloc(__ws_size_counted<T>(count));
    T *first = (T *)(memory + __ws_front<T>());
    ((size_t *)first)[-1] = count;
    __WS_ELEMENTS(first, (void *)memory, count, T)
    return first;
}
template <class T> inline void __ws_delete(T *object) {
    if (object) {
        object->~T();
        free((void *)object);
    }
}
// The object may begin before the part that the pointer refers to.
template <class T> inline void __ws_delete_whole(T *object) {
    if (object) {
        void *whole = __ws_whole_object((void *)object);
        object->~T();
        free(whole);
    }
}
template <class T> inline void __ws_delete_array(T *first) {
    if (first) {
        __ws_destroy(first, ((size_t *)first)[-1]);
        free((char *)first - __ws_front<T>());
    }
}
// With the `operator delete` of the class.
template <class T> inline void __ws_delete_by(T *object, void (*release)(void *)) {
    if (object) {
        object->~T();
        release((void *)object);
    }
}
template <class T> inline void __ws_delete_by_size(T *object, void (*release)(void *, size_t)) {
    if (object) {
        object->~T();
        release((void *)object, sizeof(T));
    }
}
template <class T> inline void __ws_delete_whole_by(T *object, void (*release)(void *)) {
    if (object) {
        void *whole = __ws_whole_object((void *)object);
        object->~T();
        release(whole);
    }
}
template <class T> inline void __ws_delete_array_by(T *first, void (*release)(void *)) {
    if (first) {
        __ws_destroy(first, ((size_t *)first)[-1]);
        release((char *)first - __ws_front<T>());
    }
}
template <class T> inline void __ws_release_by(T *memory, void (*release)(void *)) {
    if (memory) release((void *)memory);
}
// The result of a function of two numbers, of which one is no `float`.
template <class T> struct __ws_number {};
#define __WS_NUMBER(TYPE)                                                                                  \
    template <> struct __ws_number<TYPE> {                                                                 \
        typedef double type;                                                                               \
    };
__WS_NUMBER(bool)
__WS_NUMBER(char)
__WS_NUMBER(signed char)
__WS_NUMBER(unsigned char)
__WS_NUMBER(short)
__WS_NUMBER(unsigned short)
__WS_NUMBER(int)
__WS_NUMBER(unsigned int)
__WS_NUMBER(long)
__WS_NUMBER(unsigned long)
__WS_NUMBER(long long)
__WS_NUMBER(unsigned long long)
__WS_NUMBER(float)
__WS_NUMBER(double)
template <class A, class B> struct __ws_both {
    typedef typename __ws_number<A>::type first;
    typedef typename __ws_number<B>::type type;
};
// The result of a function of an integer.
template <class T, class R> struct __ws_integer {
    typedef R type;
};
template <class R> struct __ws_integer<float, R> {};
template <class R> struct __ws_integer<double, R> {};
