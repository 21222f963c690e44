// Blocks that append to a list: two of them can take the same place.
#include "common.h"

__global__ void append(int *count, int *items)
{
    LATE(blockIdx.x);
#ifdef FIXED
    int place = atomicAdd(count, 1);
#else
    int place = *(volatile int *)count;
    *(volatile int *)count = place + 1;
#endif
    atomicAdd(&items[place], 1);
}
