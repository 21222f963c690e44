// `std::hash`, with the values of libstdc++.
#include <string>
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
}
