// A tiled product whose tile of b is stored by columns: 16 threads store into one bank.
#include <stdio.h>
#include <stdlib.h>

#define N 128
#define TILE 16

__global__ void product(const float *a, const float *b, float *c) {
    __shared__ float of_a[TILE][TILE], of_b[TILE][TILE];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    float sum = 0;
    for (int tile = 0; tile < N; tile += TILE) {
        of_a[threadIdx.y][threadIdx.x] = a[y * N + tile + threadIdx.x];
        of_b[threadIdx.x][threadIdx.y] = b[(tile + threadIdx.y) * N + x];
        __syncthreads();
        for (int k = 0; k < TILE; ++k) sum += of_a[threadIdx.y][k] * of_b[threadIdx.x][k];
        __syncthreads();
    }
    c[y * N + x] = sum;
}

int main() {
    size_t bytes = N * N * sizeof(float);
    float *a = (float *)malloc(bytes), *b = (float *)malloc(bytes), *c = (float *)malloc(bytes);
    for (int i = 0; i < N * N; ++i) a[i] = i % 5, b[i] = i % 3;
    float *device_a, *device_b, *device_c;
    cudaMalloc((void **)&device_a, bytes);
    cudaMalloc((void **)&device_b, bytes);
    cudaMalloc((void **)&device_c, bytes);
    cudaMemcpy(device_a, a, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(device_b, b, bytes, cudaMemcpyHostToDevice);
    product<<<dim3(N / TILE, N / TILE), dim3(TILE, TILE)>>>(device_a, device_b, device_c);
    cudaMemcpy(c, device_c, bytes, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int y = 0; y < N; ++y) {
        for (int x = 0; x < N; ++x) {
            float sum = 0;
            for (int k = 0; k < N; ++k) sum += a[y * N + k] * b[k * N + x];
            wrong += sum != c[y * N + x];
        }
    }
    printf(wrong ? "FAILED: %d\n" : "PASSED\n", wrong);
    cudaFree(device_a);
    cudaFree(device_b);
    cudaFree(device_c);
    free(a);
    free(b);
    free(c);
    return wrong != 0;
}
