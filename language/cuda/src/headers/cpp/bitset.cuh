// <bitset>: bits in words, the lowest first.
#include <string>
namespace std {
template <size_t N> class bitset {
public:
    static constexpr size_t __words = (N + 63) / 64;
    unsigned long __bits[__words + (N == 0)];
    class reference {
    public:
        bitset *__of;
        size_t __at;
        reference(bitset *of, size_t at) : __of(of), __at(at) {}
        operator bool() const { return __of->__test(__at); }
        bool operator~() const { return !__of->__test(__at); }
        reference &operator=(bool value) {
            __of->__put(__at, value);
            return *this;
        }
        reference &operator=(const reference &other) {
            __of->__put(__at, other);
            return *this;
        }
        reference &flip() {
            __of->__put(__at, !__of->__test(__at));
            return *this;
        }
    };
    bitset() { reset(); }
    template <class __Number> bitset(__Number value) {
        reset();
        __bits[0] = (unsigned long)value;
        __trim();
    }
    explicit bitset(const string &text, size_t from = 0, size_t count = string::npos, char zero = '0', char one = '1') {
        if (from > text.size()) {
            char message[160];
            sprintf(message, "bitset::bitset: __position (which is %zu) > __s.size() (which is %zu)", from, text.size());
            throw out_of_range(message);
        }
        __read(text.data() + from, count < text.size() - from ? count : text.size() - from, zero, one);
    }
    explicit bitset(const char *text) { __read(text, strlen(text), '0', '1'); }
    void __read(const char *text, size_t count, char zero, char one) {
        reset();
        for (size_t i = 0; i < count && i < N; ++i) {
            char c = text[(count < N ? count : N) - 1 - i];
            if (c == one) __put(i, true);
            else if (c != zero) throw invalid_argument("bitset::_M_copy_from_ptr");
        }
    }
    // The place of the first bit at or behind a place: an extension of libstdc++.
    size_t __next(size_t at) const {
        while (at < N && !__test(at)) ++at;
        return at;
    }
    size_t _Find_first() const { return __next(0); }
    size_t _Find_next(size_t before) const { return __next(before + 1); }
    bool __test(size_t at) const { return __bits[at / 64] >> (at % 64) & 1; }
    void __put(size_t at, bool value) {
        unsigned long bit = 1UL << (at % 64);
        if (value) __bits[at / 64] |= bit;
        else __bits[at / 64] &= ~bit;
    }
    void __trim() {
        if (N % 64) __bits[__words - 1] &= (1UL << (N % 64)) - 1;
        if (N == 0) __bits[0] = 0;
    }
    void __check(size_t at, const char *where) const {
        if (at < N) return;
        char text[160];
        sprintf(text, "%s: __position (which is %zu) >= _Nb (which is %zu)", where, at, N);
        throw out_of_range(text);
    }
    bool operator[](size_t at) const { return __test(at); }
    reference operator[](size_t at) { return reference(this, at); }
    bool test(size_t at) const {
        __check(at, "bitset::test");
        return __test(at);
    }
    bitset &set() {
        for (size_t i = 0; i < __words; ++i) __bits[i] = ~0UL;
        __trim();
        return *this;
    }
    bitset &set(size_t at, bool value = true) {
        __check(at, "bitset::set");
        __put(at, value);
        return *this;
    }
    bitset &reset() {
        for (size_t i = 0; i < __words + (N == 0); ++i) __bits[i] = 0;
        return *this;
    }
    bitset &reset(size_t at) {
        __check(at, "bitset::reset");
        __put(at, false);
        return *this;
    }
    bitset &flip() {
        for (size_t i = 0; i < __words; ++i) __bits[i] = ~__bits[i];
        __trim();
        return *this;
    }
    bitset &flip(size_t at) {
        __check(at, "bitset::flip");
        __put(at, !__test(at));
        return *this;
    }
    size_t size() const { return N; }
    size_t count() const {
        size_t sum = 0;
        for (size_t i = 0; i < __words; ++i)
            for (unsigned long rest = __bits[i]; rest; rest &= rest - 1) ++sum;
        return sum;
    }
    bool any() const {
        for (size_t i = 0; i < __words; ++i)
            if (__bits[i]) return true;
        return false;
    }
    bool none() const { return !any(); }
    bool all() const { return count() == N; }
    unsigned long to_ulong() const {
        for (size_t i = 1; i < __words; ++i)
            if (__bits[i]) throw overflow_error("_Base_bitset::_M_do_to_ulong");
        return __bits[0];
    }
    unsigned long long to_ullong() const { return to_ulong(); }
    string to_string(char zero = '0', char one = '1') const {
        string text(N, zero);
        for (size_t i = 0; i < N; ++i)
            if (__test(i)) text[N - 1 - i] = one;
        return text;
    }
    bitset &operator&=(const bitset &other) {
        for (size_t i = 0; i < __words; ++i) __bits[i] &= other.__bits[i];
        return *this;
    }
    bitset &operator|=(const bitset &other) {
        for (size_t i = 0; i < __words; ++i) __bits[i] |= other.__bits[i];
        return *this;
    }
    bitset &operator^=(const bitset &other) {
        for (size_t i = 0; i < __words; ++i) __bits[i] ^= other.__bits[i];
        return *this;
    }
    bitset operator~() const { return bitset(*this).flip(); }
    bitset &operator<<=(size_t count) {
        for (size_t i = N; i-- > 0;) __put(i, i >= count && __test(i - count));
        return *this;
    }
    bitset &operator>>=(size_t count) {
        for (size_t i = 0; i < N; ++i) __put(i, i + count < N && __test(i + count));
        return *this;
    }
    bitset operator<<(size_t count) const { return bitset(*this) <<= count; }
    bitset operator>>(size_t count) const { return bitset(*this) >>= count; }
    bool operator==(const bitset &other) const {
        for (size_t i = 0; i < __words; ++i)
            if (__bits[i] != other.__bits[i]) return false;
        return true;
    }
    bool operator!=(const bitset &other) const { return !(*this == other); }
};
template <size_t N> inline bitset<N> operator&(const bitset<N> &a, const bitset<N> &b) { return bitset<N>(a) &= b; }
template <size_t N> inline bitset<N> operator|(const bitset<N> &a, const bitset<N> &b) { return bitset<N>(a) |= b; }
template <size_t N> inline bitset<N> operator^(const bitset<N> &a, const bitset<N> &b) { return bitset<N>(a) ^= b; }
template <class S, size_t N> inline S &operator<<(S &to, const bitset<N> &bits) {
    to << bits.to_string();
    return to;
}
template <class S, size_t N> inline S &operator>>(S &from, bitset<N> &bits) {
    string text;
    int c = from.__skip() ? from.__get() : -1;
    while (text.size() < N && (c == '0' || c == '1')) {
        text.push_back((char)c);
        c = from.__get();
    }
    from.__unget(c);
    if (text.empty() && N > 0) from.setstate(S::failbit);
    else bits = bitset<N>(text);
    return from;
}
template <class T> struct hash;
template <size_t N> struct hash<bitset<N>> {
    size_t operator()(const bitset<N> &bits) const { return __hash_bytes((const char *)bits.__bits, (N + 7) / 8); }
};
}
