#include <cstdio>
__device__ void put(int *s, int t, int value) {
    s[t] = value;
}
__device__ int get(const int *s, int t) {
    return s[t];
}
__global__ void k(int *out) {
    __shared__ int s[128];
    int t = threadIdx.x;
    put(s, t, t);
    __syncthreads();
    int a = get(s, 127 - t);
    __syncthreads();
    put(s, t, a + 1);
    __syncthreads();
    out[t] = get(s, 127 - t);
}
int main() {
    int *d, h[128];
    cudaMalloc(&d, sizeof(h));
    cudaMemset(d, 0, sizeof(h));
    k<<<1, 128>>>(d);
    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 128; i++)
        if (h[i] != (i + 1)) return printf("wrong: h[%d] is %d\n", i, h[i]), 1;
    cudaFree(d);
    printf("right\n");
}
