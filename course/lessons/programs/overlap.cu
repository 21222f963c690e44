// Copies and kernels in parts: in one stream, or part k in stream k % 2.
// -D STREAMS=1 uses one stream, -D PAGEABLE uses memory of malloc.
#include <stdio.h>
#include <stdlib.h>

#ifndef STREAMS
#define STREAMS 2
#endif
#define PARTS 4
#define PART 16384

__global__ void work(float *values)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = values[i];
    for (int k = 0; k < 150; k++)
        x = x * 0.5f + 1.0f;
    values[i] = x;
}

int main()
{
    const size_t bytes = PART * sizeof(float);
    float *host, *device;
#ifdef PAGEABLE
    host = (float *)malloc(PARTS * bytes);
#else
    cudaMallocHost((void **)&host, PARTS * bytes);
#endif
    cudaMalloc((void **)&device, PARTS * bytes);
    for (int i = 0; i < PARTS * PART; i++)
        host[i] = i % 100;
    cudaStream_t streams[STREAMS];
    for (int s = 0; s < STREAMS; s++)
        cudaStreamCreate(&streams[s]);
    for (int k = 0; k < PARTS; k++) {
        int at = k * PART;
        cudaStream_t stream = streams[k % STREAMS];
        cudaMemcpyAsync(device + at, host + at, bytes, cudaMemcpyHostToDevice, stream);
    }
    for (int k = 0; k < PARTS; k++)
        work<<<PART / 256, 256, 0, streams[k % STREAMS]>>>(device + k * PART);
    for (int k = 0; k < PARTS; k++) {
        int at = k * PART;
        cudaStream_t stream = streams[k % STREAMS];
        cudaMemcpyAsync(host + at, device + at, bytes, cudaMemcpyDeviceToHost, stream);
    }
    for (int s = 0; s < STREAMS; s++)
        cudaStreamSynchronize(streams[s]);
    int wrong = 0;
    for (int i = 0; i < PARTS * PART; i++)
        wrong += host[i] != 2.0f;
    printf("%d parts in %d stream%s, %d wrong\n", PARTS, STREAMS, STREAMS > 1 ? "s" : "", wrong);
    for (int s = 0; s < STREAMS; s++)
        cudaStreamDestroy(streams[s]);
    cudaFree(device);
#ifdef PAGEABLE
    free(host);
#else
    cudaFreeHost(host);
#endif
    return wrong != 0;
}
