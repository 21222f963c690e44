// advice: one_writer one_writer
#include <cstdio>
__global__ void k(int *out) {
    __shared__ int last;
    int t = threadIdx.x;
    last = t;
    __syncthreads();
    out[t] = last;
}
int main() {
    int *d, h[128];
    cudaMalloc(&d, sizeof(h));
    cudaMemset(d, 0, sizeof(h));
    k<<<1, 128>>>(d);
    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 128; i++)
        if (h[i] != (h[0])) return printf("wrong: h[%d] is %d\n", i, h[i]), 1;
    cudaFree(d);
    printf("right\n");
}
