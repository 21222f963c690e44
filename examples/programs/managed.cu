// Managed variables: host and kernels use the same names. Needs Linux.
// Build: warpcc -arch=sm_20 managed.cu -o managed && ./managed [threads]
#include <stdio.h>
#include <stdlib.h>

struct Range {
    int low, high;
};

__managed__ Range seen = {1 << 30, -1};
__device__ __managed__ int histogram[8];
static __managed__ float weights[4] = {0.5f, 1, 2, 4};

__global__ void count(int threads)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= threads)
        return;
    int value = i * 7 % 100 + 3;
    atomicMin(&seen.low, value);
    atomicMax(&seen.high, value);
    atomicAdd(&histogram[i % 8], 1);
}

// A pointer to a managed variable is a pointer for kernels too.
__global__ void scale(float *values, float factor)
{
    values[threadIdx.x] *= factor * histogram[threadIdx.x];
}

int main(int argc, char **argv)
{
    int threads = argc > 1 ? atoi(argv[1]) : 300;
    if (threads < 100) {
        fprintf(stderr, "usage: managed [threads, at least 100]\n");
        return 2;
    }
    cudaDeviceProp prop;
    if (cudaGetDeviceProperties(&prop, 0) != cudaSuccess || prop.major < 2 || !prop.managedMemory) {
        printf("needs managed memory: compute capability 2.0, not %d.%d\n", prop.major, prop.minor);
        return 3;
    }
    int wrong = 0;
    for (int i = 0; i < 8; i++) {
        wrong += histogram[i] != 0;
        histogram[i] = 10 * i; // the host writes, then the device adds
    }
    wrong += seen.low != 1 << 30 || weights[3] != 4;
    count<<<(threads + 63) / 64, 64>>>(threads);
    cudaDeviceSynchronize();
    for (int i = 0; i < 8; i++)
        wrong += histogram[i] != 10 * i + (threads + 7 - i) / 8;
    wrong += seen.low != 3 || seen.high != 102;
    scale<<<1, 4>>>(weights, 2);
    cudaDeviceSynchronize();
    for (int i = 0; i < 4; i++)
        wrong += weights[i] != 0.5f * (1 << i) * 2 * histogram[i];

    // The functions for symbols know managed variables.
    int copy[8];
    void *address;
    Range all = {-5, 5};
    wrong += cudaMemcpyFromSymbol(copy, histogram, sizeof copy) != cudaSuccess || copy[7] != histogram[7];
    wrong += cudaMemcpyToSymbol(seen, &all, sizeof all) != cudaSuccess || seen.low != -5;
    wrong += cudaGetSymbolAddress(&address, seen) != cudaSuccess || address != &seen;
    count<<<1, 64>>>(64);
    wrong += cudaDeviceSynchronize() != cudaSuccess || seen.low != -5 || seen.high != 102;
    printf("%d to %d, %d wrong\n", seen.low, seen.high, wrong);
    printf("%s\n", wrong ? "FAILED" : "PASSED");
    return wrong ? 1 : 0;
}
