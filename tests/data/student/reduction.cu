// A sum whose active threads are spread over all warps: each warp executes both sides.
#include <stdio.h>

#define N 65536
#define BLOCK 256

__global__ void reduce(const int *in, int *out) {
    __shared__ int part[BLOCK];
    int t = threadIdx.x;
    part[t] = in[blockIdx.x * BLOCK + t];
    for (int step = 1; step < BLOCK; step *= 2) {
        __syncthreads();
        if (t % (2 * step) == 0) part[t] += part[t + step];
    }
    if (t == 0) out[blockIdx.x] = part[0];
}

int main() {
    static int in[N], out[N / BLOCK];
    int expected = 0, sum = 0;
    for (int i = 0; i < N; ++i) expected += in[i] = i % 11;
    int *device_in, *device_out;
    cudaMalloc((void **)&device_in, sizeof(in));
    cudaMalloc((void **)&device_out, sizeof(out));
    cudaMemcpy(device_in, in, sizeof(in), cudaMemcpyHostToDevice);
    reduce<<<N / BLOCK, BLOCK>>>(device_in, device_out);
    cudaMemcpy(out, device_out, sizeof(out), cudaMemcpyDeviceToHost);
    for (int i = 0; i < N / BLOCK; ++i) sum += out[i];
    printf(sum == expected ? "PASSED\n" : "FAILED\n");
    cudaFree(device_in);
    cudaFree(device_out);
    return sum != expected;
}
