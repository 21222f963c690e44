// Sum reduction with whole warps: the stride between the two summands halves. A block sums 512
// elements; the host adds the sums of the blocks.
extern "C" __global__ void reduce_halving(const float *in, float *out, unsigned n)
{
    __shared__ float sums[512];
    unsigned t = threadIdx.x;
    unsigned i = blockIdx.x * blockDim.x + t;
    sums[t] = i < n ? in[i] : 0;
    for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
        __syncthreads();
        if (t < stride)
            sums[t] += sums[t + stride];
    }
    if (t == 0)
        out[blockIdx.x] = sums[0];
}
