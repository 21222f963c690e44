// Matrix product by 16 x 16 tiles in shared memory.
// -D NO_FIRST and -D NO_SECOND remove one barrier each.
#include <stdio.h>
#include <stdlib.h>

#define TILE 16

__global__ void tiles(const float *m, const float *n, float *p, int width)
{
    __shared__ float tile_m[TILE][TILE];
    __shared__ float tile_n[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty, column = blockIdx.x * TILE + tx;
    float sum = 0;
    for (int t = 0; t < width / TILE; t++) {
        tile_m[ty][tx] = m[row * width + t * TILE + tx];
        tile_n[ty][tx] = n[(t * TILE + ty) * width + column];
#ifndef NO_FIRST
        __syncthreads();
#endif
        for (int k = 0; k < TILE; k++)
            sum += tile_m[ty][k] * tile_n[k][tx];
#ifndef NO_SECOND
        __syncthreads();
#endif
    }
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
    dim3 block(TILE, TILE), grid(width / TILE, width / TILE);
    tiles<<<grid, block>>>(d_m, d_n, d_p, width);
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
