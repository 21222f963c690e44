// Histogram of 64 kinds of values.
// Call: histogram N SEED
#include <stdio.h>
#include <stdlib.h>

#define BLOCK 128
#define BINS 64
#define BLOCKS 16 // most blocks of a launch

// Ends the program if a call of the CUDA runtime failed.
#define CHECK(call) check((call), __LINE__)

static void check(cudaError_t error, int line)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "line %d: %s\n", line, cudaGetErrorString(error));
        exit(1);
    }
}

static unsigned int state;

// Returns the next pseudorandom number from 0 to bound - 1.
static int next_number(int bound)
{
    state = state * 1664525u + 1013904223u;
    return (int)((state >> 16) % (unsigned int)bound);
}

// Counts each value, 0 to BINS - 1, in its bin. Each block counts in its own bins first.
__global__ void histogram(const int *values, int n, int *bins)
{
    __shared__ int mine[BINS];
    int t = threadIdx.x;
    if (t < BINS)
        mine[t] = 0;
    __syncthreads();
    for (int i = blockIdx.x * BLOCK + t; i < n; i += gridDim.x * BLOCK)
        atomicAdd(&mine[values[i]], 1);
    __syncthreads();
    if (t < BINS && mine[t] > 0)
        atomicAdd(&bins[t], mine[t]);
}

int main(int argc, char **argv)
{
    int n = argc == 3 ? atoi(argv[1]) : 0;
    if (n < 1 || n > 100000) {
        fprintf(stderr, "usage: histogram N SEED, with 1 to 100000 values\n");
        return 2;
    }
    state = (unsigned int)atoi(argv[2]);

    // Small values are frequent, as the dark pixels of a picture.
    int *values = (int *)malloc(n * sizeof(int));
    for (int i = 0; i < n; i++)
        values[i] = next_number(8) * next_number(10);

    int *d_values, *d_bins;
    CHECK(cudaMalloc((void **)&d_values, n * sizeof(int)));
    CHECK(cudaMalloc((void **)&d_bins, BINS * sizeof(int)));
    CHECK(cudaMemcpy(d_values, values, n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(d_bins, 0, BINS * sizeof(int)));

    // Few blocks: each block adds to all bins at its end.
    int blocks = min((n + BLOCK - 1) / BLOCK, BLOCKS);
    histogram<<<blocks, BLOCK>>>(d_values, n, d_bins);
    CHECK(cudaGetLastError());

    int bins[BINS];
    CHECK(cudaMemcpy(bins, d_bins, BINS * sizeof(int), cudaMemcpyDeviceToHost));
    for (int b = 0; b < BINS; b++)
        printf("%d%c", bins[b], b % 8 == 7 ? '\n' : ' ');

    CHECK(cudaFree(d_values));
    CHECK(cudaFree(d_bins));
    free(values);
    return 0;
}
