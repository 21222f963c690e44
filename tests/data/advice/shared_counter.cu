// advice: atomic barrier
#include <cstdio>
__global__ void k(int *out) {
    __shared__ int total;
    int t = threadIdx.x;
    if (t == 0) total = 0;
    total += t;
    __syncthreads();
    if (t == 127) out[0] = total;
}
int main() {
    int *d, h[1];
    cudaMalloc(&d, sizeof(h));
    cudaMemset(d, 0, sizeof(h));
    k<<<1, 128>>>(d);
    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 1; i++)
        if (h[i] != (8128)) return printf("wrong: h[%d] is %d\n", i, h[i]), 1;
    cudaFree(d);
    printf("right\n");
}
