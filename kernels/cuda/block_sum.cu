// A block sums its terms: elements, or the products of a dot product.
//
// TERMS: PAIRS (two elements per thread), ELEMENTS (one) or PRODUCTS
// END:   FIRST (thread 0 stores the sum), PRINTED (all threads store it, without waiting),
//        WAITS (after a barrier), or LAST_WARP (the last six additions without barriers)
#define PAIRS 0
#define ELEMENTS 1
#define PRODUCTS 2
#define FIRST 0
#define PRINTED 1
#define WAITS 2
#define LAST_WARP 3

#if TERMS == PRODUCTS
extern "C" __global__ void ENTRY(const float *a, const float *b, float *out)
#else
extern "C" __global__ void ENTRY(const float *in, float *out, unsigned n)
#endif
{
    __shared__ float sums[512];
    unsigned t = threadIdx.x;
#if TERMS == PAIRS
    unsigned i = blockIdx.x * (2 * blockDim.x) + t;
    sums[t] = (i < n ? in[i] : 0) + (i + blockDim.x < n ? in[i + 256] : 0);
#elif TERMS == ELEMENTS
    unsigned i = blockIdx.x * blockDim.x + t;
    sums[t] = i < n ? in[i] : 0;
#else
    unsigned i = blockIdx.x * blockDim.x + t;
    sums[t] = a[i] * b[i];
#endif

    for (unsigned stride = blockDim.x / 2; stride > (END == LAST_WARP ? 32 : 0); stride /= 2) {
        __syncthreads();
        if (t < stride)
            sums[t] += sums[t + stride];
    }

#if END == FIRST
    if (t == 0)
        out[blockIdx.x] = sums[0];
#elif END == LAST_WARP
    __syncthreads();
    if (t < 32) {
        // The lanes of a warp run in lockstep. Volatile: each sees what the others wrote before.
        volatile float *mine = sums + t;
        float sum = mine[0];
        mine[0] = sum = sum + mine[32];
        mine[0] = sum = sum + mine[16];
        mine[0] = sum = sum + mine[8];
        mine[0] = sum = sum + mine[4];
        mine[0] = sum = sum + mine[2];
        mine[0] = sum = sum + mine[1];
        if (t == 0)
            out[blockIdx.x] = sum;
    }
#else
#if END == WAITS
    // All threads must see the last addition.
    __syncthreads();
#endif
    out[blockIdx.x] = sums[0];
#endif
}
