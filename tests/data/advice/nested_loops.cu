// advice: barrier barrier
#include <cstdio>
__global__ void k(int *out, int n) {
    __shared__ int s[128];
    int t = threadIdx.x, sum = 0;
    for (int a = 0; a < n; a++) {
        for (int b = 0; b < n; b++) {
            s[t] = t + a + b;
            sum += s[(t + 64) % 128];
        }
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
        if (h[i] != (9 * ((i + 64) % 128) + 18)) return printf("wrong: h[%d] is %d\n", i, h[i]), 1;
    cudaFree(d);
    printf("right\n");
}
