// Thread i sums the ROW words of row i: a lane walks along its own row.
#include <stdio.h>

#define ROW 64

__global__ void rows(const float *in, float *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < ROW; k++)
        sum += in[i * ROW + k];
    out[i] = sum;
}

int main()
{
    const int n = 3840;
    static float in[n * ROW], out[n];
    for (int i = 0; i < n * ROW; i++)
        in[i] = i / ROW % 16;
    float *d_in, *d_out;
    cudaMalloc((void **)&d_in, sizeof(in));
    cudaMalloc((void **)&d_out, sizeof(out));
    cudaMemcpy(d_in, in, sizeof(in), cudaMemcpyHostToDevice);
    rows<<<n / 64, 64>>>(d_in, d_out);
    cudaMemcpy(out, d_out, sizeof(out), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < n; i++)
        wrong += out[i] != i % 16 * ROW;
    printf("%d rows, %d wrong\n", n, wrong);
    cudaFree(d_in);
    cudaFree(d_out);
    return wrong != 0;
}
