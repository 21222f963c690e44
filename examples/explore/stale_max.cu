// A maximum by a plain read and an exchange: the value can be old when it is replaced.
#include "common.h"

__global__ void stale_max(int *most)
{
    int own = blockIdx.x + 1;
    LATE(blockIdx.x);
#ifdef FIXED
    atomicMax(most, own);
#else
    if (*(volatile int *)most < own)
        atomicExch(most, own);
#endif
}
