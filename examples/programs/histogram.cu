// Histogram of bytes: atomics on a histogram of each block in shared memory, then in global memory.
// Build: warpcc -arch=sm_12 histogram.cu -o histogram && ./histogram [bytes]
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BINS 256
#define BLOCK 256

// Words of 4 bytes, a loop over the grid, one histogram for each block.
__global__ void with_shared(const unsigned int *data, unsigned int *bins, int words)
{
    __shared__ unsigned int mine[BINS];
    for (int b = threadIdx.x; b < BINS; b += blockDim.x)
        mine[b] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < words; i += blockDim.x * gridDim.x) {
        unsigned int word = data[i];
        atomicAdd(&mine[word & 0xff], 1);
        atomicAdd(&mine[word >> 8 & 0xff], 1);
        atomicAdd(&mine[word >> 16 & 0xff], 1);
        atomicAdd(&mine[word >> 24], 1);
    }
    __syncthreads();
    for (int b = threadIdx.x; b < BINS; b += blockDim.x)
        if (mine[b] > 0)
            atomicAdd(&bins[b], mine[b]);
}

// One byte for each thread, all atomics in global memory; also finds the largest byte.
__global__ void with_global(const unsigned char *data, unsigned int *bins, unsigned int *largest, int bytes)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < bytes) {
        atomicAdd(bins + data[i], 1u);
        atomicMax(largest, (unsigned int)data[i]);
    }
}

static bool equal(const char *name, const unsigned int *d_bins, const unsigned int *expected)
{
    unsigned int bins[BINS];
    cudaMemcpy(bins, d_bins, sizeof bins, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int b = 0; b < BINS; b++)
        wrong += bins[b] != expected[b];
    printf("%s: %d of %d bins are wrong\n", name, wrong, BINS);
    return wrong == 0;
}

int main(int argc, char **argv)
{
    int bytes = argc > 1 ? atoi(argv[1]) & ~3 : 16384;
    if (bytes < 4) {
        fprintf(stderr, "usage: histogram [bytes], at least 4\n");
        return 2;
    }
    cudaDeviceProp prop;
    cudaGetDeviceProperties(&prop, 0);
    if (prop.major == 1 && prop.minor < 2) {
        printf("needs atomics in shared memory: compute capability 1.2, not %d.%d\n", prop.major, prop.minor);
        return 3;
    }
    unsigned char *data = (unsigned char *)malloc(bytes);
    unsigned int expected[BINS] = {0}, largest = 0, found = 0;
    srand(3);
    for (int i = 0; i < bytes; i++) {
        data[i] = (rand() & 0x7f) + (rand() & 0x7f); // a triangle, so that bins collide
        expected[data[i]]++;
        largest = data[i] > largest ? data[i] : largest;
    }

    unsigned char *d_data;
    unsigned int *d_bins, *d_largest;
    cudaMalloc((void **)&d_data, bytes);
    cudaMalloc((void **)&d_bins, BINS * sizeof(unsigned int));
    cudaMalloc((void **)&d_largest, sizeof(unsigned int));
    cudaMemcpy(d_data, data, bytes, cudaMemcpyHostToDevice);

    cudaMemset(d_bins, 0, BINS * sizeof(unsigned int));
    with_shared<<<2 * prop.multiProcessorCount, BLOCK>>>((unsigned int *)d_data, d_bins, bytes / 4);
    bool passed = equal("atomics in shared memory", d_bins, expected);

    cudaMemset(d_bins, 0, BINS * sizeof(unsigned int));
    cudaMemset(d_largest, 0, sizeof(unsigned int));
    with_global<<<(bytes + BLOCK - 1) / BLOCK, BLOCK>>>(d_data, d_bins, d_largest, bytes);
    passed = equal("atomics in global memory", d_bins, expected) && passed;
    cudaMemcpy(&found, d_largest, sizeof found, cudaMemcpyDeviceToHost);
    printf("largest byte: %u\n", found);

    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) {
        fprintf(stderr, "%s\n", cudaGetErrorString(error));
        return 2;
    }
    passed = passed && found == largest;
    cudaFree(d_data);
    cudaFree(d_bins);
    cudaFree(d_largest);
    free(data);
    printf("%s\n", passed ? "PASSED" : "FAILED");
    return passed ? 0 : 1;
}
