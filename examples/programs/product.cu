// Product of two matrices, twice: from global memory, and with tiles in shared memory.
// Build: warpcc product.cu -o product && ./product [size]
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define TILE 16

__global__ void naive(const float *a, const float *b, float *c, int n)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}

__global__ void tiled(const float *a, const float *b, float *c, int n)
{
    __shared__ float a_tile[TILE][TILE];
    __shared__ float b_tile[TILE][TILE];
    int x = threadIdx.x, y = threadIdx.y;
    int row = blockIdx.y * TILE + y;
    int column = blockIdx.x * TILE + x;
    float sum = 0;
    for (int tile = 0; tile < n; tile += TILE) {
        a_tile[y][x] = a[row * n + tile + x];
        b_tile[y][x] = b[(tile + y) * n + column];
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum += a_tile[y][k] * b_tile[k][x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}

// Number of elements that differ from the product of the host.
int differences(const float *a, const float *b, const float *c, int n)
{
    int wrong = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0;
            for (int k = 0; k < n; k++)
                sum += a[i * n + k] * b[k * n + j];
            // All numbers are small integers, so the sums are exact.
            if (c[i * n + j] != sum)
                wrong++;
        }
    return wrong;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 64;
    if (n < TILE || n % TILE != 0) {
        printf("the size must be a multiple of %d\n", TILE);
        return 2;
    }
    size_t bytes = n * n * sizeof(float);
    float *a = (float *)malloc(bytes), *b = (float *)malloc(bytes), *c = (float *)malloc(bytes);
    for (int i = 0; i < n * n; i++) {
        a[i] = i % 7;
        b[i] = i % 5 - 2;
    }
    float *d_a, *d_b, *d_c;
    cudaMalloc(&d_a, bytes);
    cudaMalloc(&d_b, bytes);
    cudaMalloc(&d_c, bytes);
    cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice);

    dim3 threads(TILE, TILE);
    dim3 blocks(n / TILE, n / TILE);
    naive<<<blocks, threads>>>(d_a, d_b, d_c, n);
    cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost);
    int wrong = differences(a, b, c, n);
    cudaMemset(d_c, 0, bytes);
    tiled<<<blocks, threads>>>(d_a, d_b, d_c, n);
    cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost);
    wrong += differences(a, b, c, n);

    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess)
        printf("%s\n", cudaGetErrorString(error));
    printf("%d x %d elements, %d wrong\n%s\n", n, n, wrong, wrong ? "FAILED" : "PASSED");
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_c);
    free(a);
    free(b);
    free(c);
    return wrong ? 1 : 0;
}
