// Histogram of bytes in 16 bins. Each thread counts in its own column of shared memory, so that no
// atomics are needed and every chip runs the kernel. Block b writes its counts to
// counts[b * BINS] and the elements after it; the host adds the blocks.
//   warpsim run histogram.cu --launch histogram.ron --chip g80

#define BINS 16
#define BLOCK 64

__global__ void histogram(const unsigned char *data, int per_block, unsigned *counts)
{
    __shared__ unsigned columns[BINS][BLOCK];
    int t = threadIdx.x;
    for (int bin = 0; bin < BINS; bin++)
        columns[bin][t] = 0;

    // A thread uses only its own column: no barrier is needed.
    const unsigned char *mine = data + blockIdx.x * per_block;
    for (int i = t; i < per_block; i += BLOCK)
        columns[mine[i] % BINS][t]++;
    __syncthreads();

    if (t < BINS) {
        unsigned sum = 0;
        // Each thread begins at another column, in another bank.
        for (int k = 0; k < BLOCK; k++)
            sum += columns[t][(t + k) % BLOCK];
        counts[blockIdx.x * BINS + t] = sum;
    }
}
