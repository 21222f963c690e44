// Transposes each block of SIDE x SIDE elements of a matrix in place.
// BARRIER: 0 as the exercise prints it, 1 with the missing barrier
extern "C" __global__ void ENTRY(float *A, int width)
{
    __shared__ float tile[SIDE][SIDE];
    int col = blockIdx.x * SIDE + threadIdx.x;
    int row = blockIdx.y * SIDE + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = A[row * width + col];
#if BARRIER
    __syncthreads();
#endif
    A[row * width + col] = tile[threadIdx.x][threadIdx.y];
}
