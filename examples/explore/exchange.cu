// Two warps of a block exchange values through global memory: the barrier is missing.
#include "common.h"

__global__ void exchange(const int *in, int *box, int *out)
{
    int t = threadIdx.x;
    int *mine = box + 64 * blockIdx.x;
    mine[t] = 2 * in[t];
#ifdef FIXED
    __syncthreads();
#endif
    if (t >= 32)
        out[32 * blockIdx.x + t - 32] = mine[63 - t];
}
