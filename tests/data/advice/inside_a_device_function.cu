// advice: barrier
#include <cstdio>
__device__ int turned(int *s, int t) {
    s[t] = t;
    int other = s[127 - t];
    return other;
}
__global__ void k(int *out) {
    __shared__ int s[128];
    out[threadIdx.x] = turned(s, threadIdx.x);
}
int main() {
    int *d, h[128];
    cudaMalloc(&d, sizeof(h));
    cudaMemset(d, 0, sizeof(h));
    k<<<1, 128>>>(d);
    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 128; i++)
        if (h[i] != (127 - i)) return printf("wrong: h[%d] is %d\n", i, h[i]), 1;
    cudaFree(d);
    printf("right\n");
}
