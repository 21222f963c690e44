// advice: next_launch
#include <cstdio>
__global__ void k(int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = i;
    out[256 + i] = out[255 - i];
}
int main() {
    int *d, h[512];
    cudaMalloc(&d, sizeof(h));
    cudaMemset(d, 0, sizeof(h));
    k<<<4, 64>>>(d);
    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 512; i++)
        if (h[i] != (i < 256 ? i : 511 - i)) return printf("wrong: h[%d] is %d\n", i, h[i]), 1;
    cudaFree(d);
    printf("right\n");
}
