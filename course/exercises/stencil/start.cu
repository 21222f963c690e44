// Heat in a plate: several steps of a stencil of five points.
// Call: stencil WIDTH HEIGHT STEPS SEED
#include <stdio.h>
#include <stdlib.h>

#define SIDE 16

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

// Computes one step: a cell inside the plate gets 1/8 of the sum of its four neighbors and of four
// times its old value. Cells at the border keep their values.
__global__ void heat(const int *in, int *out, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height)
        return;
    int at = y * width + x;
    int value = in[at];
    if (x > 0 && x < width - 1 && y > 0 && y < height - 1)
        value = (4 * value + in[at - 1] + in[at + 1] + in[at - width] + in[at + width]) / 8;
    out[at] = value;
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

    dim3 block(SIDE, SIDE);
    dim3 grid((width + SIDE - 1) / SIDE, (height + SIDE - 1) / SIDE);
    for (int step = 0; step < steps; step++) {
        heat<<<grid, block>>>(d_in, d_out, width, height);
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
