// advice: barrier barrier_between
#include <cstdio>
__global__ void k(int *out, int n) {
    __shared__ int s[128];
    int t = threadIdx.x, sum = 0;
    for (int a = 0; a < n; a++) {
        if (t < 32) continue;
        s[t] = t;
        sum += s[159 - t];
    }
    out[t] = sum;
}
int main() {
    int *d, h[128];
    cudaMalloc(&d, sizeof(h));
    cudaMemset(d, 0, sizeof(h));
    k<<<1, 128>>>(d, 3);
    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 128; i++)
        if (h[i] != (i < 32 ? 0 : 3 * (159 - i))) return printf("wrong: h[%d] is %d\n", i, h[i]), 1;
    cudaFree(d);
    printf("right\n");
}
