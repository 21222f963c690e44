// The same 64 numbers added in order, in the opposite order, and as a tree.
#include <stdio.h>

#define N 64

__global__ void add_up(const float *in, float *sums)
{
    __shared__ float part[N];
    int t = threadIdx.x;
    part[t] = in[t];
    __syncthreads();
    if (t == 0) {
        float up = 0, down = 0;
        for (int i = 0; i < N; i++) {
            up += part[i];
            down += part[N - 1 - i];
        }
        sums[0] = up;
        sums[1] = down;
    }
    for (int stride = N / 2; stride > 0; stride /= 2) {
        __syncthreads();
        if (t < stride)
            part[t] += part[t + stride];
    }
    if (t == 0)
        sums[2] = part[0];
}

int main()
{
    float in[N], sums[3], *d_in, *d_sums;
    double exact = 0;
    for (int i = 0; i < N; i++) {
        in[i] = 1.0f / (N - i) / (N - i);
        exact += in[i];
    }
    cudaMalloc((void **)&d_in, sizeof(in));
    cudaMalloc((void **)&d_sums, sizeof(sums));
    cudaMemcpy(d_in, in, sizeof(in), cudaMemcpyHostToDevice);
    add_up<<<1, N>>>(d_in, d_sums);
    cudaMemcpy(sums, d_sums, sizeof(sums), cudaMemcpyDeviceToHost);
    printf("exact      %.9f\n", exact);
    printf("ascending  %.9f\n", sums[0]);
    printf("descending %.9f\n", sums[1]);
    printf("tree       %.9f\n", sums[2]);
    cudaFree(d_in);
    cudaFree(d_sums);
    return 0;
}
