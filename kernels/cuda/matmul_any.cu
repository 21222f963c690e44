// Matrix product with tiles in shared memory for matrices of any size, row-major:
// P (rows x columns) = M (rows x inner) * N (inner x columns).
#define TILE 16

extern "C" __global__ void matmul_any(const float *M, const float *N, float *P, int rows, int inner,
                                      int columns)
{
    __shared__ float Ms[TILE][TILE];
    __shared__ float Ns[TILE][TILE];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float sum = 0;
    for (int phase = 0; phase < inner; phase += TILE) {
        // All threads must reach the barriers. Words beyond an edge add 0.
        float m = 0, n = 0;
        if (row < rows && phase + tx < inner)
            m = M[row * inner + phase + tx];
        if (phase + ty < inner && col < columns)
            n = N[(phase + ty) * columns + col];
        Ms[ty][tx] = m;
        Ns[ty][tx] = n;
        __syncthreads();
#pragma unroll 1
        for (int k = 0; k < TILE; ++k)
            sum += Ms[ty][k] * Ns[k][tx];
        __syncthreads();
    }
    if (row < rows && col < columns)
        P[row * columns + col] = sum;
}
