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
}
