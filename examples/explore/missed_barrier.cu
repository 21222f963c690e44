// A warp that decides by a flag whether it comes to a barrier: if it is too early, it waits in a
// loop for a warp that waits for it at the barrier.
#include "common.h"

__global__ void missed_barrier(int *out)
{
    __shared__ volatile int ready, done;
    if (threadIdx.x == 0)
        ready = done = 0;
    __syncthreads();
    if (threadIdx.x < 32) {
        ready = 1;
        __syncthreads();
        done = 1;
    } else {
        LATE(threadIdx.x / 8);
#ifdef FIXED
        __syncthreads();
#else
        if (ready)
            __syncthreads();
#endif
        while (!done)
            ;
        *out = 1;
    }
}
