// The functions of one element that the rows of OpenCL C name, and functions with their own overloads.
typedef unsigned char uchar;

#define __CL_SIGNED(M) M(char, uchar) M(short, ushort) M(int, uint) M(long, ulong)
#define __CL_UNSIGNED(M) M(uchar, uchar) M(ushort, ushort) M(uint, uint) M(ulong, ulong)
#define __CL_INTEGERS(M) __CL_SIGNED(M) __CL_UNSIGNED(M)

// Work-items. The registers say where a launch is in the whole range.
__intrinsic__("envreg0") uint __cl_first_group_x();
__intrinsic__("envreg1") uint __cl_first_group_y();
__intrinsic__("envreg2") uint __cl_first_group_z();
__intrinsic__("envreg3") uint __cl_offset_x();
__intrinsic__("envreg4") uint __cl_offset_y();
__intrinsic__("envreg5") uint __cl_offset_z();
__intrinsic__("envreg6") uint __cl_groups_x();
__intrinsic__("envreg7") uint __cl_groups_y();
__intrinsic__("envreg8") uint __cl_groups_z();
__intrinsic__("envreg9") uint __cl_work_dim();
#ifdef __CL_PARTS__
#define __CL_GROUP(axis) (blockIdx.axis + __cl_first_group_##axis())
#define __CL_GROUPS(axis) __cl_groups_##axis()
#else
#define __CL_GROUP(axis) blockIdx.axis
#define __CL_GROUPS(axis) gridDim.axis
#endif
// The third dimension may be several launches.
#define __CL_AXIS(axis, GROUP, GROUPS)                                                                     \
    __D size_t __cl_get_local_size_##axis() { return blockDim.axis; }                                      \
    __D size_t __cl_get_local_id_##axis() { return threadIdx.axis; }                                       \
    __D size_t __cl_get_num_groups_##axis() { return GROUPS; }                                             \
    __D size_t __cl_get_group_id_##axis() { return GROUP; }                                                \
    __D size_t __cl_get_global_offset_##axis() { return __cl_offset_##axis(); }                            \
    __D size_t __cl_get_global_size_##axis() { return GROUPS * blockDim.axis; }                            \
    __D size_t __cl_get_global_id_##axis() { return GROUP * blockDim.axis + threadIdx.axis + __cl_offset_##axis(); }
__CL_AXIS(x, __CL_GROUP(x), __CL_GROUPS(x))
__CL_AXIS(y, __CL_GROUP(y), __CL_GROUPS(y))
__CL_AXIS(z, (blockIdx.z + __cl_first_group_z()), __cl_groups_z())
#define __CL_OF_AXIS(name, other)                                                                          \
    __D size_t __cl_get_##name(uint d) {                                                                   \
        return d == 0   ? __cl_get_##name##_x()                                                            \
               : d == 1 ? __cl_get_##name##_y()                                                            \
               : d == 2 ? __cl_get_##name##_z()                                                            \
                        : other;                                                                           \
    }
__CL_OF_AXIS(local_size, 1)
__CL_OF_AXIS(local_id, 0)
__CL_OF_AXIS(num_groups, 1)
__CL_OF_AXIS(group_id, 0)
__CL_OF_AXIS(global_offset, 0)
__CL_OF_AXIS(global_size, 1)
__CL_OF_AXIS(global_id, 0)
__D uint __cl_get_work_dim() { return __cl_work_dim(); }

__D void __cl_barrier(uint flags) { __syncthreads(); }
__D void __cl_mem_fence(uint flags) {
    if (flags & 2) __threadfence();
    else __threadfence_block();
}

