// Cooling of rods: each block computes the temperatures of one rod.
// Call: race RODS CELLS STEPS SEED
#include <stdio.h>
#include <stdlib.h>

#define BLOCK 128      // threads of a block
#define MOST_CELLS 512 // most cells of a rod

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

// Computes the temperatures after `steps` steps. In a step, each cell gets the mean of its old
// temperature, with weight 2, and of the old temperatures of its two neighbors.
__global__ void cool(const int *before, int *after, int cells, int steps)
{
    __shared__ int rod[2][MOST_CELLS];
    int t = threadIdx.x;
    int first = blockIdx.x * cells;
    for (int c = t; c < cells; c += BLOCK)
        rod[0][c] = before[first + c];
    // A step reads one array and writes the other array.
    int now = 0;
    for (int step = 0; step < steps; step++) {
        __syncthreads();
        for (int c = t; c < cells; c += BLOCK) {
            int left = rod[now][max(c - 1, 0)];
            int right = rod[now][min(c + 1, cells - 1)];
            rod[1 - now][c] = (left + 2 * rod[now][c] + right) / 4;
        }
        now = 1 - now;
    }
    for (int c = t; c < cells; c += BLOCK)
        after[first + c] = rod[now][c];
}

int main(int argc, char **argv)
{
    int rods = argc == 5 ? atoi(argv[1]) : 0;
    int cells = argc == 5 ? atoi(argv[2]) : 0;
    int steps = argc == 5 ? atoi(argv[3]) : -1;
    if (rods < 1 || rods > 64 || cells < 1 || cells > MOST_CELLS || steps < 0 || steps > 1000) {
        fprintf(stderr, "usage: race RODS CELLS STEPS SEED, with at most 64 rods, %d cells and "
                        "1000 steps\n", MOST_CELLS);
        return 2;
    }
    state = (unsigned int)atoi(argv[4]);

    int n = rods * cells;
    size_t bytes = n * sizeof(int);
    int *temperatures = (int *)malloc(bytes);
    for (int i = 0; i < n; i++)
        temperatures[i] = next_number(100000);

    int *d_before, *d_after;
    CHECK(cudaMalloc((void **)&d_before, bytes));
    CHECK(cudaMalloc((void **)&d_after, bytes));
    CHECK(cudaMemcpy(d_before, temperatures, bytes, cudaMemcpyHostToDevice));

    cool<<<rods, BLOCK>>>(d_before, d_after, cells, steps);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(temperatures, d_after, bytes, cudaMemcpyDeviceToHost));

    for (int rod = 0; rod < rods; rod++) {
        const int *cell = temperatures + rod * cells;
        long long sum = 0;
        for (int i = 0; i < cells; i++)
            sum += (long long)cell[i] * (i + 1);
        printf("rod %d: %d %d %d, weighted sum %lld\n",
               rod, cell[0], cell[cells / 2], cell[cells - 1], sum);
    }

    CHECK(cudaFree(d_before));
    CHECK(cudaFree(d_after));
    free(temperatures);
    return 0;
}
