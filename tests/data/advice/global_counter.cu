// advice: atomic
#include <cstdio>
__global__ void k(int *out) {
    out[0] = out[0] + 1;
}
int main() {
    int *d, h[1];
    cudaMalloc(&d, sizeof(h));
    cudaMemset(d, 0, sizeof(h));
    k<<<8, 64>>>(d);
    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 1; i++)
        if (h[i] != (512)) return printf("wrong: h[%d] is %d\n", i, h[i]), 1;
    cudaFree(d);
    printf("right\n");
}
