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
template <class T> inline void __ws_construct(T *first, size_t count) {
    for (size_t i = 0; i < count; ++i) new (first + i) T;
}
template <class T> inline void __ws_copy_array(T *to, const T *from, size_t count) {
    for (size_t i = 0; i < count; ++i) new (to + i) T(from[i]);
}
template <class T> inline void __ws_move_array(T *to, T *from, size_t count) {
    for (size_t i = 0; i < count; ++i) new (to + i) T((T &&)from[i]);
}
template <class T> inline void __ws_assign_array(T *to, const T *from, size_t count) {
    for (size_t i = 0; i < count; ++i) to[i] = from[i];
}
template <class T> inline T *__ws_new_array(size_t count) { return (T *)__ws_malloc(count * sizeof(T)); }
template <class T> inline T *__ws_new_zeroed(size_t count) { return (T *)__ws_calloc(count, sizeof(T)); }
template <size_t N> inline void *__ws_new_bytes(size_t count) { return __ws_malloc(count * N); }
template <size_t N> inline void *__ws_new_zeroed_bytes(size_t count) { return __ws_calloc(count, N); }
template <class T> inline T *__ws_new_objects(size_t count) {
    T *made = (T *)__ws_malloc(count * sizeof(T));
    __ws_construct(made, count);
    return made;
}
// The number of elements is in front of them.
template <class T> inline T *__ws_new_counted(size_t count) {
    size_t *made = (size_t *)__ws_malloc(16 + count * sizeof(T));
    made[0] = count;
    __ws_construct((T *)(made + 2), count);
    return (T *)(made + 2);
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
        size_t *made = (size_t *)first - 2;
        __ws_destroy(first, made[0]);
        free(made);
    }
}
