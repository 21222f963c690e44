// Operators of vector types, with the names of the SDK's helper_math.h.
#define __WS_VEC2(T, B)                                                                                    \
    __D T make_##T(B s) { return make_##T(s, s); }                                                         \
    __D T operator+(T a, T b) { return make_##T(a.x + b.x, a.y + b.y); }                                   \
    __D T operator-(T a, T b) { return make_##T(a.x - b.x, a.y - b.y); }                                   \
    __D T operator*(T a, T b) { return make_##T(a.x * b.x, a.y * b.y); }                                   \
    __D T operator/(T a, T b) { return make_##T(a.x / b.x, a.y / b.y); }                                   \
    __D T operator+(T a, B s) { return make_##T(a.x + s, a.y + s); }                                       \
    __D T operator+(B s, T a) { return make_##T(a.x + s, a.y + s); }                                       \
    __D T operator-(T a, B s) { return make_##T(a.x - s, a.y - s); }                                       \
    __D T operator-(B s, T a) { return make_##T(s - a.x, s - a.y); }                                       \
    __D T operator*(T a, B s) { return make_##T(a.x * s, a.y * s); }                                       \
    __D T operator*(B s, T a) { return make_##T(a.x * s, a.y * s); }                                       \
    __D T operator/(T a, B s) { return make_##T(a.x / s, a.y / s); }                                       \
    __D T operator/(B s, T a) { return make_##T(s / a.x, s / a.y); }                                       \
    __D T min(T a, T b) { return make_##T(min(a.x, b.x), min(a.y, b.y)); }                                 \
    __D T max(T a, T b) { return make_##T(max(a.x, b.x), max(a.y, b.y)); }                                 \
    __D B dot(T a, T b) { return a.x * b.x + a.y * b.y; }
#define __WS_VEC3(T, B)                                                                                    \
    __D T make_##T(B s) { return make_##T(s, s, s); }                                                      \
    __D T operator+(T a, T b) { return make_##T(a.x + b.x, a.y + b.y, a.z + b.z); }                        \
    __D T operator-(T a, T b) { return make_##T(a.x - b.x, a.y - b.y, a.z - b.z); }                        \
    __D T operator*(T a, T b) { return make_##T(a.x * b.x, a.y * b.y, a.z * b.z); }                        \
    __D T operator/(T a, T b) { return make_##T(a.x / b.x, a.y / b.y, a.z / b.z); }                        \
    __D T operator+(T a, B s) { return make_##T(a.x + s, a.y + s, a.z + s); }                              \
    __D T operator+(B s, T a) { return make_##T(a.x + s, a.y + s, a.z + s); }                              \
    __D T operator-(T a, B s) { return make_##T(a.x - s, a.y - s, a.z - s); }                              \
    __D T operator-(B s, T a) { return make_##T(s - a.x, s - a.y, s - a.z); }                              \
    __D T operator*(T a, B s) { return make_##T(a.x * s, a.y * s, a.z * s); }                              \
    __D T operator*(B s, T a) { return make_##T(a.x * s, a.y * s, a.z * s); }                              \
    __D T operator/(T a, B s) { return make_##T(a.x / s, a.y / s, a.z / s); }                              \
    __D T operator/(B s, T a) { return make_##T(s / a.x, s / a.y, s / a.z); }                              \
    __D T min(T a, T b) { return make_##T(min(a.x, b.x), min(a.y, b.y), min(a.z, b.z)); }                  \
    __D T max(T a, T b) { return make_##T(max(a.x, b.x), max(a.y, b.y), max(a.z, b.z)); }                  \
    __D B dot(T a, T b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
#define __WS_VEC4(T, B)                                                                                    \
    __D T make_##T(B s) { return make_##T(s, s, s, s); }                                                   \
    __D T operator+(T a, T b) { return make_##T(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w); }             \
    __D T operator-(T a, T b) { return make_##T(a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w); }             \
    __D T operator*(T a, T b) { return make_##T(a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w); }             \
    __D T operator/(T a, T b) { return make_##T(a.x / b.x, a.y / b.y, a.z / b.z, a.w / b.w); }             \
    __D T operator+(T a, B s) { return make_##T(a.x + s, a.y + s, a.z + s, a.w + s); }                     \
    __D T operator+(B s, T a) { return make_##T(a.x + s, a.y + s, a.z + s, a.w + s); }                     \
    __D T operator-(T a, B s) { return make_##T(a.x - s, a.y - s, a.z - s, a.w - s); }                     \
    __D T operator-(B s, T a) { return make_##T(s - a.x, s - a.y, s - a.z, s - a.w); }                     \
    __D T operator*(T a, B s) { return make_##T(a.x * s, a.y * s, a.z * s, a.w * s); }                     \
    __D T operator*(B s, T a) { return make_##T(a.x * s, a.y * s, a.z * s, a.w * s); }                     \
    __D T operator/(T a, B s) { return make_##T(a.x / s, a.y / s, a.z / s, a.w / s); }                     \
    __D T operator/(B s, T a) { return make_##T(s / a.x, s / a.y, s / a.z, s / a.w); }                     \
    __D T min(T a, T b) { return make_##T(min(a.x, b.x), min(a.y, b.y), min(a.z, b.z), min(a.w, b.w)); }   \
    __D T max(T a, T b) { return make_##T(max(a.x, b.x), max(a.y, b.y), max(a.z, b.z), max(a.w, b.w)); }   \
    __D B dot(T a, T b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
#define __WS_ASSIGN(T, B)                                                                                  \
    __D void operator+=(T &a, T b) { a = a + b; }                                                          \
    __D void operator-=(T &a, T b) { a = a - b; }                                                          \
    __D void operator*=(T &a, T b) { a = a * b; }                                                          \
    __D void operator/=(T &a, T b) { a = a / b; }                                                          \
    __D void operator+=(T &a, B s) { a = a + s; }                                                          \
    __D void operator-=(T &a, B s) { a = a - s; }                                                          \
    __D void operator*=(T &a, B s) { a = a * s; }                                                          \
    __D void operator/=(T &a, B s) { a = a / s; }
#define __WS_FLOATS(T)                                                                                     \
    __D T lerp(T a, T b, float t) { return a + t * (b - a); }                                              \
    __D float length(T v) { return sqrtf(dot(v, v)); }                                                     \
    __D T normalize(T v) { return v * rsqrtf(dot(v, v)); }                                                 \
    __D T reflect(T i, T n) { return i - 2.0f * n * dot(n, i); }                                           \
    __D T fminf(T a, T b) { return min(a, b); }                                                            \
    __D T fmaxf(T a, T b) { return max(a, b); }                                                            \
    __D T clamp(T v, float a, float b) { return max(make_##T(a), min(v, make_##T(b))); }                   \
    __D T clamp(T v, T a, T b) { return max(a, min(v, b)); }
__WS_VEC2(float2, float) __WS_ASSIGN(float2, float) __WS_FLOATS(float2)
__WS_VEC3(float3, float) __WS_ASSIGN(float3, float) __WS_FLOATS(float3)
__WS_VEC4(float4, float) __WS_ASSIGN(float4, float) __WS_FLOATS(float4)
__WS_VEC2(int2, int) __WS_ASSIGN(int2, int)
__WS_VEC3(int3, int) __WS_ASSIGN(int3, int)
__WS_VEC4(int4, int) __WS_ASSIGN(int4, int)
__WS_VEC2(uint2, uint) __WS_ASSIGN(uint2, uint)
__WS_VEC3(uint3, uint) __WS_ASSIGN(uint3, uint)
__WS_VEC4(uint4, uint) __WS_ASSIGN(uint4, uint)
__D float2 operator-(float2 a) { return make_float2(-a.x, -a.y); }
__D float3 operator-(float3 a) { return make_float3(-a.x, -a.y, -a.z); }
__D float4 operator-(float4 a) { return make_float4(-a.x, -a.y, -a.z, -a.w); }
__D int2 operator-(int2 a) { return make_int2(-a.x, -a.y); }
__D int3 operator-(int3 a) { return make_int3(-a.x, -a.y, -a.z); }
__D int4 operator-(int4 a) { return make_int4(-a.x, -a.y, -a.z, -a.w); }
__D float2 make_float2(float3 a) { return make_float2(a.x, a.y); }
__D float2 make_float2(int2 a) { return make_float2((float)a.x, (float)a.y); }
__D float2 make_float2(uint2 a) { return make_float2((float)a.x, (float)a.y); }
__D int2 make_int2(float2 a) { return make_int2((int)a.x, (int)a.y); }
__D float3 make_float3(float2 a) { return make_float3(a.x, a.y, 0.0f); }
__D float3 make_float3(float2 a, float s) { return make_float3(a.x, a.y, s); }
__D float3 make_float3(float4 a) { return make_float3(a.x, a.y, a.z); }
__D float3 make_float3(int3 a) { return make_float3((float)a.x, (float)a.y, (float)a.z); }
__D float3 make_float3(uint3 a) { return make_float3((float)a.x, (float)a.y, (float)a.z); }
__D int3 make_int3(float3 a) { return make_int3((int)a.x, (int)a.y, (int)a.z); }
__D int3 make_int3(uint3 a) { return make_int3((int)a.x, (int)a.y, (int)a.z); }
__D uint3 make_uint3(int3 a) { return make_uint3((uint)a.x, (uint)a.y, (uint)a.z); }
__D float4 make_float4(float3 a) { return make_float4(a.x, a.y, a.z, 0.0f); }
__D float4 make_float4(float3 a, float w) { return make_float4(a.x, a.y, a.z, w); }
__D float4 make_float4(int4 a) { return make_float4((float)a.x, (float)a.y, (float)a.z, (float)a.w); }
__D int4 make_int4(float4 a) { return make_int4((int)a.x, (int)a.y, (int)a.z, (int)a.w); }
__D float3 cross(float3 a, float3 b) {
    return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
__D float lerp(float a, float b, float t) { return a + t * (b - a); }
__D float clamp(float f, float a, float b) { return fmaxf(a, fminf(f, b)); }
__D int clamp(int f, int a, int b) { return max(a, min(f, b)); }
__D uint clamp(uint f, uint a, uint b) { return max(a, min(f, b)); }
__D float2 floorf(float2 v) { return make_float2(floorf(v.x), floorf(v.y)); }
__D float3 floorf(float3 v) { return make_float3(floorf(v.x), floorf(v.y), floorf(v.z)); }
__D float4 floorf(float4 v) { return make_float4(floorf(v.x), floorf(v.y), floorf(v.z), floorf(v.w)); }
__D float fracf(float v) { return v - floorf(v); }
__D float2 fracf(float2 v) { return make_float2(fracf(v.x), fracf(v.y)); }
__D float3 fracf(float3 v) { return make_float3(fracf(v.x), fracf(v.y), fracf(v.z)); }
__D float2 fabs(float2 v) { return make_float2(fabsf(v.x), fabsf(v.y)); }
__D float3 fabs(float3 v) { return make_float3(fabsf(v.x), fabsf(v.y), fabsf(v.z)); }
__D float4 fabs(float4 v) { return make_float4(fabsf(v.x), fabsf(v.y), fabsf(v.z), fabsf(v.w)); }
__D float smoothstep(float a, float b, float x) {
    float y = clamp((x - a) / (b - a), 0.0f, 1.0f);
    return y * y * (3.0f - 2.0f * y);
}
