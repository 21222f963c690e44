// The last block adds the results of all blocks: a fence is missing between a result and the
// counter.
#include "common.h"

__global__ void last_block(int *parts, int *count, int *sum)
{
    parts[blockIdx.x] = 10 + blockIdx.x;
    FENCE();
    if (atomicAdd(count, 1) == 1)
        *sum = parts[0] + parts[1];
}
