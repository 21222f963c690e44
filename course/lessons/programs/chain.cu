// A chain of 256 multiply-adds in which each one needs the result before it.
// -D CHAINS=2 gives each thread two independent chains with half the links.
#include <stdio.h>
#include <stdlib.h>

#ifndef CHAINS
#define CHAINS 1
#endif

__global__ void chain(float *out)
{
    float x[CHAINS];
    for (int c = 0; c < CHAINS; c++)
        x[c] = threadIdx.x + c;
#pragma unroll
    for (int k = 0; k < 256 / CHAINS; k++)
        for (int c = 0; c < CHAINS; c++)
            x[c] = x[c] * 0.5f + 1.0f;
    float sum = 0;
    for (int c = 0; c < CHAINS; c++)
        sum += x[c];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

int main(int argc, char **argv)
{
    int warps = argc > 1 ? atoi(argv[1]) : 1;
    float *d_out;
    cudaMalloc((void **)&d_out, warps * 32 * sizeof(float));
    chain<<<1, warps * 32>>>(d_out);
    float first;
    cudaMemcpy(&first, d_out, sizeof(first), cudaMemcpyDeviceToHost);
    printf("%d warps: %g\n", warps, first);
    cudaFree(d_out);
    return first != CHAINS * 2;
}
