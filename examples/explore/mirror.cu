// Two warps of a block read what the other one writes. All schedules have one result, because the
// buffer has these values before.
#include "common.h"

__global__ void mirror(int *o, int *r)
{
    int t = threadIdx.x;
    o[t] = t;
#ifdef FIXED
    __syncthreads();
#endif
    r[t] = o[63 - t];
}
