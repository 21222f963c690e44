// Types that every CUDA C program has.
typedef decltype(sizeof(int)) size_t;
typedef decltype((char *)0 - (char *)0) ptrdiff_t;
typedef ptrdiff_t ssize_t;
typedef signed char int8_t;
typedef unsigned char uint8_t;
typedef short int16_t;
typedef unsigned short uint16_t;
typedef int int32_t;
typedef unsigned int uint32_t;
typedef long int64_t;
typedef unsigned long uint64_t;
typedef int8_t int_least8_t;
typedef uint8_t uint_least8_t;
typedef int16_t int_least16_t;
typedef uint16_t uint_least16_t;
typedef int32_t int_least32_t;
typedef uint32_t uint_least32_t;
typedef int64_t int_least64_t;
typedef uint64_t uint_least64_t;
typedef long intmax_t;
typedef unsigned long uintmax_t;
typedef ptrdiff_t intptr_t;
typedef size_t uintptr_t;
typedef unsigned int uint;
typedef unsigned short ushort;
typedef unsigned long ulong;
typedef long clock_t;
typedef struct __align__(16) {
    long long __whole[4];
} max_align_t;
#ifdef __CUDA_ARCH__
typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;
typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
#endif

#define NULL 0
#define offsetof(type, member) ((size_t) & ((type *)0)->member)
#define CHAR_BIT 8
#define SCHAR_MAX 127
#define SCHAR_MIN (-128)
#define UCHAR_MAX 255
#define CHAR_MAX 127
#define CHAR_MIN (-128)
#define SHRT_MAX 32767
#define SHRT_MIN (-32768)
#define USHRT_MAX 65535
#define INT_MAX 2147483647
#define INT_MIN (-2147483647 - 1)
#define UINT_MAX 4294967295u
#define LONG_MAX 9223372036854775807L
#define LONG_MIN (-9223372036854775807L - 1L)
#define ULONG_MAX 18446744073709551615UL
#define LLONG_MAX 9223372036854775807LL
#define LLONG_MIN (-9223372036854775807LL - 1LL)
#define ULLONG_MAX 18446744073709551615ULL
#define INT8_MAX 127
#define INT8_MIN (-128)
#define UINT8_MAX 255
#define INT16_MAX 32767
#define INT16_MIN (-32768)
#define UINT16_MAX 65535
#define INT32_MAX INT_MAX
#define INT32_MIN INT_MIN
#define UINT32_MAX UINT_MAX
#define INT64_MAX LONG_MAX
#define INT64_MIN LONG_MIN
#define UINT64_MAX ULONG_MAX
#define INTMAX_MIN LONG_MIN
#define INTMAX_MAX LONG_MAX
#define UINTMAX_MAX ULONG_MAX
#define INTPTR_MIN LONG_MIN
#define INTPTR_MAX LONG_MAX
#define UINTPTR_MAX ULONG_MAX
#define PTRDIFF_MIN LONG_MIN
#define PTRDIFF_MAX LONG_MAX
#define SIZE_MAX ULONG_MAX
#define INT8_C(x) x
#define INT16_C(x) x
#define INT32_C(x) x
#define INT64_C(x) x##L
#define UINT8_C(x) x
#define UINT16_C(x) x
#define UINT32_C(x) x##U
#define UINT64_C(x) x##UL
#define FLT_MAX 3.402823466e+38f
#define FLT_MIN 1.175494351e-38f
#define FLT_EPSILON 1.192092896e-07f
#define FLT_RADIX 2
#define FLT_DIG 6
#define FLT_MANT_DIG 24
#define DBL_MAX 1.7976931348623157e+308
#define DBL_MIN 2.2250738585072014e-308
#define DBL_EPSILON 2.2204460492503131e-16
#define DBL_DIG 15
#define DBL_MANT_DIG 53
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#define INFINITY 1e39f
#define HUGE_VALF 1e39f
#define HUGE_VAL 1e309
#define RAND_MAX 2147483647
#ifdef __CUDA_ARCH__
#define CUDART_VERSION 8000
#endif
#ifndef __WARPSIM_C__
#define CUDA_VERSION 8000
#endif

