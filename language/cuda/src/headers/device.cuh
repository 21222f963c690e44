// Functions of the hardware.
#define __D __forceinline__ __device__
#define WARPCC_D __D
#define WARPCC_VOTE __D

__intrinsic__("barrier") void __syncthreads();
__intrinsic__("fence_block") void __threadfence_block();
__intrinsic__("fence_device") void __threadfence();
__intrinsic__("fence_system") void __threadfence_system();
__intrinsic__("barrier_count") int __syncthreads_count(bool p);
__intrinsic__("barrier_and") bool __syncthreads_and(bool p);
__intrinsic__("barrier_or") bool __syncthreads_or(bool p);
__intrinsic__("all") bool __all(bool p);
__intrinsic__("any") bool __any(bool p);
__intrinsic__("ballot") unsigned int __ballot(bool p);
#if __CUDA_ARCH__ >= 200
__intrinsic__("nop") void __syncwarp(unsigned int mask = 0xffffffffu);
#endif

__intrinsic__("clock") unsigned int __ws_clock();
__D clock_t clock() { return (clock_t)(int)__ws_clock(); }
__intrinsic__("clock64") long long clock64();
__intrinsic__("trap") void __trap();
__intrinsic__("brkpt") void __brkpt(int c = 0);
__intrinsic__("pmevent") void __prof_trigger(int n);
__intrinsic__("malloc") void *malloc(unsigned long long bytes);
__intrinsic__("free") void free(void *p);
__D void *__ws_malloc(unsigned long long bytes) { return malloc(bytes); }
__D void *__ws_calloc(unsigned long long count, unsigned long long size) {
    unsigned char *made = (unsigned char *)malloc(count * size);
    for (unsigned long long i = 0; made && i < count * size; ++i) made[i] = 0;
    return made;
}

#define __WS_ATOMICS(T)                                                                                    \
    __intrinsic__("atomic_add") T atomicAdd(T *address, T value);                                          \
    __intrinsic__("atomic_exch") T atomicExch(T *address, T value);                                        \
    __intrinsic__("atomic_min") T atomicMin(T *address, T value);                                          \
    __intrinsic__("atomic_max") T atomicMax(T *address, T value);                                          \
    __intrinsic__("atomic_cas") T atomicCAS(T *address, T compare, T value);                               \
    __intrinsic__("atomic_and") T atomicAnd(T *address, T value);                                          \
    __intrinsic__("atomic_or") T atomicOr(T *address, T value);                                            \
    __intrinsic__("atomic_xor") T atomicXor(T *address, T value);                                          \
    __D T atomicSub(T *address, T value) { return atomicAdd(address, (T)-value); }
__WS_ATOMICS(int)
__WS_ATOMICS(unsigned int)
__intrinsic__("atomic_inc") unsigned int atomicInc(unsigned int *address, unsigned int limit);
__intrinsic__("atomic_dec") unsigned int atomicDec(unsigned int *address, unsigned int limit);
__intrinsic__("atomic_add") unsigned long long atomicAdd(unsigned long long *address, unsigned long long value);
__intrinsic__("atomic_exch") unsigned long long atomicExch(unsigned long long *address, unsigned long long value);
__intrinsic__("atomic_cas") unsigned long long
atomicCAS(unsigned long long *address, unsigned long long compare, unsigned long long value);
__intrinsic__("atomic_add") float atomicAdd(float *address, float value);
__intrinsic__("atomic_exch") float atomicExch(float *address, float value);

// Instructions after Fermi that the chip has.
#ifdef __ws_atomics64
__intrinsic__("atomic_min") long long atomicMin(long long *address, long long value);
__intrinsic__("atomic_max") long long atomicMax(long long *address, long long value);
#define __WS_ATOMIC_64(NAME, OPERATION)                                                                    \
    __intrinsic__(OPERATION) unsigned long long NAME(unsigned long long *address, unsigned long long value);
