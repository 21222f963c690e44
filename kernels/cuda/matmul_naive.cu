// Matrix product from global memory only: P = M * N, square, row-major, width a multiple of the
// block's side.
extern "C" __global__ void matmul_naive(const float *M, const float *N, float *P, int width)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < width; ++k)
        sum += M[row * width + k] * N[k * width + col];
    P[row * width + col] = sum;
}
