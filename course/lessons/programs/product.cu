// Matrix product P = M * N of n x n matrices: one thread computes one element of P.
// -D BY_ROWS lets neighboring threads compute neighboring rows instead of columns.
#include <stdio.h>
#include <stdlib.h>

__global__ void product(const float *m, const float *n, float *p, int width)
{
#ifdef BY_ROWS
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int column = blockIdx.y * blockDim.y + threadIdx.y;
#else
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int column = blockIdx.x * blockDim.x + threadIdx.x;
#endif
    float sum = 0;
    for (int k = 0; k < width; k++)
        sum += m[row * width + k] * n[k * width + column];
    p[row * width + column] = sum;
}

int main(int argc, char **argv)
{
    int width = argc > 1 ? atoi(argv[1]) : 64;
    size_t bytes = width * width * sizeof(float);
    float *m = (float *)malloc(bytes), *n = (float *)malloc(bytes), *p = (float *)malloc(bytes);
    for (int i = 0; i < width * width; i++) {
        m[i] = i % 7;
        n[i] = i % 5;
    }
    float *d_m, *d_n, *d_p;
    cudaMalloc((void **)&d_m, bytes);
    cudaMalloc((void **)&d_n, bytes);
    cudaMalloc((void **)&d_p, bytes);
    cudaMemcpy(d_m, m, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(d_n, n, bytes, cudaMemcpyHostToDevice);
    dim3 block(16, 16), grid(width / 16, width / 16);
    product<<<grid, block>>>(d_m, d_n, d_p, width);
    cudaMemcpy(p, d_p, bytes, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int row = 0; row < width; row++)
        for (int column = 0; column < width; column++) {
            float sum = 0;
            for (int k = 0; k < width; k++)
                sum += m[row * width + k] * n[k * width + column];
            wrong += p[row * width + column] != sum;
        }
    printf("%d x %d elements, %d wrong\n", width, width, wrong);
    cudaFree(d_m);
    cudaFree(d_n);
    cudaFree(d_p);
    free(m);
    free(n);
    free(p);
    return wrong != 0;
}
