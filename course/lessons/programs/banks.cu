// Lane i of a warp reads words near (i * stride) % 1024 of shared memory, 64 times.
#include <stdio.h>
#include <stdlib.h>

__global__ void banks(float *out, int stride)
{
    __shared__ float words[1024];
    int t = threadIdx.x;
    for (int k = t; k < 1024; k += 256)
        words[k] = k;
    __syncthreads();
    float sum = 0;
    int at = t * stride % 1024;
    for (int k = 0; k < 64; k++)
        sum += words[at ^ k];
    out[blockIdx.x * blockDim.x + t] = sum;
}

int main(int argc, char **argv)
{
    int stride = argc > 1 ? atoi(argv[1]) : 1;
    const int n = 16 * 256;
    float *d_out, out[256];
    cudaMalloc((void **)&d_out, n * sizeof(float));
    banks<<<n / 256, 256>>>(d_out, stride);
    cudaMemcpy(out, d_out, sizeof(out), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int t = 0; t < 256; t++) {
        float sum = 0;
        for (int k = 0; k < 64; k++)
            sum += (t * stride % 1024) ^ k;
        wrong += out[t] != sum;
    }
    printf("stride %d: %d wrong\n", stride, wrong);
    cudaFree(d_out);
    return wrong != 0;
}
