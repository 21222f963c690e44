// <charconv>: integers as text, without a locale.
#include <system_error>
#include <type_traits>
namespace std {
struct to_chars_result {
    char *ptr;
    errc ec;
    bool operator==(const to_chars_result &other) const { return ptr == other.ptr && ec == other.ec; }
};
struct from_chars_result {
    const char *ptr;
    errc ec;
    bool operator==(const from_chars_result &other) const { return ptr == other.ptr && ec == other.ec; }
};
template <class T> inline constexpr bool __has_chars = is_integral<T>::value && !is_same<T, bool>::value;
template <class T, class = enable_if_t<__has_chars<T> > >
inline to_chars_result to_chars(char *first, char *last, T value, int base = 10) {
    char digits[65];
    int count = 0;
    bool minus = value < 0;
    unsigned long rest = minus ? 0UL - (unsigned long)value : (unsigned long)value;
    do {
        digits[count++] = "0123456789abcdefghijklmnopqrstuvwxyz"[rest % base];
        rest /= base;
    } while (rest != 0);
    if (last - first < count + minus) return {last, errc::value_too_large};
    if (minus) *first++ = '-';
    while (count > 0) *first++ = digits[--count];
    return {first, errc()};
}
to_chars_result to_chars(char *, char *, bool, int = 10) = delete;
inline int __digit_of(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'z') return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
    return 36;
}
template <class T, class = enable_if_t<__has_chars<T> > >
inline from_chars_result from_chars(const char *first, const char *last, T &value, int base = 10) {
    const char *at = first;
    bool minus = is_signed<T>::value && at != last && *at == '-';
    if (minus) ++at;
    const char *digits = at;
    // The largest value, and for negative numbers one more.
    unsigned long most = is_signed<T>::value ? (1UL << (sizeof(T) * 8 - 1)) - !minus
                                             : ~0UL >> (64 - sizeof(T) * 8);
    unsigned long sum = 0;
    bool is_large = false;
    for (; at != last; ++at) {
        unsigned long digit = __digit_of(*at);
        if (digit >= (unsigned long)base) break;
        if (sum > (most - digit) / base || digit > most) is_large = true;
        else sum = sum * base + digit;
    }
    if (at == digits) return {first, errc::invalid_argument};
    if (is_large) return {at, errc::result_out_of_range};
    value = (T)(minus ? 0UL - sum : sum);
    return {at, errc()};
}
}
