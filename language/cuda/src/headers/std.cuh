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
