// Collatz sequences: each thread has another number of steps, so the lanes of a warp diverge.
// Build: warpcc collatz.cu -o collatz && ./collatz [numbers]
#include <stdio.h>
#include <stdlib.h>

#define BLOCK 64

// The number of steps until 1. A warp takes as long as its longest sequence.
__host__ __device__ int length(unsigned int value)
{
    int steps = 0;
    while (value != 1) {
        value = value % 2 == 0 ? value / 2 : 3 * value + 1;
        steps++;
    }
    return steps;
}

// The length for each number, and the longest sequence of each block.
__global__ void lengths(int *steps, int *longest, int n)
{
    __shared__ int best[BLOCK];
    int t = threadIdx.x, i = blockIdx.x * BLOCK + t;
    int mine = i < n ? length(i + 1) : 0;
    if (i < n)
        steps[i] = mine;
    best[t] = mine;
    for (int half = BLOCK / 2; half > 0; half /= 2) {
        __syncthreads();
        if (t < half)
            best[t] = max(best[t], best[t + half]);
    }
    if (t == 0)
        longest[blockIdx.x] = best[0];
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 2000;
    if (n < 1 || n > 100000) {
        fprintf(stderr, "usage: collatz [numbers], 1 to 100000\n");
        return 2;
    }
    int blocks = (n + BLOCK - 1) / BLOCK;
    int *steps = (int *)malloc(n * sizeof(int)), *longest = (int *)malloc(blocks * sizeof(int));
    int *d_steps, *d_longest;
    cudaMalloc((void **)&d_steps, n * sizeof(int));
    cudaMalloc((void **)&d_longest, blocks * sizeof(int));
    lengths<<<blocks, BLOCK>>>(d_steps, d_longest, n);
    cudaMemcpy(steps, d_steps, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaError_t error = cudaMemcpy(longest, d_longest, blocks * sizeof(int), cudaMemcpyDeviceToHost);
    if (error != cudaSuccess) {
        fprintf(stderr, "error: %s\n", cudaGetErrorString(error));
        return 2;
    }

    int wrong = 0, expected = 0, found = 0, start = 0;
    for (int i = 0; i < n; i++) {
        int correct = length(i + 1);
        wrong += steps[i] != correct;
        if (correct > expected) {
            expected = correct;
            start = i + 1;
        }
    }
    for (int b = 0; b < blocks; b++)
        found = longest[b] > found ? longest[b] : found;
    printf("the longest sequence starts at %d and has %d steps; %d lengths are wrong\n", start, found, wrong);
    cudaFree(d_steps);
    cudaFree(d_longest);
    free(steps);
    free(longest);
    bool good = wrong == 0 && found == expected;
    printf(good ? "PASSED\n" : "FAILED\n");
    return !good;
}
