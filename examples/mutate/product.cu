// A product of square matrices of any width, with tiles in shared memory. A tile is as large as a
// block, which has at most 8 x 8 threads.

extern "C" __global__ void product(const int *a, const int *b, int *c, int n)
{
    __shared__ int left[8][8], right[8][8];
    int tx = threadIdx.x, ty = threadIdx.y, tile = blockDim.x;
    int row = blockIdx.y * tile + ty, column = blockIdx.x * tile + tx;
    int sum = 0;
    for (int first = 0; first < n; first += tile) {
        left[ty][tx] = row < n && first + tx < n ? a[row * n + first + tx] : 0;
        right[ty][tx] = first + ty < n && column < n ? b[(first + ty) * n + column] : 0;
        __syncthreads();
        for (int k = 0; k < tile; ++k)
            sum += left[ty][k] * right[k][tx];
        __syncthreads();
    }
    if (row < n && column < n)
        c[row * n + column] = sum;
}
