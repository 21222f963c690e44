// advice: barrier
#include <cstdio>
__global__ void k(int *out) {
    __shared__ int table[192];
    for (int i = threadIdx.x; i < 192; i += 128)
        table[i] = i;
    out[threadIdx.x] = table[threadIdx.x + 64];
}
int main() {
    int *d, h[128];
    cudaMalloc(&d, sizeof(h));
    cudaMemset(d, 0, sizeof(h));
    k<<<1, 128>>>(d);
    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 128; i++)
        if (h[i] != (i + 64)) return printf("wrong: h[%d] is %d\n", i, h[i]), 1;
    cudaFree(d);
    printf("right\n");
}
