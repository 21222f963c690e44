// <vector>. Elements move and are copied as those of libstdc++.
#include <__algobase>
#include <initializer_list>
#include <stdexcept>
namespace std {
template <class T, class V = void> inline constexpr bool __is_copied = false;
template <class T> inline constexpr bool __is_copied<T, typename __void<decltype(new T(declval<const T &>()))>::type> = true;
template <class T> inline decltype(auto) __moved_or_copied(T &value) {
    if constexpr (__is_copied<T> && !noexcept(T(declval<T>()))) return (const T &)value;
    else return (T &&)value;
}
template <class T> class vector {
public:
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
    explicit vector(size_t count) : __first(0), __size(0), __capacity(0) { resize(count); }
    vector(size_t count, const T &value) : __first(0), __size(0), __capacity(0) {
        __first = __room_at_end(count);
        __fill(count, value);
    }
    template <class __Iterator> vector(__Iterator first, __Iterator last) : __first(0), __size(0), __capacity(0) {
        __append(first, last);
    }
    vector(initializer_list<T> list) : __first(0), __size(0), __capacity(0) {
        __append(list.begin(), list.end());
    }
    vector(const vector &other) : __first(0), __size(0), __capacity(0) {
        __append(other.begin(), other.end());
    }
    vector(vector &&other) noexcept : __first(other.__first), __size(other.__size), __capacity(other.__capacity) {
        other.__first = 0;
        other.__size = other.__capacity = 0;
    }
    ~vector() {
        clear();
        free((void *)__first);
    }
    vector &operator=(const vector &other) {
        if (this != &other) assign(other.begin(), other.end());
        return *this;
    }
    vector &operator=(vector &&other) noexcept {
        vector old((vector &&)other);
        swap(old);
        return *this;
    }
    vector &operator=(initializer_list<T> list) {
        assign(list.begin(), list.end());
        return *this;
    }

    void assign(size_t count, const T &value) {
        if (count > __capacity) {
            vector made(count, value);
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
                vector made(first, last);
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

    T *begin() { return __first; }
    const T *begin() const { return __first; }
    T *end() { return __first + __size; }
    const T *end() const { return __first + __size; }
    const T *cbegin() const { return __first; }
    const T *cend() const { return __first + __size; }
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
        if (count > __capacity) __grow(count);
    }
    void shrink_to_fit() {
        if (__capacity == __size) return;
        T *to = __size ? (T *)__ws_malloc(__size * sizeof(T)) : 0;
        __relocate(__first, to, __size, false);
        __end(__first, __size);
        free((void *)__first);
        __first = to;
        __capacity = __size;
    }
    void resize(size_t count) {
        if (count <= __size) {
            __end_at(__first + count);
        } else if constexpr (__is_plain(T)) {
            if (count > __capacity) __grow(__larger(count));
            memset((void *)(__first + __size), 0, (count - __size) * sizeof(T));
            __size = count;
        } else {
            T *to = __room_at_end(count - __size);
            for (size_t i = __size; i < count; ++i) new (to + i) T();
            __settle(to, count);
        }
    }
    void resize(size_t count, const T &value) {
        if (count <= __size) {
            __end_at(__first + count);
        } else {
            T copy = value;
            T *to = __room_at_end(count - __size);
            for (size_t i = __size; i < count; ++i) new (to + i) T(copy);
            __settle(to, count);
        }
    }
    void clear() {
        __end_at(__first);
    }
    void push_back(const T &value) { emplace_back(value); }
    void push_back(T &&value) { emplace_back((T &&)value); }
    // A new element is made before the others move: the arguments can be of them.
    template <class... A> T &emplace_back(A &&...arguments) {
        if (__size < __capacity) {
            new (__first + __size) T((A &&)arguments...);
            ++__size;
        } else if constexpr (__is_plain(T)) {
            T made((A &&)arguments...);
            __grow(__larger(__size + 1));
            new (__first + __size) T(made);
            ++__size;
        } else {
            T *to = __room_at_end(1);
            new (to + __size) T((A &&)arguments...);
            __settle(to, __size + 1);
        }
        return __first[__size - 1];
    }
    void pop_back() {
        --__size;
        __first[__size].~T();
    }
    template <class... A> T *emplace(const T *at, A &&...arguments) {
        size_t place = at - __first;
        if (place == __size) {
            emplace_back((A &&)arguments...);
        } else if (__size == __capacity) {
            __insert_in_new(place, 1, true, false, [&](T *to) { new (to) T((A &&)arguments...); });
        } else {
            T made((A &&)arguments...);
            __open(place, 1);
            if constexpr (__is_plain(T)) new (__first + place) T(made);
            else __first[place] = (T &&)made;
        }
        return __first + place;
    }
    T *insert(const T *at, const T &value) { return emplace(at, value); }
    T *insert(const T *at, T &&value) {
        size_t place = at - __first;
        if (place == __size || __size == __capacity || __is_plain(T)) return emplace(at, (T &&)value);
        __open(place, 1);
        __first[place] = (T &&)value;
        return __first + place;
    }
    T *insert(const T *at, size_t count, const T &value) {
        T copy(value);
        return __insert_values(at, count, false, [&](size_t) -> const T & { return copy; });
    }
    template <class __Iterator> T *insert(const T *at, __Iterator first, __Iterator last) {
        if constexpr (__reads_once<__Iterator>) {
            vector made(first, last);
            return insert(at, made.begin(), made.end());
        } else {
            size_t count = 0;
            for (__Iterator one = first; one != last; ++one) ++count;
            return __insert_values(at, count, true, [&](size_t) -> decltype(auto) {
                __Iterator one = first;
                ++first;
                return *one;
            });
        }
    }
    T *insert(const T *at, initializer_list<T> list) { return insert(at, list.begin(), list.end()); }
    T *erase(const T *at) { return erase(at, at + 1); }
    T *erase(const T *from, const T *to) {
        T *place = __first + (from - __first);
        size_t count = to - from;
        if (count == 0) return place;
        if constexpr (__is_plain(T)) {
            memmove((void *)place, (void *)to, (__first + __size - to) * sizeof(T));
            __size -= count;
        } else {
            T *last = __first + __size;
            for (T *at = place; at + count != last; ++at) *at = (T &&)at[count];
            __end_at(last - count);
        }
        return place;
    }
    // Of a vector of `bool`.
    void flip() {
        for (size_t i = 0; i < __size; ++i) __first[i] = !__first[i];
    }
    void swap(vector &other) {
        T *first = __first;
        size_t size = __size, capacity = __capacity;
        __first = other.__first;
        __size = other.__size;
        __capacity = other.__capacity;
        other.__first = first;
        other.__size = size;
        other.__capacity = capacity;
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
        if constexpr (__is_plain(T)) {
            __first = (T *)__ws_realloc((void *)__first, count * sizeof(T) + (count == 0));
            __capacity = count;
        } else {
            T *to = (T *)__ws_malloc(count * sizeof(T) + (count == 0));
            __capacity = count;
            __settle(to, __size);
        }
    }
    // Memory for elements behind the others, which may be new memory.
    T *__room_at_end(size_t count) {
        if (__size + count <= __capacity) return __first;
        __capacity = __larger(__size + count);
        if (__capacity > max_size()) throw length_error("vector::_M_default_append");
        return (T *)__ws_malloc(__capacity * sizeof(T));
    }
    // The old elements move to new memory: each one at once, if that cannot throw.
    void __settle(T *to, size_t count) {
        if (to != __first) {
            __relocate(__first, to, __size, true);
            free((void *)__first);
            __first = to;
        }
        __size = count;
    }
    static void __end(T *first, size_t count) {
        if constexpr (!__is_plain(T))
            for (size_t i = 0; i < count; ++i) first[i].~T();
    }
    // With `ends` the old elements end, too.
    static void __relocate(T *from, T *to, size_t count, bool ends) {
        if constexpr (__is_plain(T)) {
            if (count > 0) memcpy((void *)to, (const void *)from, count * sizeof(T));
        } else {
            bool at_once = ends && noexcept(T(declval<T>()));
            for (size_t i = 0; i < count; ++i) {
                new (to + i) T(__moved_or_copied(from[i]));
                if (at_once) from[i].~T();
            }
            if (ends && !at_once) __end(from, count);
        }
    }
    // Makes elements in new memory; those of a range behind the elements in front of them.
    template <class F> void __insert_in_new(size_t place, size_t count, bool at_once, bool is_range, F make) {
        size_t room = __larger(__size + count);
        if (room > max_size()) throw length_error("vector::_M_range_insert");
        T *to = (T *)__ws_malloc(room * sizeof(T));
        at_once = at_once && noexcept(T(declval<T>()));
        if (is_range) __relocate(__first, to, place, at_once);
        for (size_t i = 0; i < count; ++i) make(to + place + i);
        if (!is_range) __relocate(__first, to, place, at_once);
        __relocate(__first + place, to + place + count, __size - place, at_once);
        if (!at_once) __end(__first, __size);
        free((void *)__first);
        __first = to;
        __size += count;
        __capacity = room;
    }
    template <class F> T *__insert_values(const T *at, size_t count, bool is_range, F value) {
        size_t place = at - __first, behind = __size - place;
        if (count == 0) return __first + place;
        if (__size + count > __capacity) {
            __insert_in_new(place, count, false, is_range, [&](T *to) { new (to) T(value(0)); });
        } else {
            __open(place, count);
            for (size_t i = 0; i < count; ++i) {
                if (__is_plain(T) || i >= behind) new (__first + place + i) T(value(i));
                else __first[place + i] = value(i);
            }
        }
        return __first + place;
    }
    void __fill(size_t count, const T &value) {
        while (__size < count) {
            new (__first + __size) T(value);
            ++__size;
        }
        if (__size > count) __end_at(__first + count);
    }
    // Destroys the elements from one on, the first one first.
    void __end_at(T *from) {
        if (!__is_plain(T))
            for (T *at = from; at != __first + __size; ++at) at->~T();
        __size = from - __first;
    }
    // Moves the elements from a place on; the elements there have no value of use then.
    void __open(size_t place, size_t count) {
        if constexpr (__is_plain(T)) {
            memmove((void *)(__first + place + count), (void *)(__first + place), (__size - place) * sizeof(T));
        } else {
            T *last = __first + __size;
            size_t behind = __size - place, fresh = behind < count ? behind : count;
            for (size_t i = 0; i < fresh; ++i) new (last + count - fresh + i) T((T &&)*(last - fresh + i));
            for (T *to = last; to != __first + place + count && behind > count; --to) to[-1] = (T &&)to[-1 - (ptrdiff_t)count];
        }
        __size += count;
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
            new (__first + __size) T(*first);
            ++__size;
        }
    }
    void __append(const T *first, const T *last) {
        size_t count = last - first;
        if (count == 0) return;
        if (__size + count > __capacity) __grow(__size + count);
        if (__is_plain(T)) {
            memcpy((void *)(__first + __size), (const void *)first, count * sizeof(T));
            __size += count;
            return;
        }
        for (; first != last; ++first) {
            new (__first + __size) T(*first);
            ++__size;
        }
    }
};
template <class I> vector(I, I) -> vector<typename iterator_traits<I>::value_type>;
template <class T> inline bool operator==(const vector<T> &a, const vector<T> &b) {
    if (a.size() != b.size()) return false;
    for (size_t i = 0; i < a.size(); ++i)
        if (!(a[i] == b[i])) return false;
    return true;
}
template <class T> inline bool operator!=(const vector<T> &a, const vector<T> &b) { return !(a == b); }
template <class T> inline bool operator<(const vector<T> &a, const vector<T> &b) {
    for (size_t i = 0; i < a.size() && i < b.size(); ++i) {
        if (a[i] < b[i]) return true;
        if (b[i] < a[i]) return false;
    }
    return a.size() < b.size();
}
template <class T> inline bool operator>(const vector<T> &a, const vector<T> &b) { return b < a; }
template <class T> inline bool operator<=(const vector<T> &a, const vector<T> &b) { return !(b < a); }
template <class T> inline bool operator>=(const vector<T> &a, const vector<T> &b) { return !(a < b); }
template <class T> inline void swap(vector<T> &a, vector<T> &b) { a.swap(b); }
#if __cplusplus >= 202002L
template <class T, class F>
inline size_t erase_if(vector<T> &from, F takes) {
    return __erase_moved(from, takes);
}
template <class T, class U> inline size_t erase(vector<T> &from, const U &value) {
    return __erase_moved(from, [&](const auto &one) { return one == value; });
}
#endif
}