__WS_ATOMIC_64(atomicMin, "atomic_min")
__WS_ATOMIC_64(atomicMax, "atomic_max")
__WS_ATOMIC_64(atomicAnd, "atomic_and")
__WS_ATOMIC_64(atomicOr, "atomic_or")
__WS_ATOMIC_64(atomicXor, "atomic_xor")
#endif
#ifdef __ws_atomic_f64
__intrinsic__("atomic_add") double atomicAdd(double *address, double value);
#endif

__intrinsic__("mul24") int __mul24(int x, int y);
__intrinsic__("mul24") unsigned int __umul24(unsigned int x, unsigned int y);
__intrinsic__("mulhi") int __mulhi(int x, int y);
__intrinsic__("mulhi") unsigned int __umulhi(unsigned int x, unsigned int y);
__intrinsic__("mulhi") long long __mul64hi(long long x, long long y);
__intrinsic__("mulhi") unsigned long long __umul64hi(unsigned long long x, unsigned long long y);
__intrinsic__("sad") unsigned int __sad(int x, int y, unsigned int z);
__intrinsic__("sad") unsigned int __usad(unsigned int x, unsigned int y, unsigned int z);
__intrinsic__("popc") int __popc(unsigned int x);
__intrinsic__("popc") int __popcll(unsigned long long x);
__intrinsic__("clz") int __ws_clz(unsigned int x);
__intrinsic__("clz") int __ws_clzll(unsigned long long x);
__D int __clz(int x) { return __ws_clz((unsigned int)x); }
__D int __clzll(long long x) { return __ws_clzll((unsigned long long)x); }
__D int __ffs(int x) { return x == 0 ? 0 : 32 - __ws_clz((unsigned int)(x & -x)); }
__D int __ffsll(long long x) { return x == 0 ? 0 : 64 - __ws_clzll((unsigned long long)(x & -x)); }
__intrinsic__("brev") unsigned int __brev(unsigned int x);
__intrinsic__("brev") unsigned long long __brevll(unsigned long long x);
__intrinsic__("byte_perm") unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int s);

__intrinsic__("bitcast") int __float_as_int(float x);
__intrinsic__("bitcast") unsigned int __float_as_uint(float x);
__intrinsic__("bitcast") float __int_as_float(int x);
__intrinsic__("bitcast") float __uint_as_float(unsigned int x);
__intrinsic__("bitcast") long long __double_as_longlong(double x);
__intrinsic__("bitcast") double __longlong_as_double(long long x);

