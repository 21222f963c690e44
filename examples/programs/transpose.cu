// Transpose of a matrix: direct, through shared memory, and through shared memory with padding.
// Build: warpcc transpose.cu -o transpose && ./transpose [n]
#include <stdio.h>
#include <stdlib.h>

#define TILE 16

// Reads rows and writes columns: each write of a half-warp goes to 16 rows.
__global__ void direct(float *out, const float *in, int n)
{
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    if (x < n && y < n)
        out[x * n + y] = in[y * n + x];
}

// The tile is written by rows and read by columns. Without padding a column is in one bank.
template <int PADDING>
__global__ void tiled(float *out, const float *in, int n)
{
    __shared__ float tile[TILE][TILE + PADDING];
    int x = blockIdx.x * TILE + threadIdx.x;
    int y = blockIdx.y * TILE + threadIdx.y;
    if (x < n && y < n)
        tile[threadIdx.y][threadIdx.x] = in[y * n + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x;
    y = blockIdx.x * TILE + threadIdx.y;
    if (x < n && y < n)
        out[y * n + x] = tile[threadIdx.x][threadIdx.y];
}

static int check(const char *name, float *d_out, const float *in, int n)
{
    size_t bytes = (size_t)n * n * sizeof(float);
    float *out = (float *)malloc(bytes);
    cudaMemcpy(out, d_out, bytes, cudaMemcpyDeviceToHost);
    cudaMemset(d_out, 0, bytes);
    int wrong = 0;
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++)
            wrong += out[x * n + y] != in[y * n + x];
    printf("%s: %d of %d elements are wrong\n", name, wrong, n * n);
    free(out);
    return wrong;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 96;
    if (n < 1 || n > 4096) {
        fprintf(stderr, "usage: transpose [n], 1 to 4096\n");
        return 2;
    }
    size_t bytes = (size_t)n * n * sizeof(float);
    float *in = (float *)malloc(bytes);
    for (int i = 0; i < n * n; i++)
        in[i] = (float)i;
    float *d_in, *d_out;
    cudaMalloc((void **)&d_in, bytes);
    cudaMalloc((void **)&d_out, bytes);
    cudaMemcpy(d_in, in, bytes, cudaMemcpyHostToDevice);

    dim3 block(TILE, TILE), grid((n + TILE - 1) / TILE, (n + TILE - 1) / TILE);
    direct<<<grid, block>>>(d_out, d_in, n);
    int wrong = check("direct", d_out, in, n);
    tiled<0><<<grid, block>>>(d_out, d_in, n);
    wrong += check("tiled", d_out, in, n);
    tiled<1><<<grid, block>>>(d_out, d_in, n);
    wrong += check("tiled with padding", d_out, in, n);

    if (cudaGetLastError() != cudaSuccess)
        wrong++;
    cudaFree(d_in);
    cudaFree(d_out);
    free(in);
    printf(wrong == 0 ? "PASSED\n" : "FAILED\n");
    return wrong != 0;
}
