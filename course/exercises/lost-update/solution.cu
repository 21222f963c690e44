// Counts readings above a limit and readings that are not above it.
// Call: lost-update N LIMIT SEED
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

// Counts the readings above the limit in counts[0], and all others in counts[1].
__global__ void count_readings(const int *readings, int n, int limit, int *counts)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n) {
        if (readings[i] > limit)
            atomicAdd(&counts[0], 1);
        else
            atomicAdd(&counts[1], 1);
    }
}

int main(int argc, char **argv)
{
    int n = argc == 4 ? atoi(argv[1]) : 0;
    if (n < 1 || n > 100000) {
        fprintf(stderr, "usage: lost-update N LIMIT SEED, with 1 to 100000 readings\n");
        return 2;
    }
    int limit = atoi(argv[2]);
    state = (unsigned int)atoi(argv[3]);

    int *readings = (int *)malloc(n * sizeof(int));
    for (int i = 0; i < n; i++)
        readings[i] = next_number(1000);

    int *d_readings, *d_counts;
    CHECK(cudaMalloc((void **)&d_readings, n * sizeof(int)));
    CHECK(cudaMalloc((void **)&d_counts, 2 * sizeof(int)));
    CHECK(cudaMemcpy(d_readings, readings, n * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(d_counts, 0, 2 * sizeof(int)));

    count_readings<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(d_readings, n, limit, d_counts);
    CHECK(cudaGetLastError());

    int counts[2];
    CHECK(cudaMemcpy(counts, d_counts, 2 * sizeof(int), cudaMemcpyDeviceToHost));
    printf("%d readings: %d above %d, %d not above\n", n, counts[0], limit, counts[1]);

    CHECK(cudaFree(d_readings));
    CHECK(cudaFree(d_counts));
    free(readings);
    return 0;
}
