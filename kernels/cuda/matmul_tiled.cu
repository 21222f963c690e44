// Matrix product with tiles in shared memory: P = M * N, square, row-major, width a multiple of
// WIDE.
//
// TILE:     rows and columns of a block's threads, and of a tile
// MERGED:   elements of P per thread, TILE columns apart
// UNROLL:   how often the loop over a tile is unrolled; 1 is the plain loop
// PREFETCH: 1 if a phase loads the words of the next one
#define WIDE (TILE * MERGED)

extern "C" __global__ void ENTRY(const float *M, const float *N, float *P, int width)
{
    __shared__ float Ms[TILE][TILE];
    __shared__ float Ns[TILE][WIDE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * WIDE + tx;
    float sum[MERGED];
    for (int g = 0; g < MERGED; ++g)
        sum[g] = 0;
#if PREFETCH
    float m = M[row * width + tx], n[MERGED];
    for (int g = 0; g < MERGED; ++g)
        n[g] = N[ty * width + col + g * TILE];
#endif

    for (int phase = 0; phase < width; phase += TILE) {
#if PREFETCH
        Ms[ty][tx] = m;
        for (int g = 0; g < MERGED; ++g)
            Ns[ty][tx + g * TILE] = n[g];
#else
        Ms[ty][tx] = M[row * width + phase + tx];
        for (int g = 0; g < MERGED; ++g)
            Ns[ty][tx + g * TILE] = N[(phase + ty) * width + col + g * TILE];
#endif
        // No thread may read a word before another thread has written it.
        __syncthreads();
#if PREFETCH
        // These words arrive while this phase is multiplied.
        if (phase + TILE < width) {
            m = M[row * width + phase + TILE + tx];
            for (int g = 0; g < MERGED; ++g)
                n[g] = N[(phase + TILE + ty) * width + col + g * TILE];
        }
#endif
#pragma unroll UNROLL
        for (int k = 0; k < TILE; ++k)
            for (int g = 0; g < MERGED; ++g)
                sum[g] += Ms[ty][k] * Ns[k][tx + g * TILE];
        // No thread may overwrite a word before other threads have read it.
        __syncthreads();
    }

    for (int g = 0; g < MERGED; ++g)
        P[row * width + col + g * TILE] = sum[g];
}
