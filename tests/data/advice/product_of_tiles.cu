// advice: barrier barrier
#include <cstdio>
__global__ void k(int *out) {
    __shared__ int a[8][8];
    __shared__ int b[8][8];
    int x = threadIdx.x, y = threadIdx.y, sum = 0;
    for (int part = 0; part < 2; ++part)
    {
        a[y][x] = y + part;
        b[y][x] = x * part;
        for (int i = 0; i < 8; ++i)
        {
            sum += a[y][i] * b[i][x];
        }
    }
    out[y * 8 + x] = sum;
}
int main() {
    int *d, h[64];
    cudaMalloc(&d, sizeof(h));
    cudaMemset(d, 0, sizeof(h));
    k<<<1, dim3(8, 8)>>>(d);
    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 64; i++)
        if (h[i] != (8 * (i / 8 + 1) * (i % 8))) return printf("wrong: h[%d] is %d\n", i, h[i]), 1;
    cudaFree(d);
    printf("right\n");
}
