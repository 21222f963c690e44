// Cross fade of two images in device memory.
// Call: uncoalesced WIDTH HEIGHT SEED
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

// Cross fade: the left edge shows the first image, and the right edge shows the second one.
__global__ void cross_fade(const int *first, const int *second, int *out, int width, int height)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < height && column < width) {
        int at = row * width + column;
        int part = column * 4;
        out[at] = first[at] * (4 * width - part) + second[at] * part;
    }
}

int main(int argc, char **argv)
{
    int width = argc == 4 ? atoi(argv[1]) : 0;
    int height = argc == 4 ? atoi(argv[2]) : 0;
    if (width < 1 || width > 512 || height < 1 || height > 512) {
        fprintf(stderr, "usage: uncoalesced WIDTH HEIGHT SEED, with 1 to 512 rows and columns\n");
        return 2;
    }
    state = (unsigned int)atoi(argv[3]);

    int n = width * height;
    size_t bytes = n * sizeof(int);
    int *first = (int *)malloc(bytes);
    int *second = (int *)malloc(bytes);
    for (int i = 0; i < n; i++) {
        first[i] = next_number(256);
        second[i] = next_number(256);
    }

    int *d_first, *d_second, *d_out;
    CHECK(cudaMalloc((void **)&d_first, bytes));
    CHECK(cudaMalloc((void **)&d_second, bytes));
    CHECK(cudaMalloc((void **)&d_out, bytes));
    CHECK(cudaMemcpy(d_first, first, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_second, second, bytes, cudaMemcpyHostToDevice));

    dim3 block(SIDE, SIDE);
    dim3 grid((width + SIDE - 1) / SIDE, (height + SIDE - 1) / SIDE);
    cross_fade<<<grid, block>>>(d_first, d_second, d_out, width, height);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(first, d_out, bytes, cudaMemcpyDeviceToHost));

    // The corners, and a sum in which each position has its weight.
    printf("corners %d %d %d %d\n", first[0], first[width - 1], first[n - width], first[n - 1]);
    long long sum = 0;
    for (int i = 0; i < n; i++)
        sum += (long long)first[i] * (i % 251 + 1);
    printf("weighted sum %lld\n", sum);

    CHECK(cudaFree(d_first));
    CHECK(cudaFree(d_second));
    CHECK(cudaFree(d_out));
    free(first);
    free(second);
    return 0;
}
