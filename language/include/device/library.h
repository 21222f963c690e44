/* `printf`, `assert`, `malloc`, `free` and the block operations of <string.h> in device code. */
#ifndef WARPCC_DEVICE_LIBRARY_H
#define WARPCC_DEVICE_LIBRARY_H
#pragma clang system_header

extern "C" {
__device__ int vprintf(const char *format, const char *arguments);
__device__ int printf(const char *format, ...);
__device__ void __assertfail(const char *message, const char *file, unsigned line, const char *function,
                             size_t character_bytes) __attribute__((noreturn));

/* What the macro `assert` of the C library calls. */
static __device__ inline __attribute__((noreturn)) void __assert_fail(const char *message, const char *file,
                                                                      unsigned line, const char *function) {
    __assertfail(message, file, line, function, sizeof(char));
}
static __device__ inline __attribute__((noreturn)) void __assert_rtn(const char *function, const char *file,
                                                                     int line, const char *message) {
    __assertfail(message, file, (unsigned)line, function, sizeof(char));
}
}

static __device__ inline void *memcpy(void *to, const void *from, size_t bytes) {
    return __builtin_memcpy(to, from, bytes);
}
static __device__ inline void *memset(void *to, int value, size_t bytes) {
    return __builtin_memset(to, value, bytes);
}
static __device__ inline void *memmove(void *to, const void *from, size_t bytes) {
    return __builtin_memmove(to, from, bytes);
}
namespace std {
using ::free;
using ::malloc;
using ::memcpy;
using ::memmove;
using ::memset;
using ::printf;
}

WARPCC_D void __trap() { asm volatile("trap;"); }
WARPCC_D void __brkpt(int = 0) { asm volatile("brkpt;"); }
WARPCC_D void __prof_trigger(int) {}
WARPCC_D long long clock64() {
    long long cycles;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(cycles)::"memory");
    return cycles;
}
WARPCC_D clock_t clock() {
    int cycles;
    asm volatile("mov.u32 %0, %%clock;" : "=r"(cycles)::"memory");
    return (clock_t)cycles;
}

WARPCC_D unsigned int __isGlobal(const void *pointer) {
    unsigned int is;
    asm("{ .reg .pred p; isspacep.global p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(is) : "l"(pointer));
    return is;
}
WARPCC_D unsigned int __isShared(const void *pointer) {
    unsigned int is;
    asm("{ .reg .pred p; isspacep.shared p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(is) : "l"(pointer));
    return is;
}
WARPCC_D unsigned int __isLocal(const void *pointer) {
    unsigned int is;
    asm("{ .reg .pred p; isspacep.local p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(is) : "l"(pointer));
    return is;
}

#endif
