// <map> and <set>: nodes in a list, and their addresses in the order of the keys.
#include <functional>
#include <initializer_list>
#include <stdexcept>
#include <utility>
namespace std {
template <class V> struct __node {
    V value;
    __node *before;
    __node *after;
    __node(const V &value) : value(value), before(0), after(0) {}
};
// `V` is `T` or `const T`.
template <class T, class V> class __tree_iterator {
public:
    typedef T value_type;
    typedef V __element_type;
    __node<T> *__at;
    __node<T> *const *__last;
    __tree_iterator() : __at(0), __last(0) {}
    __tree_iterator(__node<T> *at, __node<T> *const *last) : __at(at), __last(last) {}
    template <class W> __tree_iterator(const __tree_iterator<T, W> &other) : __at(other.__at), __last(other.__last) {}
    V &operator*() const { return __at->value; }
    V *operator->() const { return &__at->value; }
    __tree_iterator &operator++() {
        __at = __at->after;
        return *this;
    }
    __tree_iterator operator++(int) {
        __tree_iterator old = *this;
        __at = __at->after;
        return old;
    }
    __tree_iterator &operator--() {
        __at = __at ? __at->before : *__last;
        return *this;
    }
    bool operator==(const __tree_iterator &other) const { return __at == other.__at; }
    bool operator!=(const __tree_iterator &other) const { return __at != other.__at; }
};
// `K::of` is the key of a value.
template <class T, class K, class F, class O> class __tree {
public:
    typedef T value_type;
    typedef size_t size_type;
    typedef __tree_iterator<T, T> iterator;
    typedef __tree_iterator<T, const T> const_iterator;
    typedef std::reverse_iterator<__tree_iterator<T, T>> reverse_iterator;
    typedef std::reverse_iterator<__tree_iterator<T, const T>> const_reverse_iterator;
    __node<T> **__nodes;
    size_t __size;
    size_t __capacity;
    __node<T> *__last;
    F __less;
    __tree() : __nodes(0), __size(0), __capacity(0), __last(0), __less() {}
    __tree(const __tree &other) : __nodes(0), __size(0), __capacity(0), __last(0), __less(other.__less) {
        __copy(other);
    }
    __tree(__tree &&other)
        : __nodes(other.__nodes), __size(other.__size), __capacity(other.__capacity), __last(other.__last), __less(other.__less) {
        other.__nodes = 0;
        other.__size = other.__capacity = 0;
        other.__last = 0;
    }
    ~__tree() {
        clear();
        free((void *)__nodes);
    }
    __tree &operator=(const __tree &other) {
        if (this != &other) {
            clear();
            __copy(other);
        }
        return *this;
    }
    void __copy(const __tree &other) {
        for (size_t i = 0; i < other.__size; ++i) insert(other.__nodes[i]->value);
    }
    size_t size() const { return __size; }
    bool empty() const { return __size == 0; }
    iterator begin() { return iterator(__size ? __nodes[0] : 0, &__last); }
    iterator end() { return iterator(0, &__last); }
    const_iterator begin() const { return const_iterator(__size ? __nodes[0] : 0, &__last); }
    const_iterator end() const { return const_iterator(0, &__last); }
    const_iterator cbegin() const { return begin(); }
    const_iterator cend() const { return end(); }
    reverse_iterator rbegin() { return reverse_iterator(end()); }
    reverse_iterator rend() { return reverse_iterator(begin()); }
    const_reverse_iterator rbegin() const { return const_reverse_iterator(end()); }
    const_reverse_iterator rend() const { return const_reverse_iterator(begin()); }
    const_reverse_iterator crbegin() const { return rbegin(); }
    const_reverse_iterator crend() const { return rend(); }
    void clear() {
        for (size_t i = __size; i > 0; --i) delete __nodes[i - 1];
        __size = 0;
        __last = 0;
    }
    // Place of the first key that is not less.
    size_t __place(const K &key) const {
        size_t low = 0, high = __size;
        while (low < high) {
            size_t middle = (low + high) / 2;
            if (__less(O::of(__nodes[middle]->value), key)) low = middle + 1;
            else high = middle;
        }
        return low;
    }
    bool __has(size_t place, const K &key) const {
        return place < __size && !__less(key, O::of(__nodes[place]->value));
    }
    __node<T> *__insert(size_t place, const T &value) {
        __node<T> *made = new __node<T>(value);
        if (__size == __capacity) {
            __capacity = 2 * __capacity + 8;
            __nodes = (__node<T> **)__ws_realloc((void *)__nodes, __capacity * sizeof(__nodes[0]));
        }
        memmove((void *)(__nodes + place + 1), (void *)(__nodes + place), (__size - place) * sizeof(__nodes[0]));
        __nodes[place] = made;
        ++__size;
        made->before = place > 0 ? __nodes[place - 1] : 0;
        made->after = place + 1 < __size ? __nodes[place + 1] : 0;
        if (made->before) made->before->after = made;
        if (made->after) made->after->before = made;
        else __last = made;
        return made;
    }
    pair<iterator, bool> insert(const T &value) {
        size_t place = __place(O::of(value));
        if (__has(place, O::of(value))) return pair<iterator, bool>(iterator(__nodes[place], &__last), false);
        return pair<iterator, bool>(iterator(__insert(place, value), &__last), true);
    }
    template <class I> void insert(I first, I last) {
        for (; first != last; ++first) insert(*first);
    }
    iterator find(const K &key) {
        size_t place = __place(key);
        return iterator(__has(place, key) ? __nodes[place] : 0, &__last);
    }
    const_iterator find(const K &key) const {
        size_t place = __place(key);
        return const_iterator(__has(place, key) ? __nodes[place] : 0, &__last);
    }
    size_t count(const K &key) const { return __has(__place(key), key); }
    iterator lower_bound(const K &key) {
        size_t place = __place(key);
        return iterator(place < __size ? __nodes[place] : 0, &__last);
    }
    iterator upper_bound(const K &key) {
        size_t place = __place(key);
        if (__has(place, key)) ++place;
        return iterator(place < __size ? __nodes[place] : 0, &__last);
    }
    void __erase(size_t place) {
        __node<T> *old = __nodes[place];
        if (old->before) old->before->after = old->after;
        if (old->after) old->after->before = old->before;
        else __last = old->before;
        memmove((void *)(__nodes + place), (void *)(__nodes + place + 1), (__size - place - 1) * sizeof(__nodes[0]));
        --__size;
        delete old;
    }
    size_t erase(const K &key) {
        size_t place = __place(key);
        if (!__has(place, key)) return 0;
        __erase(place);
        return 1;
    }
    iterator erase(iterator at) {
        __node<T> *after = at.__at->after;
        __erase(__place(O::of(at.__at->value)));
        return iterator(after, &__last);
    }
    void swap(__tree &other) {
        __tree old((__tree &&)*this);
        __nodes = other.__nodes;
        __size = other.__size;
        __capacity = other.__capacity;
        __last = other.__last;
        other.__nodes = old.__nodes;
        other.__size = old.__size;
        other.__capacity = old.__capacity;
        other.__last = old.__last;
        old.__nodes = 0;
        old.__size = 0;
    }
};
template <class K, class V> struct __key_of_pair {
    static const K &of(const pair<const K, V> &value) { return value.first; }
};
template <class K> struct __key_itself {
    static const K &of(const K &value) { return value; }
};
template <class K, class V, class F = less<K> > class map : public __tree<pair<const K, V>, K, F, __key_of_pair<K, V> > {
public:
    typedef K key_type;
    typedef V mapped_type;
    typedef pair<const K, V> value_type;
    map() {}
    map(initializer_list<pair<const K, V> > list) {
        for (const pair<const K, V> *at = list.begin(); at != list.end(); ++at) this->insert(*at);
    }
    V &operator[](const K &key) {
        size_t place = this->__place(key);
        if (this->__has(place, key)) return this->__nodes[place]->value.second;
        return this->__insert(place, pair<const K, V>(key, V()))->value.second;
    }
    V &at(const K &key) {
        size_t place = this->__place(key);
        if (!this->__has(place, key)) throw out_of_range("map::at");
        return this->__nodes[place]->value.second;
    }
    const V &at(const K &key) const {
        size_t place = this->__place(key);
        if (!this->__has(place, key)) throw out_of_range("map::at");
        return this->__nodes[place]->value.second;
    }
    template <class A, class B> void emplace(A &&a, B &&b) {
        this->insert(pair<const K, V>((A &&)a, (B &&)b));
    }
};
template <class K, class F = less<K> > class set : public __tree<K, K, F, __key_itself<K> > {
public:
    typedef K key_type;
    set() {}
    set(initializer_list<K> list) {
        for (const K *at = list.begin(); at != list.end(); ++at) this->insert(*at);
    }
    template <class __Iterator> set(__Iterator first, __Iterator last) {
        for (; first != last; ++first) this->insert(*first);
    }
};
}
