// <string>: texts of `char`. An object of zeros is an empty text.
#include <__algobase>
#include <exception>
#include <initializer_list>
#include <utility>
extern "C" int *__errno_location();
namespace std {
class string_view;
template <class T> struct char_traits {
    typedef T char_type;
    typedef int int_type;
    typedef size_t pos_type;
    typedef ptrdiff_t off_type;
    static int eof() { return -1; }
    static int not_eof(int c) { return c == -1 ? 0 : c; }
    static bool eq_int_type(int a, int b) { return a == b; }
    static bool eq(T a, T b) { return a == b; }
    static bool lt(T a, T b) { return (unsigned char)a < (unsigned char)b; }
    static int to_int_type(T c) { return (unsigned char)c; }
    static T to_char_type(int c) { return (T)c; }
    static size_t length(const T *text) { return strlen(text); }
    static int compare(const T *a, const T *b, size_t size) { return memcmp(a, b, size); }
    static T *copy(T *to, const T *from, size_t size) { return (T *)memcpy(to, from, size); }
    static T *move(T *to, const T *from, size_t size) { return (T *)memmove(to, from, size); }
};
class string {
public:
    typedef char &reference;
    typedef const char &const_reference;
    typedef ptrdiff_t difference_type;
    typedef char value_type;
    typedef char *iterator;
    typedef const char *const_iterator;
    typedef std::reverse_iterator<char *> reverse_iterator;
    typedef std::reverse_iterator<const char *> const_reverse_iterator;
    typedef size_t size_type;
    static const size_t npos = 18446744073709551615UL;
    char *__text;
    size_t __size;
    size_t __capacity;

    string() : __text(0), __size(0), __capacity(0) {}
    string(const char *text) : __text(0), __size(0), __capacity(0) { append(text, strlen(text)); }
    string(const char *text, size_t size) : __text(0), __size(0), __capacity(0) { append(text, size); }
    template <class __Char>
    string(const __Char *first, const __Char *last) : __text(0), __size(0), __capacity(0) {
        if constexpr (sizeof(__Char) == 1) append((const char *)first, last - first);
        else for (; first != last; ++first) push_back(*first);
    }
    string(size_t count, char c) : __text(0), __size(0), __capacity(0) { append(count, c); }
    string(const string &other) : __text(0), __size(0), __capacity(0) { append(other.data(), other.__size); }
    string(const string &other, size_t from, size_t count = npos) : __text(0), __size(0), __capacity(0) {
        other.__check(from, "basic_string::basic_string");
        append(other.data() + from, __least(count, other.__size - from));
    }
    string(string &&other) noexcept : __text(other.__text), __size(other.__size), __capacity(other.__capacity) {
        other.__text = 0;
        other.__size = other.__capacity = 0;
    }
    string(initializer_list<char> list) : __text(0), __size(0), __capacity(0) {
        append(list.begin(), list.size());
    }
    template <class __Iterator> string(__Iterator first, __Iterator last) : __text(0), __size(0), __capacity(0) {
        for (; first != last; ++first) push_back(*first);
    }
    explicit string(const string_view &text);
    ~string() { free(__text); }
    string &operator=(const string_view &text);
    string &operator+=(const string_view &text);
    string &append(const string_view &text);
    string &operator=(const string &other) {
        if (this != &other) assign(other.data(), other.__size);
        return *this;
    }
    string &operator=(string &&other) noexcept {
        swap(other);
        return *this;
    }
    string &operator=(const char *text) { return assign(text, strlen(text)); }
    string &operator=(char c) { return assign(&c, 1); }

