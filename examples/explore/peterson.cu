// Peterson's lock without fences.
#include "common.h"

__global__ void peterson(volatile int *left, volatile int *right, volatile int *turn, volatile int *counter)
{
    int me = blockIdx.x;
    volatile int *own = me == 0 ? left : right;
    volatile int *other = me == 0 ? right : left;
    LATE(me);
    *own = 1;
    FENCE();
    *turn = 1 - me;
    FENCE();
    for (;;) {
        int raised = *other;
        FENCE();
        if (raised == 0 || *turn == me)
            break;
    }
    FENCE();
    *counter += 1;
    FENCE();
    *own = 0;
}
