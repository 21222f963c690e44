// Matrix addition: C = A + B, square, row-major, one thread per element.
// SHARED: 1 if the terms pass through shared memory, which saves no load.
extern "C" __global__ void ENTRY(const float *A, const float *B, float *C, int width)
{
    int col = blockIdx.x * 16 + threadIdx.x;
    int row = blockIdx.y * 16 + threadIdx.y;
    // No barrier follows: a thread may leave.
    if (col >= width || row >= width)
        return;
    // Row and width have fewer than 24 bits: this product is faster below capability 2.0.
    int i = __mul24(row, width) + col;
#if SHARED
    __shared__ float As[16][16], Bs[16][16];
    // Each thread reads only its own words: no barrier.
    As[threadIdx.y][threadIdx.x] = A[i];
    Bs[threadIdx.y][threadIdx.x] = B[i];
    C[i] = As[threadIdx.y][threadIdx.x] + Bs[threadIdx.y][threadIdx.x];
#else
    C[i] = A[i] + B[i];
#endif
}
