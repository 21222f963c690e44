// advice: barrier barrier
#include <cstdio>
__global__ void k(int *out, int n) {
    __shared__ int s[128];
    int t = threadIdx.x, sum = 0, turn = 0;
    while (true) {
        s[t] = t + turn;
        sum += s[127 - t];
        turn++;
        if (turn == n) break;
    }
    out[t] = sum;
}
int main() {
    int *d, h[128];
    cudaMalloc(&d, sizeof(h));
    cudaMemset(d, 0, sizeof(h));
    k<<<1, 128>>>(d, 5);
    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 128; i++)
        if (h[i] != (5 * (127 - i) + 10)) return printf("wrong: h[%d] is %d\n", i, h[i]), 1;
    cudaFree(d);
    printf("right\n");
}
