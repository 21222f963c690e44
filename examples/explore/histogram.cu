// A histogram in shared memory with plain additions of two warps.
#include "common.h"

__global__ void histogram(const int *in, int *out)
{
    __shared__ int bins[2];
    int t = threadIdx.x;
    if (t < 2)
        bins[t] = 0;
    __syncthreads();
    LATE(t / 32);
    if (t % 32 == 0) {
#ifdef FIXED
        atomicAdd(&bins[in[t / 32]], 1);
#else
        bins[in[t / 32]] += 1;
#endif
    }
    __syncthreads();
    if (t < 2)
        out[t] = bins[t];
}
