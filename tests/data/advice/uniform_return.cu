// advice: barrier
#include <cstdio>
__global__ void k(int *out, int n) {
    __shared__ int s[128];
    int t = threadIdx.x;
    if (n == 0) return;
    s[t] = t;
    out[t] = s[127 - t];
}
int main() {
    int *d, h[128];
    cudaMalloc(&d, sizeof(h));
    cudaMemset(d, 0, sizeof(h));
    k<<<1, 128>>>(d, 1);
    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 128; i++)
        if (h[i] != (127 - i)) return printf("wrong: h[%d] is %d\n", i, h[i]), 1;
    cudaFree(d);
    printf("right\n");
}
