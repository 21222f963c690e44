// <list>: nodes in a ring, which the list itself closes.
#include <__allocator>
#include <__algobase>
#include <initializer_list>
#include <utility>
namespace std {
struct __link {
    __link *before;
    __link *after;
};
template <class T> struct __list_node : __link {
    T value;
    template <class... A> __list_node(A &&...arguments) : value((A &&)arguments...) {}
};
// `V` is `T` or `const T`.
template <class T, class V> class __list_iterator : public __iterated<bidirectional_iterator_tag, V> {
public:
    __link *__at;
    __list_iterator() : __at(0) {}
    explicit __list_iterator(const __link *at) : __at((__link *)at) {}
    template <class W> __list_iterator(const __list_iterator<T, W> &other) : __at(other.__at) {}
    V &operator*() const { return static_cast<__list_node<T> *>(__at)->value; }
    V *operator->() const { return &static_cast<__list_node<T> *>(__at)->value; }
    __list_iterator &operator++() {
        __at = __at->after;
        return *this;
    }
    __list_iterator operator++(int) {
        __list_iterator old = *this;
        __at = __at->after;
        return old;
    }
    __list_iterator &operator--() {
        __at = __at->before;
        return *this;
    }
    __list_iterator operator--(int) {
        __list_iterator old = *this;
        __at = __at->before;
        return old;
    }
    template <class W> bool operator==(const __list_iterator<T, W> &other) const { return __at == other.__at; }
    template <class W> bool operator!=(const __list_iterator<T, W> &other) const { return __at != other.__at; }
};
template <class T, class __A = allocator<T>> class list {
public:
    __WS_STANDARD_ALLOCATOR
    typedef T value_type;
    typedef T &reference;
    typedef const T &const_reference;
    typedef T *pointer;
    typedef const T *const_pointer;
    typedef size_t size_type;
    typedef ptrdiff_t difference_type;
    typedef __list_iterator<T, T> iterator;
    typedef __list_iterator<T, const T> const_iterator;
    typedef std::reverse_iterator<iterator> reverse_iterator;
    typedef std::reverse_iterator<const_iterator> const_reverse_iterator;
    __link __ring;
    size_t __size;

    list() { __init(); }
    explicit list(size_t count) : list() {
        resize(count);
    }
    list(size_t count, const T &value) : list() {
        resize(count, value);
    }
    template <class __Iterator> list(__Iterator first, __Iterator last) : list() {
        for (; first != last; ++first) push_back(*first);
    }
    list(initializer_list<T> values) : list() {
        for (const T *at = values.begin(); at != values.end(); ++at) push_back(*at);
    }
    list(const list &other) : list() {
        for (const_iterator at = other.begin(); at != other.end(); ++at) push_back(*at);
    }
    list(list &&other) noexcept : list() {
        splice(begin(), other);
    }
    ~list() { clear(); }
    list &operator=(const list &other) {
        if (this != &other) assign(other.begin(), other.end());
        return *this;
    }
    list &operator=(list &&other) noexcept {
        if (this != &other) {
            clear();
            splice(begin(), other);
        }
        return *this;
    }
    list &operator=(initializer_list<T> values) {
        assign(values.begin(), values.end());
        return *this;
    }
    void assign(size_t count, const T &value) {
        list made(count, value);
        swap(made);
    }
    template <class __Iterator> void assign(__Iterator first, __Iterator last) {
        list made(first, last);
        swap(made);
    }
    void assign(initializer_list<T> values) { assign(values.begin(), values.end()); }

    iterator begin() { return iterator(__ring.after); }
    iterator end() { return iterator(&__ring); }
    const_iterator begin() const { return const_iterator(__ring.after); }
    const_iterator end() const { return const_iterator(&__ring); }
    const_iterator cbegin() const { return begin(); }
    const_iterator cend() const { return end(); }
    reverse_iterator rbegin() { return reverse_iterator(end()); }
    reverse_iterator rend() { return reverse_iterator(begin()); }
    const_reverse_iterator rbegin() const { return const_reverse_iterator(end()); }
    const_reverse_iterator rend() const { return const_reverse_iterator(begin()); }
    const_reverse_iterator crbegin() const { return rbegin(); }
    const_reverse_iterator crend() const { return rend(); }
    bool empty() const { return __size == 0; }
    size_t size() const { return __size; }
    T &front() { return *begin(); }
    const T &front() const { return *begin(); }
    T &back() { return *iterator(__ring.before); }
    const T &back() const { return *const_iterator(__ring.before); }

    void clear() {
        __link *at = __ring.after;
        while (at != &__ring) {
            __link *after = at->after;
            delete static_cast<__list_node<T> *>(at);
            at = after;
        }
        __init();
    }
    void push_back(const T &value) { __insert(&__ring, new __list_node<T>(value)); }
    void push_back(T &&value) { __insert(&__ring, new __list_node<T>((T &&)value)); }
    void push_front(const T &value) { __insert(__ring.after, new __list_node<T>(value)); }
    void push_front(T &&value) { __insert(__ring.after, new __list_node<T>((T &&)value)); }
    template <class... A> T &emplace_back(A &&...arguments) {
        __insert(&__ring, new __list_node<T>((A &&)arguments...));
        return back();
    }
    template <class... A> T &emplace_front(A &&...arguments) {
        __insert(__ring.after, new __list_node<T>((A &&)arguments...));
        return front();
    }
    template <class... A> iterator emplace(const_iterator at, A &&...arguments) {
        return __insert(at.__at, new __list_node<T>((A &&)arguments...));
    }
    void pop_back() { erase(const_iterator(__ring.before)); }
    void pop_front() { erase(const_iterator(__ring.after)); }
    iterator insert(const_iterator at, const T &value) { return __insert(at.__at, new __list_node<T>(value)); }
    iterator insert(const_iterator at, T &&value) { return __insert(at.__at, new __list_node<T>((T &&)value)); }
    iterator insert(const_iterator at, size_t count, const T &value) {
        list made(count, value);
        return __take(at, made);
    }
    template <class __Iterator> iterator insert(const_iterator at, __Iterator first, __Iterator last) {
        list made(first, last);
        return __take(at, made);
    }
    iterator insert(const_iterator at, initializer_list<T> values) {
        return insert(at, values.begin(), values.end());
    }
    iterator erase(const_iterator at) {
        __link *old = at.__at, *after = old->after;
        old->before->after = after;
        after->before = old->before;
        --__size;
        delete static_cast<__list_node<T> *>(old);
        return iterator(after);
    }
    iterator erase(const_iterator first, const_iterator last) {
        while (first != last) first = erase(first);
        return iterator(last.__at);
    }
    void resize(size_t count) {
        while (__size > count) pop_back();
        while (__size < count) emplace_back();
    }
    void resize(size_t count, const T &value) {
        while (__size > count) pop_back();
        while (__size < count) push_back(value);
    }
    void swap(list &other) noexcept {
        list old((list &&)other);
        other.splice(other.begin(), *this);
        splice(begin(), old);
    }

    void splice(const_iterator at, list &other) {
        if (this != &other) splice(at, other, other.begin(), other.end());
    }
    void splice(const_iterator at, list &&other) { splice(at, other); }
    void splice(const_iterator at, list &other, const_iterator one) {
        const_iterator after = one;
        ++after;
        if (at != one && at != after) splice(at, other, one, after);
    }
    void splice(const_iterator at, list &&other, const_iterator one) { splice(at, other, one); }
    void splice(const_iterator at, list &other, const_iterator first, const_iterator last) {
        if (first == last) return;
        if (this != &other) {
            size_t count = 0;
            for (const_iterator one = first; one != last; ++one) ++count;
            __size += count;
            other.__size -= count;
        }
        __link *from = first.__at, *to = last.__at->before, *place = at.__at;
        from->before->after = to->after;
        to->after->before = from->before;
        from->before = place->before;
        to->after = place;
        place->before->after = from;
        place->before = to;
    }
    void splice(const_iterator at, list &&other, const_iterator first, const_iterator last) {
        splice(at, other, first, last);
    }
    void remove(const T &value) {
        list removed;
        for (iterator at = begin(); at != end();) {
            iterator one = at++;
            if (*one == value) removed.splice(removed.begin(), *this, one);
        }
    }
    template <class F> void remove_if(F is) {
        for (iterator at = begin(); at != end();) {
            if (is(*at)) at = erase(at);
            else ++at;
        }
    }
    template <class F> void unique(F same) {
        if (empty()) return;
        iterator at = begin(), next = at;
        while (++next != end()) {
            if (same(*at, *next)) {
                erase(next);
                next = at;
            } else {
                at = next;
            }
        }
    }
    void unique() {
        unique([](const T &a, const T &b) { return a == b; });
    }
    template <class F> void merge(list &other, F less) {
        if (this == &other) return;
        iterator at = begin();
        while (at != end() && !other.empty()) {
            if (less(*other.begin(), *at)) splice(at, other, other.begin());
            else ++at;
        }
        splice(end(), other);
    }
    template <class F> void merge(list &&other, F less) { merge(other, less); }
    void merge(list &other) { merge(other, __less()); }
    void merge(list &&other) { merge(other, __less()); }
    // Sorts both halves and merges them.
    template <class F> void sort(F less) {
        if (__size < 2) return;
        list second;
        const_iterator middle = begin();
        for (size_t i = 0; i < __size / 2; ++i) ++middle;
        second.splice(second.end(), *this, middle, end());
        sort(less);
        second.sort(less);
        merge(second, less);
    }
    void sort() { sort(__less()); }
    void reverse() {
        __link *at = &__ring;
        do {
            __link *after = at->after;
            at->after = at->before;
            at->before = after;
            at = after;
        } while (at != &__ring);
    }

    void __init() {
        __ring.before = __ring.after = &__ring;
        __size = 0;
    }
    iterator __insert(__link *at, __list_node<T> *made) {
        made->before = at->before;
        made->after = at;
        at->before->after = made;
        at->before = made;
        ++__size;
        return iterator(made);
    }
    iterator __take(const_iterator at, list &made) {
        if (made.empty()) return iterator(at.__at);
        iterator first = made.begin();
        splice(at, made);
        return first;
    }
};
template <class T> inline bool operator==(const list<T> &a, const list<T> &b) {
    return a.size() == b.size() && equal(a.begin(), a.end(), b.begin());
}
template <class T> inline bool operator!=(const list<T> &a, const list<T> &b) { return !(a == b); }
template <class T> inline bool operator<(const list<T> &a, const list<T> &b) {
    return lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
}
template <class T> inline bool operator>(const list<T> &a, const list<T> &b) { return b < a; }
template <class T> inline bool operator<=(const list<T> &a, const list<T> &b) { return !(b < a); }
template <class T> inline bool operator>=(const list<T> &a, const list<T> &b) { return !(a < b); }
template <class T> inline void swap(list<T> &a, list<T> &b) noexcept { a.swap(b); }
template <class I> list(I, I) -> list<typename iterator_traits<I>::value_type>;
#if __cplusplus >= 202002L
template <class T, class F>
inline size_t erase_if(list<T> &from, F takes) {
    return __erase_if(from, takes);
}
template <class T, class U> inline size_t erase(list<T> &from, const U &value) {
    return __erase_if(from, [&](const auto &one) { return one == value; });
}
#endif
}
