// advice: atomic barrier barrier barrier barrier barrier volatile
#include <cstdio>
__global__ void k(int *out, int n) {
    __shared__ int s[256];
    __shared__ int total;
    int t = threadIdx.x;
    if (t == 0) total = 0;
    s[t] = t;
    int v = s[255 - t];
    total += v;
    if (t < 32) {
        s[t] = 3;
        out[t] = s[31 - t];
    }
    for (int i = 0; i < n; i++) {
        s[t] = v + i;
        v += s[(t + 64) % 256];
    }
    out[t] = v + total;
}
int main() {
    int *d, h[256];
    cudaMalloc(&d, sizeof(h));
    cudaMemset(d, 0, sizeof(h));
    k<<<1, 256>>>(d, 3);
    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 256; i++)
        if (h[i] != 32644 + (255 - i) + 3 * (255 - (i + 64) % 256) + 3 * (255 - (i + 128) % 256) + 255 - (i + 192) % 256) return printf("wrong: h[%d] is %d\n", i, h[i]), 1;
    cudaFree(d);
    printf("right\n");
}
