// Sums of blocks of 512 elements in shared memory, by two orders of the same additions.
#include <stdio.h>

#define BLOCK 512

// The stride doubles: in the first step the even threads add.
__global__ void doubling(const float *in, float *out)
{
    __shared__ float part[BLOCK];
    int t = threadIdx.x;
    part[t] = in[blockIdx.x * BLOCK + t];
    for (int stride = 1; stride < BLOCK; stride *= 2) {
        __syncthreads();
        if (t % (2 * stride) == 0)
            part[t] += part[t + stride];
    }
    if (t == 0)
        out[blockIdx.x] = part[0];
}

// The stride halves: in the first step the threads 0 to 255 add.
__global__ void halving(const float *in, float *out)
{
    __shared__ float part[BLOCK];
    int t = threadIdx.x;
    part[t] = in[blockIdx.x * BLOCK + t];
    for (int stride = BLOCK / 2; stride > 0; stride /= 2) {
        __syncthreads();
        if (t < stride)
            part[t] += part[t + stride];
    }
    if (t == 0)
        out[blockIdx.x] = part[0];
}

int main()
{
    const int blocks = 32, n = blocks * BLOCK;
    static float in[n], sums[blocks];
    for (int i = 0; i < n; i++)
        in[i] = i % 3;
    float *d_in, *d_out;
    cudaMalloc((void **)&d_in, sizeof(in));
    cudaMalloc((void **)&d_out, sizeof(sums));
    cudaMemcpy(d_in, in, sizeof(in), cudaMemcpyHostToDevice);
    for (int k = 0; k < 2; k++) {
        if (k == 0)
            doubling<<<blocks, BLOCK>>>(d_in, d_out);
        else
            halving<<<blocks, BLOCK>>>(d_in, d_out);
        cudaMemcpy(sums, d_out, sizeof(sums), cudaMemcpyDeviceToHost);
        float total = 0, expected = 0;
        for (int b = 0; b < blocks; b++)
            total += sums[b];
        for (int i = 0; i < n; i++)
            expected += in[i];
        printf("%s stride: %g, expected %g\n", k == 0 ? "doubling" : "halving", total, expected);
    }
    cudaFree(d_in);
    cudaFree(d_out);
    return 0;
}
