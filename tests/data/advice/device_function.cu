// advice: barrier
#include <cstdio>
__device__ int reversed(const int *s, int t) {
    return s[127 - t];
}
__global__ void k(int *out) {
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = t;
    out[t] = reversed(s, t);
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
