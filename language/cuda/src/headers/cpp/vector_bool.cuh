// The elements of `vector<bool>` are bits of GNU's library: programs see objects that refer to them.
// Here an element is a byte.
#include <__allocator>
#include <__algobase>
namespace std {
struct __bit {
    char *__at;
    operator bool() const { return *__at != 0; }
    __bit &operator=(bool value) {
        *__at = value;
        return *this;
    }
    __bit &operator=(const __bit &other) { return *this = (bool)other; }
    bool operator~() const { return !*__at; }
    bool operator==(const __bit &other) const { return *__at == *other.__at; }
    bool operator<(const __bit &other) const { return *__at < *other.__at; }
    void flip() { *__at = !*__at; }
};
inline void swap(__bit a, __bit b) {
    bool old = a;
    a = b;
    b = old;
}
inline void swap(__bit a, bool &b) {
    bool old = a;
    a = b;
    b = old;
}
inline void swap(bool &a, __bit b) { swap(b, a); }
// `R` is what an iterator refers to: a `__bit`, or a `bool` that does not change.
template <class R> class __bit_iterator {
public:
    typedef random_access_iterator_tag iterator_category;
    typedef bool value_type;
    typedef ptrdiff_t difference_type;
    typedef R reference;
    typedef R *pointer;
    char *__at;
    __bit_iterator() : __at(0) {}
    explicit __bit_iterator(char *at) : __at(at) {}
    template <class S> __bit_iterator(const __bit_iterator<S> &other) : __at(other.__at) {}
    R operator*() const { return R{__value()}; }
    R operator[](ptrdiff_t count) const { return *(*this + count); }
    auto __value() const {
        if constexpr (__is_base_of(__bit, R)) return __at;
        else return *__at != 0;
    }
    __bit_iterator &operator++() {
        ++__at;
        return *this;
    }
    __bit_iterator operator++(int) { return __bit_iterator(__at++); }
    __bit_iterator &operator--() {
        --__at;
        return *this;
    }
    __bit_iterator operator--(int) { return __bit_iterator(__at--); }
    __bit_iterator &operator+=(ptrdiff_t count) {
        __at += count;
        return *this;
    }
    __bit_iterator &operator-=(ptrdiff_t count) {
        __at -= count;
        return *this;
    }
    __bit_iterator operator+(ptrdiff_t count) const { return __bit_iterator(__at + count); }
    __bit_iterator operator-(ptrdiff_t count) const { return __bit_iterator(__at - count); }
    template <class S> ptrdiff_t operator-(const __bit_iterator<S> &other) const { return __at - other.__at; }
    template <class S> bool operator==(const __bit_iterator<S> &other) const { return __at == other.__at; }
    template <class S> bool operator!=(const __bit_iterator<S> &other) const { return __at != other.__at; }
    template <class S> bool operator<(const __bit_iterator<S> &other) const { return __at < other.__at; }
    template <class S> bool operator>(const __bit_iterator<S> &other) const { return __at > other.__at; }
    template <class S> bool operator<=(const __bit_iterator<S> &other) const { return __at <= other.__at; }
    template <class S> bool operator>=(const __bit_iterator<S> &other) const { return __at >= other.__at; }
};
template <class R> inline __bit_iterator<R> operator+(ptrdiff_t count, const __bit_iterator<R> &at) { return at + count; }
template <class R> inline void iter_swap(__bit_iterator<R> a, __bit_iterator<R> b) { swap(*a, *b); }
template <class __A> class vector<bool, __A> {
public:
    static_assert(__is_standard<__A>, "a `std::vector<bool>` with an allocator of the program is not supported");
    typedef __A allocator_type;
    typedef bool value_type;
    typedef __bit reference;
    typedef bool const_reference;
    typedef __bit *pointer;
    typedef const bool *const_pointer;
    typedef __bit_iterator<__bit> iterator;
    typedef __bit_iterator<bool> const_iterator;
    typedef std::reverse_iterator<iterator> reverse_iterator;
    typedef std::reverse_iterator<const_iterator> const_reverse_iterator;
    typedef size_t size_type;
    typedef ptrdiff_t difference_type;
    vector<char> __bytes;
    vector() {}
    explicit vector(size_t count, bool value = false) { resize(count, value); }
    template <class __Iterator> vector(__Iterator first, __Iterator last) { assign(first, last); }
    vector(initializer_list<bool> list) { assign(list.begin(), list.end()); }
    vector &operator=(initializer_list<bool> list) {
        assign(list.begin(), list.end());
        return *this;
    }
    __A get_allocator() const { return __A(); }
    void assign(size_t count, bool value) {
        clear();
        resize(count, value);
    }
    template <class __Iterator> void assign(__Iterator first, __Iterator last) {
        clear();
        for (; first != last; ++first) push_back(*first);
    }
    void assign(initializer_list<bool> list) { assign(list.begin(), list.end()); }
    iterator begin() { return iterator(__bytes.data()); }
    iterator end() { return begin() + size(); }
    const_iterator begin() const { return const_iterator((char *)__bytes.data()); }
    const_iterator end() const { return begin() + size(); }
    const_iterator cbegin() const { return begin(); }
    const_iterator cend() const { return end(); }
    reverse_iterator rbegin() { return reverse_iterator(end()); }
    reverse_iterator rend() { return reverse_iterator(begin()); }
    const_reverse_iterator rbegin() const { return const_reverse_iterator(end()); }
    const_reverse_iterator rend() const { return const_reverse_iterator(begin()); }
    const_reverse_iterator crbegin() const { return rbegin(); }
    const_reverse_iterator crend() const { return rend(); }
    size_t size() const { return __bytes.size(); }
    size_t max_size() const { return 0x7fffffffffffffc0UL; }
    // The capacity of GNU's library is words of 64 bits.
    size_t capacity() const { return __bytes.capacity(); }
    bool empty() const { return __bytes.empty(); }
    __bit operator[](size_t at) { return __bit{__bytes.__first + at}; }
    bool operator[](size_t at) const { return __bytes.__first[at] != 0; }
    __bit at(size_t at) {
        __check(at);
        return (*this)[at];
    }
    bool at(size_t at) const {
        __check(at);
        return (*this)[at];
    }
    __bit front() { return (*this)[0]; }
    bool front() const { return (*this)[0]; }
    __bit back() { return (*this)[size() - 1]; }
    bool back() const { return (*this)[size() - 1]; }
    void reserve(size_t count) { __bytes.reserve((count + 63) / 64 * 64); }
    void shrink_to_fit() {
        if (capacity() - size() < 64) return;
        vector made(begin(), end());
        swap(made);
    }
    void resize(size_t count, bool value = false) {
        __grow(count);
        __bytes.resize(count, value);
    }
    void clear() { __bytes.clear(); }
    void push_back(bool value) {
        __grow(size() + 1);
        __bytes.push_back(value);
    }
    template <class... B> __bit emplace_back(B &&...arguments) {
        push_back(bool((B &&)arguments...));
        return back();
    }
    void pop_back() { __bytes.pop_back(); }
    iterator insert(const_iterator at, bool value) { return insert(at, (size_t)1, value); }
    iterator insert(const_iterator at, size_t count, bool value) {
        size_t place = at - begin();
        __grow(size() + count);
        __bytes.insert(__bytes.data() + place, count, (char)value);
        return begin() + place;
    }
    template <class __Iterator> iterator insert(const_iterator at, __Iterator first, __Iterator last) {
        size_t place = at - begin();
        vector made(first, last);
        __grow(size() + made.size());
        __bytes.insert(__bytes.data() + place, made.__bytes.begin(), made.__bytes.end());
        return begin() + place;
    }
    iterator insert(const_iterator at, initializer_list<bool> list) { return insert(at, list.begin(), list.end()); }
    iterator erase(const_iterator at) { return erase(at, at + 1); }
    iterator erase(const_iterator from, const_iterator to) { return iterator(__bytes.erase(from.__at, to.__at)); }
    void flip() {
        for (auto &one : __bytes) one = !one;
    }
    void swap(vector &other) { __bytes.swap(other.__bytes); }
    static void swap(__bit a, __bit b) { std::swap(a, b); }
    void __grow(size_t count) {
        if (count > capacity()) reserve(count > 2 * size() ? count : 2 * size());
    }
    void __check(size_t at) const {
        if (at < size()) return;
        char text[128];
        sprintf(text, "vector<bool>::_M_range_check: __n (which is %zu) >= this->size() (which is %zu)", at, size());
        throw out_of_range(text);
    }
};
}
