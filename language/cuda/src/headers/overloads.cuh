// Overloads of the device math library for two types, which clang takes from the C++ library, and the
// names of the standard library.
#define __WS_MIXED(NAME)                                                                                   \
    template <class A, class B>                                                                            \
    __WM_FN typename __wm_if<__wm_kind<A>::value != 0 && __wm_kind<B>::value != 0, double>::type NAME(     \
        A x, B y) {                                                                                        \
        return NAME((double)x, (double)y);                                                                 \
    }
__WS_MIXED(pow)
__WS_MIXED(atan2)
__WS_MIXED(hypot)
__WS_MIXED(fmod)
__WS_MIXED(remainder)
__WS_MIXED(fdim)

namespace std {
using ::acos;
using ::acosh;
using ::asin;
using ::asinh;
using ::atan;
using ::atan2;
using ::atanh;
using ::cbrt;
using ::cos;
using ::cosh;
using ::erf;
using ::erfc;
using ::exp;
using ::exp2;
using ::expm1;
using ::fdim;
using ::fmod;
using ::frexp;
using ::hypot;
using ::ilogb;
using ::ldexp;
using ::lgamma;
using ::log;
using ::log10;
using ::log1p;
using ::log2;
using ::logb;
using ::lrint;
using ::lround;
using ::modf;
using ::nextafter;
using ::pow;
using ::remainder;
using ::round;
using ::sin;
using ::sinh;
using ::tan;
using ::tanh;
using ::tgamma;
}
