// advice: barrier
#include <cstdio>
__global__ void k(int *out) {
    __shared__ int s[256];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    for (int n = 128; n > 0; n /= 2) {
        if (t < n)
            s[t] += s[t + n];
    }
    if (t == 0)
        out[0] = s[0];
}
int main() {
    int *d, h[1];
    cudaMalloc(&d, sizeof(h));
    cudaMemset(d, 0, sizeof(h));
    k<<<1, 256>>>(d);
    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 1; i++)
        if (h[i] != (32640)) return printf("wrong: h[%d] is %d\n", i, h[i]), 1;
    cudaFree(d);
    printf("right\n");
}
