// <unordered_map> and <unordered_set>: a list of nodes in the order that libstdc++ gives them.
#include <__allocator>
#include <__functions>
#include <__hash>
#include <initializer_list>
#include <stdexcept>
#include <utility>
namespace std {
template <class T> struct __hash_node {
    __hash_node *after;
    size_t hash;
    T value;
    template <class... A> __hash_node(A &&...arguments) : after(0), hash(0), value((A &&)arguments...) {}
};
// Numbers of buckets of libstdc++.
inline size_t __next_prime(size_t least) {
    static const size_t primes[] = {
        2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83,
        89, 97, 103, 109, 113, 127, 137, 139, 149, 157, 167, 179, 193, 199, 211, 227, 241, 257,
        277, 293, 313, 337, 359, 383, 409, 439, 467, 503, 541, 577, 619, 661, 709, 761, 823,
        887, 953, 1031, 1109, 1193, 1289, 1381, 1493, 1613, 1741, 1879, 2029, 2179, 2357, 2549,
        2753, 2971, 3209, 3469, 3739, 4027, 4349, 4703, 5087, 5503, 5953, 6427, 6949, 7517,
        8123, 8783, 9497, 10273, 11113, 12011, 12983, 14033, 15173, 16411, 17749, 19183, 20753,
        22447, 24281, 26267, 28411, 30727, 33223, 35933, 38873, 42043, 45481, 49201, 53201,
        57557, 62233, 67307, 72817, 78779, 85229, 92203, 99733, 107897, 116731, 126271, 136607,
        147793, 159871, 172933, 187091, 202409, 218971, 236897, 256279, 277261, 299951, 324503,
        351061, 379787, 410857, 444487, 480881, 520241, 562841, 608903, 658753, 712697, 771049,
        834181, 902483, 976369, 1056323, 1142821, 1236397, 1337629, 1447153, 1565659, 1693859,
        1832561, 1982627, 2144977, 2320627, 2510653, 2716249, 2938679, 3179303, 3439651,
        3721303, 4026031, 4355707, 4712381, 5098259, 5515729, 5967347, 6456007, 6984629,
        7556579, 8175383, 8844859, 9569143, 10352717, 11200489, 12117689, 13109983, 14183539,
        15345007, 16601593, 17961079, 19431899, 21023161};
    size_t low = 0, high = sizeof(primes) / sizeof(primes[0]);
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (primes[middle] < least) low = middle + 1;
        else high = middle;
    }
    return low < sizeof(primes) / sizeof(primes[0]) ? primes[low] : least | 1;
}
// `V` is `T` or `const T`.
template <class T, class V> class __hash_iterator : public __iterated<forward_iterator_tag, V> {
public:
    __hash_node<T> *__at;
    __hash_iterator() : __at(0) {}
    explicit __hash_iterator(__hash_node<T> *at) : __at(at) {}
    template <class W> __hash_iterator(const __hash_iterator<T, W> &other) : __at(other.__at) {}
    V &operator*() const { return __at->value; }
    V *operator->() const { return &__at->value; }
    __hash_iterator &operator++() {
        __at = __at->after;
        return *this;
    }
    __hash_iterator operator++(int) {
        __hash_iterator old = *this;
        __at = __at->after;
        return old;
    }
    template <class W> bool operator==(const __hash_iterator<T, W> &other) const { return __at == other.__at; }
    template <class W> bool operator!=(const __hash_iterator<T, W> &other) const { return __at != other.__at; }
};
// `O::of` is the key of a value.
template <class T, class V, class K, class H, class E, class O> class __hash_table {
public:
    typedef K key_type;
    typedef T value_type;
    typedef H hasher;
    typedef E key_equal;
    typedef T &reference;
    typedef const T &const_reference;
    typedef size_t size_type;
    typedef ptrdiff_t difference_type;
    typedef __hash_iterator<T, V> iterator;
    typedef __hash_iterator<T, const T> const_iterator;
    // The node in front of the first one has no value.
    __hash_node<T> *__head;
    // For each bucket the node in front of its first one.
    __hash_node<T> **__buckets;
    size_t __count;
    size_t __size;
    H __hash;
    E __same;
    __hash_table() : __head(0), __buckets(0), __count(1), __size(0), __hash(), __same() {}
    __hash_table(const __hash_table &other)
        : __head(0), __buckets(0), __count(1), __size(0), __hash(other.__hash), __same(other.__same) {
        __copy(other);
    }
    __hash_table(__hash_table &&other) noexcept
        : __head(0), __buckets(0), __count(1), __size(0), __hash(other.__hash), __same(other.__same) {
        swap(other);
    }
    __hash_table &operator=(__hash_table &&other) noexcept {
        if (this != &other) {
            clear();
            swap(other);
        }
        return *this;
    }
    void swap(__hash_table &other) noexcept {
        __swap_parts(__head, other.__head);
        __swap_parts(__buckets, other.__buckets);
        __swap_parts(__count, other.__count);
        __swap_parts(__size, other.__size);
        __swap_parts(__hash, other.__hash);
        __swap_parts(__same, other.__same);
    }
    ~__hash_table() {
        clear();
        free((void *)__head);
        free((void *)__buckets);
    }
    __hash_table &operator=(const __hash_table &other) {
        if (this != &other) {
            clear();
            __copy(other);
        }
        return *this;
    }
    void __copy(const __hash_table &other) {
        // The order of a copy is the order of the original.
        if (other.__size == 0) return;
        __rebuild(other.__count);
        __hash_node<T> *last = __head;
        for (__hash_node<T> *at = other.__head->after; at; at = at->after) {
            __hash_node<T> *made = new __hash_node<T>(at->value);
            made->hash = at->hash;
            last->after = made;
            if (!__buckets[made->hash % __count]) __buckets[made->hash % __count] = last;
            last = made;
            ++__size;
        }
    }
    size_t size() const { return __size; }
    bool empty() const { return __size == 0; }
    size_t bucket_count() const { return __count; }
    size_t max_size() const { return 0x7fffffffffffffffUL / sizeof(__hash_node<T>); }
    float load_factor() const { return (float)__size / (float)__count; }
    float max_load_factor() const { return 1.0f; }
    size_t bucket(const K &key) const { return __hash(key) % __count; }
    size_t bucket_size(size_t at) const {
        size_t found = 0;
        if (__head)
            for (__hash_node<T> *node = __head->after; node; node = node->after) found += node->hash % __count == at;
        return found;
    }
    H hash_function() const { return __hash; }
    E key_eq() const { return __same; }
    void reserve(size_t count) { rehash(count); }
    void rehash(size_t count) {
        size_t wanted = __next_prime(count > __size + 1 ? count : __size + 1);
        if (wanted != __count) __rebuild(wanted);
    }
    iterator begin() { return iterator(__head ? __head->after : 0); }
    iterator end() { return iterator(); }
    const_iterator begin() const { return const_iterator(__head ? __head->after : 0); }
    const_iterator end() const { return const_iterator(); }
    const_iterator cbegin() const { return begin(); }
    const_iterator cend() const { return end(); }
    void clear() {
        if (!__head) return;
        __hash_node<T> *at = __head->after;
        while (at) {
            __hash_node<T> *after = at->after;
            delete at;
            at = after;
        }
        __head->after = 0;
        __size = 0;
        for (size_t i = 0; i < __count; ++i) __buckets[i] = 0;
    }
    // Distributes the nodes to a number of buckets.
    void __rebuild(size_t count) {
        if (!__head) {
            __head = (__hash_node<T> *)__ws_malloc(sizeof(__hash_node<T>));
            __head->after = 0;
        }
        free((void *)__buckets);
        __buckets = (__hash_node<T> **)__ws_calloc(count, sizeof(__buckets[0]));
        __count = count;
        __hash_node<T> *at = __head->after;
        __head->after = 0;
        size_t first = 0;
        // The node that was placed last, and whether it was placed behind one of its bucket.
        __hash_node<T> *last = 0;
        bool is_behind = false;
        while (at) {
            __hash_node<T> *after = at->after;
            size_t bucket = at->hash % count;
            if (O::__many && last && last->hash % count == bucket) {
                // Equal elements stay together, in their order.
                at->after = last->after;
                last->after = at;
                is_behind = true;
                last = at;
                at = after;
                continue;
            }
            if (is_behind) __end_group(last);
            is_behind = false;
            last = at;
            if (!__buckets[bucket]) {
                at->after = __head->after;
                __head->after = at;
                __buckets[bucket] = __head;
                if (at->after) __buckets[first] = at;
                first = bucket;
            } else {
                at->after = __buckets[bucket]->after;
                __buckets[bucket]->after = at;
            }
            at = after;
        }
        if (is_behind) __end_group(last);
    }
    // The bucket of the node behind a group begins there.
    void __end_group(__hash_node<T> *last) {
        if (!last->after) return;
        size_t next = last->after->hash % __count;
        if (next != last->hash % __count) __buckets[next] = last;
    }
    void __grow() { __rebuild(__next_prime(__count < 2 ? 12 : 2 * __count)); }
    // The node in front of a key, or 0.
    __hash_node<T> *__before(const K &key, size_t hash) const {
        if (__size == 0) return 0;
        size_t bucket = hash % __count;
        __hash_node<T> *before = __buckets[bucket];
        if (!before) return 0;
        for (__hash_node<T> *at = before->after; at && at->hash % __count == bucket; at = at->after) {
            if (at->hash == hash && __same(O::of(at->value), key)) return before;
            before = at;
        }
        return 0;
    }
    __hash_node<T> *__find(const K &key) const {
        __hash_node<T> *before = __before(key, __hash(key));
        return before ? before->after : 0;
    }
    // The number of elements that equal one.
    size_t __equals(const T &value) const {
        size_t found = 0;
        __hash_node<T> *at = __find(O::of(value));
        for (; at && __same(O::of(at->value), O::of(value)); at = at->after) found += at->value == value;
        return found;
    }
    __hash_node<T> *__insert(__hash_node<T> *made, size_t hash) {
        if (!__head || __size + 1 > __count) __grow();
        made->hash = hash;
        size_t bucket = hash % __count;
        __hash_node<T> *equal = O::__many ? __before(O::of(made->value), hash) : 0;
        if (equal) {
            made->after = equal->after;
            equal->after = made;
        } else if (__buckets[bucket]) {
            made->after = __buckets[bucket]->after;
            __buckets[bucket]->after = made;
        } else {
            made->after = __head->after;
            __head->after = made;
            if (made->after) __buckets[made->after->hash % __count] = made;
            __buckets[bucket] = __head;
        }
        ++__size;
        return made;
    }
    template <class A> pair<iterator, bool> insert(A &&value) {
        if constexpr (O::template __is_entry<A>) {
            size_t hash = __hash(O::of(value));
            __hash_node<T> *before = __before(O::of(value), hash);
            if (before) return pair<iterator, bool>(iterator(before->after), false);
            return pair<iterator, bool>(iterator(__insert(new __hash_node<T>((A &&)value), hash)), true);
        } else {
            return emplace((A &&)value);
        }
    }
    pair<iterator, bool> insert(const T &value) { return insert<const T &>(value); }
    pair<iterator, bool> insert(T &&value) { return insert<T>((T &&)value); }
    iterator insert(const_iterator, const T &value) { return insert(value).first; }
    template <class __Iterator> void insert(__Iterator first, __Iterator last) {
        for (; first != last; ++first) insert(*first);
    }
    void insert(initializer_list<T> list) { insert(list.begin(), list.end()); }
    template <class... A> pair<iterator, bool> emplace(A &&...arguments) {
        __hash_node<T> *made = new __hash_node<T>((A &&)arguments...);
        size_t hash = __hash(O::of(made->value));
        __hash_node<T> *before = __before(O::of(made->value), hash);
        if (before) {
            delete made;
            return pair<iterator, bool>(iterator(before->after), false);
        }
        return pair<iterator, bool>(iterator(__insert(made, hash)), true);
    }
    pair<iterator, iterator> equal_range(const K &key) {
        __hash_node<T> *node = __find(key);
        return pair<iterator, iterator>(iterator(node), iterator(node ? node->after : 0));
    }
    pair<const_iterator, const_iterator> equal_range(const K &key) const {
        __hash_node<T> *node = __find(key);
        return pair<const_iterator, const_iterator>(const_iterator(node), const_iterator(node ? node->after : 0));
    }
    bool contains(const K &key) const { return __find(key) != 0; }
    iterator find(const K &key) { return iterator(__find(key)); }
    const_iterator find(const K &key) const { return const_iterator(__find(key)); }
    size_t count(const K &key) const { return __find(key) != 0; }
    size_t erase(const K &key) {
        size_t hash = __hash(key), before = __size;
        while (__hash_node<T> *node = __before(key, hash)) {
            // The key may be the key of this node.
            bool is_last = !O::__many || !node->after->after || node->after->after->hash != hash
                           || !__same(O::of(node->after->after->value), O::of(node->after->value));
            __unlink(node);
            if (is_last) break;
        }
        return before - __size;
    }
    // Removes the node behind one.
    void __unlink(__hash_node<T> *before) {
        __hash_node<T> *old = before->after, *after = old->after;
        size_t bucket = old->hash % __count, next = after ? after->hash % __count : 0;
        if (before == __buckets[bucket]) {
            if (!after || next != bucket) {
                if (after) __buckets[next] = before;
                __buckets[bucket] = 0;
            }
        } else if (after && next != bucket) {
            __buckets[next] = before;
        }
        before->after = after;
        delete old;
        --__size;
    }
    iterator erase(iterator at) { return __erase_node(at.__at); }
    template <class W> iterator erase(__hash_iterator<T, W> at) { return __erase_node(at.__at); }
    iterator erase(const_iterator first, const_iterator last) {
        while (first != last) first = erase(first);
        return iterator(last.__at);
    }
    iterator __erase_node(__hash_node<T> *node) {
        __hash_node<T> *after = node->after, *before = __buckets[node->hash % __count];
        while (before->after != node) before = before->after;
        __unlink(before);
        return iterator(after);
    }
};
template <class T, class V, class K, class H, class E, class O>
inline bool operator==(const __hash_table<T, V, K, H, E, O> &a, const __hash_table<T, V, K, H, E, O> &b) {
    if (a.size() != b.size()) return false;
    for (auto at = a.begin(); at != a.end(); ++at) {
        if (O::__many) {
            if (a.__equals(*at) != b.__equals(*at)) return false;
            continue;
        }
        auto found = b.find(O::of(*at));
        if (found == b.end() || !(*found == *at)) return false;
    }
    return true;
}
template <class T, class V, class K, class H, class E, class O>
inline bool operator!=(const __hash_table<T, V, K, H, E, O> &a, const __hash_table<T, V, K, H, E, O> &b) {
    return !(a == b);
}
template <class T, class V, class K, class H, class E, class O>
inline void swap(__hash_table<T, V, K, H, E, O> &a, __hash_table<T, V, K, H, E, O> &b) noexcept {
    a.swap(b);
}
template <class K, class V> struct __key_of_entry {
    static constexpr bool __many = false;
    static const K &of(const pair<const K, V> &value) { return value.first; }
    template <class A> static constexpr bool __is_entry =
        __is_named_same<typename __bare<typename remove_reference<A>::type>::type, pair<const K, V>>;
};
template <class K> struct __key_of_key {
    static constexpr bool __many = false;
    static const K &of(const K &value) { return value; }
    template <class A> static constexpr bool __is_entry =
        __is_named_same<typename __bare<typename remove_reference<A>::type>::type, K>;
};
template <class K, class V> struct __key_of_entries : __key_of_entry<K, V> {
    static constexpr bool __many = true;
};
template <class K> struct __key_of_keys : __key_of_key<K> {
    static constexpr bool __many = true;
};
// Tables with several elements of one key.
template <class T, class V, class K, class H, class E, class O>
class __hash_multi : public __hash_table<T, V, K, H, E, O> {
public:
    typedef __hash_iterator<T, V> iterator;
    typedef __hash_iterator<T, const T> const_iterator;
    template <class... A> iterator emplace(A &&...arguments) {
        __hash_node<T> *made = new __hash_node<T>((A &&)arguments...);
        size_t hash = this->__hash(O::of(made->value));
        return iterator(this->__insert(made, hash));
    }
    template <class A> iterator insert(A &&value) { return emplace((A &&)value); }
    iterator insert(const T &value) { return emplace(value); }
    iterator insert(T &&value) { return emplace((T &&)value); }
    iterator insert(const_iterator, const T &value) { return emplace(value); }
    template <class __Iterator> void insert(__Iterator first, __Iterator last) {
        for (; first != last; ++first) emplace(*first);
    }
    void insert(initializer_list<T> list) { insert(list.begin(), list.end()); }
    __hash_node<T> *__end_of(__hash_node<T> *node) const {
        __hash_node<T> *at = node;
        while (at && at->hash == node->hash && this->__same(O::of(at->value), O::of(node->value))) at = at->after;
        return at;
    }
    pair<iterator, iterator> equal_range(const K &key) {
        __hash_node<T> *node = this->__find(key);
        return pair<iterator, iterator>(iterator(node), iterator(__end_of(node)));
    }
    pair<const_iterator, const_iterator> equal_range(const K &key) const {
        __hash_node<T> *node = this->__find(key);
        return pair<const_iterator, const_iterator>(const_iterator(node), const_iterator(__end_of(node)));
    }
    size_t count(const K &key) const {
        size_t found = 0;
        __hash_node<T> *at = this->__find(key), *end = __end_of(at);
        for (; at != end; at = at->after) ++found;
        return found;
    }
};
#define __WS_TABLE(NAME, VALUE)                                                                            \
    NAME() {}                                                                                              \
    explicit NAME(size_t buckets, const H &hash = H(), const E &same = E()) {                              \
        this->__hash = hash;                                                                               \
        this->__same = same;                                                                               \
        if (buckets > 1) this->rehash(buckets);                                                            \
    }                                                                                                      \
    NAME(initializer_list<VALUE> list) { this->insert(list.begin(), list.end()); }                         \
    template <class __Iterator> NAME(__Iterator first, __Iterator last) { this->insert(first, last); }     \
    NAME &operator=(initializer_list<VALUE> list) {                                                        \
        this->clear();                                                                                     \
        this->insert(list.begin(), list.end());                                                            \
        return *this;                                                                                      \
    }
