/* Loads and stores of surfaces, through references and objects. x counts bytes. */
#ifndef WARPCC_DEVICE_SURFACES_H
#define WARPCC_DEVICE_SURFACES_H
#pragma clang system_header

/* An access outside of the surface traps, or uses the nearest element, or reads 0 and writes nothing. */
#define WARPCC_BY_MODE(ACCESS) \
    if (mode == cudaBoundaryModeTrap) { \
        ACCESS("trap"); \
    } else if (mode == cudaBoundaryModeClamp) { \
        ACCESS("clamp"); \
    } else { \
        ACCESS("zero"); \
    }

/* Accesses of each size. */
template <int bytes>
struct warpcc_surface {};
template <>
struct warpcc_surface<1> {
    typedef unsigned short word;
    enum { words = 1 };
    static WARPCC_INNER void load(word *v, warpcc_handle s, int x, cudaSurfaceBoundaryMode mode) {
#define WARPCC_LOAD(boundary) \
        asm volatile("suld.b.1d.b8." boundary " %0, [%1, {%2}];" \
                     : "=h"(v[0]) \
                     : "l"(s), "r"(x) : "memory")
        WARPCC_BY_MODE(WARPCC_LOAD)
#undef WARPCC_LOAD
    }
    static WARPCC_INNER void store(const word *v, warpcc_handle s, int x, cudaSurfaceBoundaryMode mode) {
#define WARPCC_STORE(boundary) \
        asm volatile("sust.b.1d.b8." boundary " [%0, {%1}], %2;" \
                     : \
                     : "l"(s), "r"(x), "h"(v[0]) \
                     : "memory")
        WARPCC_BY_MODE(WARPCC_STORE)
#undef WARPCC_STORE
    }
    static WARPCC_INNER void load(word *v, warpcc_handle s, int x, int y, cudaSurfaceBoundaryMode mode) {
#define WARPCC_LOAD(boundary) \
        asm volatile("suld.b.2d.b8." boundary " %0, [%1, {%2, %3}];" \
                     : "=h"(v[0]) \
                     : "l"(s), "r"(x), "r"(y) : "memory")
        WARPCC_BY_MODE(WARPCC_LOAD)
#undef WARPCC_LOAD
    }
    static WARPCC_INNER void store(const word *v, warpcc_handle s, int x, int y, cudaSurfaceBoundaryMode mode) {
#define WARPCC_STORE(boundary) \
        asm volatile("sust.b.2d.b8." boundary " [%0, {%1, %2}], %3;" \
                     : \
                     : "l"(s), "r"(x), "r"(y), "h"(v[0]) \
                     : "memory")
        WARPCC_BY_MODE(WARPCC_STORE)
#undef WARPCC_STORE
    }
    static WARPCC_INNER void load(word *v, warpcc_handle s, int x, int y, int z, cudaSurfaceBoundaryMode mode) {
#define WARPCC_LOAD(boundary) \
        asm volatile("suld.b.3d.b8." boundary " %0, [%1, {%2, %3, %4, %4}];" \
                     : "=h"(v[0]) \
                     : "l"(s), "r"(x), "r"(y), "r"(z) : "memory")
        WARPCC_BY_MODE(WARPCC_LOAD)
#undef WARPCC_LOAD
    }
    static WARPCC_INNER void store(const word *v, warpcc_handle s, int x, int y, int z, cudaSurfaceBoundaryMode mode) {
#define WARPCC_STORE(boundary) \
        asm volatile("sust.b.3d.b8." boundary " [%0, {%1, %2, %3, %3}], %4;" \
                     : \
                     : "l"(s), "r"(x), "r"(y), "r"(z), "h"(v[0]) \
                     : "memory")
        WARPCC_BY_MODE(WARPCC_STORE)
#undef WARPCC_STORE
    }
};
template <>
struct warpcc_surface<2> {
    typedef unsigned short word;
    enum { words = 1 };
    static WARPCC_INNER void load(word *v, warpcc_handle s, int x, cudaSurfaceBoundaryMode mode) {
#define WARPCC_LOAD(boundary) \
        asm volatile("suld.b.1d.b16." boundary " %0, [%1, {%2}];" \
                     : "=h"(v[0]) \
                     : "l"(s), "r"(x) : "memory")
        WARPCC_BY_MODE(WARPCC_LOAD)
#undef WARPCC_LOAD
    }
    static WARPCC_INNER void store(const word *v, warpcc_handle s, int x, cudaSurfaceBoundaryMode mode) {
#define WARPCC_STORE(boundary) \
        asm volatile("sust.b.1d.b16." boundary " [%0, {%1}], %2;" \
                     : \
                     : "l"(s), "r"(x), "h"(v[0]) \
                     : "memory")
        WARPCC_BY_MODE(WARPCC_STORE)
#undef WARPCC_STORE
    }
    static WARPCC_INNER void load(word *v, warpcc_handle s, int x, int y, cudaSurfaceBoundaryMode mode) {
#define WARPCC_LOAD(boundary) \
        asm volatile("suld.b.2d.b16." boundary " %0, [%1, {%2, %3}];" \
                     : "=h"(v[0]) \
                     : "l"(s), "r"(x), "r"(y) : "memory")
        WARPCC_BY_MODE(WARPCC_LOAD)
#undef WARPCC_LOAD
    }
    static WARPCC_INNER void store(const word *v, warpcc_handle s, int x, int y, cudaSurfaceBoundaryMode mode) {
#define WARPCC_STORE(boundary) \
        asm volatile("sust.b.2d.b16." boundary " [%0, {%1, %2}], %3;" \
                     : \
                     : "l"(s), "r"(x), "r"(y), "h"(v[0]) \
                     : "memory")
        WARPCC_BY_MODE(WARPCC_STORE)
#undef WARPCC_STORE
    }
    static WARPCC_INNER void load(word *v, warpcc_handle s, int x, int y, int z, cudaSurfaceBoundaryMode mode) {
#define WARPCC_LOAD(boundary) \
        asm volatile("suld.b.3d.b16." boundary " %0, [%1, {%2, %3, %4, %4}];" \
                     : "=h"(v[0]) \
                     : "l"(s), "r"(x), "r"(y), "r"(z) : "memory")
        WARPCC_BY_MODE(WARPCC_LOAD)
#undef WARPCC_LOAD
    }
    static WARPCC_INNER void store(const word *v, warpcc_handle s, int x, int y, int z, cudaSurfaceBoundaryMode mode) {
#define WARPCC_STORE(boundary) \
        asm volatile("sust.b.3d.b16." boundary " [%0, {%1, %2, %3, %3}], %4;" \
                     : \
                     : "l"(s), "r"(x), "r"(y), "r"(z), "h"(v[0]) \
                     : "memory")
        WARPCC_BY_MODE(WARPCC_STORE)
#undef WARPCC_STORE
    }
};
template <>
struct warpcc_surface<4> {
    typedef unsigned int word;
    enum { words = 1 };
    static WARPCC_INNER void load(word *v, warpcc_handle s, int x, cudaSurfaceBoundaryMode mode) {
#define WARPCC_LOAD(boundary) \
        asm volatile("suld.b.1d.b32." boundary " %0, [%1, {%2}];" \
                     : "=r"(v[0]) \
                     : "l"(s), "r"(x) : "memory")
        WARPCC_BY_MODE(WARPCC_LOAD)
#undef WARPCC_LOAD
    }
    static WARPCC_INNER void store(const word *v, warpcc_handle s, int x, cudaSurfaceBoundaryMode mode) {
#define WARPCC_STORE(boundary) \
        asm volatile("sust.b.1d.b32." boundary " [%0, {%1}], %2;" \
                     : \
                     : "l"(s), "r"(x), "r"(v[0]) \
                     : "memory")
        WARPCC_BY_MODE(WARPCC_STORE)
#undef WARPCC_STORE
    }
    static WARPCC_INNER void load(word *v, warpcc_handle s, int x, int y, cudaSurfaceBoundaryMode mode) {
#define WARPCC_LOAD(boundary) \
        asm volatile("suld.b.2d.b32." boundary " %0, [%1, {%2, %3}];" \
                     : "=r"(v[0]) \
                     : "l"(s), "r"(x), "r"(y) : "memory")
        WARPCC_BY_MODE(WARPCC_LOAD)
#undef WARPCC_LOAD
    }
    static WARPCC_INNER void store(const word *v, warpcc_handle s, int x, int y, cudaSurfaceBoundaryMode mode) {
#define WARPCC_STORE(boundary) \
        asm volatile("sust.b.2d.b32." boundary " [%0, {%1, %2}], %3;" \
                     : \
                     : "l"(s), "r"(x), "r"(y), "r"(v[0]) \
                     : "memory")
        WARPCC_BY_MODE(WARPCC_STORE)
#undef WARPCC_STORE
    }
    static WARPCC_INNER void load(word *v, warpcc_handle s, int x, int y, int z, cudaSurfaceBoundaryMode mode) {
#define WARPCC_LOAD(boundary) \
        asm volatile("suld.b.3d.b32." boundary " %0, [%1, {%2, %3, %4, %4}];" \
                     : "=r"(v[0]) \
                     : "l"(s), "r"(x), "r"(y), "r"(z) : "memory")
        WARPCC_BY_MODE(WARPCC_LOAD)
#undef WARPCC_LOAD
    }
    static WARPCC_INNER void store(const word *v, warpcc_handle s, int x, int y, int z, cudaSurfaceBoundaryMode mode) {
#define WARPCC_STORE(boundary) \
        asm volatile("sust.b.3d.b32." boundary " [%0, {%1, %2, %3, %3}], %4;" \
                     : \
                     : "l"(s), "r"(x), "r"(y), "r"(z), "r"(v[0]) \
                     : "memory")
        WARPCC_BY_MODE(WARPCC_STORE)
#undef WARPCC_STORE
    }
};
template <>
struct warpcc_surface<8> {
    typedef unsigned int word;
    enum { words = 2 };
    static WARPCC_INNER void load(word *v, warpcc_handle s, int x, cudaSurfaceBoundaryMode mode) {
#define WARPCC_LOAD(boundary) \
        asm volatile("suld.b.1d.v2.b32." boundary " {%0, %1}, [%2, {%3}];" \
                     : "=r"(v[0]), "=r"(v[1]) \
                     : "l"(s), "r"(x) : "memory")
        WARPCC_BY_MODE(WARPCC_LOAD)
#undef WARPCC_LOAD
    }
    static WARPCC_INNER void store(const word *v, warpcc_handle s, int x, cudaSurfaceBoundaryMode mode) {
#define WARPCC_STORE(boundary) \
        asm volatile("sust.b.1d.v2.b32." boundary " [%0, {%1}], {%2, %3};" \
                     : \
                     : "l"(s), "r"(x), "r"(v[0]), "r"(v[1]) \
                     : "memory")
        WARPCC_BY_MODE(WARPCC_STORE)
#undef WARPCC_STORE
    }
    static WARPCC_INNER void load(word *v, warpcc_handle s, int x, int y, cudaSurfaceBoundaryMode mode) {
#define WARPCC_LOAD(boundary) \
        asm volatile("suld.b.2d.v2.b32." boundary " {%0, %1}, [%2, {%3, %4}];" \
                     : "=r"(v[0]), "=r"(v[1]) \
                     : "l"(s), "r"(x), "r"(y) : "memory")
        WARPCC_BY_MODE(WARPCC_LOAD)
#undef WARPCC_LOAD
    }
    static WARPCC_INNER void store(const word *v, warpcc_handle s, int x, int y, cudaSurfaceBoundaryMode mode) {
#define WARPCC_STORE(boundary) \
        asm volatile("sust.b.2d.v2.b32." boundary " [%0, {%1, %2}], {%3, %4};" \
                     : \
                     : "l"(s), "r"(x), "r"(y), "r"(v[0]), "r"(v[1]) \
                     : "memory")
        WARPCC_BY_MODE(WARPCC_STORE)
#undef WARPCC_STORE
    }
    static WARPCC_INNER void load(word *v, warpcc_handle s, int x, int y, int z, cudaSurfaceBoundaryMode mode) {
#define WARPCC_LOAD(boundary) \
        asm volatile("suld.b.3d.v2.b32." boundary " {%0, %1}, [%2, {%3, %4, %5, %5}];" \
                     : "=r"(v[0]), "=r"(v[1]) \
                     : "l"(s), "r"(x), "r"(y), "r"(z) : "memory")
        WARPCC_BY_MODE(WARPCC_LOAD)
#undef WARPCC_LOAD
    }
    static WARPCC_INNER void store(const word *v, warpcc_handle s, int x, int y, int z, cudaSurfaceBoundaryMode mode) {
#define WARPCC_STORE(boundary) \
        asm volatile("sust.b.3d.v2.b32." boundary " [%0, {%1, %2, %3, %3}], {%4, %5};" \
                     : \
                     : "l"(s), "r"(x), "r"(y), "r"(z), "r"(v[0]), "r"(v[1]) \
                     : "memory")
        WARPCC_BY_MODE(WARPCC_STORE)
#undef WARPCC_STORE
    }
};
template <>
struct warpcc_surface<16> {
    typedef unsigned int word;
    enum { words = 4 };
    static WARPCC_INNER void load(word *v, warpcc_handle s, int x, cudaSurfaceBoundaryMode mode) {
#define WARPCC_LOAD(boundary) \
        asm volatile("suld.b.1d.v4.b32." boundary " {%0, %1, %2, %3}, [%4, {%5}];" \
                     : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3]) \
                     : "l"(s), "r"(x) : "memory")
        WARPCC_BY_MODE(WARPCC_LOAD)
