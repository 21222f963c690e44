// Inclusive prefix sums of blocks of 256 elements: in each step a thread adds the element that is
// `stride` places before its own. -D ONE_BARRIER removes the barrier between reading and writing.
#include <stdio.h>

#define BLOCK 256

__global__ void prefix(const int *in, int *out)
{
    __shared__ int sums[BLOCK];
    int t = threadIdx.x, i = blockIdx.x * BLOCK + t;
    sums[t] = in[i];
    __syncthreads();
    for (int stride = 1; stride < BLOCK; stride *= 2) {
        int before = 0;
        if (t >= stride)
            before = sums[t - stride];
#ifndef ONE_BARRIER
        __syncthreads();
#endif
        sums[t] += before;
        __syncthreads();
    }
    out[i] = sums[t];
}

int main()
{
    const int n = 16 * BLOCK;
    static int in[n], out[n];
    for (int i = 0; i < n; i++)
        in[i] = 1;
    int *d_in, *d_out;
    cudaMalloc((void **)&d_in, sizeof(in));
    cudaMalloc((void **)&d_out, sizeof(out));
    cudaMemcpy(d_in, in, sizeof(in), cudaMemcpyHostToDevice);
    prefix<<<n / BLOCK, BLOCK>>>(d_in, d_out);
    cudaMemcpy(out, d_out, sizeof(out), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < n; i++)
        wrong += out[i] != i % BLOCK + 1;
    printf("%d of %d prefix sums are wrong\n", wrong, n);
    cudaFree(d_in);
    cudaFree(d_out);
    return wrong != 0;
}
