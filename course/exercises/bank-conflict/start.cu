// Pairs of readings of each row in which the later reading is smaller.
// Call: bank-conflict ROWS SEED
#include <stdio.h>
#include <stdlib.h>

#define ROWS 64    // rows and threads of a block
#define COLUMNS 32 // readings of a row

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

// Counts, for each row, the pairs of readings in which the later reading is smaller.
__global__ void count_falling(const int *readings, int *counts, int rows)
{
    __shared__ int tile[ROWS][COLUMNS];
    int t = threadIdx.x;
    int first = blockIdx.x * ROWS;

    // Neighboring threads load neighboring readings.
    for (int i = t; i < ROWS * COLUMNS; i += ROWS) {
        int row = i / COLUMNS;
        int column = i % COLUMNS;
        if (first + row < rows)
            tile[row][column] = readings[first * COLUMNS + i];
    }
    __syncthreads();

    if (first + t < rows) {
        int count = 0;
        for (int column = 0; column < COLUMNS - 1; column++) {
            int reading = tile[t][column];
            for (int later = column + 1; later < COLUMNS; later++)
                if (tile[t][later] < reading)
                    count++;
        }
        counts[first + t] = count;
    }
}

int main(int argc, char **argv)
{
    int rows = argc == 3 ? atoi(argv[1]) : 0;
    if (rows < 1 || rows > 4096) {
        fprintf(stderr, "usage: bank-conflict ROWS SEED, with 1 to 4096 rows\n");
        return 2;
    }
    state = (unsigned int)atoi(argv[2]);

    size_t bytes = rows * COLUMNS * sizeof(int);
    int *readings = (int *)malloc(bytes);
    int *counts = (int *)malloc(rows * sizeof(int));
    for (int i = 0; i < rows * COLUMNS; i++)
        readings[i] = next_number(10000);

    int *d_readings, *d_counts;
    CHECK(cudaMalloc((void **)&d_readings, bytes));
    CHECK(cudaMalloc((void **)&d_counts, rows * sizeof(int)));
    CHECK(cudaMemcpy(d_readings, readings, bytes, cudaMemcpyHostToDevice));

    count_falling<<<(rows + ROWS - 1) / ROWS, ROWS>>>(d_readings, d_counts, rows);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(counts, d_counts, rows * sizeof(int), cudaMemcpyDeviceToHost));

    for (int i = 0; i < rows; i += 50)
        printf("row %d: %d\n", i, counts[i]);
    long long sum = 0;
    for (int i = 0; i < rows; i++)
        sum += (long long)counts[i] * (i + 1);
    printf("weighted sum %lld\n", sum);

    CHECK(cudaFree(d_readings));
    CHECK(cudaFree(d_counts));
    free(readings);
    free(counts);
    return 0;
}