#undef WARPCC_LOAD
    }
    static WARPCC_INNER void store(const word *v, warpcc_handle s, int x, cudaSurfaceBoundaryMode mode) {
#define WARPCC_STORE(boundary) \
        asm volatile("sust.b.1d.v4.b32." boundary " [%0, {%1}], {%2, %3, %4, %5};" \
                     : \
                     : "l"(s), "r"(x), "r"(v[0]), "r"(v[1]), "r"(v[2]), "r"(v[3]) \
                     : "memory")
        WARPCC_BY_MODE(WARPCC_STORE)
#undef WARPCC_STORE
    }
    static WARPCC_INNER void load(word *v, warpcc_handle s, int x, int y, cudaSurfaceBoundaryMode mode) {
#define WARPCC_LOAD(boundary) \
        asm volatile("suld.b.2d.v4.b32." boundary " {%0, %1, %2, %3}, [%4, {%5, %6}];" \
                     : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3]) \
                     : "l"(s), "r"(x), "r"(y) : "memory")
        WARPCC_BY_MODE(WARPCC_LOAD)
#undef WARPCC_LOAD
    }
    static WARPCC_INNER void store(const word *v, warpcc_handle s, int x, int y, cudaSurfaceBoundaryMode mode) {
#define WARPCC_STORE(boundary) \
        asm volatile("sust.b.2d.v4.b32." boundary " [%0, {%1, %2}], {%3, %4, %5, %6};" \
                     : \
                     : "l"(s), "r"(x), "r"(y), "r"(v[0]), "r"(v[1]), "r"(v[2]), "r"(v[3]) \
                     : "memory")
        WARPCC_BY_MODE(WARPCC_STORE)
#undef WARPCC_STORE
    }
    static WARPCC_INNER void load(word *v, warpcc_handle s, int x, int y, int z, cudaSurfaceBoundaryMode mode) {
#define WARPCC_LOAD(boundary) \
        asm volatile("suld.b.3d.v4.b32." boundary " {%0, %1, %2, %3}, [%4, {%5, %6, %7, %7}];" \
                     : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3]) \
                     : "l"(s), "r"(x), "r"(y), "r"(z) : "memory")
        WARPCC_BY_MODE(WARPCC_LOAD)
