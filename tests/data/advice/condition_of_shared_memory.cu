// advice: barrier
#include <cstdio>
__global__ void k(int *out) {
    __shared__ int flag;
    int t = threadIdx.x;
    if (t == 100) flag = 5;
    if (flag == 5) {
        out[t] = t;
    }
}
int main() {
    int *d, h[128];
    cudaMalloc(&d, sizeof(h));
    cudaMemset(d, 0, sizeof(h));
    k<<<1, 128>>>(d);
    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 128; i++)
        if (h[i] != (i)) return printf("wrong: h[%d] is %d\n", i, h[i]), 1;
    cudaFree(d);
    printf("right\n");
}
