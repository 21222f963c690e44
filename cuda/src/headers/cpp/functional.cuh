// <functional>: comparisons and arithmetic as objects.
namespace std {
#define __WS_FUNCTION(NAME, RESULT, OP)                                                                    \
    template <class T> struct NAME {                                                                       \
        RESULT operator()(const T &a, const T &b) const { return a OP b; }                                 \
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
template <class T> struct negate {
    T operator()(const T &a) const { return -a; }
};
template <class T> struct logical_not {
    bool operator()(const T &a) const { return !a; }
};
}
