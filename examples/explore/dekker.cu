// Dekker's test: each block raises its flag and enters if the other flag is down. Without a fence
// both can enter.
#include "common.h"

__global__ void dekker(volatile int *left, volatile int *right, int *entered, int *both)
{
    volatile int *own = blockIdx.x == 0 ? left : right;
    volatile int *other = blockIdx.x == 0 ? right : left;
    LATE(blockIdx.x);
    *own = 1;
    FENCE();
    if (*other == 0 && atomicAdd(entered, 1) == 1)
        *both = 1;
}
