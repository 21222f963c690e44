// The device function of the scan, in a file for itself.
#include "scan.h"

__device__ int block_scan(int value, int *shared, int *total)
{
    int t = threadIdx.x, in = 0;
    shared[t] = value;
    __syncthreads();
    for (int offset = 1; offset < SCAN_BLOCK; offset *= 2) {
        int *from = shared + in * SCAN_BLOCK, *to = shared + (1 - in) * SCAN_BLOCK;
        to[t] = t >= offset ? from[t] + from[t - offset] : from[t];
        in = 1 - in;
        __syncthreads();
    }
    *total = shared[in * SCAN_BLOCK + SCAN_BLOCK - 1];
    return shared[in * SCAN_BLOCK + t] - value;
}
