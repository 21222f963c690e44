// Comparisons and arithmetic as objects, which the containers of GNU's library include.
namespace std {
// The bases of classes of functions before C++17.
template <class A, class R> struct unary_function {
    typedef A argument_type;
    typedef R result_type;
};
template <class A, class B, class R> struct binary_function {
    typedef A first_argument_type;
    typedef B second_argument_type;
    typedef R result_type;
};
#define __WS_FUNCTION(NAME, RESULT, OP)                                                                    \
    template <class T = void> struct NAME {                                                                \
        typedef T first_argument_type;                                                                     \
        typedef T second_argument_type;                                                                    \
        typedef RESULT result_type;                                                                        \
        RESULT operator()(const T &a, const T &b) const { return a OP b; }                                 \
    };                                                                                                     \
    template <> struct NAME<void> {                                                                        \
        template <class T, class U> auto operator()(const T &a, const U &b) const { return a OP b; }       \
    };
__WS_FUNCTION(less, bool, <)
__WS_FUNCTION(greater, bool, >)
__WS_FUNCTION(less_equal, bool, <=)
__WS_FUNCTION(greater_equal, bool, >=)
__WS_FUNCTION(equal_to, bool, ==)
__WS_FUNCTION(not_equal_to, bool, !=)
__WS_FUNCTION(plus, T, +)
__WS_FUNCTION(minus, T, -)
__WS_FUNCTION(multiplies, T, *)
__WS_FUNCTION(divides, T, /)
__WS_FUNCTION(modulus, T, %)
__WS_FUNCTION(logical_and, bool, &&)
__WS_FUNCTION(logical_or, bool, ||)
__WS_FUNCTION(bit_and, T, &)
__WS_FUNCTION(bit_or, T, |)
__WS_FUNCTION(bit_xor, T, ^)
#undef __WS_FUNCTION
template <class T = void> struct bit_not {
    T operator()(const T &a) const { return ~a; }
};
template <class T = void> struct negate {
    T operator()(const T &a) const { return -a; }
};
template <class T = void> struct logical_not {
    bool operator()(const T &a) const { return !a; }
};
template <> struct negate<void> {
    template <class T> auto operator()(const T &a) const { return -a; }
};
template <> struct logical_not<void> {
    template <class T> bool operator()(const T &a) const { return !a; }
};
}
