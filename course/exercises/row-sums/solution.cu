// Sums of the rows and of the columns of a matrix.
// Call: row-sums WIDTH HEIGHT SEED
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

// Stores the sum of row `blockIdx.x` in `sums[blockIdx.x]`: one block for each row.
__global__ void row_sums(const int *matrix, int *sums, int width)
{
    __shared__ int part[BLOCK];
    int t = threadIdx.x;
    const int *row = matrix + blockIdx.x * width;
    int sum = 0;
    for (int column = t; column < width; column += BLOCK)
        sum += row[column];
    part[t] = sum;
    for (int half = BLOCK / 2; half > 0; half /= 2) {
        __syncthreads();
        if (t < half)
            part[t] += part[t + half];
    }
    if (t == 0)
        sums[blockIdx.x] = part[0];
}

// Stores the sum of each column in `sums`: one thread for each column.
__global__ void column_sums(const int *matrix, int *sums, int width, int height)
{
    int column = blockIdx.x * BLOCK + threadIdx.x;
    if (column >= width)
        return;
    int sum = 0;
    for (int row = 0; row < height; row++)
        sum += matrix[row * width + column];
    sums[column] = sum;
}

// Prints the first four sums, the last one, and a sum in which each position has its weight.
static void print_sums(const char *name, const int *sums, int n)
{
    printf("%s:", name);
    for (int i = 0; i < n && i < 4; i++)
        printf(" %d", sums[i]);
    long long weighted = 0;
    for (int i = 0; i < n; i++)
        weighted += (long long)sums[i] * (i + 1);
    printf(" ... %d, weighted sum %lld\n", sums[n - 1], weighted);
}

int main(int argc, char **argv)
{
    int width = argc == 4 ? atoi(argv[1]) : 0;
    int height = argc == 4 ? atoi(argv[2]) : 0;
    if (width < 1 || width > 1024 || height < 1 || height > 1024) {
        fprintf(stderr, "usage: row-sums WIDTH HEIGHT SEED, with 1 to 1024 rows and columns\n");
        return 2;
    }
    state = (unsigned int)atoi(argv[3]);

    size_t bytes = width * height * sizeof(int);
    int *matrix = (int *)malloc(bytes);
    int *by_row = (int *)malloc(height * sizeof(int));
    int *by_column = (int *)malloc(width * sizeof(int));
    for (int i = 0; i < width * height; i++)
        matrix[i] = next_number(2001) - 1000;

    int *d_matrix, *d_rows, *d_columns;
    CHECK(cudaMalloc((void **)&d_matrix, bytes));
    CHECK(cudaMalloc((void **)&d_rows, height * sizeof(int)));
    CHECK(cudaMalloc((void **)&d_columns, width * sizeof(int)));
    CHECK(cudaMemcpy(d_matrix, matrix, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(d_rows, 0, height * sizeof(int)));
    CHECK(cudaMemset(d_columns, 0, width * sizeof(int)));

    row_sums<<<height, BLOCK>>>(d_matrix, d_rows, width);
    CHECK(cudaGetLastError());
    column_sums<<<(width + BLOCK - 1) / BLOCK, BLOCK>>>(d_matrix, d_columns, width, height);
    CHECK(cudaGetLastError());

    CHECK(cudaMemcpy(by_row, d_rows, height * sizeof(int), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(by_column, d_columns, width * sizeof(int), cudaMemcpyDeviceToHost));
    print_sums("rows", by_row, height);
    print_sums("columns", by_column, width);

    CHECK(cudaFree(d_matrix));
    CHECK(cudaFree(d_rows));
    CHECK(cudaFree(d_columns));
    free(matrix);
    free(by_row);
    free(by_column);
    return 0;
}
