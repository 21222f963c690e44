// Inclusive prefix sums of an array of several blocks.
// Call: scan N SEED
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

// Stores the prefix sums of each block's own elements in `out`, and the sum of all elements of the
// block in `sums[blockIdx.x]`.
__global__ void scan_blocks(const int *in, int *out, int *sums, int n)
{
    // Your code
}

// Adds to each element of `out` the sum of all earlier blocks. `sums[b]` is the sum of the
// blocks 0 to b.
__global__ void add_earlier_blocks(int *out, const int *sums, int n)
{
    // Your code
}

int main(int argc, char **argv)
{
    int n = argc == 3 ? atoi(argv[1]) : 0;
    if (n < 1 || n > BLOCK * BLOCK) {
        fprintf(stderr, "usage: scan N SEED, with 1 to %d elements\n", BLOCK * BLOCK);
        return 2;
    }
    state = (unsigned int)atoi(argv[2]);

    int blocks = (n + BLOCK - 1) / BLOCK;
    size_t bytes = n * sizeof(int);
    int *elements = (int *)malloc(bytes);
    for (int i = 0; i < n; i++)
        elements[i] = next_number(201) - 80;

    int *d_in, *d_out, *d_sums, *d_total;
    CHECK(cudaMalloc((void **)&d_in, bytes));
    CHECK(cudaMalloc((void **)&d_out, bytes));
    CHECK(cudaMalloc((void **)&d_sums, blocks * sizeof(int)));
    CHECK(cudaMalloc((void **)&d_total, sizeof(int)));
    CHECK(cudaMemcpy(d_in, elements, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(d_out, 0, bytes));
    CHECK(cudaMemset(d_sums, 0, blocks * sizeof(int)));
    CHECK(cudaMemset(d_total, 0, sizeof(int)));

    // The sums of the blocks are at most BLOCK numbers: one block computes their prefix sums.
    scan_blocks<<<blocks, BLOCK>>>(d_in, d_out, d_sums, n);
    CHECK(cudaGetLastError());
    scan_blocks<<<1, BLOCK>>>(d_sums, d_sums, d_total, blocks);
    CHECK(cudaGetLastError());
    add_earlier_blocks<<<blocks, BLOCK>>>(d_out, d_sums, n);
    CHECK(cudaGetLastError());

    int total;
    CHECK(cudaMemcpy(&total, d_total, sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(elements, d_out, bytes, cudaMemcpyDeviceToHost));
    printf("total %d\n", total);
    for (int i = 0; i < n; i += (n + 15) / 16)
        printf("sum of the elements 0 to %d: %d\n", i, elements[i]);
    long long sum = 0;
    for (int i = 0; i < n; i++)
        sum += (long long)elements[i] * (i % 101 + 1);
    printf("last %d, weighted sum %lld\n", elements[n - 1], sum);

    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    CHECK(cudaFree(d_sums));
    CHECK(cudaFree(d_total));
    free(elements);
    return 0;
}
