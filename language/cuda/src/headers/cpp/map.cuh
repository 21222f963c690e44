// <map> and <set>: nodes in a list, and their addresses in the order of the keys.
#include <__allocator>
#include <__algobase>
#include <__functions>
#include <initializer_list>
#include <stdexcept>
#include <type_traits>
#include <utility>
namespace std {
template <class V> struct __node {
    V value;
    __node *before;
    __node *after;
    template <class... A> __node(A &&...arguments) : value((A &&)arguments...), before(0), after(0) {}
};
// A node outside of a container.
template <class N> class __node_handle {
public:
    N *__node_of;
    __node_handle(N *node = 0) : __node_of(node) {}
    __node_handle(const __node_handle &) = delete;
    __node_handle &operator=(__node_handle &&other) {
        delete __node_of;
        __node_of = other.__release();
        return *this;
    }
    ~__node_handle() { delete __node_of; }
    N *__release() {
        N *node = __node_of;
        __node_of = 0;
        return node;
    }
    bool empty() const { return !__node_of; }
    explicit operator bool() const { return __node_of != 0; }
    auto &value() const { return __node_of->value; }
    auto &key() const { return const_cast<remove_const_t<decltype(__node_of->value.first)> &>(__node_of->value.first); }
    auto &mapped() const { return __node_of->value.second; }
};
// `V` is `T` or `const T`.
template <class T, class V> class __tree_iterator : public __iterated<bidirectional_iterator_tag, V> {
public:
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
    __tree_iterator operator--(int) {
        __tree_iterator old = *this;
        --*this;
        return old;
    }
    template <class W> bool operator==(const __tree_iterator<T, W> &other) const { return __at == other.__at; }
    template <class W> bool operator!=(const __tree_iterator<T, W> &other) const { return __at != other.__at; }
};
// `O::of` is the key of a value; `M`: a key can have several values. The iterators of sets change no
// keys: `V` is `const T` there.
template <class T, class V, class K, class F, class O, bool M> class __tree {
public:
    typedef K key_type;
    typedef T value_type;
    typedef F key_compare;
    typedef T &reference;
    typedef const T &const_reference;
    typedef T *pointer;
    typedef size_t size_type;
    typedef ptrdiff_t difference_type;
    typedef __tree_iterator<T, V> iterator;
    typedef __tree_iterator<T, const T> const_iterator;
    typedef std::reverse_iterator<iterator> reverse_iterator;
    typedef std::reverse_iterator<const_iterator> const_reverse_iterator;
    __node<T> **__nodes;
    size_t __size;
    size_t __capacity;
    __node<T> *__last;
    F __less;
    __tree() : __nodes(0), __size(0), __capacity(0), __last(0), __less() {}
    explicit __tree(const F &less) : __nodes(0), __size(0), __capacity(0), __last(0), __less(less) {}
    __tree(const __tree &other) : __tree(other.__less) { __copy(other); }
    __tree(__tree &&other) noexcept
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
            __less = other.__less;
            __copy(other);
        }
        return *this;
    }
    __tree &operator=(__tree &&other) noexcept {
        if (this != &other) {
            clear();
            swap(other);
        }
        return *this;
    }
    void __copy(const __tree &other) {
        for (size_t i = 0; i < other.__size; ++i) __place_node(__size, new __node<T>(other.__nodes[i]->value));
    }
    size_t size() const { return __size; }
    size_t max_size() const { return 0x7fffffffffffffffUL / sizeof(__node<T>); }
    bool empty() const { return __size == 0; }
    F key_comp() const { return __less; }
    auto value_comp() const {
        return [less = __less](const T &a, const T &b) { return less(O::of(a), O::of(b)); };
    }
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
    template <class L> size_t __place(const L &key) const {
        size_t low = 0, high = __size;
        while (low < high) {
            size_t middle = (low + high) / 2;
            if (__less(O::of(__nodes[middle]->value), key)) low = middle + 1;
            else high = middle;
        }
        return low;
    }
    // Place of the first key that is greater.
    template <class L> size_t __place_behind(const L &key) const {
        size_t low = 0, high = __size;
        while (low < high) {
            size_t middle = (low + high) / 2;
            if (__less(key, O::of(__nodes[middle]->value))) high = middle;
            else low = middle + 1;
        }
        return low;
    }
    template <class L> bool __has(size_t place, const L &key) const {
        return place < __size && !__less(key, O::of(__nodes[place]->value));
    }
    iterator __at(size_t place) { return iterator(place < __size ? __nodes[place] : 0, &__last); }
    const_iterator __at(size_t place) const { return const_iterator(place < __size ? __nodes[place] : 0, &__last); }
    // Place of a node.
    size_t __place_of(const __node<T> *node) const {
        size_t place = __place(O::of(node->value));
        while (__nodes[place] != node) ++place;
        return place;
    }
    void __place_node(size_t place, __node<T> *made) {
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
    }
    template <class A> auto insert(A &&value) {
        if constexpr (M) {
            __node<T> *made = new __node<T>((A &&)value);
            __place_node(__place_behind(O::of(made->value)), made);
            return iterator(made, &__last);
        } else if constexpr (O::template __is_entry<A>) {
            size_t place = __place(O::of(value));
            if (__has(place, O::of(value))) return pair<iterator, bool>(__at(place), false);
            __place_node(place, new __node<T>((A &&)value));
            return pair<iterator, bool>(__at(place), true);
        } else {
            return emplace((A &&)value);
        }
    }
    auto insert(const T &value) { return insert<const T &>(value); }
    auto insert(T &&value) { return insert<T>((T &&)value); }
    iterator insert(const_iterator at, const T &value) { return __inserted(insert(value)); }
    iterator insert(const_iterator at, T &&value) { return __inserted(insert((T &&)value)); }
    template <class __Iterator> void insert(__Iterator first, __Iterator last) {
        for (; first != last; ++first) insert(*first);
    }
    void insert(initializer_list<T> list) { insert(list.begin(), list.end()); }
    template <class... A> auto emplace(A &&...arguments) {
        __node<T> *made = new __node<T>((A &&)arguments...);
        if constexpr (M) {
            __place_node(__place_behind(O::of(made->value)), made);
            return iterator(made, &__last);
        } else {
            size_t place = __place(O::of(made->value));
            bool is_new = !__has(place, O::of(made->value));
            if (is_new) __place_node(place, made);
            else delete made;
            return pair<iterator, bool>(__at(place), is_new);
        }
    }
    template <class... A> iterator emplace_hint(const_iterator, A &&...arguments) {
        return __inserted(emplace((A &&)arguments...));
    }
    static iterator __inserted(const pair<iterator, bool> &made) { return made.first; }
    static iterator __inserted(iterator made) { return made; }
    template <class L> iterator __found(const L &key) {
        size_t place = __place(key);
        return __at(__has(place, key) ? place : __size);
    }
    template <class L> const_iterator __found(const L &key) const {
        size_t place = __place(key);
        return __at(__has(place, key) ? place : __size);
    }
    iterator find(const K &key) { return __found(key); }
    const_iterator find(const K &key) const { return __found(key); }
    size_t count(const K &key) const { return __place_behind(key) - __place(key); }
    bool contains(const K &key) const { return __has(__place(key), key); }
    iterator lower_bound(const K &key) { return __at(__place(key)); }
    const_iterator lower_bound(const K &key) const { return __at(__place(key)); }
    iterator upper_bound(const K &key) { return __at(__place_behind(key)); }
    const_iterator upper_bound(const K &key) const { return __at(__place_behind(key)); }
    pair<iterator, iterator> equal_range(const K &key) {
        return pair<iterator, iterator>(lower_bound(key), upper_bound(key));
    }
    pair<const_iterator, const_iterator> equal_range(const K &key) const {
        return pair<const_iterator, const_iterator>(lower_bound(key), upper_bound(key));
    }
    void __erase(size_t from, size_t to) {
        for (size_t place = from; place < to; ++place) {
            __node<T> *old = __nodes[place];
            __unlink(old);
            delete old;
        }
        memmove((void *)(__nodes + from), (void *)(__nodes + to), (__size - to) * sizeof(__nodes[0]));
        __size -= to - from;
    }
    class node_type : public __node_handle<__node<T>> {
    public:
        node_type() {}
        node_type(__node<T> *node) : __node_handle<__node<T>>(node) {}
        node_type(node_type &&other) : __node_handle<__node<T>>(other.__release()) {}
    };
    // Takes a node out, with its value.
    node_type __extract(__node<T> *node) {
        size_t place = __place_of(node);
        __unlink(node);
        memmove((void *)(__nodes + place), (void *)(__nodes + place + 1), (__size - place - 1) * sizeof(__nodes[0]));
        --__size;
        return node_type(node);
    }
    node_type extract(const_iterator at) { return __extract(at.__at); }
    node_type extract(const K &key) {
        size_t place = __place(key);
        return __has(place, key) ? __extract(__nodes[place]) : node_type();
    }
    auto insert(node_type &&node) {
        __node<T> *made = node.__node_of;
        if constexpr (M) {
            if (made) __place_node(__place_behind(O::of(made->value)), node.__release());
            return iterator(made, &__last);
        } else {
            size_t place = made ? __place(O::of(made->value)) : __size;
            bool is_new = made && !__has(place, O::of(made->value));
            if (is_new) __place_node(place, node.__release());
            return __insert_return{__at(place), is_new, (node_type &&)node};
        }
    }
    struct __insert_return {
        iterator position;
        bool inserted;
        node_type node;
    };
    template <class W> void merge(W &&other) {
        for (auto at = other.begin(); at != other.end();) {
            __node<T> *node = at.__at;
            ++at;
            size_t place = M ? __place_behind(O::of(node->value)) : __place(O::of(node->value));
            if (M || !__has(place, O::of(node->value))) __place_node(place, other.__extract(node).__release());
        }
    }
    void __unlink(__node<T> *old) {
        if (old->before) old->before->after = old->after;
        if (old->after) old->after->before = old->before;
        else __last = old->before;
    }
    size_t erase(const K &key) {
        size_t from = __place(key), to = __place_behind(key);
        __erase(from, to);
        return to - from;
    }
    iterator erase(iterator at) { return __erase_one(at.__at); }
    template <class W> iterator erase(__tree_iterator<T, W> at) { return __erase_one(at.__at); }
    iterator erase(const_iterator first, const_iterator last) {
        size_t from = first.__at ? __place_of(first.__at) : __size, to = last.__at ? __place_of(last.__at) : __size;
        __erase(from, to);
        return __at(from);
    }
    iterator __erase_one(const __node<T> *node) {
        size_t place = __place_of(node);
        __erase(place, place + 1);
        return __at(place);
    }
    void swap(__tree &other) noexcept {
        __swap_parts(__nodes, other.__nodes);
        __swap_parts(__size, other.__size);
        __swap_parts(__capacity, other.__capacity);
        __swap_parts(__last, other.__last);
        __swap_parts(__less, other.__less);
    }
};
template <class T, class V, class K, class F, class O, bool M>
inline bool operator==(const __tree<T, V, K, F, O, M> &a, const __tree<T, V, K, F, O, M> &b) {
    return a.size() == b.size() && equal(a.begin(), a.end(), b.begin());
}
template <class T, class V, class K, class F, class O, bool M>
inline bool operator!=(const __tree<T, V, K, F, O, M> &a, const __tree<T, V, K, F, O, M> &b) {
    return !(a == b);
}
template <class T, class V, class K, class F, class O, bool M>
inline bool operator<(const __tree<T, V, K, F, O, M> &a, const __tree<T, V, K, F, O, M> &b) {
    return lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
}
template <class T, class V, class K, class F, class O, bool M>
inline void swap(__tree<T, V, K, F, O, M> &a, __tree<T, V, K, F, O, M> &b) noexcept {
    a.swap(b);
}
template <class K, class V> struct __key_of_pair {
    static const K &of(const pair<const K, V> &value) { return value.first; }
    template <class A> static constexpr bool __is_entry = __is_named_same<typename __bare<typename remove_reference<A>::type>::type, pair<const K, V>>;
};
template <class K> struct __key_itself {
    static const K &of(const K &value) { return value; }
    template <class A> static constexpr bool __is_entry = __is_named_same<typename __bare<typename remove_reference<A>::type>::type, K>;
};
#define __WS_TREE(NAME, BASE, VALUE)                                                                       \
    typedef BASE __base;                                                                                   \
    NAME() {}                                                                                              \
    explicit NAME(const F &less) : __base(less) {}                                                         \
    NAME(initializer_list<VALUE> list, const F &less = F()) : __base(less) {                               \
        this->insert(list.begin(), list.end());                                                            \
    }                                                                                                      \
    template <class __Iterator> NAME(__Iterator first, __Iterator last, const F &less = F()) : __base(less) { \
        this->insert(first, last);                                                                         \
    }                                                                                                      \
    NAME &operator=(initializer_list<VALUE> list) {                                                        \
        this->clear();                                                                                     \
        this->insert(list.begin(), list.end());                                                            \
        return *this;                                                                                      \
    }
