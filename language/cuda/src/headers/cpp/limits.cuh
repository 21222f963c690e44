// <limits>.
namespace std {
template <class T> struct numeric_limits {
    static const bool is_specialized = false;
};
#define __WS_LIMITS(TYPE, LOW, HIGH, BITS, SIGNED)                                                         \
    template <> struct numeric_limits<TYPE> {                                                              \
        static const bool is_specialized = true;                                                           \
        static const bool is_integer = true;                                                               \
        static const bool is_signed = SIGNED;                                                              \
        static const bool is_exact = true;                                                                 \
        static const bool has_infinity = false;                                                            \
        static const bool has_quiet_NaN = false;                                                           \
        static const bool is_iec559 = false;                                                               \
        static const bool is_bounded = true;                                                               \
        static const bool is_modulo = !SIGNED && BITS > 1;                                                 \
        static const bool has_signaling_NaN = false;                                                       \
        static const int max_digits10 = 0;                                                                 \
        static const int radix = 2;                                                                        \
        static const int digits = BITS;                                                                    \
        static const int digits10 = BITS * 30103 / 100000;                                                 \
        static constexpr TYPE min() { return LOW; }                                                        \
        static constexpr TYPE max() { return HIGH; }                                                       \
        static constexpr TYPE lowest() { return LOW; }                                                     \
        static constexpr TYPE epsilon() { return 0; }                                                      \
    };
__WS_LIMITS(bool, false, true, 1, false)
__WS_LIMITS(char, CHAR_MIN, CHAR_MAX, 7, true)
__WS_LIMITS(signed char, SCHAR_MIN, SCHAR_MAX, 7, true)
__WS_LIMITS(unsigned char, 0, UCHAR_MAX, 8, false)
__WS_LIMITS(short, SHRT_MIN, SHRT_MAX, 15, true)
__WS_LIMITS(unsigned short, 0, USHRT_MAX, 16, false)
__WS_LIMITS(int, INT_MIN, INT_MAX, 31, true)
__WS_LIMITS(unsigned int, 0, UINT_MAX, 32, false)
__WS_LIMITS(long, LONG_MIN, LONG_MAX, 63, true)
__WS_LIMITS(unsigned long, 0, ULONG_MAX, 64, false)
__WS_LIMITS(long long, LLONG_MIN, LLONG_MAX, 63, true)
__WS_LIMITS(unsigned long long, 0, ULLONG_MAX, 64, false)
#undef __WS_LIMITS
#define __WS_LIMITS(TYPE, LOW, HIGH, EPSILON, BITS, DECIMAL, MOST, DENORM, MINIMUM)                                 \
    template <> struct numeric_limits<TYPE> {                                                              \
        static const bool is_specialized = true;                                                           \
        static const bool is_integer = false;                                                              \
        static const bool is_signed = true;                                                                \
        static const bool has_infinity = true;                                                             \
        static const bool has_quiet_NaN = true;                                                            \
        static const bool is_exact = false;                                                                \
        static const bool is_iec559 = true;                                                                \
        static const int radix = 2;                                                                        \
        static const int min_exponent = MINIMUM;                                                           \
        static const int max_exponent = 3 - MINIMUM;                                                       \
        static const int min_exponent10 = MINIMUM * 30103 / 100000;                                        \
        static const int max_exponent10 = (3 - MINIMUM) * 30103 / 100000;                                  \
        static const bool is_bounded = true;                                                               \
        static const bool is_modulo = false;                                                               \
        static const bool has_signaling_NaN = true;                                                        \
        static constexpr TYPE round_error() { return (TYPE)0.5; }                                          \
        static const int digits = BITS;                                                                    \
        static const int digits10 = DECIMAL;                                                               \
        static const int max_digits10 = MOST;                                                              \
        static constexpr TYPE min() { return LOW; }                                                        \
        static constexpr TYPE max() { return HIGH; }                                                       \
        static constexpr TYPE lowest() { return -HIGH; }                                                   \
        static constexpr TYPE epsilon() { return EPSILON; }                                                \
        static constexpr TYPE denorm_min() { return DENORM; }                                              \
        static TYPE infinity() { return (TYPE)1 / (TYPE)0; }                                               \
        static TYPE quiet_NaN() { return (TYPE)NAN; }                                                      \
    };
__WS_LIMITS(float, FLT_MIN, FLT_MAX, FLT_EPSILON, 24, 6, 9, 1.40129846e-45f, -125)
__WS_LIMITS(double, DBL_MIN, DBL_MAX, DBL_EPSILON, 53, 15, 17, 4.9406564584124654e-324, -1021)
#undef __WS_LIMITS
}
