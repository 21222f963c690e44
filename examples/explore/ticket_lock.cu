// A ticket lock that is released by a plain store without a fence.
#include "common.h"

__global__ void ticket_lock(int *next, volatile int *serving, volatile int *counter)
{
    LATE(blockIdx.x);
    int ticket = atomicAdd(next, 1);
    while (*serving != ticket)
        ;
    FENCE();
    *counter += 1;
    FENCE();
    *serving = ticket + 1;
}
