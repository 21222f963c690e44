// The kernels of the scan and the function that launches them for any number of elements.
#include "scan.h"

extern __device__ int launched_blocks; // defined in main.cu

__global__ void scan_blocks(const int *in, int *out, int *sums, int count)
{
    __shared__ int shared[2 * SCAN_BLOCK];
    int i = blockIdx.x * SCAN_BLOCK + threadIdx.x, total;
    int before = block_scan(i < count ? in[i] : 0, shared, &total);
    if (i < count)
        out[i] = before;
    if (threadIdx.x == 0)
        sums[blockIdx.x] = total;
    if (i == 0)
        launched_blocks += gridDim.x;
}

__global__ void add_sums(int *out, const int *sums, int count)
{
    int i = blockIdx.x * SCAN_BLOCK + threadIdx.x;
    if (i < count)
        out[i] += sums[blockIdx.x];
}

void scan(const int *d_in, int *d_out, int count)
{
    int blocks = (count + SCAN_BLOCK - 1) / SCAN_BLOCK;
    int *d_sums;
    cudaMalloc((void **)&d_sums, 2 * blocks * sizeof(int));
    scan_blocks<<<blocks, SCAN_BLOCK>>>(d_in, d_out, d_sums, count);
    if (blocks > 1) {
        scan(d_sums, d_sums + blocks, blocks);
        add_sums<<<blocks, SCAN_BLOCK>>>(d_out, d_sums + blocks, count);
    }
    cudaFree(d_sums);
}