    const char *c_str() const { return __text ? __text : ""; }
    const char *data() const { return c_str(); }
    size_t size() const { return __size; }
    size_t max_size() const { return 9223372036854775807UL; }
    char *data() { return begin(); }
    size_t length() const { return __size; }
    size_t capacity() const { return __capacity < 15 ? 15 : __capacity; }
    bool empty() const { return __size == 0; }
    iterator begin() {
        reserve(0);
        return __text;
    }
    iterator end() { return begin() + __size; }
    const_iterator begin() const { return c_str(); }
    const_iterator end() const { return c_str() + __size; }
    const_iterator cbegin() const { return c_str(); }
    const_iterator cend() const { return c_str() + __size; }
    reverse_iterator rbegin() { return reverse_iterator(end()); }
    reverse_iterator rend() { return reverse_iterator(begin()); }
    const_reverse_iterator rbegin() const { return const_reverse_iterator(end()); }
    const_reverse_iterator rend() const { return const_reverse_iterator(begin()); }
    const_reverse_iterator crbegin() const { return rbegin(); }
    const_reverse_iterator crend() const { return rend(); }
    char &operator[](size_t at) {
        reserve(0);
        return __text[at];
    }
    const char &operator[](size_t at) const { return c_str()[at]; }
    char &at(size_t at) {
        __check_at(at);
        return __text[at];
    }
    const char &at(size_t at) const {
        __check_at(at);
        return __text[at];
    }
    char &front() { return __text[0]; }
    char &back() { return __text[__size - 1]; }
    const char &front() const { return __text[0]; }
    const char &back() const { return __text[__size - 1]; }

