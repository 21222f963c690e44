// A sum of floating-point numbers in any order. No access is wrong, but the rounding depends on
// the order. The repaired sum adds whole numbers.
#include "common.h"

__global__ void float_sum(const float *in, float *sum, int *whole)
{
    LATE(blockIdx.x);
    float own = in[blockIdx.x];
#ifdef FIXED
    atomicAdd(whole, (int)own);
    __threadfence();
    if (atomicAdd(whole + 1, 1) == 2)
        *sum = (float)atomicAdd(whole, 0);
#else
    int seen = __float_as_int(*(volatile float *)sum);
    for (;;) {
        int found = atomicCAS((int *)sum, seen, __float_as_int(__int_as_float(seen) + own));
        if (found == seen)
            break;
        seen = found;
    }
#endif
}