#define __WS_COMMA ,
#define __WS_ENTRY pair<const K __WS_COMMA V>
template <class K, class V, class F = less<K>, class __A = allocator<pair<const K, V>>>
class map : public __tree<pair<const K, V>, pair<const K, V>, K, F, __key_of_pair<K, V>, false> {
public:
    __WS_STANDARD_ALLOCATOR
    typedef V mapped_type;
    __WS_TREE(map, __tree<__WS_ENTRY __WS_COMMA __WS_ENTRY __WS_COMMA K __WS_COMMA F __WS_COMMA __key_of_pair<K __WS_COMMA V> __WS_COMMA false>, __WS_ENTRY)
    typedef typename __base::iterator iterator;
    template <class L, class... A> pair<iterator, bool> __try(L &&key, A &&...arguments) {
        size_t place = this->__place(key);
        bool is_new = !this->__has(place, key);
        if (is_new) this->__place_node(place, new __node<pair<const K, V>>(__in_pair(), (L &&)key, (A &&)arguments...));
        return pair<iterator, bool>(this->__at(place), is_new);
    }
    V &operator[](const K &key) { return __try(key).first->second; }
    V &operator[](K &&key) { return __try((K &&)key).first->second; }
    template <class... A> pair<iterator, bool> try_emplace(const K &key, A &&...arguments) {
        return __try(key, (A &&)arguments...);
    }
    template <class A> pair<iterator, bool> insert_or_assign(const K &key, A &&value) {
        size_t place = this->__place(key);
        if (!this->__has(place, key)) return __try(key, (A &&)value);
        this->__nodes[place]->value.second = (A &&)value;
        return pair<iterator, bool>(this->__at(place), false);
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
};
template <class K, class V, class F = less<K>, class __A = allocator<pair<const K, V>>>
class multimap : public __tree<pair<const K, V>, pair<const K, V>, K, F, __key_of_pair<K, V>, true> {
public:
    __WS_STANDARD_ALLOCATOR
    typedef V mapped_type;
    __WS_TREE(multimap, __tree<__WS_ENTRY __WS_COMMA __WS_ENTRY __WS_COMMA K __WS_COMMA F __WS_COMMA __key_of_pair<K __WS_COMMA V> __WS_COMMA true>, __WS_ENTRY)
};
template <class K, class F = less<K>, class __A = allocator<K>>
class set : public __tree<K, const K, K, F, __key_itself<K>, false> {
public:
    __WS_STANDARD_ALLOCATOR
    __WS_TREE(set, __tree<K __WS_COMMA const K __WS_COMMA K __WS_COMMA F __WS_COMMA __key_itself<K> __WS_COMMA false>, K)
};
template <class K, class F = less<K>, class __A = allocator<K>>
class multiset : public __tree<K, const K, K, F, __key_itself<K>, true> {
public:
    __WS_STANDARD_ALLOCATOR
    __WS_TREE(multiset, __tree<K __WS_COMMA const K __WS_COMMA K __WS_COMMA F __WS_COMMA __key_itself<K> __WS_COMMA true>, K)
};
#undef __WS_TREE
#undef __WS_ENTRY
#undef __WS_COMMA
#if __cplusplus >= 202002L
template <class K, class V, class L, class F>
inline size_t erase_if(map<K, V, L> &from, F takes) {
    return __erase_if(from, takes);
}
template <class K, class V, class L, class F>
inline size_t erase_if(multimap<K, V, L> &from, F takes) {
    return __erase_if(from, takes);
}
template <class K, class L, class F>
inline size_t erase_if(set<K, L> &from, F takes) {
    return __erase_if(from, takes);
}
template <class K, class L, class F>
inline size_t erase_if(multiset<K, L> &from, F takes) {
    return __erase_if(from, takes);
}
#endif
}