    void reserve(size_t count = 0) {
        if (__text && count <= __capacity) return;
        size_t room = __capacity ? 2 * __capacity : 15;
        if (room < count) room = count;
        __text = (char *)__ws_realloc(__text, room + 1);
        __text[__size] = 0;
        __capacity = room;
    }
    void resize(size_t count, char c = 0) {
        if (count > __size) {
            append(count - __size, c);
        } else if (__text) {
            __size = count;
            __text[count] = 0;
        }
    }
    void clear() { resize(0); }
    void shrink_to_fit() {}
    string &assign(const char *text, size_t size) {
        if (__text && text >= __text && text <= __text + __size) {
            string made(text, size);
            swap(made);
            return *this;
        }
        clear();
        return append(text, size);
    }
    string &assign(const string &other, size_t from, size_t count) {
        string made(other, from, count);
        swap(made);
        return *this;
    }
    template <class __Iterator> string &assign(__Iterator first, __Iterator last) {
        string made(first, last);
        swap(made);
        return *this;
    }
    string &assign(const char *text) { return assign(text, strlen(text)); }
    string &assign(const string &other) { return assign(other.data(), other.__size); }
    string &assign(size_t count, char c) {
        clear();
        return append(count, c);
    }
    string &append(const char *text, size_t size) {
        if (size == 0) {
            reserve(0);
            return *this;
        }
        if (__text && text >= __text && text <= __text + __size) {
            string copy(text, size);
            return append(copy.__text, size);
        }
        reserve(__size + size);
        memcpy(__text + __size, text, size);
        __size += size;
        __text[__size] = 0;
        return *this;
    }
    string &append(const char *text) { return append(text, strlen(text)); }
    string &append(const string &other) { return append(other.data(), other.__size); }
    string &append(const string &other, size_t from, size_t count) {
        string part(other, from, count);
        return append(part.data(), part.__size);
    }
    template <class __Iterator> string &append(__Iterator first, __Iterator last) {
        for (; first != last; ++first) push_back(*first);
        return *this;
    }
    string &append(initializer_list<char> list) { return append(list.begin(), list.size()); }
    string &append(size_t count, char c) {
        reserve(__size + count);
        memset(__text + __size, c, count);
        __size += count;
        __text[__size] = 0;
        return *this;
    }
    void push_back(char c) {
        if (!__text || __size == __capacity) reserve(__size + 1);
        __text[__size] = c;
        ++__size;
        __text[__size] = 0;
    }
    void pop_back() { resize(__size - 1); }
    string &operator+=(const string &other) { return append(other.data(), other.__size); }
    string &operator+=(const char *text) { return append(text, strlen(text)); }
    string &operator+=(char c) { return append((size_t)1, c); }
    void swap(string &other) noexcept {
        char *text = __text;
        size_t size = __size, capacity = __capacity;
        __text = other.__text;
        __size = other.__size;
        __capacity = other.__capacity;
        other.__text = text;
        other.__size = size;
        other.__capacity = capacity;
    }
    string &insert(size_t at, const char *text, size_t size) { return replace(at, 0, text, size); }
    string &insert(size_t at, const char *text) { return replace(at, 0, text, strlen(text)); }
    string &insert(size_t at, const string &other) { return replace(at, 0, other.data(), other.__size); }
    string &insert(size_t at, size_t count, char c) {
        string made(count, c);
        return replace(at, 0, made.data(), count);
    }
    string &insert(size_t at, const string &other, size_t from, size_t count = npos) {
        string made(other, from, count);
        return replace(at, 0, made.data(), made.__size);
    }
    // Iterators are deduced: a literal 0 is a place.
    template <class __C> char *insert(__C *at, char c) {
        size_t from = at - __text;
        replace(from, 0, &c, 1);
        return __text + from;
    }
    template <class __C> char *insert(__C *at, size_t count, char c) {
        size_t from = at - __text;
        insert(from, count, c);
        return __text + from;
    }
    template <class __C, class __Iterator> char *insert(__C *at, __Iterator first, __Iterator last) {
        size_t from = at - __text;
        string made(first, last);
        replace(from, 0, made.data(), made.__size);
        return __text + from;
    }
    string &erase(size_t from = 0, size_t count = npos) { return replace(from, count, "", 0); }
    template <class __C> char *erase(__C *at) {
        size_t from = at - __text;
        replace(from, 1, "", 0);
        return __text + from;
    }
    template <class __C, class __E> char *erase(__C *first, __E *last) {
        size_t from = first - __text;
        replace(from, last - first, "", 0);
        return __text + from;
    }
    string &replace(size_t from, size_t count, const char *text, size_t size) {
        __check(from, "basic_string::replace");
        count = __least(count, __size - from);
        string made;
        made.reserve(__size - count + size);
        made.append(data(), from);
        made.append(text, size);
        made.append(data() + from + count, __size - from - count);
        swap(made);
        return *this;
    }
    string &replace(size_t from, size_t count, const char *text) {
        return replace(from, count, text, strlen(text));
    }
    string &replace(size_t from, size_t count, const string &other) {
        return replace(from, count, other.data(), other.__size);
    }
    string &replace(size_t from, size_t count, const string &other, size_t begin, size_t size = npos) {
        string part(other, begin, size);
        return replace(from, count, part.data(), part.__size);
    }
    string &replace(size_t from, size_t count, size_t size, char c) {
        string made(size, c);
        return replace(from, count, made.data(), size);
    }
    template <class __C, class __E> string &replace(__C *first, __E *last, const string &other) {
        return replace(first - c_str(), last - first, other.data(), other.__size);
    }
    template <class __C, class __E> string &replace(__C *first, __E *last, const char *text) {
        return replace(first - c_str(), last - first, text, strlen(text));
    }
    template <class __C, class __E> string &replace(__C *first, __E *last, size_t size, char c) {
        return replace(first - c_str(), last - first, size, c);
    }
    string substr(size_t from = 0, size_t count = npos) const {
        __check(from, "basic_string::substr");
        return string(data() + from, __least(count, __size - from));
    }
    size_t copy(char *to, size_t count, size_t from = 0) const {
        __check(from, "basic_string::copy");
        count = __least(count, __size - from);
        memcpy(to, data() + from, count);
        return count;
    }
    int compare(const char *text, size_t size) const {
        int order = memcmp(data(), text, __least(size, __size));
        return order != 0 ? order : (int)(__size - size);
    }
    int compare(const char *text) const { return compare(text, strlen(text)); }
    int compare(const string &other) const { return compare(other.data(), other.__size); }
    int compare(size_t from, size_t count, const string &other) const {
        return substr(from, count).compare(other);
    }
    int compare(size_t from, size_t count, const char *text) const { return substr(from, count).compare(text); }
    int compare(size_t from, size_t count, const string &other, size_t begin, size_t size = npos) const {
        return substr(from, count).compare(other.substr(begin, size));
    }
    bool starts_with(const char *text) const { return strncmp(c_str(), text, strlen(text)) == 0; }
    bool starts_with(const string &text) const { return compare(0, text.__size, text) == 0; }
    bool starts_with(char c) const { return __size > 0 && __text[0] == c; }
    bool ends_with(const string &text) const {
        return __size >= text.__size && compare(__size - text.__size, text.__size, text) == 0;
    }
    bool ends_with(const char *text) const { return ends_with(string(text)); }
    bool ends_with(char c) const { return __size > 0 && __text[__size - 1] == c; }
    size_t find(const char *text, size_t from, size_t size) const {
        for (size_t at = from; at + size <= __size; ++at)
            if (memcmp(data() + at, text, size) == 0) return at;
        return npos;
    }
    size_t find(const char *text, size_t from = 0) const { return find(text, from, strlen(text)); }
    size_t find(const string &other, size_t from = 0) const { return find(other.data(), from, other.__size); }
    size_t find(char c, size_t from = 0) const { return find(&c, from, 1); }
    size_t rfind(const char *text, size_t from, size_t size) const {
        if (size > __size) return npos;
        for (size_t at = __least(from, __size - size) + 1; at-- > 0;)
            if (memcmp(data() + at, text, size) == 0) return at;
        return npos;
    }
    size_t rfind(const char *text, size_t from = npos) const { return rfind(text, from, strlen(text)); }
    size_t rfind(const string &other, size_t from = npos) const {
        return rfind(other.data(), from, other.__size);
    }
    size_t rfind(char c, size_t from = npos) const { return rfind(&c, from, 1); }
    size_t __first_of(const char *set, size_t size, size_t from, bool inside) const {
        for (size_t at = from; at < __size; ++at)
            if ((memchr(set, __text[at], size) != 0) == inside) return at;
        return npos;
    }
    size_t __last_of(const char *set, size_t size, size_t from, bool inside) const {
        for (size_t at = __size == 0 ? 0 : __least(from, __size - 1) + 1; at-- > 0;)
            if ((memchr(set, __text[at], size) != 0) == inside) return at;
        return npos;
    }
    size_t find_first_of(const char *set, size_t from, size_t size) const {
        return __first_of(set, size, from, true);
    }
    size_t find_first_of(const char *set, size_t from = 0) const {
        return __first_of(set, strlen(set), from, true);
    }
    size_t find_first_of(const string &set, size_t from = 0) const {
        return __first_of(set.data(), set.__size, from, true);
    }
    size_t find_first_of(char c, size_t from = 0) const { return __first_of(&c, 1, from, true); }
    size_t find_first_not_of(const char *set, size_t from, size_t size) const {
        return __first_of(set, size, from, false);
    }
    size_t find_first_not_of(const char *set, size_t from = 0) const {
        return __first_of(set, strlen(set), from, false);
    }
    size_t find_first_not_of(const string &set, size_t from = 0) const {
        return __first_of(set.data(), set.__size, from, false);
    }
    size_t find_first_not_of(char c, size_t from = 0) const { return __first_of(&c, 1, from, false); }
    size_t find_last_of(const char *set, size_t from, size_t size) const {
        return __last_of(set, size, from, true);
    }
    size_t find_last_of(const char *set, size_t from = npos) const {
        return __last_of(set, strlen(set), from, true);
    }
    size_t find_last_of(const string &set, size_t from = npos) const {
        return __last_of(set.data(), set.__size, from, true);
    }
    size_t find_last_of(char c, size_t from = npos) const { return __last_of(&c, 1, from, true); }
    size_t find_last_not_of(const char *set, size_t from, size_t size) const {
        return __last_of(set, size, from, false);
    }
    size_t find_last_not_of(const char *set, size_t from = npos) const {
        return __last_of(set, strlen(set), from, false);
    }
    size_t find_last_not_of(const string &set, size_t from = npos) const {
        return __last_of(set.data(), set.__size, from, false);
    }
    size_t find_last_not_of(char c, size_t from = npos) const { return __last_of(&c, 1, from, false); }