// Integers.
#define __CL_ABS_S(T, U) __D U __cl_abs(T x) { return x < 0 ? (U)(0 - (U)x) : (U)x; }
#define __CL_ABS_U(T, U) __D U __cl_abs(T x) { return x; }
__CL_SIGNED(__CL_ABS_S)
__CL_UNSIGNED(__CL_ABS_U)
#define __CL_BASIC(T, U)                                                                                   \
    __D U __cl_abs_diff(T x, T y) { return x > y ? (U)((U)x - (U)y) : (U)((U)y - (U)x); }                  \
    __D T __cl_hadd(T x, T y) { return (T)((x & y) + ((x ^ y) >> 1)); }                                    \
    __D T __cl_rhadd(T x, T y) { return (T)((x | y) - ((x ^ y) >> 1)); }                                   \
    __D T __cl_rotate(T x, T y) {                                                                          \
        return (T)((U)((U)x << (y & (sizeof(T) * 8 - 1))) |                                                \
                   (U)((U)x >> ((sizeof(T) * 8 - (y & (sizeof(T) * 8 - 1))) & (sizeof(T) * 8 - 1))));      \
    }                                                                                                      \
    __D T __cl_clamp(T x, T low, T high) { return x < low ? low : x > high ? high : x; }                   \
    __D T __cl_max(T x, T y) { return x < y ? y : x; }                                                     \
    __D T __cl_min(T x, T y) { return y < x ? y : x; }                                                     \
    __D T __cl_bitselect(T x, T y, T mask) { return (T)((x & ~mask) | (y & mask)); }                       \
    __D T __cl_mad_hi(T x, T y, T z) { return (T)(__cl_mul_hi(x, y) + z); }
__D char __cl_mul_hi(char x, char y) { return (char)((x * y) >> 8); }
__D uchar __cl_mul_hi(uchar x, uchar y) { return (uchar)((x * y) >> 8); }
__D short __cl_mul_hi(short x, short y) { return (short)((x * y) >> 16); }
__D ushort __cl_mul_hi(ushort x, ushort y) { return (ushort)(((uint)x * y) >> 16); }
__D int __cl_mul_hi(int x, int y) { return __mulhi(x, y); }
__D uint __cl_mul_hi(uint x, uint y) { return __umulhi(x, y); }
__D long __cl_mul_hi(long x, long y) { return __mul64hi((long long)x, (long long)y); }
__D ulong __cl_mul_hi(ulong x, ulong y) { return __umul64hi((unsigned long long)x, (unsigned long long)y); }
__CL_INTEGERS(__CL_BASIC)
__D char __cl_clz(char x) { return (char)(__ws_clz((uchar)x) - 24); }
__D uchar __cl_clz(uchar x) { return (uchar)(__ws_clz(x) - 24); }
__D short __cl_clz(short x) { return (short)(__ws_clz((ushort)x) - 16); }
__D ushort __cl_clz(ushort x) { return (ushort)(__ws_clz(x) - 16); }
__D int __cl_clz(int x) { return __ws_clz((uint)x); }
__D uint __cl_clz(uint x) { return (uint)__ws_clz(x); }
__D long __cl_clz(long x) { return __ws_clzll((unsigned long long)x); }
__D ulong __cl_clz(ulong x) { return (ulong)__ws_clzll((unsigned long long)x); }
// Sums that saturate: of short types in `int`; of others by the signs.
#define __CL_SAT_SHORT(T, LOW, HIGH)                                                                       \
    __D T __cl_saturated(T unused, int x) { return (T)(x < LOW ? LOW : x > HIGH ? HIGH : x); }             \
    __D T __cl_add_sat(T x, T y) { return __cl_saturated(x, x + y); }                                      \
    __D T __cl_sub_sat(T x, T y) { return __cl_saturated(x, x - y); }
__CL_SAT_SHORT(char, -128, 127)
__CL_SAT_SHORT(uchar, 0, 255)
__CL_SAT_SHORT(short, -32768, 32767)
__CL_SAT_SHORT(ushort, 0, 65535)
__D char __cl_mad_sat(char x, char y, char z) { return __cl_saturated(x, x * y + z); }
__D uchar __cl_mad_sat(uchar x, uchar y, uchar z) { return __cl_saturated(x, x * y + z); }
__D short __cl_mad_sat(short x, short y, short z) { return __cl_saturated(x, x * y + z); }
__D ushort __cl_mad_sat(ushort x, ushort y, ushort z) {
    uint sum = (uint)x * y + z;
    return (ushort)(sum > 65535u ? 65535u : sum);
}
#define __CL_SAT_SIGNED(T, U, LOW, HIGH)                                                                   \
    __D T __cl_add_sat(T x, T y) {                                                                         \
        T sum = (T)((U)x + (U)y);                                                                          \
        return ((x ^ sum) & (y ^ sum)) < 0 ? (x < 0 ? LOW : HIGH) : sum;                                   \
    }                                                                                                      \
    __D T __cl_sub_sat(T x, T y) {                                                                         \
        T sum = (T)((U)x - (U)y);                                                                          \
        return ((x ^ y) & (x ^ sum)) < 0 ? (x < 0 ? LOW : HIGH) : sum;                                     \
    }
