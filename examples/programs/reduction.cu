// Sum of an array with three kernels, each timed with events.
// Build: warpcc reduction.cu -o reduction && ./reduction [elements]
#include <stdio.h>
#include <stdlib.h>
#include <helper_cuda.h>

#define BLOCK 128

typedef void (*Kernel)(const int *in, int *out, int n);

// Neighbors first: the active threads are spread over all warps.
__global__ void interleaved(const int *in, int *out, int n)
{
    __shared__ int sum[BLOCK];
    unsigned int t = threadIdx.x, i = blockIdx.x * BLOCK + t;
    sum[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (unsigned int s = 1; s < BLOCK; s *= 2) {
        if (t % (2 * s) == 0)
            sum[t] += sum[t + s];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = sum[0];
}

// The other half first: the active threads are the first ones.
__global__ void sequential(const int *in, int *out, int n)
{
    __shared__ int sum[BLOCK];
    unsigned int t = threadIdx.x, i = blockIdx.x * BLOCK + t;
    sum[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (unsigned int s = BLOCK / 2; s > 0; s >>= 1) {
        if (t < s)
            sum[t] += sum[t + s];
        __syncthreads();
    }
    if (t == 0)
        out[blockIdx.x] = sum[0];
}

// Several elements for each thread, and no barrier in the last warp, which runs in lockstep.
__global__ void unrolled(const int *in, int *out, int n)
{
    __shared__ volatile int sum[BLOCK];
    int t = threadIdx.x, mine = 0;
    for (int i = blockIdx.x * BLOCK + t; i < n; i += gridDim.x * BLOCK)
        mine += in[i];
    sum[t] = mine;
    __syncthreads();
    if (t < 64)
        sum[t] = mine = mine + sum[t + 64];
    __syncthreads();
    if (t < 32) {
        sum[t] = mine = mine + sum[t + 32];
        sum[t] = mine = mine + sum[t + 16];
        sum[t] = mine = mine + sum[t + 8];
        sum[t] = mine = mine + sum[t + 4];
        sum[t] = mine = mine + sum[t + 2];
        sum[t] = mine = mine + sum[t + 1];
    }
    if (t == 0)
        out[blockIdx.x] = sum[0];
}

// Launches `kernel` until one block is left; returns the milliseconds, and the sum in `*result`.
static float reduce(Kernel kernel, int grid_limit, const int *d_in, int *d_a, int *d_b, int n, int *result)
{
    cudaEvent_t start, stop;
    checkCudaErrors(cudaEventCreate(&start));
    checkCudaErrors(cudaEventCreate(&stop));
    checkCudaErrors(cudaEventRecord(start, 0));
    const int *in = d_in;
    int *out = d_a;
    int blocks;
    do {
        blocks = min((n + BLOCK - 1) / BLOCK, grid_limit);
        kernel<<<blocks, BLOCK>>>(in, out, n);
        checkCudaErrors(cudaGetLastError());
        in = out;
        out = out == d_a ? d_b : d_a;
        n = blocks;
    } while (blocks > 1);
    checkCudaErrors(cudaEventRecord(stop, 0));
    checkCudaErrors(cudaEventSynchronize(stop));
    checkCudaErrors(cudaMemcpy(result, in, sizeof(int), cudaMemcpyDeviceToHost));
    float ms = 0;
    checkCudaErrors(cudaEventElapsedTime(&ms, start, stop));
    checkCudaErrors(cudaEventDestroy(start));
    checkCudaErrors(cudaEventDestroy(stop));
    return ms;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 20000;
    if (n < 1) {
        fprintf(stderr, "usage: reduction [elements]\n");
        return 2;
    }
    int device = findCudaDevice(argc, (const char **)argv);
    cudaDeviceProp prop;
    checkCudaErrors(cudaGetDeviceProperties(&prop, device));

    int *values = (int *)malloc(n * sizeof(int)), expected = 0;
    for (int i = 0; i < n; i++) {
        values[i] = (i * 31 + 7) % 1000 - 300;
        expected += values[i];
    }
    int *d_in, *d_a, *d_b, most = (n + BLOCK - 1) / BLOCK;
    checkCudaErrors(cudaMalloc((void **)&d_in, n * sizeof(int)));
    checkCudaErrors(cudaMalloc((void **)&d_a, most * sizeof(int)));
    checkCudaErrors(cudaMalloc((void **)&d_b, most * sizeof(int)));
    checkCudaErrors(cudaMemcpy(d_in, values, n * sizeof(int), cudaMemcpyHostToDevice));

    const char *names[] = {"interleaved", "sequential", "unrolled"};
    Kernel kernels[] = {interleaved, sequential, unrolled};
    int limits[] = {65535, 65535, 2 * prop.multiProcessorCount};
    bool passed = true;
    for (int k = 0; k < 3; k++) {
        int sum = 0;
        float ms = reduce(kernels[k], limits[k], d_in, d_a, d_b, n, &sum);
        printf("%-12s sum %d, %.4f ms, %.3f GB/s\n", names[k], sum, ms, n * sizeof(int) / (ms * 1e6));
        passed = passed && sum == expected && ms >= 0;
    }
    checkCudaErrors(cudaFree(d_in));
    checkCudaErrors(cudaFree(d_a));
    checkCudaErrors(cudaFree(d_b));
    free(values);
    printf("%s\n", passed ? "PASSED" : "FAILED");
    return passed ? EXIT_SUCCESS : EXIT_FAILURE;
}
