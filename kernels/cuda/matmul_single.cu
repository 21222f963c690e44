// Matrix product with one block: P = M * N, square, row-major, a thread for each element.
extern "C" __global__ void matmul_single(const float *M, const float *N, float *P, int width)
{
    int tx = threadIdx.x, ty = threadIdx.y;
    float sum = 0;
    for (int k = 0; k < width; ++k)
        sum += M[ty * width + k] * N[k * width + tx];
    P[ty * width + tx] = sum;
}
