// advice: barrier barrier
#include <cstdio>
__global__ void k(int *out) {
    __shared__ int s[96];
    int t = threadIdx.x, n = 0, sum = 0;
    do {
        s[t] = t + n;
        sum += s[95 - t];
        n++;
    } while (n < 3);
    out[t] = sum;
}
int main() {
    int *d, h[96];
    cudaMalloc(&d, sizeof(h));
    cudaMemset(d, 0, sizeof(h));
    k<<<1, 96>>>(d);
    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 96; i++)
        if (h[i] != (3 * (95 - i) + 3)) return printf("wrong: h[%d] is %d\n", i, h[i]), 1;
    cudaFree(d);
    printf("right\n");
}
