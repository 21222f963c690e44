// Exclusive scan in three files: the kernels in scan.cu call a device function in block_scan.cu.
// Build: make NVCC=warpcc && ./scan [elements]
#include <stdio.h>
#include <stdlib.h>
#include "scan.h"

__device__ int launched_blocks = 0;

int main(int argc, char **argv)
{
    int count = argc > 1 ? atoi(argv[1]) : 20000;
    if (count < 1) {
        fprintf(stderr, "usage: scan [elements]\n");
        return 2;
    }
    size_t bytes = count * sizeof(int);
    int *in = (int *)malloc(bytes), *out = (int *)malloc(bytes), *d_in, *d_out, blocks = 0;
    for (int i = 0; i < count; i++)
        in[i] = i * 7 % 13;
    cudaMalloc((void **)&d_in, bytes);
    cudaMalloc((void **)&d_out, bytes);
    cudaMemcpy(d_in, in, bytes, cudaMemcpyHostToDevice);
    scan(d_in, d_out, count);
    cudaMemcpy(out, d_out, bytes, cudaMemcpyDeviceToHost);
    cudaMemcpyFromSymbol(&blocks, launched_blocks, sizeof blocks);
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) {
        fprintf(stderr, "%s\n", cudaGetErrorString(error));
        return 2;
    }

    int sum = 0, wrong = 0, expected = 0;
    for (int i = 0; i < count; i++) {
        wrong += out[i] != sum;
        sum += in[i];
    }
    for (int n = count; expected == 0 || n > 1; expected += n)
        n = (n + SCAN_BLOCK - 1) / SCAN_BLOCK;
    printf("%d elements, %d blocks, last sum %d\n", count, blocks, out[count - 1]);
    bool passed = wrong == 0 && blocks == expected;
    printf("%s\n", passed ? "PASSED" : "FAILED");
    cudaFree(d_in);
    cudaFree(d_out);
    free(in);
    free(out);
    return passed ? 0 : 1;
}
