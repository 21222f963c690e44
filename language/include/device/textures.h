/* Texture fetches through references and objects. */
#ifndef WARPCC_DEVICE_TEXTURES_H
#define WARPCC_DEVICE_TEXTURES_H
#pragma clang system_header

/* The four words of a fetch as a value of type T. */
struct warpcc_words {
    unsigned int w[4];
};
template <class T>
struct warpcc_texel {};
#define WARPCC_TEXEL_OF(T, type, instruction, floats, expression)                    \
    template <>                                                                      \
    struct warpcc_texel<T> {                                                         \
        typedef floats normalized;                                                   \
        static const char kind = instruction;                                        \
        static WARPCC_INNER T from(warpcc_words v) { expression }                    \
    };
#define WARPCC_INNER __device__ inline __attribute__((always_inline, nodebug))
WARPCC_INNER float warpcc_float(unsigned int word) {
    float f;
    __builtin_memcpy(&f, &word, 4);
    return f;
}
#define WARPCC_WORD_f(w) warpcc_float(w)
#define WARPCC_WORD_s(w) (int)(w)
#define WARPCC_WORD_u(w) (w)
#define WARPCC_TEXELS(base, S, kind, letter)                                                               \
    WARPCC_TEXEL_OF(base##1, S, kind, float1, base##1 r; r.x = (S)WARPCC_WORD_##letter(v.w[0]); return r;) \
    WARPCC_TEXEL_OF(base##2, S, kind, float2, base##2 r; r.x = (S)WARPCC_WORD_##letter(v.w[0]);            \
                    r.y = (S)WARPCC_WORD_##letter(v.w[1]); return r;)                                      \
    WARPCC_TEXEL_OF(base##4, S, kind, float4, base##4 r; r.x = (S)WARPCC_WORD_##letter(v.w[0]);            \
                    r.y = (S)WARPCC_WORD_##letter(v.w[1]); r.z = (S)WARPCC_WORD_##letter(v.w[2]);          \
                    r.w = (S)WARPCC_WORD_##letter(v.w[3]); return r;)
#define WARPCC_SCALAR(S, kind, letter) \
    WARPCC_TEXEL_OF(S, S, kind, float, return (S)WARPCC_WORD_##letter(v.w[0]);)
WARPCC_SCALAR(char, 's', s)
WARPCC_SCALAR(signed char, 's', s)
WARPCC_SCALAR(unsigned char, 'u', u)
WARPCC_SCALAR(short, 's', s)
WARPCC_SCALAR(unsigned short, 'u', u)
WARPCC_SCALAR(int, 's', s)
WARPCC_SCALAR(unsigned int, 'u', u)
WARPCC_SCALAR(long, 's', s)
WARPCC_SCALAR(unsigned long, 'u', u)
WARPCC_SCALAR(float, 'f', f)
WARPCC_TEXELS(char, signed char, 's', s)
WARPCC_TEXELS(uchar, unsigned char, 'u', u)
WARPCC_TEXELS(short, short, 's', s)
WARPCC_TEXELS(ushort, unsigned short, 'u', u)
WARPCC_TEXELS(int, int, 's', s)
WARPCC_TEXELS(uint, unsigned int, 'u', u)
WARPCC_TEXELS(float, float, 'f', f)
#undef WARPCC_TEXEL_OF
#undef WARPCC_TEXELS
#undef WARPCC_SCALAR
#undef WARPCC_WORD_f
#undef WARPCC_WORD_s
#undef WARPCC_WORD_u

/* Result of a fetch: the type of the elements, or floats. */
template <class T, cudaTextureReadMode mode>
struct warpcc_fetched {
    typedef T type;
    static const char kind = warpcc_texel<T>::kind;
};
template <class T>
struct warpcc_fetched<T, cudaReadModeNormalizedFloat> {
    typedef typename warpcc_texel<T>::normalized type;
    static const char kind = 'f';
};

/* One instruction for each type of the result and geometry. `%4` is the handle. */
typedef unsigned long long warpcc_handle;
#define WARPCC_TEX(R, text, ...)                                                                    \
    asm(text : "=" R(v.w[0]), "=" R(v.w[1]), "=" R(v.w[2]), "=" R(v.w[3]) : "l"(t), __VA_ARGS__)
#define WARPCC_FETCH(name, geometry, coordinate, parameters, operands, ...)                          \
    template <char kind>                                                                             \
    WARPCC_INNER warpcc_words name(warpcc_handle t, parameters) {                                    \
        warpcc_words v;                                                                              \
        if (kind == 'f') {                                                                           \
            WARPCC_TEX("r", WARPCC_BITS("f32", geometry, coordinate, operands), __VA_ARGS__);        \
        } else if (kind == 's') {                                                                    \
            WARPCC_TEX("r", WARPCC_WORDS("s32", geometry, coordinate, operands), __VA_ARGS__);       \
        } else {                                                                                     \
            WARPCC_TEX("r", WARPCC_WORDS("u32", geometry, coordinate, operands), __VA_ARGS__);       \
        }                                                                                            \
        return v;                                                                                    \
    }
#define WARPCC_WORDS(type, geometry, coordinate, operands) \
    "tex." geometry ".v4." type "." coordinate " {%0,%1,%2,%3}, [%4, " operands "];"
/* Registers of PTX have no type but a size: the words of floats are bits. */
#define WARPCC_BITS(type, geometry, coordinate, operands)                                               \
    "{ .reg .f32 a, b, c, d; tex." geometry ".v4.f32." coordinate " {a,b,c,d}, [%4, " operands "]; "    \
    "mov.b32 %0, a; mov.b32 %1, b; mov.b32 %2, c; mov.b32 %3, d; }"
#define WARPCC_PAIR(a, b) a, b
#define WARPCC_TRIPLE(a, b, c) a, b, c
#define WARPCC_QUAD(a, b, c, d) a, b, c, d

WARPCC_FETCH(warpcc_tex1Dfetch, "1d", "s32", int x, "{%5}", "r"(x))
WARPCC_FETCH(warpcc_tex1D, "1d", "f32", float x, "{%5}", "f"(x))
WARPCC_FETCH(warpcc_tex2D, "2d", "f32", WARPCC_PAIR(float x, float y), "{%5,%6}", "f"(x), "f"(y))
WARPCC_FETCH(warpcc_tex3D, "3d", "f32", WARPCC_TRIPLE(float x, float y, float z), "{%5,%6,%7,%7}", "f"(x),
             "f"(y), "f"(z))
WARPCC_FETCH(warpcc_tex1DLayered, "a1d", "f32", WARPCC_PAIR(float x, int layer), "{%5,%6}", "r"(layer), "f"(x))
WARPCC_FETCH(warpcc_tex2DLayered, "a2d", "f32", WARPCC_TRIPLE(float x, float y, int layer), "{%5,%6,%7,%7}",
             "r"(layer), "f"(x), "f"(y))
WARPCC_FETCH(warpcc_texCubemap, "cube", "f32", WARPCC_TRIPLE(float x, float y, float z), "{%5,%6,%7,%7}",
             "f"(x), "f"(y), "f"(z))
WARPCC_FETCH(warpcc_texCubemapLayered, "acube", "f32", WARPCC_QUAD(float x, float y, float z, int layer),
             "{%5,%6,%7,%8}", "r"(layer), "f"(x), "f"(y), "f"(z))
#undef WARPCC_FETCH
#undef WARPCC_TEX
#undef WARPCC_WORDS
#undef WARPCC_BITS

/* References. The object of the device that a reference is has the size of a handle. */
template <class R>
WARPCC_INNER warpcc_handle warpcc_handle_of(R reference) {
    warpcc_handle handle;
    __builtin_memcpy(&handle, &reference, sizeof(handle));
    return handle;
}
#define WARPCC_OF_REFERENCE(name, fetch, dimensions, parameters, ...)                                \
    template <class T, cudaTextureReadMode m>                                                        \
    WARPCC_INNER typename warpcc_fetched<T, m>::type name(texture<T, dimensions, m> t, parameters) { \
        typedef warpcc_fetched<T, m> fetched;                                                        \
        return warpcc_texel<typename fetched::type>::from(                                           \
            warpcc_##fetch<fetched::kind>(warpcc_handle_of(t), __VA_ARGS__));                        \
    }
/* Objects. The read mode is a property of the object: for integers with
 * `cudaReadModeNormalizedFloat`, the type of the call is `float`, as CUDA demands. */
#define WARPCC_OF_OBJECT(name, fetch, parameters, ...)                                          \
    template <class T>                                                                          \
    WARPCC_INNER T name(cudaTextureObject_t t, parameters) {                                    \
        return warpcc_texel<T>::from(warpcc_##fetch<warpcc_texel<T>::kind>(t, __VA_ARGS__));    \
    }                                                                                           \
    template <class T>                                                                          \
    WARPCC_INNER void name(T *result, cudaTextureObject_t t, parameters) {                      \
        *result = warpcc_texel<T>::from(warpcc_##fetch<warpcc_texel<T>::kind>(t, __VA_ARGS__)); \
    }
#define WARPCC_OF_BOTH(name, fetch, dimensions, parameters, ...)                       \
    WARPCC_OF_REFERENCE(name, fetch, dimensions, WARPCC_LIST(parameters), __VA_ARGS__) \
    WARPCC_OF_OBJECT(name, fetch, WARPCC_LIST(parameters), __VA_ARGS__)
/* Textures have one level: a level of detail and gradients have no effect. */
#define WARPCC_OF_LEVEL(name, dimensions, parameters, gradient, ...)                                         \
    WARPCC_OF_BOTH(name, name, dimensions, WARPCC_LIST(parameters), __VA_ARGS__)                             \
    WARPCC_OF_BOTH(name##Lod, name, dimensions, WARPCC_PAIR(WARPCC_LIST(parameters), float), __VA_ARGS__)    \
    WARPCC_OF_BOTH(name##Grad, name, dimensions, WARPCC_TRIPLE(WARPCC_LIST(parameters), gradient, gradient), \
                   __VA_ARGS__)
#define WARPCC_LIST(...) __VA_ARGS__
WARPCC_OF_BOTH(tex1Dfetch, tex1Dfetch, cudaTextureType1D, int x, x)
WARPCC_OF_LEVEL(tex1D, cudaTextureType1D, float x, float, x)
WARPCC_OF_LEVEL(tex2D, cudaTextureType2D, WARPCC_PAIR(float x, float y), float2, x, y)
WARPCC_OF_LEVEL(tex3D, cudaTextureType3D, WARPCC_TRIPLE(float x, float y, float z), float4, x, y, z)
WARPCC_OF_LEVEL(tex1DLayered, cudaTextureType1DLayered, WARPCC_PAIR(float x, int layer), float, x, layer)
WARPCC_OF_LEVEL(tex2DLayered, cudaTextureType2DLayered, WARPCC_TRIPLE(float x, float y, int layer), float2, x,
                y, layer)
WARPCC_OF_LEVEL(texCubemap, cudaTextureTypeCubemap, WARPCC_TRIPLE(float x, float y, float z), float4, x, y, z)
WARPCC_OF_LEVEL(texCubemapLayered, cudaTextureTypeCubemapLayered,
                WARPCC_QUAD(float x, float y, float z, int layer), float4, x, y, z, layer)
#undef WARPCC_OF_LEVEL
#undef WARPCC_OF_BOTH
#undef WARPCC_OF_OBJECT
#undef WARPCC_OF_REFERENCE
#undef WARPCC_LIST
#undef WARPCC_PAIR
#undef WARPCC_TRIPLE
#undef WARPCC_QUAD

#endif
