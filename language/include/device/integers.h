/* Functions of integers that follow from others; both compilers read them. */
#ifndef WARPCC_DEVICE_INTEGERS_H
#define WARPCC_DEVICE_INTEGERS_H
#pragma clang system_header

/* Half of a sum, rounded down or up, without a carry. */
WARPCC_D int __hadd(int a, int b) { return (a & b) + ((a ^ b) >> 1); }
WARPCC_D int __rhadd(int a, int b) { return (a | b) - ((a ^ b) >> 1); }
WARPCC_D unsigned int __uhadd(unsigned int a, unsigned int b) { return (a & b) + ((a ^ b) >> 1); }
WARPCC_D unsigned int __urhadd(unsigned int a, unsigned int b) { return (a | b) - ((a ^ b) >> 1); }

WARPCC_D unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int shift) {
    return (unsigned int)((((unsigned long long)high << 32 | low) << (shift & 31)) >> 32);
}
WARPCC_D unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int shift) {
    return (unsigned int)(((unsigned long long)high << 32 | low) >> (shift & 31));
}
WARPCC_D unsigned int __funnelshift_lc(unsigned int low, unsigned int high, unsigned int shift) {
    return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
WARPCC_D unsigned int __funnelshift_rc(unsigned int low, unsigned int high, unsigned int shift) {
    return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}

/* Halves of a number. */
WARPCC_D int __double2hiint(double x) { return (int)(__double_as_longlong(x) >> 32); }
WARPCC_D int __double2loint(double x) { return (int)__double_as_longlong(x); }
WARPCC_D double __hiloint2double(int high, int low) {
    return __longlong_as_double((long long)((unsigned long long)(unsigned int)high << 32 | (unsigned int)low));
}

/* Loads through the read-only cache: an ordinary load before compute capability 3.5. */
template <class T>
WARPCC_D T __ldg(const T *pointer) {
    return *pointer;
}

#endif
