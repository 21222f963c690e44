// <ratio>.
namespace std {
constexpr long __gcd(long a, long b) { return b == 0 ? (a < 0 ? -a : a) : __gcd(b, a % b); }
template <long N, long D = 1> struct ratio {
    static_assert(D != 0, "the denominator of a ratio is not 0");
    static constexpr long num = (D < 0 ? -N : N) / __gcd(N, D);
    static constexpr long den = (D < 0 ? -D : D) / __gcd(N, D);
    typedef ratio<(D < 0 ? -N : N) / __gcd(N, D), (D < 0 ? -D : D) / __gcd(N, D)> type;
};
template <class A, class B> using ratio_multiply = typename ratio<
    (A::num / __gcd(A::num, B::den)) * (B::num / __gcd(B::num, A::den)),
    (A::den / __gcd(B::num, A::den)) * (B::den / __gcd(A::num, B::den))>::type;
template <class A, class B> using ratio_divide = ratio_multiply<A, ratio<B::den, B::num>>;
template <class A, class B> using ratio_add = typename ratio<
    A::num * (B::den / __gcd(A::den, B::den)) + B::num * (A::den / __gcd(A::den, B::den)),
    A::den * (B::den / __gcd(A::den, B::den))>::type;
template <class A, class B> using ratio_subtract = ratio_add<A, ratio<-B::num, B::den>>;
#define __WS_RATIO(NAME, OP)                                                                               \
    template <class A, class B> struct NAME {                                                              \
        static constexpr bool value = A::num * B::den OP B::num * A::den;                                  \
    };                                                                                                     \
    template <class A, class B> inline constexpr bool NAME##_v = NAME<A, B>::value;
__WS_RATIO(ratio_equal, ==)
__WS_RATIO(ratio_not_equal, !=)
__WS_RATIO(ratio_less, <)
__WS_RATIO(ratio_less_equal, <=)
__WS_RATIO(ratio_greater, >)
__WS_RATIO(ratio_greater_equal, >=)
#undef __WS_RATIO
typedef ratio<1, 1000000000000> pico;
typedef ratio<1, 1000000000> nano;
typedef ratio<1, 1000000> micro;
typedef ratio<1, 1000> milli;
typedef ratio<1, 100> centi;
typedef ratio<1, 10> deci;
typedef ratio<10> deca;
typedef ratio<100> hecto;
typedef ratio<1000> kilo;
typedef ratio<1000000> mega;
typedef ratio<1000000000> giga;
typedef ratio<1000000000000> tera;
}
