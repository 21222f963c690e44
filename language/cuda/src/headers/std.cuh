// Functions of numbers of different types.
template <class A, class B> __D typename __ws_both<A, B>::type fmin(A x, B y) { return fmin((double)x, (double)y); }
template <class A, class B> __D typename __ws_both<A, B>::type fmax(A x, B y) { return fmax((double)x, (double)y); }
template <class A, class B, class C>
__D typename __ws_both<A, typename __ws_both<B, C>::type>::type fma(A x, B y, C z) {
    return fma((double)x, (double)y, (double)z);
}
template <class A, class B> __D typename __ws_both<A, B>::type copysign(A x, B y) {
    return copysign((double)x, (double)y);
}
// Names of the standard library that device code may use.
namespace std {
using ::abs;
using ::ceil;
using ::fabs;
using ::floor;
using ::fma;
using ::fmax;
using ::fmin;
using ::isfinite;
using ::isinf;
using ::isnan;
using ::max;
using ::min;
using ::size_t;
using ::sqrt;
using ::trunc;
using ::int8_t;
using ::int16_t;
using ::int32_t;
using ::int64_t;
using ::uint8_t;
using ::uint16_t;
using ::uint32_t;
using ::uint64_t;
using ::intmax_t;
using ::intptr_t;
using ::uintmax_t;
using ::uintptr_t;
using ::ptrdiff_t;
}
