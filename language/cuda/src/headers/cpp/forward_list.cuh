// <forward_list>: nodes that know the next one.
#include <__allocator>
#include <__algobase>
#include <initializer_list>
namespace std {
struct __forward_link {
    __forward_link *after;
};
template <class T> struct __forward_node : __forward_link {
    T value;
    template <class... A> __forward_node(A &&...arguments) : value((A &&)arguments...) {}
};
// `V` is `T` or `const T`.
template <class T, class V> class __forward_iterator : public __iterated<forward_iterator_tag, V> {
public:
    __forward_link *__at;
    __forward_iterator() : __at(0) {}
    explicit __forward_iterator(const __forward_link *at) : __at((__forward_link *)at) {}
    template <class W> __forward_iterator(const __forward_iterator<T, W> &other) : __at(other.__at) {}
    V &operator*() const { return static_cast<__forward_node<T> *>(__at)->value; }
    V *operator->() const { return &static_cast<__forward_node<T> *>(__at)->value; }
    __forward_iterator &operator++() {
        __at = __at->after;
        return *this;
    }
    __forward_iterator operator++(int) {
        __forward_iterator old = *this;
        __at = __at->after;
        return old;
    }
    template <class W> bool operator==(const __forward_iterator<T, W> &other) const { return __at == other.__at; }
    template <class W> bool operator!=(const __forward_iterator<T, W> &other) const { return __at != other.__at; }
};
template <class T, class __A = allocator<T>> class forward_list {
public:
    __WS_STANDARD_ALLOCATOR
    typedef T value_type;
    typedef T &reference;
    typedef const T &const_reference;
    typedef size_t size_type;
    typedef ptrdiff_t difference_type;
    typedef __forward_iterator<T, T> iterator;
    typedef __forward_iterator<T, const T> const_iterator;
    __forward_link __head;
    forward_list() { __head.after = 0; }
    explicit forward_list(size_t count) : forward_list() {
        for (; count > 0; --count) emplace_front();
    }
    forward_list(size_t count, const T &value) : forward_list() {
        for (; count > 0; --count) push_front(value);
    }
    template <class __Iterator> forward_list(__Iterator first, __Iterator last) : forward_list() {
        insert_after(before_begin(), first, last);
    }
    forward_list(initializer_list<T> list) : forward_list() { insert_after(before_begin(), list.begin(), list.end()); }
    forward_list(const forward_list &other) : forward_list() { insert_after(before_begin(), other.begin(), other.end()); }
    forward_list(forward_list &&other) noexcept : forward_list() { swap(other); }
    ~forward_list() { clear(); }
    forward_list &operator=(const forward_list &other) {
        if (this != &other) assign(other.begin(), other.end());
        return *this;
    }
    forward_list &operator=(forward_list &&other) noexcept {
        forward_list old((forward_list &&)other);
        swap(old);
        return *this;
    }
    template <class __Iterator> void assign(__Iterator first, __Iterator last) {
        forward_list made(first, last);
        swap(made);
    }
    void assign(initializer_list<T> list) { assign(list.begin(), list.end()); }
    iterator before_begin() { return iterator(&__head); }
    const_iterator before_begin() const { return const_iterator(&__head); }
    const_iterator cbefore_begin() const { return const_iterator(&__head); }
    iterator begin() { return iterator(__head.after); }
    iterator end() { return iterator(); }
    const_iterator begin() const { return const_iterator(__head.after); }
    const_iterator end() const { return const_iterator(); }
    const_iterator cbegin() const { return begin(); }
    const_iterator cend() const { return end(); }
    bool empty() const { return __head.after == 0; }
    T &front() { return *begin(); }
    const T &front() const { return *begin(); }
    void clear() {
        while (!empty()) pop_front();
    }
    void push_front(const T &value) { emplace_front(value); }
    void push_front(T &&value) { emplace_front((T &&)value); }
    template <class... A> T &emplace_front(A &&...arguments) {
        return *emplace_after(before_begin(), (A &&)arguments...);
    }
    void pop_front() { erase_after(before_begin()); }
    template <class... A> iterator emplace_after(const_iterator at, A &&...arguments) {
        __forward_node<T> *made = new __forward_node<T>((A &&)arguments...);
        made->after = at.__at->after;
        at.__at->after = made;
        return iterator(made);
    }
    iterator insert_after(const_iterator at, const T &value) { return emplace_after(at, value); }
    iterator insert_after(const_iterator at, T &&value) { return emplace_after(at, (T &&)value); }
    iterator insert_after(const_iterator at, size_t count, const T &value) {
        iterator last(at.__at);
        for (; count > 0; --count) last = emplace_after(last, value);
        return last;
    }
    template <class __Iterator> iterator insert_after(const_iterator at, __Iterator first, __Iterator last) {
        iterator to(at.__at);
        for (; first != last; ++first) to = emplace_after(to, *first);
        return to;
    }
    iterator insert_after(const_iterator at, initializer_list<T> list) {
        return insert_after(at, list.begin(), list.end());
    }
    iterator erase_after(const_iterator at) {
        __forward_link *old = at.__at->after;
        at.__at->after = old->after;
        delete static_cast<__forward_node<T> *>(old);
        return iterator(at.__at->after);
    }
    iterator erase_after(const_iterator at, const_iterator last) {
        while (at.__at->after != last.__at) erase_after(at);
        return iterator(last.__at);
    }
    void swap(forward_list &other) noexcept { __swap_parts(__head.after, other.__head.after); }
    void splice_after(const_iterator at, forward_list &other) {
        __forward_link *last = &other.__head;
        while (last->after) last = last->after;
        if (other.empty()) return;
        last->after = at.__at->after;
        at.__at->after = other.__head.after;
        other.__head.after = 0;
    }
    template <class F> void remove_if(F is) {
        for (iterator at = before_begin(); at.__at->after;) {
            if (is(*iterator(at.__at->after))) erase_after(at);
            else ++at;
        }
    }
    void remove(const T &value) {
        T copy = value;
        remove_if([&](const T &one) { return one == copy; });
    }
    void unique() {
        for (iterator at = begin(); at != end() && at.__at->after;) {
            if (*at == *iterator(at.__at->after)) erase_after(at);
            else ++at;
        }
    }
    void reverse() {
        __forward_link *done = 0, *at = __head.after;
        while (at) {
            __forward_link *after = at->after;
            at->after = done;
            done = at;
            at = after;
        }
        __head.after = done;
    }
    template <class F> void merge(forward_list &other, F less) {
        __forward_link *at = &__head;
        while (at->after && other.__head.after) {
            if (less(other.front(), *iterator(at->after))) {
                __forward_link *one = other.__head.after;
                other.__head.after = one->after;
                one->after = at->after;
                at->after = one;
            }
            at = at->after;
        }
        if (!at->after) __swap_parts(at->after, other.__head.after);
    }
    void merge(forward_list &other) { merge(other, __less()); }
    template <class F> void sort(F less) {
        size_t count = 0;
        for (iterator at = begin(); at != end(); ++at) ++count;
        if (count < 2) return;
        __forward_link *middle = &__head;
        for (size_t i = 0; i < count / 2; ++i) middle = middle->after;
        forward_list second;
        __swap_parts(second.__head.after, middle->after);
        sort(less);
        second.sort(less);
        merge(second, less);
    }
    void sort() { sort(__less()); }
};
template <class T> inline bool operator==(const forward_list<T> &a, const forward_list<T> &b) {
    return __equal_to_end(a.begin(), a.end(), b.begin(), b.end());
}
template <class T> inline bool operator!=(const forward_list<T> &a, const forward_list<T> &b) { return !(a == b); }
template <class T> inline void swap(forward_list<T> &a, forward_list<T> &b) noexcept { a.swap(b); }
}
