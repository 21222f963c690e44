// advice: atomic
#include <cstdio>
__global__ void k(int *out) {
    __shared__ int bins[8];
    int t = threadIdx.x;
    if (t < 8) bins[t] = 0;
    __syncthreads();
    for (int i = t; i < 512; i += 128) {
        bins[i % 8]++;
    }
    __syncthreads();
    if (t < 8) out[t] = bins[t];
}
int main() {
    int *d, h[8];
    cudaMalloc(&d, sizeof(h));
    cudaMemset(d, 0, sizeof(h));
    k<<<1, 128>>>(d);
    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 8; i++)
        if (h[i] != (64)) return printf("wrong: h[%d] is %d\n", i, h[i]), 1;
    cudaFree(d);
    printf("right\n");
}
