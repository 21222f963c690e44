// Game of life on a torus. A file life.txt gives the pattern: lines with `#` for living cells.
// Build: warpcc life.cu -o life && ./life [generations]
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIZE 64
#define TILE 16

__host__ __device__ unsigned char next(int alive, int neighbors)
{
    return neighbors == 3 || (alive && neighbors == 2);
}

// A block reads its tile and the border around it into shared memory.
__global__ void step(unsigned char *out, const unsigned char *in)
{
    __shared__ unsigned char tile[TILE + 2][TILE + 2];
    int left = blockIdx.x * TILE - 1, top = blockIdx.y * TILE - 1;
    for (int i = threadIdx.y * TILE + threadIdx.x; i < (TILE + 2) * (TILE + 2); i += TILE * TILE) {
        int x = (left + i % (TILE + 2) + SIZE) % SIZE;
        int y = (top + i / (TILE + 2) + SIZE) % SIZE;
        tile[i / (TILE + 2)][i % (TILE + 2)] = in[y * SIZE + x];
    }
    __syncthreads();
    int x = threadIdx.x + 1, y = threadIdx.y + 1;
    int neighbors = -tile[y][x];
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            neighbors += tile[y + dy][x + dx];
    out[(top + y) * SIZE + left + x] = next(tile[y][x], neighbors);
}

static void step_on_host(unsigned char *out, const unsigned char *in)
{
    for (int y = 0; y < SIZE; y++)
        for (int x = 0; x < SIZE; x++) {
            int neighbors = -in[y * SIZE + x];
            for (int dy = SIZE - 1; dy <= SIZE + 1; dy++)
                for (int dx = SIZE - 1; dx <= SIZE + 1; dx++)
                    neighbors += in[(y + dy) % SIZE * SIZE + (x + dx) % SIZE];
            out[y * SIZE + x] = next(in[y * SIZE + x], neighbors);
        }
}

// Reads the pattern, or takes a glider and a line of five cells.
static void read_pattern(unsigned char *cells)
{
    const char *pattern[] = {".#", "..#", "###", "", "", "................#####"};
    memset(cells, 0, SIZE * SIZE);
    FILE *file = fopen("life.txt", "r");
    char line[256];
    for (int y = 0; y < SIZE; y++) {
        if (file) {
            if (!fgets(line, sizeof line, file))
                break;
        } else {
            if (y >= 6)
                break;
            strcpy(line, pattern[y]);
        }
        for (int x = 0; x < SIZE && line[x]; x++)
            cells[y * SIZE + x] = line[x] == '#';
    }
    printf(file ? "the pattern of life.txt\n" : "a glider and a line of five cells\n");
    if (file)
        fclose(file);
}

int main(int argc, char **argv)
{
    int generations = argc > 1 ? atoi(argv[1]) : 8;
    if (generations < 1 || generations > 1000) {
        fprintf(stderr, "usage: life [generations], 1 to 1000\n");
        return 2;
    }
    static unsigned char cells[SIZE * SIZE], expected[SIZE * SIZE], other[SIZE * SIZE];
    read_pattern(cells);
    memcpy(expected, cells, sizeof cells);
    for (int g = 0; g < generations; g++) {
        step_on_host(other, expected);
        memcpy(expected, other, sizeof other);
    }

    unsigned char *d_old, *d_new;
    cudaMalloc((void **)&d_old, SIZE * SIZE);
    cudaMalloc((void **)&d_new, SIZE * SIZE);
    cudaMemcpy(d_old, cells, SIZE * SIZE, cudaMemcpyHostToDevice);
    for (int g = 0; g < generations; g++) {
        step<<<dim3(SIZE / TILE, SIZE / TILE), dim3(TILE, TILE)>>>(d_new, d_old);
        unsigned char *swap = d_old;
        d_old = d_new;
        d_new = swap;
    }
    cudaError_t error = cudaMemcpy(cells, d_old, SIZE * SIZE, cudaMemcpyDeviceToHost);
    if (error != cudaSuccess) {
        fprintf(stderr, "error: %s\n", cudaGetErrorString(error));
        return 2;
    }

    int alive = 0, wrong = 0;
    for (int i = 0; i < SIZE * SIZE; i++) {
        alive += cells[i];
        wrong += cells[i] != expected[i];
    }
    for (int y = 0; y < 12; y++) {
        for (int x = 0; x < 32; x++)
            putchar(cells[y * SIZE + x] ? '#' : '.');
        putchar('\n');
    }
    printf("%d cells are alive after %d generations; %d cells are wrong\n", alive, generations, wrong);
    cudaFree(d_old);
    cudaFree(d_new);
    printf(wrong == 0 ? "PASSED\n" : "FAILED\n");
    return wrong != 0;
}
