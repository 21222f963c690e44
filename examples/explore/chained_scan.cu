// A sum that is passed from block to block: a fence is missing between a sum and its flag.
#include "common.h"

__global__ void chained_scan(const int *in, int *sums, volatile int *flags)
{
    int block = blockIdx.x, before = 0;
    if (block > 0) {
        while (flags[block - 1] == 0)
            ;
        __threadfence();
        before = sums[block - 1];
    }
    sums[block] = before + in[block];
    FENCE();
    flags[block] = 1;
}
