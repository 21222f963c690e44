// The sum of an array: each block adds up to 128 elements in shared memory and stores one sum.

extern "C" __global__ void sum(const int *in, int *out, int n)
{
    __shared__ int sums[128];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    sums[t] = i < n ? in[i] : 0;
    for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        __syncthreads();
        if (t < stride)
            sums[t] += sums[t + stride];
    }
    if (t == 0)
        out[blockIdx.x] = sums[0];
}
