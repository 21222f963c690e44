/* Barriers, fences and votes. */
#ifndef WARPCC_DEVICE_SYNC_H
#define WARPCC_DEVICE_SYNC_H
#pragma clang system_header

/* `__syncthreads` is a builtin function of clang. */
WARPCC_D int __syncthreads_count(int predicate) { return __nvvm_bar0_popc(predicate); }
WARPCC_D int __syncthreads_and(int predicate) { return __nvvm_bar0_and(predicate); }
WARPCC_D int __syncthreads_or(int predicate) { return __nvvm_bar0_or(predicate); }

WARPCC_D void __threadfence_block() { __nvvm_membar_cta(); }
WARPCC_D void __threadfence() { __nvvm_membar_gl(); }
WARPCC_D void __threadfence_system() { __nvvm_membar_sys(); }

/* A vote is convergent: no optimization may move it into another branch. */
#define WARPCC_VOTE static __device__ inline __attribute__((always_inline, convergent, nodebug))

WARPCC_VOTE int __all(int predicate) {
    int result;
    asm volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 0; vote.all.pred q, p; selp.s32 %0, 1, 0, q; }"
                 : "=r"(result) : "r"(predicate));
    return result;
}
WARPCC_VOTE int __any(int predicate) {
    int result;
    asm volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 0; vote.any.pred q, p; selp.s32 %0, 1, 0, q; }"
                 : "=r"(result) : "r"(predicate));
    return result;
}
WARPCC_VOTE unsigned int __ballot(int predicate) {
    unsigned int result;
    asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; vote.ballot.b32 %0, p; }"
                 : "=r"(result) : "r"(predicate));
    return result;
}

WARPCC_VOTE void __syncwarp(unsigned int = 0xffffffffu) { asm volatile("" ::: "memory"); }
#include "masks.h"

/* Shuffles: compute capability 3.0 and later. `fixed` is the bound of the segment in the operand of the instruction. */
#define WARPCC_SHUFFLE_OF(name, mode, fixed) \
    WARPCC_VOTE int name(int value, int lane, int width = 32) { \
        int result; \
        asm volatile("shfl." mode ".b32 %0, %1, %2, %3;" \
                     : "=r"(result) : "r"(value), "r"(lane), "r"(((32 - width) << 8) | (fixed))); \
        return result; \
    } \
    WARPCC_VOTE unsigned int name(unsigned int value, int lane, int width = 32) { \
        return (unsigned int)name((int)value, lane, width); \
    } \
    WARPCC_VOTE float name(float value, int lane, int width = 32) { \
        int bits; \
        __builtin_memcpy(&bits, &value, 4); \
        bits = name(bits, lane, width); \
        __builtin_memcpy(&value, &bits, 4); \
        return value; \
    } \
    WARPCC_VOTE long long name(long long value, int lane, int width = 32) { \
        unsigned int low = name((unsigned int)value, lane, width); \
        unsigned int high = name((unsigned int)(value >> 32), lane, width); \
        return (long long)((unsigned long long)high << 32 | low); \
    } \
    WARPCC_VOTE unsigned long long name(unsigned long long value, int lane, int width = 32) { \
        return (unsigned long long)name((long long)value, lane, width); \
    } \
    WARPCC_VOTE long name(long value, int lane, int width = 32) { \
        return (long)name((long long)value, lane, width); \
    } \
    WARPCC_VOTE unsigned long name(unsigned long value, int lane, int width = 32) { \
        return (unsigned long)name((long long)value, lane, width); \
    } \
    WARPCC_VOTE double name(double value, int lane, int width = 32) { \
        long long bits; \
        __builtin_memcpy(&bits, &value, 8); \
        bits = name(bits, lane, width); \
        __builtin_memcpy(&value, &bits, 8); \
        return value; \
    } \
    template <class T> \
    WARPCC_VOTE T name##_sync(unsigned int, T value, int lane, int width = 32) { \
        return name(value, lane, width); \
    }

/* The host side parses device functions too. */
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 300
WARPCC_SHUFFLE_OF(__shfl, "idx", 31)
WARPCC_SHUFFLE_OF(__shfl_up, "up", 0)
WARPCC_SHUFFLE_OF(__shfl_down, "down", 31)
WARPCC_SHUFFLE_OF(__shfl_xor, "bfly", 31)
#endif

#undef WARPCC_SHUFFLE_OF
#undef WARPCC_VOTE

#endif
