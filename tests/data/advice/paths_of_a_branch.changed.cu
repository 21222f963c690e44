#include <cstdio>
__global__ void k(int *out) {
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = 5;
    if (t % 2 == 0)
        s[t] = t;
    __syncthreads();
    if (t % 2)
        out[t] = s[t - 1];
}
int main() {
    int *d, h[32];
    cudaMalloc(&d, sizeof(h));
    cudaMemset(d, 0, sizeof(h));
    k<<<1, 32>>>(d);
    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; i++)
        if (h[i] != (i % 2 ? h[i] : 0)) return printf("wrong: h[%d] is %d\n", i, h[i]), 1;
    cudaFree(d);
    printf("right\n");
}
