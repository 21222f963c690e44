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
// The parts of a date that a text has, in the order of libstdc++ 12.
struct __date_reader {
    istream &from;
    struct tm *to;
    int err, century, year, hour;
    bool pm, has_pm, dated, has_weekday, has_yearday, has_month, has_day;
    int peek() {
        int c = from.__get();
        from.__unget(c);
        if (c < 0) err |= ios_base::eofbit;
        return c;
    }
    void spaces() {
        while (isspace(peek())) from.__get();
    }
    // A number of at most so many digits. A digit that makes it too large is not read.
    int number(int digits, int low, int high) {
        int value = 0, count = 0;
        for (; count < digits && isdigit(peek()); ++count) {
            int next = value * 10 + (peek() - '0');
            if (next > high) break;
            value = next;
            from.__get();
        }
        bool stopped = count < digits && isdigit(peek());
        if (count == 0 || stopped || value < low) err |= ios_base::failbit;
        peek();
        return value;
    }
    // The number of a name, which may be shortened to `least` letters.
    int name(const char *names, int count, size_t least) {
        unsigned possible = (1u << count) - 1;
        size_t at = 0;
        for (;; ++at) {
            int c = peek();
            unsigned left = 0;
            for (int i = 0; i < count; ++i) {
                const char *one = __ws_name(names, i);
                if (possible >> i & 1 && c >= 0 && at < strlen(one) && tolower(one[at]) == tolower(c)) left |= 1u << i;
            }
            if (!left) break;
            possible = left;
            from.__get();
        }
        for (int i = 0; i < count; ++i)
            if (possible >> i & 1 && at && (at == least || at == strlen(__ws_name(names, i)))) return i;
        err |= ios_base::failbit;
        return 0;
    }
    void read(const char *format) {
        for (; *format && !(err & ios_base::failbit); ++format) {
            if (isspace(*format)) {
                spaces();
                continue;
            }
            if (*format != '%' || format[1] == '%') {
                if (*format == '%') ++format;
                if (tolower(peek()) != tolower(*format)) err |= ios_base::failbit;
                else from.__get();
                continue;
            }
            ++format;
            if (*format == 'E' || *format == 'O') ++format;
            char letter = *format;
            if (!letter) {
                err |= ios_base::failbit;
                return;
            }
            int value = 0;
            switch (letter) {
            case 'a':
            case 'A': value = name(__WS_WEEKDAYS, 7, 3); break;
            case 'b':
            case 'B':
            case 'h': value = name(__WS_MONTHS, 12, 3); break;
            case 'c': read("%a %b %e %T %Y"); break;
            case 'C': value = number(2, 0, 99); break;
            case 'e': spaces();
            case 'd': value = number(2, 1, 31); break;
            case 'D':
            case 'x': read("%m/%d/%y"); break;
            case 'H': value = number(2, 0, 23); break;
            case 'I': value = number(2, 1, 12); break;
            case 'j': value = number(3, 1, 366); break;
            case 'm': value = number(2, 1, 12); break;
            case 'M': value = number(2, 0, 59); break;
            case 'n':
            case 't': spaces(); break;
            case 'p': value = name("AM\0PM\0", 2, 2); break;
            case 'r': read("%I:%M:%S %p"); break;
            case 'R': read("%H:%M"); break;
            case 'S': value = number(2, 0, 60); break;
            case 'T':
            case 'X': read("%H:%M:%S"); break;
            case 'w': value = number(1, 0, 6); break;
            case 'y':
            case 'Y': value = number(4, 0, 9999); break;
            default: err |= ios_base::failbit;
            }
            if (err & ios_base::failbit) return;
            if (letter == 'a' || letter == 'A' || letter == 'w') to->tm_wday = value, has_weekday = true;
            if (letter == 'b' || letter == 'B' || letter == 'h') to->tm_mon = value, dated = has_month = true;
            if (letter == 'C') century = value, dated = true;
            if (letter == 'd' || letter == 'e') to->tm_mday = value, dated = has_day = true;
            if (letter == 'H') to->tm_hour = value;
            if (letter == 'I') hour = value;
            if (letter == 'j') to->tm_yday = value - 1, has_yearday = true;
            if (letter == 'm') to->tm_mon = value - 1, has_month = true;
            if (letter == 'M') to->tm_min = value;
            if (letter == 'p') pm = value != 0, has_pm = true;
            if (letter == 'S') to->tm_sec = value;
            if (letter == 'Y' || letter == 'y') year = value, dated = true;
            if (letter == 'y') year = value >= 100 ? value : value < 69 ? 2000 + value : 1900 + value;
        }
    }
    // What follows from the parts: hours of the afternoon, centuries, days of weeks and years.
    void end() {
        if (hour >= 0) to->tm_hour = has_pm ? hour % 12 + (pm ? 12 : 0) : hour;
        if (century >= 0) year = century * 100 + (year >= 0 ? year % 100 : 0);
        if (year >= 0) to->tm_year = year - 1900;
        long whole = to->tm_year + 1900L;
        if (year >= 0 && has_yearday && !(has_month && has_day)) {
            time_t time = (__ws_days(whole, 1, 1) + to->tm_yday - __WS_EPOCH) * 86400;
            struct tm made;
            gmtime_r(&time, &made);
            to->tm_mon = made.tm_mon;
            to->tm_mday = made.tm_mday;
        }
        if (!dated) return;
        long days = __ws_days(whole, to->tm_mon + 1, to->tm_mday);
        if (!has_weekday) to->tm_wday = (int)(((days - __WS_EPOCH + 4) % 7 + 7) % 7);
        if (!has_yearday) to->tm_yday = (int)(days - __ws_days(whole, 1, 1));
    }
};
struct __get_time {
    struct tm *time;
    const char *format;
};
inline __get_time get_time(struct tm *time, const char *format) { return __get_time{time, format}; }
inline istream &operator>>(istream &from, __get_time made) {
    if (!from.__skip()) return from;
    __date_reader reader = {from, made.time, 0, -1, -1, -1, false, false, false, false, false, false, false};
    reader.read(made.format);
    reader.end();
    if (reader.err) from.setstate(reader.err);
    return from;
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
