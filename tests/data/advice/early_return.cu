// advice: split_return
#include <cstdio>
__global__ void k(int *out) {
    __shared__ int s[128];
    int t = threadIdx.x;
    if (t >= 96) return;
    s[t] = t;
    out[t] = s[95 - t];
}
int main() {
    int *d, h[96];
    cudaMalloc(&d, sizeof(h));
    cudaMemset(d, 0, sizeof(h));
    k<<<1, 128>>>(d);
    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 96; i++)
        if (h[i] != (95 - i)) return printf("wrong: h[%d] is %d\n", i, h[i]), 1;
    cudaFree(d);
    printf("right\n");
}