__CL_SAT_SIGNED(int, uint, INT_MIN, INT_MAX)
__CL_SAT_SIGNED(long, ulong, LONG_MIN, LONG_MAX)
#define __CL_SAT_UNSIGNED(T, HIGH)                                                                         \
    __D T __cl_add_sat(T x, T y) { return (T)(x + y) < x ? HIGH : x + y; }                                 \
    __D T __cl_sub_sat(T x, T y) { return x < y ? 0 : x - y; }                                             \
    __D T __cl_mad_sat(T x, T y, T z) {                                                                    \
        return __cl_mul_hi(x, y) != 0 ? HIGH : __cl_add_sat((T)(x * y), z);                                \
    }
__CL_SAT_UNSIGNED(uint, UINT_MAX)
__CL_SAT_UNSIGNED(ulong, ULONG_MAX)
__D int __cl_mad_sat(int x, int y, int z) {
    long sum = (long)x * y + z;
    return sum < INT_MIN ? INT_MIN : sum > INT_MAX ? INT_MAX : (int)sum;
}
__D long __cl_mad_sat(long x, long y, long z) {
    // The 128 bits of the product plus the addend.
    long high = __cl_mul_hi(x, y);
    ulong low = (ulong)x * (ulong)y, sum = low + (ulong)z;
    high += (z < 0 ? -1 : 0) + (sum < low ? 1 : 0);
    if (high == 0 && (long)sum >= 0 || high == -1 && (long)sum < 0) return (long)sum;
    return high < 0 ? LONG_MIN : LONG_MAX;
}
#define __CL_UPSAMPLE(T, U, W) __D W __cl_upsample(T high, U low) { return (W)((W)high << (sizeof(U) * 8) | low); }
__CL_UPSAMPLE(char, uchar, short)
__CL_UPSAMPLE(uchar, uchar, ushort)
__CL_UPSAMPLE(short, ushort, int)
__CL_UPSAMPLE(ushort, ushort, uint)
__CL_UPSAMPLE(int, uint, long)
__CL_UPSAMPLE(uint, uint, ulong)
__D int __cl_mul24(int x, int y) { return __mul24(x, y); }
__D uint __cl_mul24(uint x, uint y) { return __umul24(x, y); }
__D int __cl_mad24(int x, int y, int z) { return __mul24(x, y) + z; }
__D uint __cl_mad24(uint x, uint y, uint z) { return __umul24(x, y) + z; }

