// Vector addition: C = A + B, one thread per element.
extern "C" __global__ void vecadd(const float *A, const float *B, float *C, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    // The last block may extend beyond the vectors.
    if (i < n)
        C[i] = A[i] + B[i];
}
