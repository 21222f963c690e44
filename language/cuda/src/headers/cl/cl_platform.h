// Types of host programs for OpenCL.
#ifndef __CL_PLATFORM_H
#define __CL_PLATFORM_H
#define CL_API_ENTRY
#define CL_API_CALL
#define CL_CALLBACK
#define CL_API_SUFFIX__VERSION_1_0
#define CL_API_SUFFIX__VERSION_1_1
typedef signed char cl_char;
typedef unsigned char cl_uchar;
typedef short cl_short;
typedef unsigned short cl_ushort;
typedef int cl_int;
typedef unsigned int cl_uint;
typedef long cl_long;
typedef unsigned long cl_ulong;
typedef unsigned short cl_half;
typedef float cl_float;
typedef double cl_double;
#define CL_CHAR_BIT 8
#define CL_SCHAR_MAX 127
#define CL_SCHAR_MIN (-127 - 1)
#define CL_CHAR_MAX CL_SCHAR_MAX
#define CL_CHAR_MIN CL_SCHAR_MIN
#define CL_UCHAR_MAX 255
#define CL_SHRT_MAX 32767
#define CL_SHRT_MIN (-32767 - 1)
#define CL_USHRT_MAX 65535
#define CL_INT_MAX 2147483647
#define CL_INT_MIN (-2147483647 - 1)
#define CL_UINT_MAX 0xffffffffU
#define CL_LONG_MAX ((cl_long)0x7FFFFFFFFFFFFFFFLL)
#define CL_LONG_MIN ((cl_long)-0x7FFFFFFFFFFFFFFFLL - 1LL)
#define CL_ULONG_MAX ((cl_ulong)0xFFFFFFFFFFFFFFFFULL)
#define CL_FLT_MAX 3.402823466e+38f
#define CL_FLT_MIN 1.175494351e-38f
#define CL_FLT_EPSILON 1.192092896e-07f
#define CL_DBL_MAX 1.7976931348623157e+308
#define CL_DBL_MIN 2.2250738585072014e-308
#define CL_DBL_EPSILON 2.2204460492503131e-16
#define CL_M_PI 3.14159265358979323846
#define CL_M_PI_F 3.14159265f
#define CL_NAN (0.0f / 0.0f)
#define CL_INFINITY 1e39f
#define CL_HUGE_VALF 1e39f
#define CL_HUGE_VAL 1e309

#define __CL_ALIGNED(BYTES) __attribute__((aligned(BYTES)))
#define __CL_VECTORS(T, A2, A4, A8, A16)                                                              \
    typedef union {                                                                                   \
        T __CL_ALIGNED(A2) s[2];                                                                      \
        struct { T x, y; };                                                                           \
        struct { T s0, s1; };                                                                         \
        struct { T lo, hi; };                                                                         \
    } T##2;                                                                                           \
    typedef union {                                                                                   \
        T __CL_ALIGNED(A4) s[4];                                                                      \
        struct { T x, y, z, w; };                                                                     \
        struct { T s0, s1, s2, s3; };                                                                 \
        struct { T##2 lo, hi; };                                                                      \
    } T##4;                                                                                           \
    typedef T##4 T##3;                                                                                \
    typedef union {                                                                                   \
        T __CL_ALIGNED(A8) s[8];                                                                      \
        struct { T x, y, z, w; };                                                                     \
        struct { T s0, s1, s2, s3, s4, s5, s6, s7; };                                                 \
        struct { T##4 lo, hi; };                                                                      \
    } T##8;                                                                                           \
    typedef union {                                                                                   \
        T __CL_ALIGNED(A16) s[16];                                                                    \
        struct { T x, y, z, w, __spacer4, __spacer5, __spacer6, __spacer7, __spacer8, __spacer9, sa, sb, sc, sd, se, sf; }; \
        struct { T s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, sA, sB, sC, sD, sE, sF; };                 \
        struct { T##8 lo, hi; };                                                                      \
    } T##16;
__CL_VECTORS(cl_char, 2, 4, 8, 16)
__CL_VECTORS(cl_uchar, 2, 4, 8, 16)
__CL_VECTORS(cl_short, 4, 8, 16, 32)
__CL_VECTORS(cl_ushort, 4, 8, 16, 32)
__CL_VECTORS(cl_int, 8, 16, 32, 64)
__CL_VECTORS(cl_uint, 8, 16, 32, 64)
__CL_VECTORS(cl_long, 16, 32, 64, 128)
__CL_VECTORS(cl_ulong, 16, 32, 64, 128)
__CL_VECTORS(cl_float, 8, 16, 32, 64)
__CL_VECTORS(cl_double, 16, 32, 64, 128)
#endif
