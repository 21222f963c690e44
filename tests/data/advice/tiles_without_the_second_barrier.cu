// advice: barrier
#include <cstdio>
__global__ void k(int *out) {
    __shared__ int tile[64];
    int t = threadIdx.x;
    int sum = 0;
    for (int part = 0; part < 4; part++) {
        tile[t] = part + t;
        __syncthreads();
        for (int i = 0; i < 64; i++)
            sum += tile[i];
    }
    out[t] = sum;
}
int main() {
    int *d, h[64];
    cudaMalloc(&d, sizeof(h));
    cudaMemset(d, 0, sizeof(h));
    k<<<1, 64>>>(d);
    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 64; i++)
        if (h[i] != (64 * 6 + 4 * 2016)) return printf("wrong: h[%d] is %d\n", i, h[i]), 1;
    cudaFree(d);
    printf("right\n");
}
