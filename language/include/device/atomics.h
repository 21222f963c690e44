/* Atomic functions. The builtins keep the state space of the address, which inline PTX would not. */
#ifndef WARPCC_DEVICE_ATOMICS_H
#define WARPCC_DEVICE_ATOMICS_H
#pragma clang system_header

WARPCC_D int atomicAdd(int *a, int v) { return __nvvm_atom_add_gen_i(a, v); }
WARPCC_D unsigned int atomicAdd(unsigned int *a, unsigned int v) {
    return (unsigned int)__nvvm_atom_add_gen_i((int *)a, (int)v);
}
WARPCC_D unsigned long long atomicAdd(unsigned long long *a, unsigned long long v) {
    return (unsigned long long)__nvvm_atom_add_gen_ll((long long *)a, (long long)v);
}
WARPCC_D float atomicAdd(float *a, float v) { return __nvvm_atom_add_gen_f(a, v); }
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
WARPCC_D double atomicAdd(double *a, double v) {
    double old;
    asm volatile("atom.add.f64 %0, [%1], %2;" : "=d"(old) : "l"(a), "d"(v) : "memory");
    return old;
}
#endif

WARPCC_D int atomicSub(int *a, int v) { return __nvvm_atom_add_gen_i(a, (int)(0u - (unsigned int)v)); }
WARPCC_D unsigned int atomicSub(unsigned int *a, unsigned int v) {
    return (unsigned int)__nvvm_atom_add_gen_i((int *)a, (int)(0u - v));
}

WARPCC_D int atomicExch(int *a, int v) { return __nvvm_atom_xchg_gen_i(a, v); }
WARPCC_D unsigned int atomicExch(unsigned int *a, unsigned int v) {
    return (unsigned int)__nvvm_atom_xchg_gen_i((int *)a, (int)v);
}
WARPCC_D unsigned long long atomicExch(unsigned long long *a, unsigned long long v) {
    return (unsigned long long)__nvvm_atom_xchg_gen_ll((long long *)a, (long long)v);
}
WARPCC_D float atomicExch(float *a, float v) {
    int bits;
    __builtin_memcpy(&bits, &v, 4);
    bits = __nvvm_atom_xchg_gen_i((int *)a, bits);
    __builtin_memcpy(&v, &bits, 4);
    return v;
}

WARPCC_D int atomicCAS(int *a, int compare, int v) { return __nvvm_atom_cas_gen_i(a, compare, v); }
WARPCC_D unsigned int atomicCAS(unsigned int *a, unsigned int compare, unsigned int v) {
    return (unsigned int)__nvvm_atom_cas_gen_i((int *)a, (int)compare, (int)v);
}
WARPCC_D unsigned long long atomicCAS(unsigned long long *a, unsigned long long compare,
                                      unsigned long long v) {
    return (unsigned long long)__nvvm_atom_cas_gen_ll((long long *)a, (long long)compare, (long long)v);
}

WARPCC_D int atomicMin(int *a, int v) { return __nvvm_atom_min_gen_i(a, v); }
WARPCC_D unsigned int atomicMin(unsigned int *a, unsigned int v) { return __nvvm_atom_min_gen_ui(a, v); }
WARPCC_D int atomicMax(int *a, int v) { return __nvvm_atom_max_gen_i(a, v); }
WARPCC_D unsigned int atomicMax(unsigned int *a, unsigned int v) { return __nvvm_atom_max_gen_ui(a, v); }
WARPCC_D unsigned int atomicInc(unsigned int *a, unsigned int v) { return __nvvm_atom_inc_gen_ui(a, v); }
WARPCC_D unsigned int atomicDec(unsigned int *a, unsigned int v) { return __nvvm_atom_dec_gen_ui(a, v); }

#define WARPCC_BITWISE(name, builtin)                                                       \
    WARPCC_D int name(int *a, int v) { return __nvvm_atom_##builtin##_gen_i(a, v); }        \
    WARPCC_D unsigned int name(unsigned int *a, unsigned int v) {                           \
        return (unsigned int)__nvvm_atom_##builtin##_gen_i((int *)a, (int)v);               \
    }
WARPCC_BITWISE(atomicAnd, and)
WARPCC_BITWISE(atomicOr, or)
WARPCC_BITWISE(atomicXor, xor)
#undef WARPCC_BITWISE

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 320
#define WARPCC_WIDE(name, builtin)                                                                    \
    WARPCC_D unsigned long long name(unsigned long long *a, unsigned long long v) {                   \
        return (unsigned long long)__nvvm_atom_##builtin##_gen_ll((long long *)a, (long long)v);      \
    }
WARPCC_WIDE(atomicAnd, and)
WARPCC_WIDE(atomicOr, or)
WARPCC_WIDE(atomicXor, xor)
#undef WARPCC_WIDE
WARPCC_D long long atomicMin(long long *a, long long v) { return __nvvm_atom_min_gen_ll(a, v); }
WARPCC_D long long atomicMax(long long *a, long long v) { return __nvvm_atom_max_gen_ll(a, v); }
WARPCC_D unsigned long long atomicMin(unsigned long long *a, unsigned long long v) {
    return __nvvm_atom_min_gen_ull(a, v);
}
WARPCC_D unsigned long long atomicMax(unsigned long long *a, unsigned long long v) {
    return __nvvm_atom_max_gen_ull(a, v);
}
#endif

#endif
