/* Loads and stores of surfaces, through references and objects. x counts bytes. */
#ifndef WARPCC_DEVICE_SURFACES_H
#define WARPCC_DEVICE_SURFACES_H
#pragma clang system_header

#define WARPCC_LIST(...) __VA_ARGS__

/* An access outside of the surface traps, or uses the nearest element, or reads 0 and writes
 * nothing. */
#define WARPCC_BY_MODE(ACCESS, ...)             \
    if (mode == cudaBoundaryModeTrap) {         \
        ACCESS("trap", __VA_ARGS__)             \
    } else if (mode == cudaBoundaryModeClamp) { \
        ACCESS("clamp", __VA_ARGS__)            \
    } else {                                    \
        ACCESS("zero", __VA_ARGS__)             \
    }

/* One instruction: geometry, type and data of the instruction; operands of the data; coordinates
 * and their operands. */
#define WARPCC_LOAD(mode, geometry, type, data, operands, at, ...)               \
    asm volatile("suld.b." geometry type "." mode " " data ", [%[s], {" at "}];" \
                 : WARPCC_LIST operands                                          \
                 : [s] "l"(s), __VA_ARGS__                                       \
                 : "memory");
#define WARPCC_STORE(mode, geometry, type, data, operands, at, ...)              \
    asm volatile("sust.b." geometry type "." mode " [%[s], {" at "}], " data ";" \
                 :                                                               \
                 : [s] "l"(s), WARPCC_LIST operands, __VA_ARGS__                 \
                 : "memory");

#define WARPCC_GEOMETRY(name, geometry, type, data, out, in, at, parameters, ...)                 \
    static WARPCC_INNER void load_##name(word *v, warpcc_handle s, WARPCC_LIST parameters,        \
                                         cudaSurfaceBoundaryMode mode) {                          \
        WARPCC_BY_MODE(WARPCC_LOAD, geometry, type, data, out, at, __VA_ARGS__)                   \
    }                                                                                             \
    static WARPCC_INNER void store_##name(const word *v, warpcc_handle s, WARPCC_LIST parameters, \
                                          cudaSurfaceBoundaryMode mode) {                         \
        WARPCC_BY_MODE(WARPCC_STORE, geometry, type, data, in, at, __VA_ARGS__)                   \
    }

/* Accesses of each size. */
template <int bytes>
struct warpcc_surface {};
#define WARPCC_SURFACE(bytes, Word, count, type, data, out, in)                                                \
    template <>                                                                                                \
    struct warpcc_surface<bytes> {                                                                             \
        typedef unsigned Word word;                                                                            \
        enum { words = count };                                                                                \
        WARPCC_GEOMETRY(1d, "1d", type, data, out, in, "%[x]", (int x), [x] "r"(x))                            \
        WARPCC_GEOMETRY(2d, "2d", type, data, out, in, "%[x], %[y]", (int x, int y), [x] "r"(x), [y] "r"(y))   \
        WARPCC_GEOMETRY(3d, "3d", type, data, out, in, "%[x], %[y], %[z], %[z]", (int x, int y, int z),        \
                        [x] "r"(x), [y] "r"(y), [z] "r"(z))                                                    \
        WARPCC_GEOMETRY(a1d, "a1d", type, data, out, in, "%[n], %[x]", (int x, int n), [n] "r"(n), [x] "r"(x)) \
        WARPCC_GEOMETRY(a2d, "a2d", type, data, out, in, "%[n], %[x], %[y], %[y]", (int x, int y, int n),      \
                        [n] "r"(n), [x] "r"(x), [y] "r"(y))                                                    \
    };
WARPCC_SURFACE(1, short, 1, ".b8", "%[a]", ([a] "=h"(v[0])), ([a] "h"(v[0])))
WARPCC_SURFACE(2, short, 1, ".b16", "%[a]", ([a] "=h"(v[0])), ([a] "h"(v[0])))
WARPCC_SURFACE(4, int, 1, ".b32", "%[a]", ([a] "=r"(v[0])), ([a] "r"(v[0])))
WARPCC_SURFACE(8, int, 2, ".v2.b32", "{%[a], %[b]}", ([a] "=r"(v[0]), [b] "=r"(v[1])),
               ([a] "r"(v[0]), [b] "r"(v[1])))
WARPCC_SURFACE(16, int, 4, ".v4.b32", "{%[a], %[b], %[c], %[d]}",
               ([a] "=r"(v[0]), [b] "=r"(v[1]), [c] "=r"(v[2]), [d] "=r"(v[3])),
               ([a] "r"(v[0]), [b] "r"(v[1]), [c] "r"(v[2]), [d] "r"(v[3])))
#undef WARPCC_SURFACE
#undef WARPCC_GEOMETRY
#undef WARPCC_LOAD
#undef WARPCC_STORE
#undef WARPCC_BY_MODE

#define WARPCC_OF_HANDLE(Handle, handle, name, geometry, parameters, ...)                \
    template <class T>                                                                   \
    WARPCC_INNER T name##read(Handle s, WARPCC_LIST parameters,                          \
                              cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {     \
        typedef warpcc_surface<sizeof(T)> access;                                        \
        typename access::word v[access::words];                                          \
        T result;                                                                        \
        access::load_##geometry(v, handle, __VA_ARGS__, mode);                           \
        __builtin_memcpy(&result, v, sizeof(T));                                         \
        return result;                                                                   \
    }                                                                                    \
    template <class T>                                                                   \
    WARPCC_INNER void name##read(T *result, Handle s, WARPCC_LIST parameters,            \
                                 cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {  \
        *result = name##read<T>(s, __VA_ARGS__, mode);                                   \
    }                                                                                    \
    template <class T>                                                                   \
    WARPCC_INNER void name##write(T value, Handle s, WARPCC_LIST parameters,             \
                                  cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { \
        typedef warpcc_surface<sizeof(T)> access;                                        \
        typename access::word v[access::words];                                          \
        __builtin_memcpy(v, &value, sizeof(T));                                          \
        access::store_##geometry(v, handle, __VA_ARGS__, mode);                          \
    }
/* Through references of one type, and through objects. */
#define WARPCC_OF_SURFACE(type, name, geometry, parameters, ...)                                  \
    typedef surface<void, type> warpcc_##name;                                                    \
    WARPCC_OF_HANDLE(warpcc_##name, warpcc_handle_of(s), name, geometry, parameters, __VA_ARGS__) \
    WARPCC_OF_HANDLE(cudaSurfaceObject_t, s, name, geometry, parameters, __VA_ARGS__)
WARPCC_OF_SURFACE(cudaSurfaceType1D, surf1D, 1d, (int x), x)
WARPCC_OF_SURFACE(cudaSurfaceType2D, surf2D, 2d, (int x, int y), x, y)
WARPCC_OF_SURFACE(cudaSurfaceType3D, surf3D, 3d, (int x, int y, int z), x, y, z)
WARPCC_OF_SURFACE(cudaSurfaceType1DLayered, surf1DLayered, a1d, (int x, int layer), x, layer)
WARPCC_OF_SURFACE(cudaSurfaceType2DLayered, surf2DLayered, a2d, (int x, int y, int layer), x, y, layer)
WARPCC_OF_SURFACE(cudaSurfaceTypeCubemap, surfCubemap, a2d, (int x, int y, int face), x, y, face)
WARPCC_OF_SURFACE(cudaSurfaceTypeCubemapLayered, surfCubemapLayered, a2d, (int x, int y, int face), x, y, face)
#undef WARPCC_OF_SURFACE
#undef WARPCC_OF_HANDLE
#undef WARPCC_LIST
#undef WARPCC_INNER

#endif