#ifndef __WARPSIM_C__
#define __WS_VECTOR(T, B, A2, A4)                                                                          \
    struct __vector_type__ T##1 { B x; };                                                                  \
    struct __vector_type__ __align__(A2) T##2 { B x, y; };                                                 \
    struct __vector_type__ T##3 { B x, y, z; };                                                            \
    struct __vector_type__ __align__(A4) T##4 { B x, y, z, w; };                                           \
    __forceinline__ __host__ __device__ T##1 make_##T##1(B x) { return T##1{x}; }                                   \
    __forceinline__ __host__ __device__ T##2 make_##T##2(B x, B y) { return T##2{x, y}; }                           \
    __forceinline__ __host__ __device__ T##3 make_##T##3(B x, B y, B z) { return T##3{x, y, z}; }                   \
    __forceinline__ __host__ __device__ T##4 make_##T##4(B x, B y, B z, B w) { return T##4{x, y, z, w}; }

__WS_VECTOR(char, signed char, 2, 4)
__WS_VECTOR(uchar, unsigned char, 2, 4)
__WS_VECTOR(short, short, 4, 8)
__WS_VECTOR(ushort, unsigned short, 4, 8)
__WS_VECTOR(int, int, 8, 16)
__WS_VECTOR(uint, unsigned int, 8, 16)
__WS_VECTOR(long, long, 16, 16)
__WS_VECTOR(ulong, unsigned long, 16, 16)
__WS_VECTOR(longlong, long long, 16, 16)
__WS_VECTOR(ulonglong, unsigned long long, 16, 16)
__WS_VECTOR(float, float, 8, 16)
__WS_VECTOR(double, double, 16, 16)

struct dim3 {
    unsigned int x, y, z;
    __host__ __device__ __forceinline__ dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
        : x(vx), y(vy), z(vz) {}
    __host__ __device__ __forceinline__ dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    __host__ __device__ __forceinline__ operator uint3() const { return make_uint3(x, y, z); }
};
#endif

#ifdef __CUDA_ARCH__
enum cudaTextureReadMode { cudaReadModeElementType = 0, cudaReadModeNormalizedFloat = 1 };
enum cudaTextureFilterMode { cudaFilterModePoint = 0, cudaFilterModeLinear = 1 };
enum cudaTextureAddressMode {
    cudaAddressModeWrap = 0,
    cudaAddressModeClamp = 1,
    cudaAddressModeMirror = 2,
    cudaAddressModeBorder = 3
};
#define cudaTextureType1D 1
#define cudaTextureType2D 2
#define cudaTextureType3D 3
#define cudaTextureTypeCubemap 0x0C
#define cudaTextureType1DLayered 0xF1
#define cudaTextureType2DLayered 0xF2
#define cudaTextureTypeCubemapLayered 0xFC
#define cudaSurfaceType1D 1
#define cudaSurfaceType2D 2
#define cudaSurfaceType3D 3
#define cudaSurfaceTypeCubemap 0x0C
#define cudaSurfaceType1DLayered 0xF1
#define cudaSurfaceType2DLayered 0xF2
#define cudaSurfaceTypeCubemapLayered 0xFC
enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero = 0, cudaBoundaryModeClamp = 1, cudaBoundaryModeTrap = 2 };
template <class T, int dim = 1, enum cudaTextureReadMode mode = cudaReadModeElementType> struct texture {};
template <class T, int dim = 1> struct surface {};

#define __WS_FETCH(NAME) template <class T> void NAME(T);
__WS_FETCH(tex1Dfetch)
__WS_FETCH(tex1D)
__WS_FETCH(tex2D)
__WS_FETCH(tex3D)
__WS_FETCH(tex1DLayered)
__WS_FETCH(tex2DLayered)
__WS_FETCH(texCubemap)
__WS_FETCH(texCubemapLayered)
__WS_FETCH(tex1DLod)
__WS_FETCH(tex2DLod)
__WS_FETCH(tex3DLod)
#define __WS_SURFACE(NAME) __WS_FETCH(NAME##read) __WS_FETCH(NAME##write)
__WS_SURFACE(surf1D)
__WS_SURFACE(surf2D)
__WS_SURFACE(surf3D)
__WS_SURFACE(surf1DLayered)
__WS_SURFACE(surf2DLayered)
__WS_SURFACE(surfCubemap)
__WS_SURFACE(surfCubemapLayered)
#endif
