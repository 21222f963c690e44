// A stencil that reads a texture. Its blocks of one warp have so much shared memory that one fits.
#include <stdio.h>
#include <stdlib.h>

#define N 32768
#define BLOCK 32

texture<float, 1, cudaReadModeElementType> line;

__global__ void smooth(float *out, int rounds) {
    extern __shared__ float own[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    own[threadIdx.x] = tex1Dfetch(line, i);
    float left = tex1Dfetch(line, i > 0 ? i - 1 : 0), right = tex1Dfetch(line, i < N - 1 ? i + 1 : i);
    for (int round = 0; round < rounds; ++round) own[threadIdx.x] = (left + own[threadIdx.x] + right) / 3;
    out[i] = own[threadIdx.x];
}

int main() {
    float *in = (float *)malloc(N * sizeof(float)), *out = (float *)malloc(N * sizeof(float));
    for (int i = 0; i < N; ++i) in[i] = i % 16;
    float *device_in, *device_out;
    cudaMalloc((void **)&device_in, N * sizeof(float));
    cudaMalloc((void **)&device_out, N * sizeof(float));
    cudaMemcpy(device_in, in, N * sizeof(float), cudaMemcpyHostToDevice);
    cudaBindTexture(0, line, device_in, N * sizeof(float));
    smooth<<<N / BLOCK, BLOCK, 40000>>>(device_out, 8);
    cudaMemcpy(out, device_out, N * sizeof(float), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < N; ++i) {
        float left = in[i > 0 ? i - 1 : 0], right = in[i < N - 1 ? i + 1 : i], own = in[i];
        for (int round = 0; round < 8; ++round) own = (left + own + right) / 3;
        wrong += own - out[i] > 1e-3f || out[i] - own > 1e-3f;
    }
    printf(wrong ? "FAILED: %d\n" : "PASSED\n", wrong);
    cudaUnbindTexture(line);
    cudaFree(device_in);
    cudaFree(device_out);
    free(in);
    free(out);
    return wrong != 0;
}
