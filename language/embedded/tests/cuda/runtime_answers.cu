// Answers of the runtime API as a GPU with nvcc gave them: each line was recorded on one.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME(call) cudaGetErrorName(call)

__global__ void allocate(int *out) {
    void *volatile none = malloc(0);
    out[0] = none != NULL;
    free(none);
    free(NULL);
}

__global__ void say() {
    printf("in a kernel: %F [%.*d] [%d] %s\n", 1.5, 7, (const char *)NULL);
}

__global__ void store(int *to) { *to = 1; }

static int called;
static void CUDART_CB callback(cudaStream_t, cudaError_t, void *) { ++called; }
static void CUDART_CB function(void *value) { called += *(int *)value; }

int main() {
    unsigned char *a, *b, host[256];
    cudaMalloc(&a, 256);
    cudaMalloc(&b, 256);
    for (int i = 0; i < 256; ++i) host[i] = (unsigned char)i;
    printf("no bytes: %s\n", NAME(cudaMemcpy(a, host, 0, (cudaMemcpyKind)77)));
    printf("wrong kind: %s\n", NAME(cudaMemcpy(a, host, 16, (cudaMemcpyKind)77)));
    cudaMemcpy(a, host, 256, cudaMemcpyHostToDevice);
    printf("two device pointers: %s", NAME(cudaMemcpy(b, a, 256, cudaMemcpyHostToDevice)));
    memset(host, 0, 256);
    cudaMemcpy(host, b, 256, cudaMemcpyDeviceToHost);
    printf(" %d\n", host[99]);
    printf("two host pointers: %s\n", NAME(cudaMemcpy(host + 8, host, 8, cudaMemcpyHostToDevice)));
    printf("narrow pitch: %s", NAME(cudaMemcpy2D(a, 8, host, 64, 16, 2, cudaMemcpyHostToDevice)));
    printf(" %s", NAME(cudaMemcpy2D(a, 8, host, 64, 16, 1, cudaMemcpyHostToDevice)));
    printf(" %s\n", NAME(cudaMemset2D(a, 8, 1, 16, 2)));

    void *huge = (void *)0x1234;
    printf("too large: %s %d\n", NAME(cudaMalloc(&huge, (size_t)1 << 46)), huge == NULL);
    void *none = (void *)0x1234;
    printf("managed: %s %d\n", NAME(cudaMallocManaged(&none, 0)), none == NULL);
    unsigned int flags = 99;
    void *pinned;
    cudaHostAlloc(&pinned, 64, cudaHostAllocWriteCombined);
    printf("flags: %s", NAME(cudaHostGetFlags(&flags, pinned)));
    printf(" %u", flags);
    cudaGetDeviceFlags(&flags);
    printf(" %u\n", flags);
    cudaFreeHost(pinned);
    int device;
    printf("bus: %s\n", NAME(cudaDeviceGetByPCIBusId(&device, "zz")));
    printf("callback: %s", NAME(cudaStreamAddCallback(0, callback, NULL, 5)));
    printf(" %s", NAME(cudaStreamAddCallback(0, NULL, NULL, 0)));
    printf(" %s", NAME(cudaStreamAddCallback(0, callback, NULL, 0)));
    int ten = 10;
    printf(" %s %d\n", NAME(cudaLaunchHostFunc(0, function, &ten)), called);
    int blocks;
    printf("occupancy: %s", NAME(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
                                &blocks, store, 128, 0, cudaOccupancyDefault)));
    printf(" %s\n", NAME(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, store, 128, 0, 99)));
    cudaGetLastError();

    size_t size = 0;
    printf("limit: %s", NAME(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 4 << 20)));
    int *out;
    cudaMalloc(&out, 64);
    cudaMemset(out, 0, 64);
    allocate<<<1, 1>>>(out);
    int found;
    cudaMemcpy(&found, out, 4, cudaMemcpyDeviceToHost);
    printf(" malloc(0) %d", found);
    printf(" %s", NAME(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 8 << 20)));
    cudaDeviceGetLimit(&size, cudaLimitMallocHeapSize);
    printf(" %zu\n", size);
    cudaGetLastError();
    fflush(stdout);
    say<<<1, 1>>>();
    cudaDeviceSynchronize();
    printf("limit: %s\n", NAME(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1 << 20)));
    cudaGetLastError();

    store<<<1, 1>>>((int *)((size_t)out + ((size_t)1 << 44)));
    printf("trap: %s", NAME(cudaDeviceSynchronize()));
    printf(" %s", NAME(cudaGetLastError()));
    printf(" %s", NAME(cudaGetLastError()));
    printf(" %s\n", NAME(cudaMemcpy(&found, out, 4, cudaMemcpyDeviceToHost)));
    cudaDeviceReset();
    printf("PASSED\n");
    return 0;
}
