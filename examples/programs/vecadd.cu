// Sum of two vectors: the first program of most courses.
// Build: warpcc vecadd.cu -o vecadd && ./vecadd [elements]
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

__global__ void vecadd(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 20000;
    size_t bytes = n * sizeof(float);
    float *a = (float *)malloc(bytes), *b = (float *)malloc(bytes), *c = (float *)malloc(bytes);
    for (int i = 0; i < n; i++) {
        a[i] = i;
        b[i] = 0.5f * i;
    }

    float *d_a, *d_b, *d_c;
    cudaMalloc(&d_a, bytes);
    cudaMalloc(&d_b, bytes);
    cudaMalloc(&d_c, bytes);
    cudaMemcpy(d_a, a, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, b, bytes, cudaMemcpyHostToDevice);

    int threads = 256;
    int blocks = (n + threads - 1) / threads;
    vecadd<<<blocks, threads>>>(d_a, d_b, d_c, n);
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) {
        printf("vecadd: %s\n", cudaGetErrorString(error));
        return 2;
    }
    cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost);

    int wrong = 0;
    for (int i = 0; i < n; i++)
        if (c[i] != 1.5f * i)
            wrong++;
    printf("%d elements, %d wrong\n%s\n", n, wrong, wrong ? "FAILED" : "PASSED");
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_c);
    free(a);
    free(b);
    free(c);
    return wrong ? 1 : 0;
}
