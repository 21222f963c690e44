// Two locks that two warps take in opposite orders: each can wait for the other.
#include "common.h"

__global__ void lock_order(int *a, int *b, int *counter)
{
    if (threadIdx.x % 32 != 0)
        return;
    int warp = threadIdx.x / 32;
    LATE(4 * warp);
#ifdef FIXED
    int *first = a, *second = b;
#else
    int *first = warp == 0 ? a : b, *second = warp == 0 ? b : a;
#endif
    lock(first);
    lock(second);
    *(volatile int *)counter += 1;
    unlock(second);
    unlock(first);
}