#undef WARPCC_LOAD
    }
    static WARPCC_INNER void store(const word *v, warpcc_handle s, int x, int y, int z, cudaSurfaceBoundaryMode mode) {
#define WARPCC_STORE(boundary) \
        asm volatile("sust.b.3d.v4.b32." boundary " [%0, {%1, %2, %3, %3}], {%4, %5, %6, %7};" \
                     : \
                     : "l"(s), "r"(x), "r"(y), "r"(z), "r"(v[0]), "r"(v[1]), "r"(v[2]), "r"(v[3]) \
                     : "memory")
        WARPCC_BY_MODE(WARPCC_STORE)
#undef WARPCC_STORE
    }
};
#undef WARPCC_BY_MODE

#define WARPCC_OF_SURFACE(Handle, handle, read, write, parameters, ...) \
    template <class T> \
    WARPCC_INNER T read(Handle s, parameters, cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { \
        typedef warpcc_surface<sizeof(T)> access; \
        typename access::word v[access::words]; \
        T result; \
        access::load(v, handle, __VA_ARGS__, mode); \
        __builtin_memcpy(&result, v, sizeof(T)); \
        return result; \
    } \
    template <class T> \
    WARPCC_INNER void read(T *result, Handle s, parameters, \
                           cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { \
        *result = read<T>(s, __VA_ARGS__, mode); \
    } \
    template <class T> \
    WARPCC_INNER void write(T value, Handle s, parameters, \
                            cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) { \
        typedef warpcc_surface<sizeof(T)> access; \
        typename access::word v[access::words]; \
        __builtin_memcpy(v, &value, sizeof(T)); \
        access::store(v, handle, __VA_ARGS__, mode); \
    }
typedef surface<void, cudaSurfaceType1D> warpcc_surface_1d;
typedef surface<void, cudaSurfaceType2D> warpcc_surface_2d;
typedef surface<void, cudaSurfaceType3D> warpcc_surface_3d;
WARPCC_OF_SURFACE(warpcc_surface_1d, warpcc_handle_of(s), surf1Dread, surf1Dwrite, int x, x)
WARPCC_OF_SURFACE(cudaSurfaceObject_t, s, surf1Dread, surf1Dwrite, int x, x)
WARPCC_OF_SURFACE(warpcc_surface_2d, warpcc_handle_of(s), surf2Dread, surf2Dwrite, WARPCC_PAIR(int x, int y), x, y)
WARPCC_OF_SURFACE(cudaSurfaceObject_t, s, surf2Dread, surf2Dwrite, WARPCC_PAIR(int x, int y), x, y)
WARPCC_OF_SURFACE(warpcc_surface_3d, warpcc_handle_of(s), surf3Dread, surf3Dwrite, WARPCC_TRIPLE(int x, int y, int z), x, y, z)
WARPCC_OF_SURFACE(cudaSurfaceObject_t, s, surf3Dread, surf3Dwrite, WARPCC_TRIPLE(int x, int y, int z), x, y, z)
#undef WARPCC_OF_SURFACE
#undef WARPCC_INNER
#undef WARPCC_PAIR
#undef WARPCC_TRIPLE

#endif
