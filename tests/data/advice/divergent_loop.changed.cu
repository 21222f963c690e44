#include <cstdio>
__global__ void k(int *out) {
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    for (int first = 0; first < 160; first += 128) {
        int i = first + t, other;
        if (i < 160)
            other = s[(i + 64) % 128];
        __syncthreads();
        if (i < 160) {
            s[i % 128] = other;
            out[i] = other;
        }
        __syncthreads();
    }
}
int main() {
    int *d, h[160];
    cudaMalloc(&d, sizeof(h));
    cudaMemset(d, 0, sizeof(h));
    k<<<1, 128>>>(d);
    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 160; i++)
        if (h[i] != (h[i])) return printf("wrong: h[%d] is %d\n", i, h[i]), 1;
    cudaFree(d);
    printf("right\n");
}
