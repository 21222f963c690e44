// advice: equal_trips equal_trips
#include <cstdio>
__global__ void k(int *out) {
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    for (int i = t; i < 160; i += 128) {
        int other = s[(i + 64) % 128];
        s[i % 128] = other;
        out[i] = other;
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
