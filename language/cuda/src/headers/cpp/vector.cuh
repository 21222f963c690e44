// <vector>. Elements move to larger memory as bytes.
#include <__algobase>
#include <initializer_list>
#include <stdexcept>
namespace std {
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

    vector() : __first(0), __size(0), __capacity(0) {}
    explicit vector(size_t count) : __first(0), __size(0), __capacity(0) { resize(count); }
    vector(size_t count, const T &value) : __first(0), __size(0), __capacity(0) { assign(count, value); }
    template <class __Iterator> vector(__Iterator first, __Iterator last) : __first(0), __size(0), __capacity(0) {
        __append(first, last);
    }
    vector(initializer_list<T> list) : __first(0), __size(0), __capacity(0) {
        __append(list.begin(), list.end());
    }
    vector(const vector &other) : __first(0), __size(0), __capacity(0) {
        __append(other.begin(), other.end());
    }
    vector(vector &&other) : __first(other.__first), __size(other.__size), __capacity(other.__capacity) {
        other.__first = 0;
        other.__size = other.__capacity = 0;
    }
    ~vector() {
        clear();
        free((void *)__first);
    }
    vector &operator=(const vector &other) {
        if (this != &other) {
            clear();
            __append(other.begin(), other.end());
        }
        return *this;
    }
    vector &operator=(vector &&other) {
        if (this != &other) {
            clear();
            free((void *)__first);
            __first = other.__first;
            __size = other.__size;
            __capacity = other.__capacity;
            other.__first = 0;
            other.__size = other.__capacity = 0;
        }
        return *this;
    }
    vector &operator=(initializer_list<T> list) {
        clear();
        __append(list.begin(), list.end());
        return *this;
    }

    void assign(size_t count, const T &value) {
        T copy = value;
        clear();
        resize(count, copy);
    }
    template <class __Iterator> void assign(__Iterator first, __Iterator last) {
        clear();
        __append(first, last);
    }
    void assign(initializer_list<T> list) {
        clear();
        __append(list.begin(), list.end());
    }

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
        if (__capacity > __size) __grow(__size);
    }
    void resize(size_t count) {
        if (count > __capacity) __grow(__larger(count));
        if (__is_plain(T)) {
            if (count > __size) memset((void *)(__first + __size), 0, (count - __size) * sizeof(T));
            __size = count;
            return;
        }
        while (__size < count) {
            new (__first + __size) T();
            ++__size;
        }
        if (__size > count) __end_at(__first + count);
    }
    void resize(size_t count, const T &value) {
        if (count > __capacity) {
            T copy = value;
            __grow(__larger(count));
            __fill(count, copy);
        } else {
            __fill(count, value);
        }
    }
    void clear() {
        __end_at(__first);
    }
    void push_back(const T &value) {
        if (__size < __capacity) {
            new (__first + __size) T(value);
        } else {
            T copy(value);
            __grow(__larger(__size + 1));
            new (__first + __size) T((T &&)copy);
        }
        ++__size;
    }
    void push_back(T &&value) {
        if (__size == __capacity) {
            T copy((T &&)value);
            __grow(__larger(__size + 1));
            new (__first + __size) T((T &&)copy);
        } else {
            new (__first + __size) T((T &&)value);
        }
        ++__size;
    }
    void emplace_back() { push_back(T()); }
    template <class A> void emplace_back(A &&a) { push_back(T((A &&)a)); }
    template <class A, class B> void emplace_back(A &&a, B &&b) { push_back(T((A &&)a, (B &&)b)); }
    template <class A, class B, class C> void emplace_back(A &&a, B &&b, C &&c) {
        push_back(T((A &&)a, (B &&)b, (C &&)c));
    }
    template <class A, class B, class C, class D> void emplace_back(A &&a, B &&b, C &&c, D &&d) {
        push_back(T((A &&)a, (B &&)b, (C &&)c, (D &&)d));
    }
    void pop_back() {
        --__size;
        __first[__size].~T();
    }
    T *insert(const T *at, const T &value) {
        T copy(value);
        T *place = __open(at, 1);
        new (place) T((T &&)copy);
        return place;
    }
    T *insert(const T *at, size_t count, const T &value) {
        T copy(value);
        T *place = __open(at, count);
        for (size_t i = 0; i < count; ++i) new (place + i) T(copy);
        return place;
    }
    template <class __Iterator> T *insert(const T *at, __Iterator first, __Iterator last) {
        vector added(first, last);
        T *place = __open(at, added.__size);
        for (size_t i = 0; i < added.__size; ++i) new (place + i) T(added.__first[i]);
        return place;
    }
    T *insert(const T *at, initializer_list<T> list) { return insert(at, list.begin(), list.end()); }
    T *erase(const T *at) { return erase(at, at + 1); }
    T *erase(const T *from, const T *to) {
        T *place = __first + (from - __first);
        size_t count = to - from;
        if (count == 0) return place;
        __ws_destroy(place, count);
        memmove((void *)place, (void *)to, (__first + __size - to) * sizeof(T));
        __size -= count;
        return place;
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
        __first = (T *)__ws_realloc((void *)__first, count * sizeof(T) + (count == 0));
        __capacity = count;
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
    T *__open(const T *at, size_t count) {
        size_t place = at - __first;
        if (__size + count > __capacity) __grow(__larger(__size + count));
        memmove((void *)(__first + place + count), (void *)(__first + place), (__size - place) * sizeof(T));
        __size += count;
        return __first + place;
    }
    template <class I> void __append(I first, I last) {
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
template <class I> vector(I, I) -> vector<typename __bare<typename __element<I>::type>::type>;
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
template <class T> inline void swap(vector<T> &a, vector<T> &b) { a.swap(b); }
}