#define __WS_CONVERT(S)                                                                                    \
    __intrinsic__(cvt_##S) int __float2int_##S(float x);                                                 \
    __intrinsic__(cvt_##S) unsigned int __float2uint_##S(float x);                                       \
    __intrinsic__(cvt_##S) long long __float2ll_##S(float x);                                            \
    __intrinsic__(cvt_##S) unsigned long long __float2ull_##S(float x);                                  \
    __intrinsic__(cvt_##S) float __int2float_##S(int x);                                                 \
    __intrinsic__(cvt_##S) float __uint2float_##S(unsigned int x);                                       \
    __intrinsic__(cvt_##S) float __ll2float_##S(long long x);                                            \
    __intrinsic__(cvt_##S) float __ull2float_##S(unsigned long long x);                                  \
    __intrinsic__(cvt_##S) int __double2int_##S(double x);                                               \
    __intrinsic__(cvt_##S) unsigned int __double2uint_##S(double x);                                     \
    __intrinsic__(cvt_##S) long long __double2ll_##S(double x);                                          \
    __intrinsic__(cvt_##S) unsigned long long __double2ull_##S(double x);                                \
    __intrinsic__(cvt_##S) double __ll2double_##S(long long x);                                          \
    __intrinsic__(cvt_##S) double __ull2double_##S(unsigned long long x);                                \
    __intrinsic__(cvt_##S) float __double2float_##S(double x);                                           \
    __intrinsic__(add_##S) float __fadd_##S(float x, float y);                                           \
    __intrinsic__(mul_##S) float __fmul_##S(float x, float y);                                           \
    __intrinsic__(fma_##S) float __fmaf_##S(float x, float y, float z);                                  \
    __intrinsic__(div_##S) float __fdiv_##S(float x, float y);                                           \
    __intrinsic__(rcp_##S) float __frcp_##S(float x);                                                    \
    __intrinsic__(sqrt_##S) float __fsqrt_##S(float x);                                                  \
    __intrinsic__(add_##S) double __dadd_##S(double x, double y);                                        \
    __intrinsic__(mul_##S) double __dmul_##S(double x, double y);                                        \
    __intrinsic__(fma_##S) double __fma_##S(double x, double y, double z);                               \
    __intrinsic__(div_##S) double __ddiv_##S(double x, double y);                                        \
    __intrinsic__(rcp_##S) double __drcp_##S(double x);                                                  \
    __intrinsic__(sqrt_##S) double __dsqrt_##S(double x);
__WS_CONVERT(rn)
__WS_CONVERT(rz)
__WS_CONVERT(ru)
__WS_CONVERT(rd)
__intrinsic__("float2half") unsigned short __float2half_rn(float x);
__intrinsic__("half2float") float __half2float(unsigned short x);

#ifdef __ws_shuffle
#define __WS_SHUFFLE_OF(NAME, T, LANE, VALUE)                                                              \
    __D T NAME(T value, LANE lane, int width = 32) { return VALUE; }                                       \
    __D T NAME##_sync(unsigned int mask, T value, LANE lane, int width = 32) { return VALUE; }
#define __WS_SHUFFLE(NAME, MODE, LANE, BOUND)                                                              \
    __intrinsic__(shuffle_##MODE) unsigned int __ws##NAME(unsigned int value, LANE lane, int bound);       \
    __WS_SHUFFLE_OF(NAME, unsigned int, LANE, __ws##NAME(value, lane, (32 - width) << 8 | BOUND))          \
    __WS_SHUFFLE_OF(NAME, int, LANE, (int)NAME((unsigned int)value, lane, width))                          \
    __WS_SHUFFLE_OF(NAME, float, LANE, __uint_as_float(NAME(__float_as_uint(value), lane, width)))         \
    __WS_SHUFFLE_OF(NAME, unsigned long long, LANE,                                                        \
                    (unsigned long long)NAME((unsigned int)(value >> 32), lane, width) << 32 |             \
                        NAME((unsigned int)value, lane, width))                                            \
    __WS_SHUFFLE_OF(NAME, long long, LANE, (long long)NAME((unsigned long long)value, lane, width))        \
    __WS_SHUFFLE_OF(NAME, unsigned long, LANE, (unsigned long)NAME((unsigned long long)value, lane, width)) \
    __WS_SHUFFLE_OF(NAME, long, LANE, (long)NAME((unsigned long long)value, lane, width))                  \
    __WS_SHUFFLE_OF(NAME, double, LANE,                                                                    \
                    __longlong_as_double(NAME(__double_as_longlong(value), lane, width)))
__WS_SHUFFLE(__shfl, idx, int, 31)
__WS_SHUFFLE(__shfl_up, up, unsigned int, 0)
__WS_SHUFFLE(__shfl_down, down, unsigned int, 31)
__WS_SHUFFLE(__shfl_xor, xor, int, 31)
#endif

__intrinsic__("saturate") float __saturatef(float x);
__intrinsic__("sin.approx") float __sinf(float x);
__intrinsic__("cos.approx") float __cosf(float x);
__intrinsic__("ex2.approx") float warpcc_exp2(float x);
__intrinsic__("lg2.approx") float __log2f(float x);
__intrinsic__("div.approx") float __fdividef(float x, float y);
__intrinsic__("rsqrt") float __frsqrt_rn(float x);
__D float fdividef(float x, float y) { return x / y; }
