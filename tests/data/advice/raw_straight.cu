// advice: barrier
#include <cstdio>
__global__ void k(int *out) {
    __shared__ int s[256];
    int t = threadIdx.x;
    s[t] = 3 * t;
    out[t] = s[255 - t];
}
int main() {
    int *d, h[256];
    cudaMalloc(&d, sizeof(h));
    cudaMemset(d, 0, sizeof(h));
    k<<<1, 256>>>(d);
    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 256; i++)
        if (h[i] != (3 * (255 - i))) return printf("wrong: h[%d] is %d\n", i, h[i]), 1;
    cudaFree(d);
    printf("right\n");
}
