// A sum over two warps: a barrier is missing where the second warp reads what the first wrote.
#include "common.h"

__global__ void warp_reduction(const int *in, int *out)
{
    __shared__ volatile int sums[64];
    int t = threadIdx.x;
    sums[t] = in[t];
#ifdef FIXED
    __syncthreads();
#endif
    if (t >= 32) {
        sums[t] += sums[t - 32];
        if (t < 48) sums[t] += sums[t + 16];
        if (t < 40) sums[t] += sums[t + 8];
        if (t < 36) sums[t] += sums[t + 4];
        if (t < 34) sums[t] += sums[t + 2];
        if (t < 33) *out = sums[t] + sums[t + 1];
    }
}
