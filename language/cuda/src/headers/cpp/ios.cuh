// <ios>, <istream> and <ostream>: one class for files and one for texts in memory.
#include <string>
namespace std {
typedef long streamsize;
typedef long streamoff;
typedef long streampos;
class ios_base {
public:
    typedef int fmtflags;
    typedef int openmode;
    typedef int iostate;
    enum {
        boolalpha = 1, dec = 2, fixed = 4, hex = 8, internal = 16, left = 32, oct = 64, right = 128,
        scientific = 256, showbase = 512, showpoint = 1024, showpos = 2048, skipws = 4096, unitbuf = 8192,
        uppercase = 16384, adjustfield = 176, basefield = 74, floatfield = 260
    };
    enum { app = 1, ate = 2, binary = 4, in = 8, out = 16, trunc = 32 };
    enum { goodbit = 0, badbit = 1, eofbit = 2, failbit = 4 };
    enum { beg = 0, cur = 1, end = 2 };

    FILE *__file;
    char *__text;
    size_t __size;
    size_t __capacity;
    // Where a text is read and written.
    size_t __at;
    size_t __to;
    int __flags;
    int __state;
    int __precision;
    int __width;
    char __fill;
    int __throws;
    // Whether the characters are in `__text`. Otherwise they are in a file, which may be closed.
    bool __memory;
    // The stream whose buffer this one uses, or 0: its own. A stream without a buffer uses that of
    // `__nothing`.
    ios_base *__other;
    static ios_base __nothing;
    // Throws the exception. Only `exceptions` names the function: other programs do not have it.
    void (*__fails)();