    static size_t __least(size_t a, size_t b) { return b < a ? b : a; }
    void __check(size_t from, const char *where) const;
    void __check_at(size_t at) const;
};
inline string operator+(const string &a, const string &b) {
    string made;
    made.reserve(a.size() + b.size());
    made.append(a);
    made.append(b);
    return made;
}
inline string operator+(const string &a, const char *b) { return string(a).append(b); }
inline string operator+(const string &a, char b) { return string(a).append((size_t)1, b); }
inline string operator+(const char *a, const string &b) { return string(a).append(b); }
inline string operator+(string &&a, const char *b) { return (string &&)a.append(b); }
inline string operator+(string &&a, const string &b) { return (string &&)a.append(b); }
inline string operator+(string &&a, char b) { return (string &&)a.append((size_t)1, b); }
inline string operator+(char a, const string &b) { return string((size_t)1, a).append(b); }
#define __WS_COMPARE(OP)                                                                                   \
    inline bool operator OP(const string &a, const string &b) { return a.compare(b) OP 0; }                \
    inline bool operator OP(const string &a, const char *b) { return a.compare(b) OP 0; }                  \
    inline bool operator OP(const char *a, const string &b) { return 0 OP b.compare(a); }
__WS_COMPARE(==)
__WS_COMPARE(!=)
__WS_COMPARE(<)
__WS_COMPARE(>)
__WS_COMPARE(<=)
__WS_COMPARE(>=)
#undef __WS_COMPARE
inline void swap(string &a, string &b) noexcept { a.swap(b); }
#define __WS_TO_STRING(TYPE, FORMAT)                                                                       \
    inline string to_string(TYPE value) {                                                                  \
        char text[400];                                                                                    \
        sprintf(text, FORMAT, value);                                                                      \
        return string(text);                                                                               \
    }
__WS_TO_STRING(int, "%d")
__WS_TO_STRING(unsigned int, "%u")
__WS_TO_STRING(long, "%ld")
__WS_TO_STRING(unsigned long, "%lu")
__WS_TO_STRING(long long, "%lld")
__WS_TO_STRING(unsigned long long, "%llu")
__WS_TO_STRING(double, "%f")
inline string to_string(float value) { return to_string((double)value); }
#undef __WS_TO_STRING
}
#include <__errors>
namespace std {
inline void string::__check(size_t from, const char *where) const {
    if (from > __size) {
        char text[160];
        sprintf(text, "%s: __pos (which is %zu) > this->size() (which is %zu)", where, from, __size);
        throw out_of_range(text);
    }
}
inline void string::__check_at(size_t at) const {
    if (at >= __size) {
        char text[160];
        sprintf(text, "basic_string::at: __n (which is %zu) >= this->size() (which is %zu)", at, __size);
        throw out_of_range(text);
    }
}
#define __WS_FROM_STRING(NAME, TYPE, PARAMETER, CALL)                                                      \
    inline TYPE NAME(const string &text, size_t *used = 0 PARAMETER) {                                     \
        const char *first = text.c_str();                                                                  \
        char *end;                                                                                         \
        int *error = __errno_location(), old = *error;                                                     \
        *error = 0;                                                                                        \
        auto value = CALL;                                                                                 \
        bool is_out = *error == 34 || sizeof(TYPE) == 4 && sizeof(value) == 8 && value != (TYPE)value;     \
        if (!is_out) *error = old;                                                                         \
        if (end == first) throw invalid_argument(#NAME);                                                   \
        if (is_out) throw out_of_range(#NAME);                                                             \
        if (used) *used = end - first;                                                                     \
        return (TYPE)value;                                                                                \
    }
#define __WS_BASE , int base = 10
__WS_FROM_STRING(stoi, int, __WS_BASE, strtol(first, &end, base))
__WS_FROM_STRING(stol, long, __WS_BASE, strtol(first, &end, base))
__WS_FROM_STRING(stoll, long long, __WS_BASE, strtoll(first, &end, base))
__WS_FROM_STRING(stoul, unsigned long, __WS_BASE, strtoul(first, &end, base))
__WS_FROM_STRING(stoull, unsigned long long, __WS_BASE, strtoull(first, &end, base))
__WS_FROM_STRING(stod, double, , strtod(first, &end))
__WS_FROM_STRING(stold, long double, , strtod(first, &end))
__WS_FROM_STRING(stof, float, , strtof(first, &end))
#undef __WS_FROM_STRING
#undef __WS_BASE
namespace literals {
namespace string_literals {
inline string operator""s(const char *text, size_t size) { return string(text, size); }
}
using namespace string_literals;
}
namespace string_literals = literals::string_literals;
using namespace literals;
}
#include <string_view>
