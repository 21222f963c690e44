// Needleman-Wunsch alignment: one launch for each diagonal of tiles, a wavefront inside each tile.
// Build: warpcc needle.cu -o needle && ./needle [length], a multiple of 16
#include <cstdio>
#include <cstdlib>
#include <vector>

#define TILE 16
#define GAP 3

__device__ __host__ inline int best(int a, int b, int c)
{
    int ab = a > b ? a : b;
    return ab > c ? ab : c;
}

__device__ int score_of(char a, char b)
{
    return a == b ? 4 : -2;
}

// Fills the tiles of one diagonal. `table` has length + 1 rows and columns; its first ones are set.
__global__ void diagonal(int *table, const char *first, const char *second, int length, int x0, int y0)
{
    __shared__ int part[TILE + 1][TILE + 1];
    __shared__ char row[TILE], column[TILE];
    int t = threadIdx.x;
    int left = (x0 - blockIdx.x) * TILE, top = (y0 + blockIdx.x) * TILE;
    int width = length + 1;

    column[t] = first[left + t];
    row[t] = second[top + t];
    part[0][t + 1] = table[top * width + left + t + 1];
    part[t + 1][0] = table[(top + t + 1) * width + left];
    if (t == 0)
        part[0][0] = table[top * width + left];
    __syncthreads();

    for (int d = 0; d < 2 * TILE - 1; d++) {
        int y = d - t; // thread t has column t of the tile
        if (y >= 0 && y < TILE) {
            int match = part[y][t] + score_of(column[t], row[y]);
            part[y + 1][t + 1] = best(match, part[y][t + 1] - GAP, part[y + 1][t] - GAP);
        }
        __syncthreads();
    }
    for (int y = 0; y < TILE; y++)
        table[(top + y + 1) * width + left + t + 1] = part[y + 1][t + 1];
}

int main(int argc, char **argv)
{
    int length = argc > 1 ? atoi(argv[1]) : 96;
    if (length < TILE || length % TILE != 0) {
        fprintf(stderr, "usage: needle [length], a multiple of %d\n", TILE);
        return 2;
    }
    int width = length + 1, tiles = length / TILE;
    std::vector<char> first(length), second(length);
    srand(5);
    for (int i = 0; i < length; i++) {
        first[i] = "ACGT"[rand() % 4];
        second[i] = rand() % 5 == 0 ? "ACGT"[rand() % 4] : first[i];
    }
    std::vector<int> table(width * width, 0), expected;
    for (int i = 0; i < width; i++)
        table[i] = table[i * width] = -GAP * i;
    expected = table;

    int *d_table;
    char *d_first, *d_second;
    cudaMalloc((void **)&d_table, table.size() * sizeof(int));
    cudaMalloc((void **)&d_first, length);
    cudaMalloc((void **)&d_second, length);
    cudaMemcpy(d_table, table.data(), table.size() * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(d_first, first.data(), length, cudaMemcpyHostToDevice);
    cudaMemcpy(d_second, second.data(), length, cudaMemcpyHostToDevice);
    for (int d = 0; d < 2 * tiles - 1; d++) {
        int x0 = d < tiles ? d : tiles - 1; // the tile of the diagonal in the highest row
        int y0 = d - x0;
        int blocks = x0 - y0 + 1;
        diagonal<<<blocks, TILE>>>(d_table, d_first, d_second, length, x0, y0);
    }
    cudaMemcpy(table.data(), d_table, table.size() * sizeof(int), cudaMemcpyDeviceToHost);
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) {
        fprintf(stderr, "%s\n", cudaGetErrorString(error));
        return 2;
    }

    for (int y = 1; y < width; y++)
        for (int x = 1; x < width; x++) {
            int match = expected[(y - 1) * width + x - 1] + (first[x - 1] == second[y - 1] ? 4 : -2);
            int *here = &expected[y * width + x];
            *here = best(match, here[-width] - GAP, here[-1] - GAP);
        }
    // The aligned sequences, from the end.
    int x = length, y = length, matches = 0;
    while (x > 0 && y > 0) {
        int here = table[y * width + x];
        if (here == table[y * width + x - 1] - GAP)
            x--;
        else if (here == table[(y - 1) * width + x] - GAP)
            y--;
        else {
            matches += first[--x] == second[--y];
        }
    }
    printf("score %d, %d of %d letters match\n", table.back(), matches, length);
    bool passed = table == expected;
    puts(passed ? "PASSED" : "FAILED");
    cudaFree(d_table);
    cudaFree(d_first);
    cudaFree(d_second);
    return passed ? 0 : 1;
}