template <class K, class V, class H = hash<K>, class E = equal_to<K>, class __A = allocator<pair<const K, V>>>
class unordered_map : public __hash_table<pair<const K, V>, pair<const K, V>, K, H, E, __key_of_entry<K, V> > {
public:
    __WS_STANDARD_ALLOCATOR
    typedef V mapped_type;
    typedef __hash_iterator<pair<const K, V>, pair<const K, V>> iterator;
    typedef pair<const K, V> __entry;
    __WS_TABLE(unordered_map, __entry)
    template <class L, class... A> pair<iterator, bool> __try(L &&key, A &&...arguments) {
        size_t hash = this->__hash(key);
        __hash_node<__entry> *before = this->__before(key, hash);
        if (before) return pair<iterator, bool>(iterator(before->after), false);
        __hash_node<__entry> *made = new __hash_node<__entry>(__in_pair(), (L &&)key, (A &&)arguments...);
        return pair<iterator, bool>(iterator(this->__insert(made, hash)), true);
    }
    V &operator[](const K &key) { return __try(key).first->second; }
    V &operator[](K &&key) { return __try((K &&)key).first->second; }
    template <class... A> pair<iterator, bool> try_emplace(const K &key, A &&...arguments) {
        return __try(key, (A &&)arguments...);
    }
    template <class A> pair<iterator, bool> insert_or_assign(const K &key, A &&value) {
        __hash_node<__entry> *known = this->__find(key);
        if (!known) return __try(key, (A &&)value);
        known->value.second = (A &&)value;
        return pair<iterator, bool>(iterator(known), false);
    }
    V &at(const K &key) {
        __hash_node<__entry> *known = this->__find(key);
        if (!known) throw out_of_range("unordered_map::at");
        return known->value.second;
    }
    const V &at(const K &key) const {
        __hash_node<__entry> *known = this->__find(key);
        if (!known) throw out_of_range("unordered_map::at");
        return known->value.second;
    }
};
template <class K, class H = hash<K>, class E = equal_to<K>, class __A = allocator<K>>
class unordered_set : public __hash_table<K, const K, K, H, E, __key_of_key<K> > {
public:
    __WS_STANDARD_ALLOCATOR
    __WS_TABLE(unordered_set, K)
};
template <class K, class V, class H = hash<K>, class E = equal_to<K>, class __A = allocator<pair<const K, V>>>
class unordered_multimap
    : public __hash_multi<pair<const K, V>, pair<const K, V>, K, H, E, __key_of_entries<K, V> > {
public:
    __WS_STANDARD_ALLOCATOR
    typedef V mapped_type;
    typedef pair<const K, V> __entry;
    __WS_TABLE(unordered_multimap, __entry)
};
template <class K, class H = hash<K>, class E = equal_to<K>, class __A = allocator<K>>
class unordered_multiset : public __hash_multi<K, const K, K, H, E, __key_of_keys<K> > {
public:
    __WS_STANDARD_ALLOCATOR
    __WS_TABLE(unordered_multiset, K)
};
#undef __WS_TABLE
#if __cplusplus >= 202002L
template <class K, class V, class H, class E, class F>
inline size_t erase_if(unordered_map<K, V, H, E> &from, F takes) {
    return __erase_if(from, takes);
}
template <class K, class H, class E, class F>
inline size_t erase_if(unordered_set<K, H, E> &from, F takes) {
    return __erase_if(from, takes);
}
#endif
}
