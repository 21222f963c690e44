// Prefix sum over several blocks: sums of blocks, their prefix sum, then an addition to each block.
// Build: warpcc prefix.cu -o prefix && ./prefix [elements]
#include <stdio.h>
#include <stdlib.h>

#define BLOCK 128

// Exclusive prefix sum of each block of 2 * BLOCK elements: up the tree, then down. `sums` gets the
// sum of each block, unless it is a null pointer.
__global__ void scan_blocks(int *data, int *sums, int n)
{
    __shared__ int tree[2 * BLOCK];
    int t = threadIdx.x, first = blockIdx.x * 2 * BLOCK;
    for (int i = t; i < 2 * BLOCK; i += BLOCK)
        tree[i] = first + i < n ? data[first + i] : 0;
    int step = 1;
    for (int width = BLOCK; width > 0; width /= 2, step *= 2) {
        __syncthreads();
        if (t < width)
            tree[step * (2 * t + 2) - 1] += tree[step * (2 * t + 1) - 1];
    }
    if (t == 0) {
        if (sums)
            sums[blockIdx.x] = tree[2 * BLOCK - 1];
        tree[2 * BLOCK - 1] = 0;
    }
    for (int width = 1; width <= BLOCK; width *= 2) {
        step /= 2;
        __syncthreads();
        if (t < width) {
            int left = step * (2 * t + 1) - 1, right = step * (2 * t + 2) - 1;
            int old = tree[left];
            tree[left] = tree[right];
            tree[right] += old;
        }
    }
    __syncthreads();
    for (int i = t; i < 2 * BLOCK; i += BLOCK)
        if (first + i < n)
            data[first + i] = tree[i];
}

// Adds the sum of all blocks before it to each block.
__global__ void add_sums(int *data, const int *sums, int n)
{
    int i = blockIdx.x * 2 * BLOCK + threadIdx.x;
    for (int k = 0; k < 2; k++, i += BLOCK)
        if (i < n)
            data[i] += sums[blockIdx.x];
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 10000;
    int blocks = (n + 2 * BLOCK - 1) / (2 * BLOCK);
    if (n < 1 || blocks > 2 * BLOCK) {
        fprintf(stderr, "usage: prefix [elements], 1 to %d\n", 4 * BLOCK * BLOCK);
        return 2;
    }
    int *data = (int *)malloc(n * sizeof(int)), *result = (int *)malloc(n * sizeof(int));
    srand(5);
    for (int i = 0; i < n; i++)
        data[i] = rand() % 100 - 20;
    int *d_data, *d_sums;
    cudaMalloc((void **)&d_data, n * sizeof(int));
    cudaMalloc((void **)&d_sums, blocks * sizeof(int));
    cudaMemcpy(d_data, data, n * sizeof(int), cudaMemcpyHostToDevice);

    scan_blocks<<<blocks, BLOCK>>>(d_data, d_sums, n);
    scan_blocks<<<1, BLOCK>>>(d_sums, NULL, blocks);
    add_sums<<<blocks, BLOCK>>>(d_data, d_sums, n);
    cudaError_t error = cudaMemcpy(result, d_data, n * sizeof(int), cudaMemcpyDeviceToHost);
    if (error != cudaSuccess) {
        fprintf(stderr, "error: %s\n", cudaGetErrorString(error));
        return 2;
    }

    int sum = 0, wrong = 0;
    for (int i = 0; i < n; i++) {
        wrong += result[i] != sum;
        sum += data[i];
    }
    printf("%d elements in %d blocks with the sum %d: %d prefix sums are wrong\n", n, blocks, sum, wrong);
    cudaFree(d_data);
    cudaFree(d_sums);
    free(data);
    free(result);
    printf(wrong == 0 ? "PASSED\n" : "FAILED\n");
    return wrong != 0;
}
