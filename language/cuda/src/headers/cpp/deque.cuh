// <deque>: blocks of elements, and a list of their addresses.
#include <__allocator>
#include <__algobase>
#include <initializer_list>
#include <stdexcept>
namespace std {
template <class T, class __A = allocator<T>> class deque;
// `V` is `T` or `const T`.
template <class T, class V> class __deque_iterator : public __iterated<random_access_iterator_tag, V> {
public:
    const deque<T> *__of;
    size_t __at;
    __deque_iterator() : __of(0), __at(0) {}
    __deque_iterator(const deque<T> *of, size_t at) : __of(of), __at(at) {}
    template <class W> __deque_iterator(const __deque_iterator<T, W> &other) : __of(other.__of), __at(other.__at) {}
    V &operator*() const { return __of->__item(__at); }
    V *operator->() const { return &__of->__item(__at); }
    V &operator[](ptrdiff_t count) const { return __of->__item(__at + count); }
    __deque_iterator &operator++() {
        ++__at;
        return *this;
    }
    __deque_iterator operator++(int) { return __deque_iterator(__of, __at++); }
    __deque_iterator &operator--() {
        --__at;
        return *this;
    }
    __deque_iterator operator--(int) { return __deque_iterator(__of, __at--); }
    __deque_iterator &operator+=(ptrdiff_t count) {
        __at += count;
        return *this;
    }
    __deque_iterator &operator-=(ptrdiff_t count) {
        __at -= count;
        return *this;
    }
    __deque_iterator operator+(ptrdiff_t count) const { return __deque_iterator(__of, __at + count); }
    __deque_iterator operator-(ptrdiff_t count) const { return __deque_iterator(__of, __at - count); }
    template <class W> ptrdiff_t operator-(const __deque_iterator<T, W> &other) const { return __at - other.__at; }
    template <class W> bool operator==(const __deque_iterator<T, W> &other) const { return __at == other.__at; }
    template <class W> bool operator!=(const __deque_iterator<T, W> &other) const { return __at != other.__at; }
    template <class W> bool operator<(const __deque_iterator<T, W> &other) const { return (ptrdiff_t)(__at - other.__at) < 0; }
    template <class W> bool operator>(const __deque_iterator<T, W> &other) const { return other < *this; }
    template <class W> bool operator<=(const __deque_iterator<T, W> &other) const { return !(other < *this); }
    template <class W> bool operator>=(const __deque_iterator<T, W> &other) const { return !(*this < other); }
};
template <class T, class __A> class deque {
public:
    __WS_STANDARD_ALLOCATOR
    typedef T value_type;
    typedef T &reference;
    typedef const T &const_reference;
    typedef size_t size_type;
    typedef ptrdiff_t difference_type;
    typedef __deque_iterator<T, T> iterator;
    typedef __deque_iterator<T, const T> const_iterator;
    typedef std::reverse_iterator<iterator> reverse_iterator;
    typedef std::reverse_iterator<const_iterator> const_reverse_iterator;
    static constexpr size_t __block = sizeof(T) < 512 ? 512 / sizeof(T) : 1;
    T **__blocks;
    size_t __count;
    // Number of the first element among the elements of the blocks.
    size_t __start;
    size_t __size;
    deque() : __blocks(0), __count(0), __start(0), __size(0) {}
    explicit deque(size_t count) : deque() { resize(count); }
    deque(size_t count, const T &value) : deque() { resize(count, value); }
    template <class __Iterator> deque(__Iterator first, __Iterator last) : deque() {
        for (; first != last; ++first) emplace_back(*first);
    }
    deque(initializer_list<T> list) : deque() {
        for (const T *at = list.begin(); at != list.end(); ++at) emplace_back(*at);
    }
    deque(const deque &other) : deque() {
        for (size_t i = 0; i < other.__size; ++i) emplace_back(other[i]);
    }
    deque(deque &&other) noexcept : deque() { swap(other); }
    ~deque() {
        clear();
        for (size_t i = 0; i < __count; ++i) free((void *)__blocks[i]);
        free((void *)__blocks);
    }
    deque &operator=(const deque &other) {
        if (this != &other) assign(other.begin(), other.end());
        return *this;
    }
    deque &operator=(deque &&other) noexcept {
        deque old((deque &&)other);
        swap(old);
        return *this;
    }
    deque &operator=(initializer_list<T> list) {
        assign(list.begin(), list.end());
        return *this;
    }
    void assign(size_t count, const T &value) {
        deque made(count, value);
        swap(made);
    }
    template <class __Iterator> void assign(__Iterator first, __Iterator last) {
        deque made(first, last);
        swap(made);
    }
    void assign(initializer_list<T> list) { assign(list.begin(), list.end()); }
    T &__item(size_t at) const { return __blocks[(__start + at) / __block][(__start + at) % __block]; }
    iterator begin() { return iterator(this, 0); }
    iterator end() { return iterator(this, __size); }
    const_iterator begin() const { return const_iterator(this, 0); }
    const_iterator end() const { return const_iterator(this, __size); }
    const_iterator cbegin() const { return begin(); }
    const_iterator cend() const { return end(); }
    reverse_iterator rbegin() { return reverse_iterator(end()); }
    reverse_iterator rend() { return reverse_iterator(begin()); }
    const_reverse_iterator rbegin() const { return const_reverse_iterator(end()); }
    const_reverse_iterator rend() const { return const_reverse_iterator(begin()); }
    const_reverse_iterator crbegin() const { return rbegin(); }
    const_reverse_iterator crend() const { return rend(); }
    size_t size() const { return __size; }
    bool empty() const { return __size == 0; }
    T &operator[](size_t at) { return __item(at); }
    const T &operator[](size_t at) const { return __item(at); }
    T &at(size_t at) {
        __check(at);
        return __item(at);
    }
    const T &at(size_t at) const {
        __check(at);
        return __item(at);
    }
    T &front() { return __item(0); }
    const T &front() const { return __item(0); }
    T &back() { return __item(__size - 1); }
    const T &back() const { return __item(__size - 1); }
    void clear() {
        for (size_t i = 0; i < __size; ++i) __item(i).~T();
        __size = 0;
    }
    void shrink_to_fit() {}
    template <class... A> T &emplace_back(A &&...arguments) {
        if (__start + __size == __count * __block) __add_block(__count);
        T *made = new (&__item(__size)) T((A &&)arguments...);
        ++__size;
        return *made;
    }
    template <class... A> T &emplace_front(A &&...arguments) {
        if (__start == 0) {
            __add_block(0);
            __start = __block;
        }
        --__start;
        T *made = new (&__item(0)) T((A &&)arguments...);
        ++__size;
        return *made;
    }
    void push_back(const T &value) { emplace_back(value); }
    void push_back(T &&value) { emplace_back((T &&)value); }
    void push_front(const T &value) { emplace_front(value); }
    void push_front(T &&value) { emplace_front((T &&)value); }
    void pop_back() {
        --__size;
        __item(__size).~T();
    }
    void pop_front() {
        __item(0).~T();
        ++__start;
        --__size;
        // The block becomes the last one.
        if (__start == __block) {
            T *first = __blocks[0];
            memmove((void *)__blocks, (void *)(__blocks + 1), (__count - 1) * sizeof(T *));
            __blocks[__count - 1] = first;
            __start = 0;
        }
    }
    void resize(size_t count) {
        while (__size > count) pop_back();
        while (__size < count) emplace_back();
    }
    void resize(size_t count, const T &value) {
        while (__size > count) pop_back();
        while (__size < count) emplace_back(value);
    }
    template <class... A> iterator emplace(const_iterator at, A &&...arguments) {
        size_t place = at.__at;
        if (place == 0) {
            emplace_front((A &&)arguments...);
        } else if (place == __size) {
            emplace_back((A &&)arguments...);
        } else {
            T made((A &&)arguments...);
            emplace_back((T &&)back());
            for (size_t i = __size - 2; i > place; --i) __item(i) = (T &&)__item(i - 1);
            __item(place) = (T &&)made;
        }
        return iterator(this, place);
    }
    iterator insert(const_iterator at, const T &value) { return emplace(at, value); }
    iterator insert(const_iterator at, T &&value) { return emplace(at, (T &&)value); }
    iterator insert(const_iterator at, size_t count, const T &value) {
        deque made(count, value);
        return insert(at, made.begin(), made.end());
    }
    template <class __Iterator> iterator insert(const_iterator at, __Iterator first, __Iterator last) {
        size_t place = at.__at;
        deque made(first, last), behind;
        while (__size > place) {
            behind.push_front((T &&)back());
            pop_back();
        }
        for (size_t i = 0; i < made.__size; ++i) push_back((T &&)made[i]);
        for (size_t i = 0; i < behind.__size; ++i) push_back((T &&)behind[i]);
        return iterator(this, place);
    }
    iterator insert(const_iterator at, initializer_list<T> list) { return insert(at, list.begin(), list.end()); }
    iterator erase(const_iterator at) { return erase(at, at + 1); }
    iterator erase(const_iterator first, const_iterator last) {
        size_t from = first.__at, count = last.__at - from, behind = __size - last.__at;
        if (count == 0) return iterator(this, from);
        if (from < behind) {
            for (size_t i = from; i-- > 0;) __item(i + count) = (T &&)__item(i);
            for (size_t i = 0; i < count; ++i) pop_front();
        } else {
            for (size_t i = from; i < from + behind; ++i) __item(i) = (T &&)__item(i + count);
            for (size_t i = 0; i < count; ++i) pop_back();
        }
        return iterator(this, from);
    }
    void swap(deque &other) noexcept {
        __swap_parts(__blocks, other.__blocks);
        __swap_parts(__count, other.__count);
        __swap_parts(__start, other.__start);
        __swap_parts(__size, other.__size);
    }
    void __check(size_t at) const {
        if (at >= __size) {
            char text[128];
            sprintf(text, "deque::_M_range_check: __n (which is %zu)>= this->size() (which is %zu)", at, __size);
            throw out_of_range(text);
        }
    }
    void __add_block(size_t place) {
        __blocks = (T **)__ws_realloc((void *)__blocks, (__count + 1) * sizeof(T *));
        memmove((void *)(__blocks + place + 1), (void *)(__blocks + place), (__count - place) * sizeof(T *));
        __blocks[place] = (T *)__ws_malloc(__block * sizeof(T));
        ++__count;
    }
};
template <class T> inline bool operator==(const deque<T> &a, const deque<T> &b) {
    return a.size() == b.size() && equal(a.begin(), a.end(), b.begin());
}
template <class T> inline bool operator!=(const deque<T> &a, const deque<T> &b) { return !(a == b); }
template <class T> inline bool operator<(const deque<T> &a, const deque<T> &b) {
    return lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
}
template <class T> inline void swap(deque<T> &a, deque<T> &b) noexcept { a.swap(b); }
#if __cplusplus >= 202002L
template <class T, class F>
inline size_t erase_if(deque<T> &from, F takes) {
    return __erase_moved(from, takes);
}
template <class T, class U> inline size_t erase(deque<T> &from, const U &value) {
    return __erase_moved(from, [&](const auto &one) { return one == value; });
}
#endif
}
