// Transposes each block of SIDE x SIDE elements of a matrix in place.
// BARRIER: 0 as the exercise prints it, 1 with the missing barrier
extern "C" __global__ void ENTRY(float *A, int width)
{
    __shared__ float tile[SIDE][SIDE];
    int col = blockIdx.x * SIDE + threadIdx.x;
    int row = blockIdx.y * SIDE + threadIdx.y;
    // Row and width have fewer than 24 bits: this product is faster below capability 2.0.
    int i = __mul24(row, width) + col;
    tile[threadIdx.y][threadIdx.x] = A[i];
#if BARRIER
    __syncthreads();
#endif
    A[i] = tile[threadIdx.x][threadIdx.y];
}
