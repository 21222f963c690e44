// <string_view>: a part of a text.
#include <string>
namespace std {
class string_view {
public:
    typedef char value_type;
    typedef const char *iterator;
    typedef const char *const_iterator;
    typedef std::reverse_iterator<const char *> reverse_iterator;
    typedef std::reverse_iterator<const char *> const_reverse_iterator;
    typedef const char &const_reference;
    typedef size_t size_type;
    typedef ptrdiff_t difference_type;
    static const size_t npos = 18446744073709551615UL;
    const char *__text;
    size_t __size;
    constexpr string_view() : __text(0), __size(0) {}
    constexpr string_view(const char *text) : __text(text), __size(__length(text)) {}
    constexpr string_view(const char *text, size_t size) : __text(text), __size(size) {}
    string_view(const string &text) : __text(text.data()), __size(text.size()) {}
    constexpr const char *data() const { return __text; }
    constexpr size_t size() const { return __size; }
    constexpr size_t length() const { return __size; }
    constexpr bool empty() const { return __size == 0; }
    constexpr const char *begin() const { return __text; }
    constexpr const char *end() const { return __text + __size; }
    constexpr const char *cbegin() const { return __text; }
    constexpr const char *cend() const { return __text + __size; }
    reverse_iterator rbegin() const { return reverse_iterator(end()); }
    reverse_iterator rend() const { return reverse_iterator(begin()); }
    constexpr const char &operator[](size_t at) const { return __text[at]; }
    const char &at(size_t at) const {
        if (at >= __size) {
            char text[160];
            sprintf(text, "basic_string_view::at: __pos (which is %zu) >= this->size() (which is %zu)", at, __size);
            throw out_of_range(text);
        }
        return __text[at];
    }
    constexpr const char &front() const { return __text[0]; }
    constexpr const char &back() const { return __text[__size - 1]; }
    constexpr void remove_prefix(size_t count) {
        __text += count;
        __size -= count;
    }
    constexpr void remove_suffix(size_t count) { __size -= count; }
    void swap(string_view &other) {
        string_view old = other;
        other = *this;
        *this = old;
    }
    string_view substr(size_t from = 0, size_t count = npos) const {
        if (from > __size) {
            char text[160];
            sprintf(text, "basic_string_view::substr: __pos (which is %zu) > this->size() (which is %zu)", from, __size);
            throw out_of_range(text);
        }
        return string_view(__text + from, count < __size - from ? count : __size - from);
    }
    size_t copy(char *to, size_t count, size_t from = 0) const {
        string_view part = substr(from, count);
        memcpy(to, part.__text, part.__size);
        return part.__size;
    }
    int compare(string_view other) const {
        int order = memcmp(__text, other.__text, __size < other.__size ? __size : other.__size);
        return order != 0 ? order : (int)(__size - other.__size);
    }
    int compare(size_t from, size_t count, string_view other) const { return substr(from, count).compare(other); }
    bool starts_with(string_view other) const { return substr(0, other.__size).compare(other) == 0; }
    bool ends_with(string_view other) const {
        return __size >= other.__size && substr(__size - other.__size).compare(other) == 0;
    }
    size_t find(string_view other, size_t from = 0) const {
        for (size_t at = from; at + other.__size <= __size; ++at)
            if (memcmp(__text + at, other.__text, other.__size) == 0) return at;
        return npos;
    }
    size_t find(char c, size_t from = 0) const { return find(string_view(&c, 1), from); }
    size_t rfind(string_view other, size_t from = npos) const {
        if (other.__size > __size) return npos;
        for (size_t at = (from < __size - other.__size ? from : __size - other.__size) + 1; at-- > 0;)
            if (memcmp(__text + at, other.__text, other.__size) == 0) return at;
        return npos;
    }
    size_t rfind(char c, size_t from = npos) const { return rfind(string_view(&c, 1), from); }
    size_t __first_of(string_view set, size_t from, bool inside) const {
        for (size_t at = from; at < __size; ++at)
            if ((memchr(set.__text, __text[at], set.__size) != 0) == inside) return at;
        return npos;
    }
    size_t __last_of(string_view set, size_t from, bool inside) const {
        for (size_t at = __size == 0 ? 0 : (from < __size - 1 ? from : __size - 1) + 1; at-- > 0;)
            if ((memchr(set.__text, __text[at], set.__size) != 0) == inside) return at;
        return npos;
    }
    size_t find_first_of(string_view set, size_t from = 0) const { return __first_of(set, from, true); }
    size_t find_first_of(char c, size_t from = 0) const { return __first_of(string_view(&c, 1), from, true); }
    size_t find_first_not_of(string_view set, size_t from = 0) const { return __first_of(set, from, false); }
    size_t find_first_not_of(char c, size_t from = 0) const { return __first_of(string_view(&c, 1), from, false); }
    size_t find_last_of(string_view set, size_t from = npos) const { return __last_of(set, from, true); }
    size_t find_last_of(char c, size_t from = npos) const { return __last_of(string_view(&c, 1), from, true); }
    size_t find_last_not_of(string_view set, size_t from = npos) const { return __last_of(set, from, false); }
    size_t find_last_not_of(char c, size_t from = npos) const { return __last_of(string_view(&c, 1), from, false); }
    static constexpr size_t __length(const char *text) {
        size_t count = 0;
        while (text[count]) ++count;
        return count;
    }
};
inline string::string(const string_view &text) : __text(0), __size(0), __capacity(0) { append(text.data(), text.size()); }
inline string &string::operator=(const string_view &text) { return assign(text.data(), text.size()); }
inline string &string::operator+=(const string_view &text) { return append(text.data(), text.size()); }
inline string &string::append(const string_view &text) { return append(text.data(), text.size()); }
#define __WS_COMPARE(OP)                                                                                   \
    inline bool operator OP(string_view a, string_view b) { return a.compare(b) OP 0; }                    \
    inline bool operator OP(string_view a, const string &b) { return a.compare(b) OP 0; }                  \
    inline bool operator OP(const string &a, string_view b) { return string_view(a).compare(b) OP 0; }     \
    inline bool operator OP(string_view a, const char *b) { return a.compare(b) OP 0; }                    \
    inline bool operator OP(const char *a, string_view b) { return string_view(a).compare(b) OP 0; }
__WS_COMPARE(==)
__WS_COMPARE(!=)
__WS_COMPARE(<)
__WS_COMPARE(>)
__WS_COMPARE(<=)
__WS_COMPARE(>=)
#undef __WS_COMPARE
template <class T> struct hash;
template <> struct hash<string_view> {
    size_t operator()(string_view value) const { return __hash_bytes(value.data(), value.size()); }
};
namespace literals {
namespace string_view_literals {
constexpr string_view operator""sv(const char *text, size_t size) { return string_view(text, size); }
}
using namespace string_view_literals;
}
namespace string_view_literals = literals::string_view_literals;
}
