/* Names of CUDA 1 to 8 without underscores. They are templates, so that a function of the program with
 * the same parameters takes precedence. */
#ifndef WARPCC_DEVICE_OLD_NAMES_H
#define WARPCC_DEVICE_OLD_NAMES_H
#pragma clang system_header

#define WARPCC_OLD template <int = 0> WARPCC_D

WARPCC_OLD void syncthreads() { __syncthreads(); }
WARPCC_OLD bool any(bool predicate) { return __any(predicate); }
WARPCC_OLD bool all(bool predicate) { return __all(predicate); }
WARPCC_OLD void trap() { __trap(); }
WARPCC_OLD void brkpt(int = 0) { __brkpt(); }
WARPCC_OLD int mul24(int a, int b) { return __mul24(a, b); }
WARPCC_OLD unsigned int umul24(unsigned int a, unsigned int b) { return __umul24(a, b); }
WARPCC_OLD int mulhi(int a, int b) { return __mulhi(a, b); }
WARPCC_OLD unsigned int umulhi(unsigned int a, unsigned int b) { return __umulhi(a, b); }
WARPCC_OLD long long mul64hi(long long a, long long b) { return __mul64hi(a, b); }
WARPCC_OLD unsigned long long umul64hi(unsigned long long a, unsigned long long b) { return __umul64hi(a, b); }
WARPCC_OLD unsigned int sad(int a, int b, unsigned int c) { return __sad(a, b, c); }
WARPCC_OLD unsigned int usad(unsigned int a, unsigned int b, unsigned int c) { return __usad(a, b, c); }
WARPCC_OLD unsigned int umin(unsigned int a, unsigned int b) { return min(a, b); }
WARPCC_OLD unsigned int umax(unsigned int a, unsigned int b) { return max(a, b); }
WARPCC_OLD long long llmin(long long a, long long b) { return min(a, b); }
WARPCC_OLD long long llmax(long long a, long long b) { return max(a, b); }
WARPCC_OLD unsigned long long ullmin(unsigned long long a, unsigned long long b) { return min(a, b); }
WARPCC_OLD unsigned long long ullmax(unsigned long long a, unsigned long long b) { return max(a, b); }
WARPCC_OLD float saturate(float x) { return __saturatef(x); }
WARPCC_OLD int float_as_int(float x) { return __float_as_int(x); }
WARPCC_OLD float int_as_float(int x) { return __int_as_float(x); }

enum cudaRoundMode { cudaRoundNearest, cudaRoundZero, cudaRoundPosInf, cudaRoundMinInf };
#define WARPCC_CONVERT(name, To, From)                                                          \
    WARPCC_OLD To name(From x, cudaRoundMode mode = warpcc_mode_##name) {                       \
        return mode == cudaRoundNearest  ? __##name##_rn(x)                                     \
               : mode == cudaRoundPosInf ? __##name##_ru(x)                                     \
               : mode == cudaRoundMinInf ? __##name##_rd(x)                                     \
                                         : __##name##_rz(x);                                    \
    }
/* Conversions to integers truncate, conversions to floating point round to the nearest. */
#define warpcc_mode_float2int cudaRoundZero
#define warpcc_mode_float2uint cudaRoundZero
#define warpcc_mode_int2float cudaRoundNearest
#define warpcc_mode_uint2float cudaRoundNearest
WARPCC_CONVERT(float2int, int, float)
WARPCC_CONVERT(float2uint, unsigned int, float)
WARPCC_CONVERT(int2float, float, int)
WARPCC_CONVERT(uint2float, float, unsigned int)
#undef WARPCC_CONVERT
#undef warpcc_mode_float2int
#undef warpcc_mode_float2uint
#undef warpcc_mode_int2float
#undef warpcc_mode_uint2float
#undef WARPCC_OLD

#endif
