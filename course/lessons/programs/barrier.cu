// A barrier that half of the lanes of each warp reach.
#include <stdio.h>

__global__ void half(int *out)
{
    __shared__ int value;
    int t = threadIdx.x;
    if (t % 32 < 16) {
        value = t;
        __syncthreads();
    }
    out[t] = value;
}

int main()
{
    int *d_out;
    cudaMalloc((void **)&d_out, 64 * sizeof(int));
    half<<<1, 64>>>(d_out);
    cudaError_t error = cudaThreadSynchronize();
    printf("%s\n", cudaGetErrorString(error));
    cudaFree(d_out);
    return error != cudaSuccess;
}
