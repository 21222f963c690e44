// Counts bytes in 256 bins by atomics, which are zero before.
//
// ELEMENT: BYTE or WORD, what a thread counts, in global memory; or WORDS: several words, 256
//          apart, in shared memory, which the block merges at the end
#define BYTE 0
#define WORD 1
#define WORDS 2

__device__ void count(unsigned *bins, unsigned word)
{
    atomicAdd(&bins[word & 255], 1u);
    atomicAdd(&bins[word >> 8 & 255], 1u);
    atomicAdd(&bins[word >> 16 & 255], 1u);
    atomicAdd(&bins[word >> 24], 1u);
}

#if ELEMENT == BYTE
extern "C" __global__ void histogram(const unsigned char *in, unsigned *bins)
#elif ELEMENT == WORD
extern "C" __global__ void histogram(const unsigned *in, unsigned *bins)
#else
extern "C" __global__ void histogram(const unsigned *in, unsigned *bins, unsigned words)
#endif
{
    unsigned t = threadIdx.x;
    // More than 65,535 blocks have several rows.
    unsigned block = blockIdx.y * gridDim.x + blockIdx.x;
#if ELEMENT == BYTE
    atomicAdd(&bins[in[block * 256 + t]], 1u);
#elif ELEMENT == WORD
    count(bins, in[block * 256 + t]);
#else
    __shared__ unsigned counts[256];
    counts[t] = 0;
    __syncthreads();
    const unsigned *mine = in + block * words * 256 + t;
    for (unsigned i = 0; i < words; ++i)
        count(counts, mine[i * 256]);
    __syncthreads();
    atomicAdd(&bins[t], counts[t]);
#endif
}