    ios_base() : ios_base(0, 0) {}
    explicit ios_base(ios_base *buffer) : ios_base(0, 0) { rdbuf(buffer); }
    constexpr ios_base(FILE *file, int flags)
        : __file(file), __text(0), __size(0), __capacity(0), __at(0), __to(0), __flags(skipws | dec | flags), __state(0),
          __precision(6), __width(0), __fill(' '), __throws(0), __memory(false), __other(0), __fails(0) {}
    class failure : public runtime_error {
    public:
        explicit failure(const string &text) : runtime_error(text) {}
    };
    bool good() const { return __state == 0; }
    bool eof() const { return (__state & eofbit) != 0; }
    bool fail() const { return (__state & (failbit | badbit)) != 0; }
    bool bad() const { return (__state & badbit) != 0; }
    int rdstate() const { return __state; }
    void clear(int state = 0) {
        __state = 0;
        __set(__other == &__nothing ? state | badbit : state);
    }
    // Sets bits of the state, and throws if the program wants that.
    void __set(int state) {
        __state |= state;
        if (__state & __throws) __fails();
    }
    static void __fail();
    int exceptions() const { return __throws; }
    void exceptions(int mask) {
        __throws = mask;
        __fails = __fail;
        __set(0);
    }
    void setstate(int state) { __set(state); }
    bool operator!() const { return fail(); }
    explicit operator bool() const { return !fail(); }
    int flags() const { return __flags; }
    int flags(int value) {
        int old = __flags;
        __flags = value;
        return old;
    }
    int setf(int value) {
        int old = __flags;
        __flags |= value;
        return old;
    }
    int setf(int value, int mask) {
        int old = __flags;
        __flags = (__flags & ~mask) | (value & mask);
        return old;
    }
    void unsetf(int mask) { __flags &= ~mask; }
    long precision() const { return __precision; }
    long precision(long value) {
        int old = __precision;
        __precision = (int)value;
        return old;
    }
    long width() const { return __width; }
    long width(long value) {
        int old = __width;
        __width = (int)value;
        return old;
    }
    char fill() const { return __fill; }
    char fill(char value) {
        char old = __fill;
        __fill = value;
        return old;
    }
    static bool sync_with_stdio(bool = true) { return true; }
    // A buffer is the stream that has it. Its functions, from `sync` to `__tell`, do not read the
    // state of the stream, and a stream calls them through `__buffer`.
    ios_base *rdbuf() const { return __other == &__nothing ? 0 : __buffer(); }
    ios_base *rdbuf(ios_base *buffer) {
        ios_base *old = rdbuf();
        __other = buffer == 0 ? &__nothing : buffer == this ? 0 : buffer;
        clear();
        return old;
    }
    ios_base *__buffer() const { return __other ? __other : (ios_base *)this; }
    int sync() {
        if (__file) fflush(__file);
        return 0;
    }
    int pubsync() { return sync(); }
    int sgetc() {
        int c = __take();
        __back(c);
        return c;
    }
    int sbumpc() { return __take(); }
    int snextc() { return __take() < 0 ? -1 : sgetc(); }
    int sputc(char c) { return __write(&c, 1) ? (unsigned char)c : -1; }
    long sputn(const char *text, long size) { return __write(text, size) ? size : 0; }
    bool __write(const char *text, size_t size) {
        if (__file) return fwrite(text, 1, size, __file) == size;
        if (!__memory) return false;
        size_t end = __to + size;
        if (end > __capacity) {
            size_t room = __capacity + end;
            __text = (char *)__ws_realloc(__text, room);
            __capacity = room;
        }
        memcpy(__text + __to, text, size);
        __to = end;
        if (end > __size) __size = end;
        return true;
    }
    int __take() {
        if (__file) return fgetc(__file);
        return __at < __size ? (unsigned char)__text[__at++] : -1;
    }
    void __back(int c) {
        if (c < 0) return;
        if (__file) ungetc(c, __file);
        else if (__at > 0) --__at;
    }
    // Goes to a place that `seekg` or `seekp` selects.
    bool __seek(bool writes, long at, int from) {
        if (__file) return fseek(__file, at, from) == 0;
        size_t &place = writes ? __to : __at;
        long target = at + (from == beg ? 0 : from == cur ? (long)place : (long)__size);
        if (!__memory || target < 0 || target > (long)__size) return false;
        place = target;
        return true;
    }
    long __tell(bool writes) const {
        return __file ? ftell(__file) : !__memory ? -1 : writes ? (long)__to : (long)__at;
    }
    template <class L> L imbue(const L &) { return L(); }
    ios_base *tie(ios_base *) { return 0; }
    ios_base *tie() const { return 0; }
    ios_base &copyfmt(const ios_base &other) {
        __flags = other.__flags;
        __precision = other.__precision;
        __width = other.__width;
        __fill = other.__fill;
        exceptions(other.__throws);
        return *this;
    }
    void __put(const char *text, size_t size) {
        if (__state & (failbit | badbit)) return;
        if (!__buffer()->__write(text, size)) __set(badbit);
        else if (__flags & unitbuf) __buffer()->sync();
    }
    int __get() { return __other ? __other->__take() : __take(); }
    void __unget(int c) { __buffer()->__back(c); }
    // Text in the width that is set, which holds once.
    void __pad(const char *text, size_t size, size_t prefix = 0) {
        size_t width = __width > 0 ? __width : 0;
        __width = 0;
        if (width <= size) {
            __put(text, size);
            return;
        }
        int adjust = __flags & adjustfield;
        if (adjust == left) {
            __put(text, size);
        } else if (adjust == internal) {
            __put(text, prefix);
        }
        for (size_t i = size; i < width; ++i) __put(&__fill, 1);
        if (adjust == internal) __put(text + prefix, size - prefix);
        else if (adjust != left) __put(text, size);
    }
};
inline ios_base ios_base::__nothing(0, 0);
inline void ios_base::__fail() { throw failure("basic_ios::clear: iostream error"); }
typedef ios_base ios;
typedef ios_base streambuf;

class istream : public ios_base {
public:
    typedef char_traits<char> traits_type;
    typedef char char_type;
    size_t __count;
    istream() : __count(0) {}
    explicit istream(ios_base *buffer) : ios_base(buffer), __count(0) {}
    constexpr istream(FILE *file, int flags) : ios_base(file, flags), __count(0) {}
    bool __skip() {
        if (__state != 0) {
            __set(failbit);
            return false;
        }
        int c = __get();
        while (__flags & skipws && isspace(c)) c = __get();
        if (c < 0) {
            __set(failbit | eofbit);
            return false;
        }
        __unget(c);
        return true;
    }
    // The characters that may belong to a number, behind spaces. Returns false if there are none,
    // and sets `has` if the end of the stream was not reached before.
    bool __number(char *to, size_t size, bool floating, bool &has) {
        has = __skip();
        if (!has) return false;
        size_t count = 0, digits = 0;
        bool point = false, exponent = false;
        int c = __get(), base = floating ? 10 : __flags & hex ? 16 : __flags & oct ? 8 : __flags & dec ? 10 : 0;
        while (count + 1 < size) {
            char before = count ? to[count - 1] : 0;
            bool takes;
            if (c == '-' || c == '+') {
                takes = count == 0 || floating && (before == 'e' || before == 'E');
            } else if (floating && c == '.') {
                takes = !point && !exponent;
                point |= takes;
            } else if (floating && (c == 'e' || c == 'E')) {
                takes = !exponent && digits;
                exponent |= takes;
            } else if ((c == 'x' || c == 'X') && (base == 16 || base == 0)) {
                takes = digits == 1 && before == '0';
                base = 16;
            } else {
                // Without a base a first 0 says that it is octal.
                if (base == 0 && digits == 0 && c != '0') base = 10;
                takes = isxdigit(c) && (isdigit(c) ? c - '0' : (c | 32) - 'a' + 10) < (base ? base : 8);
                digits += takes;
            }
            if (!takes) break;
            to[count++] = (char)c;
            c = __get();
        }
        __unget(c);
        if (c < 0) __set(eofbit);
        to[count] = 0;
        if (count == 0 || count == 1 && (to[0] == '-' || to[0] == '+')) {
            __set(failbit);
            return false;
        }
        return true;
    }
    template <class T> void __whole(T &value, long low, long high) {
        char text[64];
        bool has;
        if (!__number(text, 64, false, has)) {
            if (has) value = 0;
            return;
        }
        int *error = __errno_location(), old = *error;
        *error = 0;
        long made = strtol(text, 0, __flags & hex ? 16 : __flags & oct ? 8 : __flags & dec ? 10 : 0);
        if (made < low || made > high || *error) {
            __set(failbit);
            made = made < 0 ? low : high;
        }
        *error = old;
        value = (T)made;
    }
    template <class T> void __unsigned(T &value, unsigned long high) {
        char text[64];
        bool has;
        if (!__number(text, 64, false, has)) {
            if (has) value = 0;
            return;
        }
        int *error = __errno_location(), old = *error;
        *error = 0;
        const char *digits = text[0] == '-' ? text + 1 : text;
        unsigned long made = strtoul(digits, 0, __flags & hex ? 16 : __flags & oct ? 8 : __flags & dec ? 10 : 0);
        if (made > high || *error) {
            __set(failbit);
            made = high;
        } else if (text[0] == '-') {
            made = 0 - made;
        }
        *error = old;
        value = (T)made;
    }
    template <class T> void __real(T &value) {
        char text[128], *end;
        bool has;
        if (!__number(text, 128, true, has)) {
            if (has) value = 0;
            return;
        }
        value = sizeof(T) == 4 ? (T)strtof(text, &end) : (T)strtod(text, &end);
        if (*end) {
            __set(failbit);
            value = 0;
        } else if (value > 0 && value / 2 == value) {
            __set(failbit);
            value = sizeof(T) == 4 ? (T)FLT_MAX : (T)DBL_MAX;
        } else if (value < 0 && value / 2 == value) {
            __set(failbit);
            value = sizeof(T) == 4 ? (T)-FLT_MAX : (T)-DBL_MAX;
        }
    }
#define __WS_READ(TYPE, CALL)                                                                              \
    istream &operator>>(TYPE &value) {                                                                     \
        CALL;                                                                                              \
        return *this;                                                                                      \
    }
    __WS_READ(int, __whole(value, INT_MIN, INT_MAX))
    __WS_READ(short, __whole(value, SHRT_MIN, SHRT_MAX))
    __WS_READ(long, __whole(value, LONG_MIN, LONG_MAX))
    __WS_READ(long long, __whole(value, LONG_MIN, LONG_MAX))
    __WS_READ(unsigned short, __unsigned(value, USHRT_MAX))
    __WS_READ(unsigned int, __unsigned(value, UINT_MAX))
    __WS_READ(unsigned long, __unsigned(value, ULONG_MAX))
    __WS_READ(unsigned long long, __unsigned(value, ULONG_MAX))
    __WS_READ(double, __real(value))
    __WS_READ(float, __real(value))
#undef __WS_READ
    istream &operator>>(bool &value) {
        if (__flags & boolalpha) {
            string word;
            __word(word);
            value = word == "true";
            if (word != "true" && word != "false") __set(failbit);
            return *this;
        }
        long read = value;
        __whole(read, LONG_MIN, LONG_MAX);
        if (read != 0 && read != 1) __set(failbit);
        value = read != 0;
        return *this;
    }
    istream &operator>>(char &value) {
        if (__skip()) value = (char)__get();
        return *this;
    }
    istream &operator>>(unsigned char &value) {
        if (__skip()) value = (unsigned char)__get();
        return *this;
    }
    istream &operator>>(char *text) {
        string word;
        if (__width > 0) --__width;
        __word(word);
        strcpy(text, word.c_str());
        return *this;
    }
    istream &operator>>(string &text) {
        __word(text);
        return *this;
    }
    istream &operator>>(istream &(*change)(istream &)) { return change(*this); }
    istream &operator>>(ios_base &(*change)(ios_base &)) {
        change(*this);
        return *this;
    }
    void __word(string &text) {
        if (!__skip()) return;
        text.clear();
        size_t most = __width > 0 ? __width : string::npos;
        __width = 0;
        int c = __get();
        while (c >= 0 && !isspace(c)) {
            text.push_back((char)c);
            if (text.size() == most) return;
            c = __get();
        }
        __unget(c);
        if (c < 0) __set(eofbit);
    }
    int get() {
        int c = __state == 0 ? __get() : -1;
        __count = c >= 0;
        if (c < 0) __set(failbit | eofbit);
        return c;
    }
    istream &get(char &value) {
        int c = get();
        if (c >= 0) value = (char)c;
        return *this;
    }
    int peek() {
        int c = __state == 0 ? __get() : -1;
        __unget(c);
        if (c < 0) __set(eofbit);
        return c;
    }
    istream &unget() {
        ios_base *from = __buffer();
        if (!from->__file && from->__at > 0) --from->__at;
        return *this;
    }
    istream &putback(char c) {
        __unget((unsigned char)c);
        return *this;
    }
    istream &ignore(long count = 1, int end = -1) {
        for (long i = 0; i < count && __state == 0; ++i) {
            int c = __get();
            if (c < 0) __set(eofbit);
            if (c < 0 || c == end) break;
        }
        return *this;
    }
    istream &read(char *to, long size) {
        __count = 0;
        while (__state == 0 && (long)__count < size) {
            int c = __get();
            if (c < 0) {
                __set(failbit | eofbit);
                break;
            }
            to[__count++] = (char)c;
        }
        return *this;
    }
    istream &getline(char *to, long size, char end = '\n') {
        long at = 0;
        bool any = false;
        while (__state == 0) {
            int c = __get();
            if (c < 0) {
                __set(any ? eofbit : eofbit | failbit);
                break;
            }
            any = true;
            if (c == end) break;
            if (at + 1 >= size) {
                __unget(c);
                __set(failbit);
                break;
            }
            to[at++] = (char)c;
        }
        if (size > 0) to[at] = 0;
        return *this;
    }
    istream &get(char *to, long size, char end = '\n') {
        long at = 0;
        while (__state == 0 && at + 1 < size) {
            int c = __get();
            if (c < 0) __set(eofbit);
            if (c == end) __unget(c);
            if (c < 0 || c == end) break;
            to[at++] = (char)c;
        }
        if (size > 0) to[at] = 0;
        if (at == 0) __set(failbit);
        __count = at;
        return *this;
    }
    long gcount() const { return __count; }
    istream &seekg(long at) {
        return seekg(at, beg);
    }
    istream &seekg(long at, int from) {
        __state &= ~eofbit;
        if (!fail() && !__buffer()->__seek(false, at, from)) __set(failbit);
        return *this;
    }
    long tellg() { return fail() ? -1 : __buffer()->__tell(false); }
};
inline istream &getline(istream &from, string &text, char end = '\n') {
    if (from.__state == 0) text.clear();
    bool any = false;
    while (from.__state == 0) {
        int c = from.__get();
        if (c < 0) {
            from.__set(any ? ios_base::eofbit : ios_base::eofbit | ios_base::failbit);
            return from;
        }
        any = true;
        if (c == end) return from;
        text.push_back((char)c);
    }
    from.__set(ios_base::failbit);
    return from;
}
inline istream &ws(istream &from) {
    int c = from.__get();
    while (isspace(c)) c = from.__get();
    from.__unget(c);
    return from;
}

// It is a stream of input too, so that a stream in both directions has one base class.
class ostream : public istream {
public:
    ostream() {}
    explicit ostream(ios_base *buffer) : istream(buffer) {}
    constexpr ostream(FILE *file, int flags) : istream(file, flags) {}
    // Only streams in both directions read.
    template <class T> istream &operator>>(T &&value) = delete;
    ostream &put(char c) {
        __put(&c, 1);
        return *this;
    }
    ostream &write(const char *text, long size) {
        __put(text, size);
        return *this;
    }
    ostream &flush() {
        __buffer()->sync();
        return *this;
    }
    long tellp() { return fail() ? -1 : __buffer()->__tell(true); }
    ostream &seekp(long at) { return seekp(at, beg); }
    ostream &seekp(long at, int from) {
        if (!fail() && !__buffer()->__seek(true, at, from)) __set(failbit);
        return *this;
    }
    void __integer(unsigned long value, bool negative, bool is_signed = false) {
        char text[80];
        const char *base = __flags & hex ? (__flags & uppercase ? "%lX" : "%lx") : __flags & oct ? "%lo" : "%lu";
        size_t prefix = 0;
        if (!(__flags & (hex | oct))) {
            if (negative) {
                text[prefix++] = '-';
                value = 0 - value;
            } else if (__flags & showpos && is_signed) {
                text[prefix++] = '+';
            }
        } else if (__flags & showbase && value != 0) {
            text[prefix++] = '0';
            if (__flags & hex) text[prefix++] = __flags & uppercase ? 'X' : 'x';
        }
        int size = sprintf(text + prefix, base, value);
        __pad(text, prefix + size, __flags & oct ? 0 : prefix);
    }
    // A signed number: other bases show its bits.
    void __signed(long value, unsigned long bits) {
        bool decimal = !(__flags & (hex | oct));
        if (decimal) __integer((unsigned long)value, value < 0, true);
        else __integer(bits, false);
    }
    void __floating(double value) {
        char format[16], text[512];
        size_t at = 0;
        format[at++] = '%';
        if (__flags & showpos) format[at++] = '+';
        if (__flags & showpoint) format[at++] = '#';
        int field = __flags & floatfield;
        if (field != floatfield) {
            format[at++] = '.';
            format[at++] = '*';
        }
        char letter = field == fixed ? 'f' : field == scientific ? 'e' : field == floatfield ? 'a' : 'g';
        format[at++] = __flags & uppercase && field != fixed ? (char)(letter - 32) : letter;
        format[at] = 0;
        int size = field == floatfield ? snprintf(text, 512, format, value)
                                       : snprintf(text, 512, format, __precision, value);
        if (size >= 512) size = 511;
        size_t prefix = text[0] == '-' || text[0] == '+';
        __pad(text, size, prefix);
    }
};
class iostream : public ostream {
public:
    iostream() {}
    explicit iostream(ios_base *buffer) : ostream(buffer) {}
    using istream::operator>>;
};
// Streams that are temporary values.
template <class S, class B, bool R = __is_base_of(B, S)> struct __temporary {};
template <class S, class B> struct __temporary<S, B, true> { typedef S &&type; };
template <class S, class B> struct __temporary<S &, B, true> {};
template <class S, class B> struct __temporary<S &, B, false> {};
template <class S, class T> inline typename __temporary<S, ostream>::type operator<<(S &&to, const T &value) {
    to << value;
    return (S &&)to;
}
template <class S, class T> inline typename __temporary<S, istream>::type operator>>(S &&from, T &&value) {
    from >> value;
    return (S &&)from;
}
inline ostream &operator<<(ostream &to, bool value) {
    if (to.__flags & ios_base::boolalpha) to.__pad(value ? "true" : "false", value ? 4 : 5);
    else to.__signed(value, value);
    return to;
}
#define __WS_PRINT(TYPE, CALL)                                                                             \
    inline ostream &operator<<(ostream &to, TYPE value) {                                                  \
        to.CALL;                                                                                           \
        return to;                                                                                         \
    }
__WS_PRINT(short, __signed(value, (unsigned short)value))
__WS_PRINT(unsigned short, __integer(value, false))
__WS_PRINT(int, __signed(value, (unsigned int)value))
__WS_PRINT(unsigned int, __integer(value, false))
__WS_PRINT(long, __signed(value, (unsigned long)value))
__WS_PRINT(unsigned long, __integer(value, false))
__WS_PRINT(long long, __signed((long)value, (unsigned long)value))
__WS_PRINT(unsigned long long, __integer((unsigned long)value, false))
__WS_PRINT(float, __floating(value))
__WS_PRINT(double, __floating(value))
__WS_PRINT(char, __pad(&value, 1))
__WS_PRINT(signed char, __pad((const char *)&value, 1))
__WS_PRINT(unsigned char, __pad((const char *)&value, 1))
__WS_PRINT(const string &, __pad(value.data(), value.size()))
__WS_PRINT(const string_view &, __pad(value.data(), value.size()))
#undef __WS_PRINT
inline ostream &operator<<(ostream &to, const char *text) {
    if (text) to.__pad(text, strlen(text));
    else to.setstate(ios_base::badbit);
    return to;
}
inline ostream &operator<<(ostream &to, const unsigned char *text) { return to << (const char *)text; }
inline ostream &operator<<(ostream &to, const void *address) {
    char text[40];
    int size = address ? sprintf(text, "0x%lx", (unsigned long)address) : sprintf(text, "0");
    to.__pad(text, size, address ? 2 : 0);
    return to;
}
inline ostream &operator<<(ostream &to, ios_base *from) {
    int c = from ? from->__take() : -1;
    if (c < 0) to.setstate(from ? ios_base::failbit : ios_base::badbit);
    for (; c >= 0; c = from->__take()) to.put((char)c);
    return to;
}
inline ostream &operator<<(ostream &to, nullptr_t) { return to << "nullptr"; }
inline ostream &operator<<(ostream &to, ostream &(*change)(ostream &)) { return change(to); }
inline ostream &operator<<(ostream &to, ios_base &(*change)(ios_base &)) {
    change(to);
    return to;
}
inline ostream &endl(ostream &to) { return to.put('\n').flush(); }
inline ostream &ends(ostream &to) { return to.put(0); }
inline ostream &flush(ostream &to) { return to.flush(); }
#define __WS_FLAG(NAME, VALUE, MASK)                                                                       \
    inline ios_base &NAME(ios_base &stream) {                                                              \
        stream.setf(VALUE, MASK);                                                                          \
        return stream;                                                                                     \
    }
__WS_FLAG(boolalpha, ios_base::boolalpha, ios_base::boolalpha)
__WS_FLAG(noboolalpha, 0, ios_base::boolalpha)
__WS_FLAG(showbase, ios_base::showbase, ios_base::showbase)
__WS_FLAG(noshowbase, 0, ios_base::showbase)
__WS_FLAG(showpoint, ios_base::showpoint, ios_base::showpoint)
__WS_FLAG(noshowpoint, 0, ios_base::showpoint)
__WS_FLAG(showpos, ios_base::showpos, ios_base::showpos)
__WS_FLAG(noshowpos, 0, ios_base::showpos)
__WS_FLAG(skipws, ios_base::skipws, ios_base::skipws)
__WS_FLAG(noskipws, 0, ios_base::skipws)
__WS_FLAG(uppercase, ios_base::uppercase, ios_base::uppercase)
__WS_FLAG(nouppercase, 0, ios_base::uppercase)
__WS_FLAG(unitbuf, ios_base::unitbuf, ios_base::unitbuf)
__WS_FLAG(nounitbuf, 0, ios_base::unitbuf)
__WS_FLAG(left, ios_base::left, ios_base::adjustfield)
__WS_FLAG(right, ios_base::right, ios_base::adjustfield)
__WS_FLAG(internal, ios_base::internal, ios_base::adjustfield)
__WS_FLAG(dec, ios_base::dec, ios_base::basefield)
__WS_FLAG(hex, ios_base::hex, ios_base::basefield)
__WS_FLAG(oct, ios_base::oct, ios_base::basefield)
__WS_FLAG(fixed, ios_base::fixed, ios_base::floatfield)
__WS_FLAG(scientific, ios_base::scientific, ios_base::floatfield)
__WS_FLAG(defaultfloat, 0, ios_base::floatfield)
__WS_FLAG(hexfloat, ios_base::floatfield, ios_base::floatfield)
#undef __WS_FLAG
}