// Numbers.
__intrinsic__("rcp.approx") float __cl_native_recip(float x);
__intrinsic__("sqrt.approx") float __cl_native_sqrt(float x);
__D float __cl_half_divide(float x, float y) { return x / y; }
__D float __cl_half_recip(float x) { return 1.0f / x; }
__D int __cl_isnan(float x) { return __ws_isnan(x); }
__D int __cl_isinf(float x) { return (__float_as_int(x) & 0x7fffffff) == 0x7f800000; }
__D int __cl_isfinite(float x) { return (__float_as_int(x) & 0x7f800000) != 0x7f800000; }
__D int __cl_isnormal(float x) {
    uint exponent = ((uint)__float_as_int(x) >> 23) & 255;
    return exponent != 0 && exponent != 255;
}
__D int __cl_signbit(float x) { return __float_as_int(x) < 0; }
__D float __cl_nan(uint code) { return __int_as_float((int)(0x7fc00000u | (code & 0x3fffff))); }
__D float __cl_bitselect(float x, float y, float mask) {
    return __int_as_float(__cl_bitselect(__float_as_int(x), __float_as_int(y), __float_as_int(mask)));
}
#define __CL_FLOATS(T, SUFFIX)                                                                             \
    __D T __cl_mad(T x, T y, T z) { return x * y + z; }                                                    \
    __D T __cl_max(T x, T y) { return x < y ? y : x; }                                                     \
    __D T __cl_min(T x, T y) { return y < x ? y : x; }                                                     \
    __D T __cl_clamp(T x, T low, T high) { return fmin(fmax(x, low), high); }                              \
    __D T __cl_maxmag(T x, T y) { return fabs(x) > fabs(y) ? x : fabs(y) > fabs(x) ? y : fmax(x, y); }     \
    __D T __cl_minmag(T x, T y) { return fabs(x) < fabs(y) ? x : fabs(y) < fabs(x) ? y : fmin(x, y); }     \
    __D T __cl_degrees(T x) { return (T)57.295779513082320877 * x; }                                       \
    __D T __cl_radians(T x) { return (T)0.017453292519943295769 * x; }                                     \
    __D T __cl_mix(T x, T y, T a) { return x + (y - x) * a; }                                              \
    __D T __cl_step(T edge, T x) { return x < edge ? (T)0 : (T)1; }                                        \
    __D T __cl_smoothstep(T low, T high, T x) {                                                            \
        T t = __cl_clamp((x - low) / (high - low), (T)0, (T)1);                                            \
        return t * t * ((T)3 - (T)2 * t);                                                                  \
    }                                                                                                      \
    __D T __cl_sign(T x) { return x > (T)0 ? (T)1 : x < (T)0 ? (T)-1 : x == (T)0 ? x : (T)0; }             \
    __D T __cl_dot1(T a, T b) { return a * b; }                                                            \
    __D T __cl_dot2(T a, T b, T x, T y) { return a * x + b * y; }                                          \
    __D T __cl_dot3(T a, T b, T c, T x, T y, T z) { return a * x + b * y + c * z; }                        \
    __D T __cl_dot4(T a, T b, T c, T d, T x, T y, T z, T w) { return a * x + b * y + c * z + d * w; }      \
    __D int __cl_isequal(T x, T y) { return x == y; }                                                      \
    __D int __cl_isnotequal(T x, T y) { return x != y; }                                                   \
    __D int __cl_isgreater(T x, T y) { return x > y; }                                                     \
    __D int __cl_isgreaterequal(T x, T y) { return x >= y; }                                               \
    __D int __cl_isless(T x, T y) { return x < y; }                                                        \
    __D int __cl_islessequal(T x, T y) { return x <= y; }                                                  \
    __D int __cl_islessgreater(T x, T y) { return x < y || x > y; }                                        \
    __D int __cl_isordered(T x, T y) { return x == x && y == y; }                                          \
    __D int __cl_isunordered(T x, T y) { return x != x || y != y; }
