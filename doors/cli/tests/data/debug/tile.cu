// Two-dimensional blocks that reverse the rows of a matrix through shared memory.
#include <stdio.h>

struct Pair {
    int low;
    float high;
};

__constant__ int offset = 7;

__global__ void reverse(const int *in, int *out, Pair pair, int n) {
    __shared__ int tile[2][16];
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int i = y * n + x;
    tile[threadIdx.y][threadIdx.x] = in[i];
    __syncthreads();
    int v = tile[threadIdx.y][15 - threadIdx.x];
    for (int k = 0; k < pair.low; k++) {
        v += in[i] & k;
    }
    out[i] = v + offset;
}

int main() {
    const int n = 64, rows = 32, bytes = n * rows * sizeof(int);
    int h[n * rows];
    for (int i = 0; i < n * rows; i++)
        h[i] = i;
    int *in, *out;
    cudaMalloc((void **)&in, bytes);
    cudaMalloc((void **)&out, bytes);
    cudaMemcpy(in, h, bytes, cudaMemcpyHostToDevice);
    Pair pair = {2, 0.5f};
    reverse<<<dim3(4, 16), dim3(16, 2)>>>(in, out, pair, n);
    cudaMemcpy(h, out, bytes, cudaMemcpyDeviceToHost);
    printf("%d\n", h[0]);
    cudaFree(in);
    cudaFree(out);
    return 0;
}
