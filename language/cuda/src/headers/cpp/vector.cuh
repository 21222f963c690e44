// <vector>. Elements move and are copied as those of libstdc++.
#include <__algobase>
#include <__allocator>
#include <initializer_list>
#include <stdexcept>
namespace std {
template <class T, class V = void> inline constexpr bool __is_copied = false;
template <class T> inline constexpr bool __is_copied<T, typename __void<decltype(new T(declval<const T &>()))>::type> = true;
template <class T> inline decltype(auto) __moved_or_copied(T &value) {
    if constexpr (__is_copied<T> && !noexcept(T(declval<T>()))) return (const T &)value;
    else return (T &&)value;
}
// Whether memory of a container is copied as bytes: not if the allocator makes the objects.
template <class T, class A> inline constexpr bool __are_bytes =
    __is_plain(T) && !__constructs<void, A, T> && !__constructs<void, A, T, const T &> && !__destroys<A, T>;
template <class T> inline constexpr bool __are_bytes<T, allocator<T>> = __is_plain(T);
// Makes and ends an element: in place without an allocator of the program, for speed.
#define __WS_MAKE(AT, ...)                                                                                 \
    if constexpr (__is_standard<A>) new (AT) T(__VA_ARGS__);                                               \
    else __make(AT, __VA_ARGS__)
#define __WS_END(AT)                                                                                       \
    if constexpr (__is_standard<A>) (AT)->~T();                                                            \
    else __destroy(AT)
template <class T, class A = allocator<T>> class vector : __held<A> {
public:
    typedef A allocator_type;
    typedef T value_type;
    typedef T *iterator;
    typedef const T *const_iterator;
    typedef std::reverse_iterator<T *> reverse_iterator;
    typedef std::reverse_iterator<const T *> const_reverse_iterator;
    typedef T &reference;
    typedef const T &const_reference;
    typedef size_t size_type;
    typedef ptrdiff_t difference_type;
    T *__first;
    size_t __size;
    size_t __capacity;

    typedef T *pointer;
    typedef const T *const_pointer;
    vector() : __first(0), __size(0), __capacity(0) {}
    explicit vector(const A &from) : __held<A>(from), __first(0), __size(0), __capacity(0) {}
    explicit vector(size_t count) : vector() { resize(count); }
    vector(size_t count, const A &from) : vector(from) { resize(count); }
    vector(size_t count, const T &value) : vector() {
        if (count > 0) __grow(count);
        __fill(count, value);
    }
    vector(size_t count, const T &value, const A &from) : vector(from) {
        if (count > 0) __grow(count);
        __fill(count, value);
    }
    template <class __Iterator> vector(__Iterator first, __Iterator last) : vector() { __append(first, last); }
    template <class __Iterator> vector(__Iterator first, __Iterator last, const A &from) : vector(from) {
        __append(first, last);
    }
    vector(initializer_list<T> list) : vector() { __append(list.begin(), list.end()); }
    vector(initializer_list<T> list, const A &from) : vector(from) { __append(list.begin(), list.end()); }
    vector(const vector &other) : vector(__selected(other.__get())) { __append(other.begin(), other.end()); }
    vector(const vector &other, const A &from) : vector(from) { __append(other.begin(), other.end()); }
    vector(vector &&other) noexcept : __held<A>((A &&)other.__get()) { __take(other); }
    vector(vector &&other, const A &from) : vector(from) { __take_or_move(other); }
    ~vector() {
        clear();
        __free(__first, __capacity);
    }
    A get_allocator() const { return this->__get(); }
    vector &operator=(const vector &other) {
        if (this == &other) return *this;
        if constexpr (__copies_along<A>::value) {
            if (!__equal_allocators(this->__get(), other.__get())) __clear_memory();
            this->__get() = other.__get();
        }
        assign(other.begin(), other.end());
        return *this;
    }
    vector &operator=(vector &&other) noexcept(__moves_along<A>::value || __always_equal<A>::value) {
        if constexpr (__is_standard<A>) {
            vector old((vector &&)other);
            swap(old);
        } else if constexpr (__moves_along<A>::value) {
            __clear_memory();
            this->__get() = (A &&)other.__get();
            __take(other);
        } else {
            __take_or_move(other);
        }
        return *this;
    }
    vector &operator=(initializer_list<T> list) {
        assign(list.begin(), list.end());
        return *this;
    }

    void assign(size_t count, const T &value) {
        if (count > __capacity) {
            vector made(count, value, this->__get());
            swap(made);
            return;
        }
        for (size_t i = 0; i < count && i < __size; ++i) __first[i] = value;
        if (count > __size) __fill(count, value);
        else __end_at(__first + count);
    }
    template <class __Iterator> void assign(__Iterator first, __Iterator last) {
        if constexpr (__reads_once<__Iterator>) {
            clear();
            __append(first, last);
        } else {
            size_t count = 0;
            for (__Iterator at = first; at != last; ++at) ++count;
            if (count > __capacity) {
                vector made(first, last, this->__get());
                swap(made);
                return;
            }
            T *to = __first;
            for (; first != last && to != __first + __size; ++first) {
                *to = *first;
                ++to;
            }
            if (count < __size) __end_at(to);
            else __append(first, last);
        }
    }
    void assign(initializer_list<T> list) { assign(list.begin(), list.end()); }

    iterator begin() { return __first; }
    const_iterator begin() const { return __first; }
    iterator end() { return __first + __size; }
    const_iterator end() const { return __first + __size; }
    const_iterator cbegin() const { return __first; }
    const_iterator cend() const { return __first + __size; }
    reverse_iterator rbegin() { return reverse_iterator(end()); }
    reverse_iterator rend() { return reverse_iterator(begin()); }
    const_reverse_iterator rbegin() const { return const_reverse_iterator(end()); }
    const_reverse_iterator rend() const { return const_reverse_iterator(begin()); }
    const_reverse_iterator crbegin() const { return rbegin(); }
    const_reverse_iterator crend() const { return rend(); }
    size_t size() const { return __size; }
    size_t max_size() const { return 0x7fffffffffffffffUL / sizeof(T); }
    size_t capacity() const { return __capacity; }
    bool empty() const { return __size == 0; }
    T *data() { return __first; }
    const T *data() const { return __first; }
    T &operator[](size_t at) { return __first[at]; }
    const T &operator[](size_t at) const { return __first[at]; }
    T &at(size_t at) {
        __check(at);
        return __first[at];
    }
    const T &at(size_t at) const {
        __check(at);
        return __first[at];
    }
    T &front() { return __first[0]; }
    const T &front() const { return __first[0]; }
    T &back() { return __first[__size - 1]; }
    const T &back() const { return __first[__size - 1]; }

    void reserve(size_t count) {
        if (count > max_size()) throw length_error("vector::reserve");
        if (count > __capacity) __grow(count);
    }
    void shrink_to_fit() {
        if (__capacity == __size) return;
        T *to = __size ? __allocate(__size) : 0;
        __relocate(__first, to, __size, false);
        __end(__first, __size);
        __free(__first, __capacity);
        __first = to;
        __capacity = __size;
    }
    void resize(size_t count) {
        if (count <= __size) {
            __end_at(__first + count);
        } else if constexpr (__are_bytes<T, A>) {
            if (count > __capacity) __grow(__larger(count));
            memset((void *)(__first + __size), 0, (count - __size) * sizeof(T));
            __size = count;
        } else {
            size_t room = __room_with(count - __size);
            __unfinished made(this, __memory_of(room), __size, room);
            while (made.count < count - __size) made.add([&](T *to) { __make(to); });
            __settle(made.memory, count, room);
            made.finish();
        }
    }
    void resize(size_t count, const T &value) {
        if (count <= __size) {
            __end_at(__first + count);
        } else {
            T copy = value;
            size_t room = __room_with(count - __size);
            __unfinished made(this, __memory_of(room), __size, room);
            while (made.count < count - __size) made.add([&](T *to) { __WS_MAKE(to, copy); });
            __settle(made.memory, count, room);
            made.finish();
        }
    }
    void clear() {
        __end_at(__first);
    }
    void push_back(const T &value) { emplace_back(value); }
    void push_back(T &&value) { emplace_back((T &&)value); }
    // A new element is made before the others move: the arguments can be of them.
    template <class... B> T &emplace_back(B &&...arguments) {
        if (__size < __capacity) {
            __WS_MAKE(__first + __size, (B &&)arguments...);
            ++__size;
        } else if constexpr (__are_bytes<T, A>) {
            T made((B &&)arguments...);
            __grow(__larger(__size + 1));
            __WS_MAKE(__first + __size, made);
            ++__size;
        } else {
            size_t room = __room_with(1);
            __unfinished made(this, __memory_of(room), __size, room);
            made.add([&](T *to) { __WS_MAKE(to, (B &&)arguments...); });
            __settle(made.memory, __size + 1, room);
            made.finish();
        }
        return __first[__size - 1];
    }
    void pop_back() {
        --__size;
        __WS_END(__first + __size);
    }
    template <class... B> T *emplace(const T *at, B &&...arguments) {
        size_t place = at - __first;
        if (place == __size) {
            emplace_back((B &&)arguments...);
        } else if (__size == __capacity) {
            __insert_in_new(place, 1, true, false, [&](T *to) { __WS_MAKE(to, (B &&)arguments...); });
        } else {
            T made((B &&)arguments...);
            __open(place, 1);
            if constexpr (__are_bytes<T, A>) __WS_MAKE(__first + place, made);
            else __first[place] = (T &&)made;
        }
        return __first + place;
    }
    T *insert(const T *at, const T &value) { return emplace(at, value); }
    T *insert(const T *at, T &&value) {
        size_t place = at - __first;
        if (place == __size || __size == __capacity || __are_bytes<T, A>) return emplace(at, (T &&)value);
        __open(place, 1);
        __first[place] = (T &&)value;
        return __first + place;
    }
    T *insert(const T *at, size_t count, const T &value) {
        if (count == 0 || __size + count > __capacity) {
            return __insert_made(at, count, false, [&](T *to) { __WS_MAKE(to, value); });
        }
        T copy(value);
        size_t place = at - __first, behind = __size - place;
        __insert_behind(place, count, [&](T *to) { __WS_MAKE(to, copy); });
        for (size_t i = 0; i < count && (__are_bytes<T, A> || i < behind); ++i) {
            if constexpr (__are_bytes<T, A>) __WS_MAKE(__first + place + i, copy);
            else __first[place + i] = copy;
        }
        return __first + place;
    }
    template <class __Iterator> T *insert(const T *at, __Iterator first, __Iterator last) {
        if constexpr (__reads_once<__Iterator>) {
            vector made(first, last, this->__get());
            return insert(at, made.begin(), made.end());
        } else {
            size_t count = 0;
            for (__Iterator one = first; one != last; ++one) ++count;
            if (count == 0 || __size + count > __capacity) {
                return __insert_made(at, count, true, [&](T *to) {
                    __WS_MAKE(to, *first);
                    ++first;
                });
            }
            size_t place = at - __first, behind = __size - place;
            __Iterator middle = first;
            if constexpr (!__are_bytes<T, A>)
                for (size_t i = 0; i < behind && i < count; ++i) ++middle;
            __insert_behind(place, count, [&](T *to) {
                __WS_MAKE(to, *middle);
                ++middle;
            });
            for (size_t i = 0; i < count && (__are_bytes<T, A> || i < behind); ++i) {
                if constexpr (__are_bytes<T, A>) __WS_MAKE(__first + place + i, *first);
                else __first[place + i] = *first;
                ++first;
            }
            return __first + place;
        }
    }
    T *insert(const T *at, initializer_list<T> list) { return insert(at, list.begin(), list.end()); }
    T *erase(const T *at) { return erase(at, at + 1); }
    T *erase(const T *from, const T *to) {
        T *place = __first + (from - __first);
        size_t count = to - from;
        if (count == 0) return place;
        if constexpr (__are_bytes<T, A>) {
            memmove((void *)place, (void *)to, (__first + __size - to) * sizeof(T));
            __size -= count;
        } else {
            T *last = __first + __size;
            for (T *at = place; at + count != last; ++at) *at = (T &&)at[count];
            __end_at(last - count);
        }
        return place;
    }
    void swap(vector &other) noexcept {
        T *first = __first;
        size_t size = __size, capacity = __capacity;
        __first = other.__first;
        __size = other.__size;
        __capacity = other.__capacity;
        other.__first = first;
        other.__size = size;
        other.__capacity = capacity;
        if constexpr (__swaps_along<A>::value) __swap_parts(this->__get(), other.__get());
    }

    void __check(size_t at) const {
        if (at >= __size) {
            char text[128];
            sprintf(text, "vector::_M_range_check: __n (which is %zu) >= this->size() (which is %zu)", at, __size);
            throw out_of_range(text);
        }
    }
    size_t __larger(size_t count) const { return count > 2 * __size ? count : 2 * __size; }
    void __grow(size_t count) {
        if (count > max_size()) throw length_error("vector::_M_default_append");
        if constexpr (__is_plain(T) && __is_standard<A>) {
            __first = (T *)__ws_realloc((void *)__first, count * sizeof(T) + (count == 0));
            __capacity = count;
        } else {
            __settle(__allocate(count), __size, count);
        }
    }
    T *__allocate(size_t count) {
        if constexpr (__is_standard<A>) return (T *)__ws_malloc(count * sizeof(T) + (count == 0));
        else return this->__get().allocate(count);
    }
    void __free(T *first, size_t count) {
        if constexpr (__is_standard<A>) free((void *)first);
        else if (first) this->__get().deallocate(first, count);
    }
    template <class... B> void __make(T *at, B &&...values) {
        if constexpr (__constructs<void, A, T, B...>) this->__get().construct(at, (B &&)values...);
        else new (at) T((B &&)values...);
    }
    void __destroy(T *at) {
        if constexpr (__destroys<A, T>) this->__get().destroy(at);
        else at->~T();
    }
    // The capacity with more elements behind the others.
    size_t __room_with(size_t count) const {
        if (__size + count <= __capacity) return __capacity;
        size_t room = __larger(__size + count);
        if (room > max_size()) throw length_error("vector::_M_default_append");
        return room;
    }
    T *__memory_of(size_t room) { return room == __capacity ? __first : __allocate(room); }
    // The old elements move to new memory: each one at once, if that cannot throw.
    void __settle(T *to, size_t count, size_t room) {
        if (to != __first) {
            __relocate(__first, to, __size, true);
            __free(__first, __capacity);
            __first = to;
            __capacity = room;
        }
        __size = count;
    }
    void __clear_memory() {
        clear();
        __free(__first, __capacity);
        __first = 0;
        __capacity = 0;
    }
    // Takes the memory of a vector with an equal allocator; this one has none.
    void __take(vector &other) {
        __first = other.__first;
        __size = other.__size;
        __capacity = other.__capacity;
        other.__first = 0;
        other.__size = other.__capacity = 0;
    }
    // Memory of another allocator cannot be taken: the elements move.
    void __take_or_move(vector &other) {
        if (__equal_allocators(this->__get(), other.__get())) {
            __clear_memory();
            __take(other);
        } else {
            clear();
            reserve(other.__size);
            for (size_t i = 0; i < other.__size; ++i) emplace_back((T &&)other.__first[i]);
            other.clear();
        }
    }
    void __end(T *first, size_t count) {
        if constexpr (!__are_bytes<T, A>)
            for (size_t i = 0; i < count; ++i) __WS_END(first + i);
    }
    // New elements: they end, and new memory is free, if a constructor fails.
    struct __unfinished {
        vector *owner;
        T *memory, *first;
        size_t count, room;
        __unfinished(vector *owner, T *memory, size_t place, size_t room)
            : owner(owner), memory(memory), first(memory + place), count(0), room(room) {}
        ~__unfinished() {
            owner->__end(first, count);
            if (memory && memory != owner->__first) owner->__free(memory, room);
        }
        template <class F> void add(F make) {
            make(first + count);
            ++count;
        }
        void finish() {
            count = 0;
            memory = 0;
        }
    };
    // With `ends` the old elements end, too.
    void __relocate(T *from, T *to, size_t count, bool ends) {
        if constexpr (__are_bytes<T, A>) {
            if (count > 0) memcpy((void *)to, (const void *)from, count * sizeof(T));
        } else {
            bool at_once = ends && noexcept(T(declval<T>())) && !__constructs<void, A, T, T>;
            if (at_once) {
                for (size_t i = 0; i < count; ++i) {
                    __WS_MAKE(to + i, __moved_or_copied(from[i]));
                    __WS_END(from + i);
                }
            } else {
                __unfinished made(this, __first, to - __first, 0);
                for (; made.count < count; ++made.count)
                    __WS_MAKE(to + made.count, __moved_or_copied(from[made.count]));
                made.finish();
                if (ends) __end(from, count);
            }
        }
    }
    // Makes elements in new memory; those of a range behind the elements in front of them.
    template <class F> void __insert_in_new(size_t place, size_t count, bool at_once, bool is_range, F make) {
        size_t room = __larger(__size + count);
        if (room > max_size()) throw length_error("vector::_M_range_insert");
        __unfinished front(this, __allocate(room), 0, room), made(this, front.memory, place, room);
        made.memory = 0;
        T *to = front.memory;
        at_once = at_once && noexcept(T(declval<T>())) && !__constructs<void, A, T, T>;
        if (is_range) {
            __relocate(__first, to, place, at_once);
            front.count = place;
        }
        while (made.count < count) made.add(make);
        if (!is_range) {
            __relocate(__first, to, place, at_once);
            front.count = place;
        }
        __relocate(__first + place, to + place + count, __size - place, at_once);
        front.finish();
        made.finish();
        if (!at_once) __end(__first, __size);
        __free(__first, __capacity);
        __first = to;
        __size += count;
        __capacity = room;
    }
    // Inserts elements in new memory, or none.
    template <class F> T *__insert_made(const T *at, size_t count, bool is_range, F make) {
        size_t place = at - __first;
        if (count > 0) __insert_in_new(place, count, false, is_range, make);
        return __first + place;
    }
    // Makes room for elements in front of others, which become elements behind the old end. Makes
    // those of the new ones that are there, too.
    template <class F> void __insert_behind(size_t place, size_t count, F make) {
        size_t behind = __size - place;
        if (__are_bytes<T, A> || behind > count) return __open(place, count);
        T *last = __first + __size;
        __unfinished made(this, __first, __size, 0);
        while (made.count < count - behind) made.add(make);
        made.finish();
        __size += count - behind;
        __unfinished moved(this, __first, __size, 0);
        while (moved.count < behind) moved.add([&](T *to) { __WS_MAKE(to, (T &&)*(last - behind + moved.count)); });
        moved.finish();
        __size += behind;
    }
    void __fill(size_t count, const T &value) {
        while (__size < count) {
            __WS_MAKE(__first + __size, value);
            ++__size;
        }
        if (__size > count) __end_at(__first + count);
    }
    // Destroys the elements from one on, the first one first.
    void __end_at(T *from) {
        if constexpr (!__are_bytes<T, A>)
            for (T *at = from; at != __first + __size; ++at) __WS_END(at);
        __size = from - __first;
    }
    // Moves the elements from a place on, which are at least `count`; the elements there have no
    // value of use then.
    void __open(size_t place, size_t count) {
        if constexpr (__are_bytes<T, A>) {
            memmove((void *)(__first + place + count), (void *)(__first + place), (__size - place) * sizeof(T));
            __size += count;
        } else {
            T *last = __first + __size;
            __unfinished made(this, __first, __size, 0);
            while (made.count < count) made.add([&](T *to) { __WS_MAKE(to, (T &&)*(to - count)); });
            made.finish();
            __size += count;
            for (T *to = last; to != __first + place + count; --to) to[-1] = (T &&)to[-1 - (ptrdiff_t)count];
        }
    }
    template <class I> void __append(I first, I last) {
        if constexpr (__reads_once<I>) {
            for (; first != last; ++first) push_back(*first);
            return;
        }
        size_t count = 0;
        for (I at = first; at != last; ++at) ++count;
        if (__size + count > __capacity) __grow(__size + count);
        for (; first != last; ++first) {
            __WS_MAKE(__first + __size, *first);
            ++__size;
        }
    }
    void __append(const T *first, const T *last) {
        size_t count = last - first;
        if (count == 0) return;
        if (__size + count > __capacity) __grow(__size + count);
        if (__are_bytes<T, A>) {
            memcpy((void *)(__first + __size), (const void *)first, count * sizeof(T));
            __size += count;
            return;
        }
        for (; first != last; ++first) {
            __WS_MAKE(__first + __size, *first);
            ++__size;
        }
    }
};
#undef __WS_MAKE
#undef __WS_END
template <class I> vector(I, I) -> vector<typename iterator_traits<I>::value_type>;
template <class T, class A> inline bool operator==(const vector<T, A> &a, const vector<T, A> &b) {
    if (a.size() != b.size()) return false;
    for (size_t i = 0; i < a.size(); ++i)
        if (!(a[i] == b[i])) return false;
    return true;
}
template <class T, class A> inline bool operator!=(const vector<T, A> &a, const vector<T, A> &b) { return !(a == b); }
template <class T, class A> inline bool operator<(const vector<T, A> &a, const vector<T, A> &b) {
    for (size_t i = 0; i < a.size() && i < b.size(); ++i) {
        if (a[i] < b[i]) return true;
        if (b[i] < a[i]) return false;
    }
    return a.size() < b.size();
}
template <class T, class A> inline bool operator>(const vector<T, A> &a, const vector<T, A> &b) { return b < a; }
template <class T, class A> inline bool operator<=(const vector<T, A> &a, const vector<T, A> &b) { return !(b < a); }
template <class T, class A> inline bool operator>=(const vector<T, A> &a, const vector<T, A> &b) { return !(a < b); }
template <class T, class A> inline void swap(vector<T, A> &a, vector<T, A> &b) noexcept { a.swap(b); }
#if __cplusplus >= 202002L
template <class T, class A, class F>
inline size_t erase_if(vector<T, A> &from, F takes) {
    return __erase_moved(from, takes);
}
template <class T, class A, class U> inline size_t erase(vector<T, A> &from, const U &value) {
    return __erase_moved(from, [&](const auto &one) { return one == value; });
}
#endif
}
#include <__vector_bool>
