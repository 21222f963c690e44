// Heat in a plate: several steps of a stencil of five points.
// Call: stencil WIDTH HEIGHT STEPS SEED
#include <stdio.h>
#include <stdlib.h>

#define TILE 32                  // cells of a tile in x and in y
#define FUSED 6                  // most steps of a launch
#define INNER (TILE - 2 * FUSED) // cells of a tile that a block stores, in x and in y

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

// Computes up to FUSED steps: a cell inside the plate gets 1/8 of the sum of its four neighbors and
// of four times its old value. Cells at the border keep their values.
//
// A block loads a tile into shared memory. With each step, the cells at the edge of the tile become
// wrong, one cell further inside. After FUSED steps, INNER x INNER cells are right.
__global__ void heat(const int *in, int *out, int width, int height, int steps)
{
    __shared__ int tile[2][TILE][TILE];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int x = blockIdx.x * INNER - FUSED + tx;
    int y = blockIdx.y * INNER - FUSED + ty;
    bool exists = x >= 0 && x < width && y >= 0 && y < height;
    bool changes = x > 0 && x < width - 1 && y > 0 && y < height - 1
                   && tx > 0 && tx < TILE - 1 && ty > 0 && ty < TILE - 1;
    bool stores = tx >= FUSED && tx < TILE - FUSED && ty >= FUSED && ty < TILE - FUSED;

    int value = exists ? in[y * width + x] : 0;
    int now = 0;
    for (int step = 0; step < steps; step++) {
        tile[now][ty][tx] = value;
        __syncthreads();
        if (changes)
            value = (4 * value + tile[now][ty][tx - 1] + tile[now][ty][tx + 1]
                     + tile[now][ty - 1][tx] + tile[now][ty + 1][tx]) / 8;
        now = 1 - now; // the next step writes the other tile: no second barrier is necessary
    }
    if (exists && stores)
        out[y * width + x] = value;
}

int main(int argc, char **argv)
{
    int width = argc == 5 ? atoi(argv[1]) : 0;
    int height = argc == 5 ? atoi(argv[2]) : 0;
    int steps = argc == 5 ? atoi(argv[3]) : 0;
    if (width < 1 || width > 512 || height < 1 || height > 512 || steps < 1 || steps > 100) {
        fprintf(stderr, "usage: stencil WIDTH HEIGHT STEPS SEED, with 1 to 512 cells and 1 to 100 "
                        "steps\n");
        return 2;
    }
    state = (unsigned int)atoi(argv[4]);

    int n = width * height;
    size_t bytes = n * sizeof(int);
    int *plate = (int *)malloc(bytes);
    for (int i = 0; i < n; i++)
        plate[i] = next_number(100000);

    int *d_in, *d_out;
    CHECK(cudaMalloc((void **)&d_in, bytes));
    CHECK(cudaMalloc((void **)&d_out, bytes));
    CHECK(cudaMemcpy(d_in, plate, bytes, cudaMemcpyHostToDevice));

    dim3 block(TILE, TILE);
    dim3 grid((width + INNER - 1) / INNER, (height + INNER - 1) / INNER);
    for (int done = 0; done < steps; done += FUSED) {
        heat<<<grid, block>>>(d_in, d_out, width, height, min(FUSED, steps - done));
        CHECK(cudaGetLastError());
        int *swap = d_in;
        d_in = d_out;
        d_out = swap;
    }
    CHECK(cudaMemcpy(plate, d_in, bytes, cudaMemcpyDeviceToHost));

    printf("corner %d, middle %d\n", plate[0], plate[height / 2 * width + width / 2]);
    for (int y = 0; y < height; y += (height + 7) / 8) {
        long long sum = 0;
        for (int x = 0; x < width; x++)
            sum += (long long)plate[y * width + x] * (x + 1);
        printf("row %d: weighted sum %lld\n", y, sum);
    }
    long long sum = 0;
    for (int i = 0; i < n; i++)
        sum += (long long)plate[i] * (i % 1009 + 1);
    printf("weighted sum %lld\n", sum);

    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    free(plate);
    return 0;
}
