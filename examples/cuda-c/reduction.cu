// Sum of an array: each block adds 2 * BLOCK elements in shared memory with sequential addresses
// and writes one sum. A template parameter selects the operation.
//   warpsim run reduction.cu --launch reduction.ron --chip g80

#define BLOCK 128

struct Add {
    __device__ static float of(float a, float b) { return a + b; }
};

template <typename Operation> __device__ float reduce_block(float value)
{
    __shared__ float values[BLOCK];
    int t = threadIdx.x;
    values[t] = value;
    for (int stride = BLOCK / 2; stride > 0; stride /= 2) {
        __syncthreads();
        if (t < stride)
            values[t] = Operation::of(values[t], values[t + stride]);
    }
    return values[0];
}

__global__ void reduce(const float *in, float *out, int n)
{
    int i = blockIdx.x * 2 * BLOCK + threadIdx.x;
    float value = i < n ? in[i] : 0.0f;
    if (i + BLOCK < n)
        value += in[i + BLOCK];
    float sum = reduce_block<Add>(value);
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}