__CL_FLOATS(float, f)
// Lengths do not overflow: very large and very small vectors are scaled by a power of two. The first
// parameter of a direction is the element; the zero vector is its own direction.
#define __CL_LENGTHS(T, F, LARGE, DOWN, UP)                                                                \
    __D T __cl_scale(T most) { return most > LARGE ? DOWN : most < (T)1 / LARGE ? UP : (T)1; }             \
    __D T __cl_unscale(T s) { return s == DOWN ? (T)1 / DOWN : s == UP ? (T)1 / UP : (T)1; }               \
    __D T __cl_direction(T x, T s, T norm) {                                                               \
        T up = s > (T)1 ? s : (T)1, down = s < (T)1 ? s : (T)1;                                            \
        return x * up / (norm == (T)0 ? (T)1 : norm) * down;                                               \
    }                                                                                                      \
    __D T __cl_most2(T a, T b) { return fmax##F(fabs##F(a), fabs##F(b)); }                                 \
    __D T __cl_most3(T a, T b, T c) { return fmax##F(__cl_most2(a, b), fabs##F(c)); }                      \
    __D T __cl_most4(T a, T b, T c, T d) { return fmax##F(__cl_most2(a, b), __cl_most2(c, d)); }           \
    __D T __cl_norm2(T a, T b) { return sqrt##F(a * a + b * b); }                                          \
    __D T __cl_norm3(T a, T b, T c) { return sqrt##F(a * a + b * b + c * c); }                             \
    __D T __cl_norm4(T a, T b, T c, T d) { return sqrt##F(a * a + b * b + c * c + d * d); }                \
    __D T __cl_length1(T a) { return fabs##F(a); }                                                         \
    __D T __cl_distance1(T a, T x) { return fabs##F(a - x); }                                              \
    __D T __cl_normalize1(T x, T a) { return __cl_sign(a); }                                               \
    __D T __cl_length2(T a, T b) {                                                                         \
        T s = __cl_scale(__cl_most2(a, b));                                                                \
        return __cl_norm2(a * s, b * s) * __cl_unscale(s);                                                 \
    }                                                                                                      \
    __D T __cl_distance2(T a, T b, T x, T y) {                                                             \
        return __cl_length2(a - x, b - y);                                                                 \
    }                                                                                                      \
    __D T __cl_normalize2(T x, T a, T b) {                                                                 \
        T s = __cl_scale(__cl_most2(a, b));                                                                \
        return __cl_direction(x, s, __cl_norm2(a * s, b * s));                                             \
    }                                                                                                      \
    __D T __cl_length3(T a, T b, T c) {                                                                    \
        T s = __cl_scale(__cl_most3(a, b, c));                                                             \
        return __cl_norm3(a * s, b * s, c * s) * __cl_unscale(s);                                          \
    }                                                                                                      \
    __D T __cl_distance3(T a, T b, T c, T x, T y, T z) {                                                   \
        return __cl_length3(a - x, b - y, c - z);                                                          \
    }                                                                                                      \
    __D T __cl_normalize3(T x, T a, T b, T c) {                                                            \
        T s = __cl_scale(__cl_most3(a, b, c));                                                             \
        return __cl_direction(x, s, __cl_norm3(a * s, b * s, c * s));                                      \
    }                                                                                                      \
    __D T __cl_length4(T a, T b, T c, T d) {                                                               \
        T s = __cl_scale(__cl_most4(a, b, c, d));                                                          \
        return __cl_norm4(a * s, b * s, c * s, d * s) * __cl_unscale(s);                                   \
    }                                                                                                      \
    __D T __cl_distance4(T a, T b, T c, T d, T x, T y, T z, T w) {                                         \
        return __cl_length4(a - x, b - y, c - z, d - w);                                                   \
    }                                                                                                      \
    __D T __cl_normalize4(T x, T a, T b, T c, T d) {                                                       \
        T s = __cl_scale(__cl_most4(a, b, c, d));                                                          \
        return __cl_direction(x, s, __cl_norm4(a * s, b * s, c * s, d * s));                               \
    }
__CL_LENGTHS(float, f, 0x1p60f, 0x1p-66f, 0x1p100f)
__D float __cl_fast_length1(float a) { return fabsf(a); }
__D float __cl_fast_length2(float a, float b) { return __cl_native_sqrt(a * a + b * b); }
__D float __cl_fast_length3(float a, float b, float c) { return __cl_native_sqrt(a * a + b * b + c * c); }
__D float __cl_fast_length4(float a, float b, float c, float d) {
    return __cl_native_sqrt(a * a + b * b + c * c + d * d);
}
__D float __cl_fast_distance1(float a, float x) { return fabsf(a - x); }
__D float __cl_fast_distance2(float a, float b, float x, float y) { return __cl_fast_length2(a - x, b - y); }
__D float __cl_fast_distance3(float a, float b, float c, float x, float y, float z) {
    return __cl_fast_length3(a - x, b - y, c - z);
}
__D float __cl_fast_distance4(float a, float b, float c, float d, float x, float y, float z, float w) {
    return __cl_fast_length4(a - x, b - y, c - z, d - w);
}
__D float __cl_fast_normalize1(float x, float a) { return __cl_sign(a); }
__D float __cl_fast_normalize2(float x, float a, float b) {
    float square = a * a + b * b;
    return square == 0.0f ? x : x * rsqrtf(square);
}
__D float __cl_fast_normalize3(float x, float a, float b, float c) {
    float square = a * a + b * b + c * c;
    return square == 0.0f ? x : x * rsqrtf(square);
}
__D float __cl_fast_normalize4(float x, float a, float b, float c, float d) {
    float square = a * a + b * b + c * c + d * d;
    return square == 0.0f ? x : x * rsqrtf(square);
}

// The bits of a half in other roundings than to nearest: the neighbour on the right side.
__D unsigned short __cl_toward(float x, bool away_up, bool away_down) {
    unsigned short near = __float2half_rn(x);
    float value = __half2float(near);
    if (value != value || value == x) return near;
    bool negative = __float_as_int(x) < 0;
    // Magnitudes are ordered like their bits.
    bool is_large = negative ? value < x : value > x;
    bool wants_large = negative ? away_down : away_up;
    if (is_large && !wants_large) return (unsigned short)(near - 1);
    if (!is_large && wants_large) return (unsigned short)(near + 1);
    return near;
}
__D unsigned short __float2half_rz(float x) { return __cl_toward(x, false, false); }
__D unsigned short __float2half_ru(float x) { return __cl_toward(x, true, false); }
__D unsigned short __float2half_rd(float x) { return __cl_toward(x, false, true); }

#if __CUDA_ARCH__ >= 130
// A double as a float from which every rounding to a half is right: rounded to odd. What is far
// less than all halves becomes a float that no chip flushes.
__D float __cl_odd(double x) {
    if (x != 0.0 && fabs(x) < 0x1p-100) return x < 0.0 ? -0x1p-100f : 0x1p-100f;
    float near = __double2float_rz(x);
    return (double)near == x ? near : __int_as_float(__float_as_int(near) | 1);
}
#endif

// Images that are written: components in the order of memory (`CLK_...` orders and types), packed
// in words. A color of the wrong kind for the type ends the launch; OpenCL leaves it undefined.
__intrinsic__("suq.channel_order") uint __cl_image_order(unsigned long long image);
__intrinsic__("suq.channel_data_type") uint __cl_image_type(unsigned long long image);
__intrinsic__("sust.2d") void __cl_store_image(uchar value, unsigned long long image, int x, int y);
__intrinsic__("sust.2d") void __cl_store_image(ushort value, unsigned long long image, int x, int y);
__intrinsic__("sust.2d") void __cl_store_image(uint value, unsigned long long image, int x, int y);
__intrinsic__("sust.2d") void __cl_store_image(uint2 value, unsigned long long image, int x, int y);
__intrinsic__("sust.2d") void __cl_store_image(uint4 value, unsigned long long image, int x, int y);
__D int __cl_between(int low, int x, int high) { return x < low ? low : x > high ? high : x; }
// A component of a type as bits.
__D uint __cl_texel(float x, uint type) {
    if (type == 0x10DE) return (uint)__float_as_int(x);
    if (type == 0x10DD) return __float2half_rn(x);
    if (type > 0x10D3) __trap();
    int high = (type & 2 ? 2 : 1) * (type & 1 ? 32767 : 127) + (type >> 1 & 1);
    return (uint)__cl_between(type & 2 ? 0 : -high - 1, __float2int_rn(x * (float)high), high);
}
__D uint __cl_texel(int x, uint type) {
    if (type == 0x10D9) return (uint)x;
    if (type != 0x10D7 && type != 0x10D8) __trap();
    int high = type == 0x10D7 ? 127 : 32767;
    return (uint)__cl_between(-high - 1, x, high);
}
__D uint __cl_texel(uint x, uint type) {
    if (type == 0x10DC) return x;
    if (type != 0x10DA && type != 0x10DB) __trap();
    uint high = type == 0x10DA ? 255 : 65535;
    return x > high ? high : x;
}
template <class T> __D void __cl_write_image(unsigned long long image, int x, int y, T r, T g, T b, T a) {
    uint type = __cl_image_type(image), order = __cl_image_order(image);
    // The byte of a place outside must be outside too.
    x = __cl_between(-1, x, 1 << 20);
    bool is_alpha = order == 0x10B1, is_ra = order == 0x10B3, is_bgra = order == 0x10B6, is_argb = order == 0x10B7;
    uint c0 = __cl_texel(is_alpha || is_argb ? a : is_bgra ? b : r, type);
    uint c1 = __cl_texel(is_ra ? a : is_argb ? r : g, type);
    uint c2 = __cl_texel(is_bgra ? r : is_argb ? g : b, type);
    uint c3 = __cl_texel(is_argb ? b : a, type);
    bool has_two = is_ra || order == 0x10B2;
    bool has_four = order == 0x10B5 || is_bgra || is_argb;
    // Types of 8, 16 and 32 bits.
    bool is_byte = type == 0x10D0 || type == 0x10D2 || type == 0x10D7 || type == 0x10DA;
    bool is_word = type == 0x10D9 || type == 0x10DC || type == 0x10DE;
    if (is_byte) {
        uint two = c0 & 255 | (c1 & 255) << 8;
        if (has_four) __cl_store_image(two | (c2 & 255) << 16 | c3 << 24, image, x * 4, y);
        else if (has_two) __cl_store_image((ushort)two, image, x * 2, y);
        else __cl_store_image((uchar)c0, image, x, y);
    } else if (is_word) {
        if (has_four) __cl_store_image(make_uint4(c0, c1, c2, c3), image, x * 16, y);
        else if (has_two) __cl_store_image(make_uint2(c0, c1), image, x * 8, y);
        else __cl_store_image(c0, image, x * 4, y);
    } else {
        uint two = c0 & 65535 | c1 << 16;
        if (has_four) __cl_store_image(make_uint2(two, c2 & 65535 | c3 << 16), image, x * 8, y);
        else if (has_two) __cl_store_image(two, image, x * 4, y);
        else __cl_store_image((ushort)c0, image, x * 2, y);
    }
}

// Atomic functions, on global and local memory.
#define __CL_ATOMICS(SPACE, T)                                                                             \
    __intrinsic__("atomic_add") T __cl_atomic_add(volatile SPACE T *p, T value);                           \
    __intrinsic__("atomic_exch") T __cl_atomic_xchg(volatile SPACE T *p, T value);                         \
    __intrinsic__("atomic_cas") T __cl_atomic_cmpxchg(volatile SPACE T *p, T compare, T value);            \
    __intrinsic__("atomic_min") T __cl_atomic_min(volatile SPACE T *p, T value);                           \
    __intrinsic__("atomic_max") T __cl_atomic_max(volatile SPACE T *p, T value);                           \
    __intrinsic__("atomic_and") T __cl_atomic_and(volatile SPACE T *p, T value);                           \
    __intrinsic__("atomic_or") T __cl_atomic_or(volatile SPACE T *p, T value);                             \
    __intrinsic__("atomic_xor") T __cl_atomic_xor(volatile SPACE T *p, T value);                           \
    __D T __cl_atomic_sub(volatile SPACE T *p, T value) { return __cl_atomic_add(p, (T)(0 - value)); }     \
    __D T __cl_atomic_inc(volatile SPACE T *p) { return __cl_atomic_add(p, (T)1); }                        \
    __D T __cl_atomic_dec(volatile SPACE T *p) { return __cl_atomic_add(p, (T)-1); }
__CL_ATOMICS(__global, int)
__CL_ATOMICS(__global, uint)
__CL_ATOMICS(__local, int)
__CL_ATOMICS(__local, uint)
__intrinsic__("atomic_exch") float __cl_atomic_xchg(volatile __global float *p, float value);
__intrinsic__("atomic_exch") float __cl_atomic_xchg(volatile __local float *p, float value);

// Copies by all work-items of a work-group, which are complete when they return.
#define __CL_COPIES(TO, FROM)                                                                              \
    template <class T> __D uint __cl_async_work_group_copy(TO T *to, const FROM T *from, size_t n, uint e) { \
        size_t size = blockDim.x * blockDim.y * blockDim.z;                                                \
        size_t own = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;                  \
        for (size_t at = own; at < n; at += size) to[at] = from[at];                                       \
        return e ? e : 1;                                                                                  \
    }
__CL_COPIES(__local, __global)
__CL_COPIES(__global, __local)
template <class T>
__D uint __cl_async_work_group_strided_copy(__local T *to, const __global T *from, size_t n, size_t stride, uint e) {
    size_t size = blockDim.x * blockDim.y * blockDim.z;
    size_t own = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    for (size_t at = own; at < n; at += size) to[at] = from[at * stride];
    return e ? e : 1;
}
template <class T>
__D uint __cl_async_work_group_strided_copy(__global T *to, const __local T *from, size_t n, size_t stride, uint e) {
    size_t size = blockDim.x * blockDim.y * blockDim.z;
    size_t own = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    for (size_t at = own; at < n; at += size) to[at * stride] = from[at];
    return e ? e : 1;
}
template <class E> __D void __cl_wait_group_events(int count, E *events) { __syncthreads(); }
template <class T> __D void __cl_prefetch(const __global T *from, size_t n) {}

#if __CUDA_ARCH__ >= 130
__CL_FLOATS(double, )
__D int __cl_isnan(double x) { return __ws_isnan(x); }
__D int __cl_isinf(double x) { return fabs(x) == HUGE_VAL; }
__D int __cl_isfinite(double x) { return fabs(x) < HUGE_VAL; }
__D int __cl_isnormal(double x) { return fabs(x) < HUGE_VAL && fabs(x) >= DBL_MIN; }
__D int __cl_signbit(double x) { return __double2hiint(x) < 0; }
__D double __cl_nan(ulong code) {
    return __longlong_as_double((long long)(0x7ff8000000000000UL | (code & 0x7ffffffffffffUL)));
}
__D double __cl_bitselect(double x, double y, double mask) {
    return __longlong_as_double((long long)__cl_bitselect((long)__double_as_longlong(x), (long)__double_as_longlong(y),
                                                          (long)__double_as_longlong(mask)));
}
__CL_LENGTHS(double, , 0x1p500, 0x1p-514, 0x1p600)
__intrinsic__("fma") double __cl_fma(double x, double y, double z);
#endif
// Below compute capability 2.0 no instruction rounds a multiply-add of floats once: integers do.
#if __CUDA_ARCH__ >= 200
__intrinsic__("fma") float __cl_fma(float x, float y, float z);
#else
__D ulong __cl_shifted(ulong x, int count) {
    // Bits that are shifted out stay as the lowest bit.
    if (count >= 64) return x != 0;
    return count == 0 ? x : x >> count | ((x << (64 - count)) != 0);
}
__D float __cl_fma(float x, float y, float z) {
    uint a = (uint)__float_as_int(x), b = (uint)__float_as_int(y), c = (uint)__float_as_int(z);
    int ea = (int)(a >> 23 & 255), eb = (int)(b >> 23 & 255), ec = (int)(c >> 23 & 255);
    if (ea == 255 || eb == 255 || ec == 255 || ea == 0 || eb == 0) return x * y + z;
    uint sign = (a ^ b) & 0x80000000u;
    // The leading bits of both are at 61.
    ulong product = (ulong)((a & 0x7fffff) | 0x800000) * ((b & 0x7fffff) | 0x800000);
    int exponent = ea + eb - 127;
    if (product >> 47) exponent++;
    else product <<= 1;
    product <<= 14;
    ulong addend = ec == 0 ? 0 : (ulong)((c & 0x7fffff) | 0x800000) << 38;
    int distance = exponent - ec;
    if (ec == 0) distance = 0;
    if (distance >= 0) addend = __cl_shifted(addend, distance);
    else {
        product = __cl_shifted(product, -distance);
        exponent = ec;
    }
    ulong sum;
    if (((sign ^ c) & 0x80000000u) == 0) sum = product + addend;
    else if (product >= addend) sum = product - addend;
    else {
        sum = addend - product;
        sign ^= 0x80000000u;
    }
    if (sum == 0) return 0.0f;
    int lead = 63 - __ws_clzll((unsigned long long)sum);
    exponent += lead - 61;
    sum <<= 63 - lead;
    uint mantissa = (uint)(sum >> 40);
    ulong rest = sum << 24;
    if (rest > 0x8000000000000000UL || rest == 0x8000000000000000UL && (mantissa & 1)) mantissa++;
    if (mantissa == 0x1000000u) {
        mantissa >>= 1;
        exponent++;
    }
    if (exponent >= 255) return __int_as_float((int)(sign | 0x7f800000));
    if (exponent <= 0) return __int_as_float((int)sign);
    return __int_as_float((int)(sign | (uint)exponent << 23 | (mantissa & 0x7fffff)));
}
#endif
