// A histogram of numbers below 64: each block counts in shared memory, and adds its counts to the
// result.

extern "C" __global__ void histogram(const unsigned *in, unsigned *bins, int n)
{
    __shared__ unsigned counts[64];
    int t = threadIdx.x;
    if (t < 64)
        counts[t] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + t; i < n; i += blockDim.x * gridDim.x)
        atomicAdd(&counts[in[i]], 1u);
    __syncthreads();
    if (t < 64)
        atomicAdd(&bins[t], counts[t]);
}
