// <iomanip>. Money is no part of it.
#include <ios>
#include <time.h>
namespace std {
struct __setw {
    int value;
};
struct __setprecision {
    int value;
};
struct __setfill {
    char value;
};
struct __setflags {
    int value;
    int mask;
};
inline __setw setw(int value) { return __setw{value}; }
inline __setprecision setprecision(int value) { return __setprecision{value}; }
inline __setfill setfill(char value) { return __setfill{value}; }
inline __setflags setbase(int value) {
    int base = value == 16 ? ios_base::hex : value == 8 ? ios_base::oct : value == 10 ? ios_base::dec : 0;
    return __setflags{base, ios_base::basefield};
}
inline __setflags setiosflags(int value) { return __setflags{value, value}; }
inline __setflags resetiosflags(int mask) { return __setflags{0, mask}; }
#define __WS_MANIPULATOR(TYPE, CALL)                                                                       \
    inline ostream &operator<<(ostream &to, TYPE made) {                                                   \
        to.CALL;                                                                                           \
        return to;                                                                                         \
    }                                                                                                      \
    inline istream &operator>>(istream &to, TYPE made) {                                                   \
        to.CALL;                                                                                           \
        return to;                                                                                         \
    }
__WS_MANIPULATOR(__setw, width(made.value))
__WS_MANIPULATOR(__setprecision, precision(made.value))
__WS_MANIPULATOR(__setfill, fill(made.value))
__WS_MANIPULATOR(__setflags, setf(made.value, made.mask))
#undef __WS_MANIPULATOR
struct __put_time {
    const struct tm *time;
    const char *format;
};
inline __put_time put_time(const struct tm *time, const char *format) { return __put_time{time, format}; }
inline ostream &operator<<(ostream &to, __put_time made) {
    // The last character tells an empty text from a text without room.
    string format(made.format), text;
    format.push_back('x');
    for (size_t room = 64;; room *= 2) {
        text.resize(room);
        size_t size = strftime(&text[0], room, format.c_str(), made.time);
        if (size == 0) continue;
        to.__put(text.data(), size - 1);
        to.width(0);
        return to;
    }
}
// Texts in quotation marks.
struct __quoted {
    const char *text;
    size_t size;
    string *to;
    char mark;
    char escape;
};
inline __quoted quoted(const char *text, char mark = '"', char escape = '\\') {
    return __quoted{text, strlen(text), 0, mark, escape};
}
inline __quoted quoted(const string &text, char mark = '"', char escape = '\\') {
    return __quoted{text.data(), text.size(), 0, mark, escape};
}
inline __quoted quoted(string &text, char mark = '"', char escape = '\\') {
    return __quoted{text.data(), text.size(), &text, mark, escape};
}
inline ostream &operator<<(ostream &to, const __quoted &made) {
    string text(1, made.mark);
    for (size_t i = 0; i < made.size; ++i) {
        if (made.text[i] == made.mark || made.text[i] == made.escape) text.push_back(made.escape);
        text.push_back(made.text[i]);
    }
    text.push_back(made.mark);
    to.__pad(text.data(), text.size());
    return to;
}
inline istream &operator>>(istream &from, const __quoted &made) {
    char c = 0;
    if (!(from >> c)) return from;
    if (c != made.mark) {
        from.putback(c);
        return from >> *made.to;
    }
    made.to->clear();
    for (int next = from.get(); from.good() && next != made.mark; next = from.get()) {
        if (next == made.escape) next = from.get();
        if (from.good()) made.to->push_back((char)next);
    }
    return from;
}
}
