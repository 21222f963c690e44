// A stencil of 2 * RADIUS + 1 elements, directly from global memory.
#include <stdio.h>

#define RADIUS 4
#define N 32768

__global__ void neighbors(const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k <= 2 * RADIUS; k++)
        sum += in[i + k];
    out[i] = sum;
}

int main()
{
    static float in[N + 2 * RADIUS], out[N];
    for (int i = 0; i < N + 2 * RADIUS; i++)
        in[i] = i % 10;
    float *d_in, *d_out;
    cudaMalloc((void **)&d_in, sizeof(in));
    cudaMalloc((void **)&d_out, sizeof(out));
    cudaMemcpy(d_in, in, sizeof(in), cudaMemcpyHostToDevice);
    neighbors<<<N / 256, 256>>>(d_in, d_out);
    cudaMemcpy(out, d_out, sizeof(out), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < N; i++) {
        float sum = 0;
        for (int k = 0; k <= 2 * RADIUS; k++)
            sum += in[i + k];
        wrong += out[i] != sum;
    }
    printf("%d elements, %d wrong\n", N, wrong);
    cudaFree(d_in);
    cudaFree(d_out);
    return wrong != 0;
}
