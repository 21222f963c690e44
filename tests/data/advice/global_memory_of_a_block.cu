// advice: barrier
#include <cstdio>
__global__ void k(int *out) {
    int t = threadIdx.x;
    out[t] = t;
    out[128 + t] = out[127 - t];
}
int main() {
    int *d, h[256];
    cudaMalloc(&d, sizeof(h));
    cudaMemset(d, 0, sizeof(h));
    k<<<1, 128>>>(d);
    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 256; i++)
        if (h[i] != (i < 128 ? i : 255 - i)) return printf("wrong: h[%d] is %d\n", i, h[i]), 1;
    cudaFree(d);
    printf("right\n");
}
