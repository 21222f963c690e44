#include <cstdio>
__global__ void k(int *out) {
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    int next = s[(t + 1) % 128];
    __syncthreads();
    s[t] = next;
    out[t] = s[t];
}
int main() {
    int *d, h[128];
    cudaMalloc(&d, sizeof(h));
    cudaMemset(d, 0, sizeof(h));
    k<<<1, 128>>>(d);
    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 128; i++)
        if (h[i] != ((i + 1) % 128)) return printf("wrong: h[%d] is %d\n", i, h[i]), 1;
    cudaFree(d);
    printf("right\n");
}
