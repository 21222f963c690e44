// <unordered_map> and <unordered_set>: a list of nodes in the order that libstdc++ gives them.
#include <functional>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <utility>
namespace std {
// MurmurHash64A, with which libstdc++ hashes bytes.
inline size_t __hash_bytes(const char *text, size_t size) {
    const size_t factor = 0xc6a4a7935bd1e995UL;
    size_t hash = 0xc70f6907UL ^ (size * factor);
    size_t whole = size / 8 * 8;
    for (size_t i = 0; i < whole; i += 8) {
        size_t word = 0;
        memcpy(&word, text + i, 8);
        word *= factor;
        word = (word ^ (word >> 47)) * factor;
        hash = (hash ^ word) * factor;
    }
    if (size > whole) {
        size_t word = 0;
        memcpy(&word, text + whole, size - whole);
        hash = (hash ^ word) * factor;
    }
    hash = (hash ^ (hash >> 47)) * factor;
    return hash ^ (hash >> 47);
}
template <class T> struct hash;
#define __WS_HASH(TYPE)                                                                                    \
    template <> struct hash<TYPE> {                                                                        \
        size_t operator()(TYPE value) const { return (size_t)value; }                                      \
    };
__WS_HASH(bool)
__WS_HASH(char)
__WS_HASH(signed char)
__WS_HASH(unsigned char)
__WS_HASH(short)
__WS_HASH(unsigned short)
__WS_HASH(int)
__WS_HASH(unsigned int)
__WS_HASH(long)
__WS_HASH(unsigned long)
__WS_HASH(long long)
__WS_HASH(unsigned long long)
#undef __WS_HASH
template <> struct hash<float> {
    size_t operator()(float value) const { return value == 0 ? 0 : __hash_bytes((const char *)&value, 4); }
};
template <> struct hash<double> {
    size_t operator()(double value) const { return value == 0 ? 0 : __hash_bytes((const char *)&value, 8); }
};
template <class T> struct hash<T *> {
    size_t operator()(T *value) const { return (size_t)value; }
};
template <> struct hash<string> {
    size_t operator()(const string &value) const { return __hash_bytes(value.data(), value.size()); }
};
template <class T> struct __hash_node {
    __hash_node *after;
    size_t hash;
    T value;
    __hash_node(const T &value) : after(0), hash(0), value(value) {}
};
// `V` is `T` or `const T`.
template <class T, class V> class __hash_iterator {
public:
    typedef T value_type;
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
    bool operator==(const __hash_iterator &other) const { return __at == other.__at; }
    bool operator!=(const __hash_iterator &other) const { return __at != other.__at; }
};
// `O::of` is the key of a value.
template <class T, class K, class H, class E, class O> class __hash_table {
public:
    typedef T value_type;
    typedef size_t size_type;
    typedef __hash_iterator<T, T> iterator;
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
    void reserve(size_t) {}
    void rehash(size_t) {}
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
        while (at) {
            __hash_node<T> *after = at->after;
            size_t bucket = at->hash % count;
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
    }
    void __grow() {
        static const size_t primes[] = {13, 29, 59, 127, 257, 541, 1109, 2357, 5087, 10273, 20753, 42043,
                                        85229, 172933, 351061, 712697, 1447153, 2938679, 5967347, 12117689};
        for (size_t i = 0; i < sizeof(primes) / sizeof(primes[0]); ++i)
            if (primes[i] > __count) {
                __rebuild(primes[i]);
                return;
            }
    }
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
    __hash_node<T> *__insert(const T &value, size_t hash) {
        if (!__head || __size + 1 > __count) __grow();
        __hash_node<T> *made = new __hash_node<T>(value);
        made->hash = hash;
        size_t bucket = hash % __count;
        if (__buckets[bucket]) {
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
    pair<iterator, bool> insert(const T &value) {
        __hash_node<T> *known = __find(O::of(value));
        if (known) return pair<iterator, bool>(iterator(known), false);
        return pair<iterator, bool>(iterator(__insert(value, __hash(O::of(value)))), true);
    }
    template <class __Iterator> void insert(__Iterator first, __Iterator last) {
        for (; first != last; ++first) insert(*first);
    }
    iterator find(const K &key) { return iterator(__find(key)); }
    const_iterator find(const K &key) const { return const_iterator(__find(key)); }
    size_t count(const K &key) const { return __find(key) != 0; }
    size_t erase(const K &key) {
        size_t hash = __hash(key);
        __hash_node<T> *before = __before(key, hash);
        if (!before) return 0;
        __hash_node<T> *old = before->after, *after = old->after;
        size_t bucket = hash % __count, next = after ? after->hash % __count : 0;
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
        return 1;
    }
    iterator erase(iterator at) {
        __hash_node<T> *after = at.__at->after;
        K key = O::of(at.__at->value);
        erase(key);
        return iterator(after);
    }
};
template <class K, class V> struct __key_of_entry {
    static const K &of(const pair<const K, V> &value) { return value.first; }
};
template <class K> struct __key_of_key {
    static const K &of(const K &value) { return value; }
};
template <class K, class V, class H = hash<K>, class E = equal_to<K> >
class unordered_map : public __hash_table<pair<const K, V>, K, H, E, __key_of_entry<K, V> > {
public:
    typedef K key_type;
    typedef V mapped_type;
    typedef pair<const K, V> value_type;
    unordered_map() {}
    unordered_map(initializer_list<pair<const K, V> > list) {
        for (const pair<const K, V> *at = list.begin(); at != list.end(); ++at) this->insert(*at);
    }
    V &operator[](const K &key) {
        __hash_node<pair<const K, V> > *known = this->__find(key);
        if (known) return known->value.second;
        return this->__insert(pair<const K, V>(key, V()), this->__hash(key))->value.second;
    }
    V &at(const K &key) {
        __hash_node<pair<const K, V> > *known = this->__find(key);
        if (!known) throw out_of_range("unordered_map::at");
        return known->value.second;
    }
    const V &at(const K &key) const {
        __hash_node<pair<const K, V> > *known = this->__find(key);
        if (!known) throw out_of_range("unordered_map::at");
        return known->value.second;
    }
    template <class A, class B> void emplace(A &&a, B &&b) { this->insert(pair<const K, V>((A &&)a, (B &&)b)); }
};
template <class K, class H = hash<K>, class E = equal_to<K> >
class unordered_set : public __hash_table<K, K, H, E, __key_of_key<K> > {
public:
    typedef K key_type;
    unordered_set() {}
    unordered_set(initializer_list<K> list) {
        for (const K *at = list.begin(); at != list.end(); ++at) this->insert(*at);
    }
    template <class __Iterator> unordered_set(__Iterator first, __Iterator last) {
        for (; first != last; ++first) this->insert(*first);
    }
};
}
