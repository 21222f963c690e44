// A copy in which thread i reads word i * stride + offset.
#include <stdio.h>
#include <stdlib.h>

__global__ void copy(const float *in, float *out, int stride, int offset)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i * stride + offset];
}

int main(int argc, char **argv)
{
    int stride = argc > 1 ? atoi(argv[1]) : 1;
    int offset = argc > 2 ? atoi(argv[2]) : 0;
    const int n = 4096;
    int words = n * stride + offset;
    float *in = (float *)malloc(words * sizeof(float)), *out = (float *)malloc(n * sizeof(float));
    for (int i = 0; i < words; i++)
        in[i] = i;
    float *d_in, *d_out;
    cudaMalloc((void **)&d_in, words * sizeof(float));
    cudaMalloc((void **)&d_out, n * sizeof(float));
    cudaMemcpy(d_in, in, words * sizeof(float), cudaMemcpyHostToDevice);
    copy<<<n / 256, 256>>>(d_in, d_out, stride, offset);
    cudaMemcpy(out, d_out, n * sizeof(float), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < n; i++)
        wrong += out[i] != (float)(i * stride + offset);
    printf("stride %d, offset %d: %d wrong\n", stride, offset, wrong);
    cudaFree(d_in);
    cudaFree(d_out);
    free(in);
    free(out);
    return wrong != 0;
}
