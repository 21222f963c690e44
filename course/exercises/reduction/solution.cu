// Sum of an array: sums of blocks until one sum is left.
// Call: reduction N SEED
#include <stdio.h>
#include <stdlib.h>

#define BLOCK 128

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

// Stores the sum of 2 * BLOCK elements in `sums[blockIdx.x]`: block b adds the elements from
// 2 * BLOCK * b on. The last block may have fewer elements.
__global__ void sum_blocks(const int *in, int *sums, int n)
{
    __shared__ int part[BLOCK];
    int t = threadIdx.x;
    int i = 2 * BLOCK * blockIdx.x + t;
    int sum = i < n ? in[i] : 0;
    if (i + BLOCK < n)
        sum += in[i + BLOCK];
    part[t] = sum;

    // The other half is added to the first half, so that the active threads are the first threads.
    for (int half = BLOCK / 2; half > 0; half /= 2) {
        __syncthreads();
        if (t < half)
            part[t] += part[t + half];
    }
    if (t == 0)
        sums[blockIdx.x] = part[0];
}

int main(int argc, char **argv)
{
    int n = argc == 3 ? atoi(argv[1]) : 0;
    if (n < 1 || n > 1000000) {
        fprintf(stderr, "usage: reduction N SEED, with 1 to 1000000 elements\n");
        return 2;
    }
    state = (unsigned int)atoi(argv[2]);

    int most = (n + 2 * BLOCK - 1) / (2 * BLOCK);
    int *elements = (int *)malloc(n * sizeof(int));
    int *sums = (int *)malloc(most * sizeof(int));
    for (int i = 0; i < n; i++)
        elements[i] = next_number(2001) - 700;

    int *d_in, *d_a, *d_b;
    CHECK(cudaMalloc((void **)&d_in, n * sizeof(int)));
    CHECK(cudaMalloc((void **)&d_a, most * sizeof(int)));
    CHECK(cudaMalloc((void **)&d_b, most * sizeof(int)));
    CHECK(cudaMemcpy(d_in, elements, n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(d_a, 0, most * sizeof(int)));
    CHECK(cudaMemset(d_b, 0, most * sizeof(int)));

    const int *in = d_in;
    int *out = d_a;
    int left = n;
    do {
        int blocks = (left + 2 * BLOCK - 1) / (2 * BLOCK);
        sum_blocks<<<blocks, BLOCK>>>(in, out, left);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpy(sums, out, blocks * sizeof(int), cudaMemcpyDeviceToHost));
        printf("%d elements, %d blocks:", left, blocks);
        for (int b = 0; b < blocks; b += (blocks + 7) / 8)
            printf(" %d", sums[b]);
        printf(" ... %d\n", sums[blocks - 1]);
        in = out;
        out = out == d_a ? d_b : d_a;
        left = blocks;
    } while (left > 1);
    printf("sum %d\n", sums[0]);

    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_a));
    CHECK(cudaFree(d_b));
    free(elements);
    free(sums);
    return 0;
}
