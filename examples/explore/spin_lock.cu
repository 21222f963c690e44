// A spin lock that is released without a fence.
#include "common.h"

__global__ void spin_lock(int *mutex, volatile int *counter)
{
    LATE(blockIdx.x);
    while (atomicCAS(mutex, 0, 1) != 0)
        ;
    FENCE();
    *counter += 1;
    FENCE();
    atomicExch(mutex, 0);
}
