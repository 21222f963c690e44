// Dense matrices and vectors, as students write them in the first weeks of a course.
#include <cuda_runtime.h>
#include <stdio.h>

#define TILE_WIDTH 16
#define COARSE_FACTOR 4
const int BLOCK = 8;

// C = A * B for matrices of any size: rows x inner and inner x columns.
__global__ void sgemmTiled(const float *A, const float *B, float *C, int rows, int inner, int columns)
{
    __shared__ float subA[TILE_WIDTH][TILE_WIDTH];
    __shared__ float subB[TILE_WIDTH][TILE_WIDTH];
    int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
    int row = by * TILE_WIDTH + ty;
    int col = bx * TILE_WIDTH + tx;
    float value = 0;
    for (int m = 0; m < (inner - 1) / TILE_WIDTH + 1; ++m) {
        if (row < rows && m * TILE_WIDTH + tx < inner)
            subA[ty][tx] = A[row * inner + m * TILE_WIDTH + tx];
        else
            subA[ty][tx] = 0;
        if (col < columns && m * TILE_WIDTH + ty < inner)
            subB[ty][tx] = B[(m * TILE_WIDTH + ty) * columns + col];
        else
            subB[ty][tx] = 0;
        __syncthreads();
        for (int k = 0; k < TILE_WIDTH; ++k)
            value += subA[ty][k] * subB[k][tx];
        __syncthreads();
    }
    if (row < rows && col < columns)
        C[row * columns + col] = value;
}

// Each thread computes COARSE_FACTOR columns of the product.
__global__ void matrixMulCoarsened(float *M, float *N, float *P, int width)
{
    __shared__ float Mds[BLOCK][BLOCK];
    __shared__ float Nds[BLOCK][BLOCK];
    int row = blockIdx.y * BLOCK + threadIdx.y;
    int colStart = blockIdx.x * BLOCK * COARSE_FACTOR + threadIdx.x;
    float Pvalue[COARSE_FACTOR];
    for (int c = 0; c < COARSE_FACTOR; ++c) {
        Pvalue[c] = 0.0f;
    }
    for (int ph = 0; ph < width / BLOCK; ++ph) {
        Mds[threadIdx.y][threadIdx.x] = M[row * width + ph * BLOCK + threadIdx.x];
        for (int c = 0; c < COARSE_FACTOR; ++c) {
            int col = colStart + c * BLOCK;
            Nds[threadIdx.y][threadIdx.x] = N[(ph * BLOCK + threadIdx.y) * width + col];
            __syncthreads();
            for (int k = 0; k < BLOCK; ++k) {
                Pvalue[c] += Mds[threadIdx.y][k] * Nds[k][threadIdx.x];
            }
            __syncthreads();
        }
    }
    for (int c = 0; c < COARSE_FACTOR; ++c) {
        int col = colStart + c * BLOCK;
        P[row * width + col] = Pvalue[c];
    }
}

// Each thread computes two by two elements from registers.
__global__ void matmulRegisterTiled(const float *__restrict__ a, const float *__restrict__ b,
                                    float *__restrict__ c, const int n)
{
    const int row = (blockIdx.y * blockDim.y + threadIdx.y) * 2;
    const int col = (blockIdx.x * blockDim.x + threadIdx.x) * 2;
    float acc[2][2] = {{0.f, 0.f}, {0.f, 0.f}};
    for (int k = 0; k < n; k++) {
        float left[2], right[2];
#pragma unroll
        for (int i = 0; i < 2; i++) {
            left[i] = a[(row + i) * n + k];
            right[i] = b[k * n + col + i];
        }
#pragma unroll
        for (int i = 0; i < 2; i++)
#pragma unroll
            for (int j = 0; j < 2; j++)
                acc[i][j] += left[i] * right[j];
    }
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            c[(row + i) * n + col + j] = acc[i][j];
}

// The tiles have a size that the launch decides.
__global__ void matmulDynamicTile(const float *A, const float *B, float *C, int n, int tile)
{
    extern __shared__ float shared[];
    float *As = shared;
    float *Bs = shared + tile * tile;
    int row = blockIdx.y * tile + threadIdx.y, col = blockIdx.x * tile + threadIdx.x;
    float sum = 0.0f;
    for (int t = 0; t < n / tile; t++) {
        As[threadIdx.y * tile + threadIdx.x] = A[row * n + t * tile + threadIdx.x];
        Bs[threadIdx.y * tile + threadIdx.x] = B[(t * tile + threadIdx.y) * n + col];
        __syncthreads();
        for (int k = 0; k < tile; k++)
            sum += As[threadIdx.y * tile + k] * Bs[k * tile + threadIdx.x];
        __syncthreads();
    }
    C[row * n + col] = sum;
}

__global__ void matVec(const float *A, const float *x, float *y, int rows, int columns)
{
    unsigned int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float sum = 0.0f;
    for (int j = 0; j < columns; ++j) sum += A[row * columns + j] * x[j];
    y[row] = sum;
}

// A tile with a column more than it needs, rows that each thread copies in steps.
#define TILE_DIM 32
#define BLOCK_ROWS 8
__global__ void transposeNoBankConflicts(float *odata, const float *idata, int width, int height)
{
    __shared__ float tile[TILE_DIM][TILE_DIM + 1];
    int xIndex = blockIdx.x * TILE_DIM + threadIdx.x;
    int yIndex = blockIdx.y * TILE_DIM + threadIdx.y;
    int index_in = xIndex + yIndex * width;
    xIndex = blockIdx.y * TILE_DIM + threadIdx.x;
    yIndex = blockIdx.x * TILE_DIM + threadIdx.y;
    int index_out = xIndex + yIndex * height;
    for (int i = 0; i < TILE_DIM; i += BLOCK_ROWS)
        tile[threadIdx.y + i][threadIdx.x] = idata[index_in + i * width];
    __syncthreads();
    for (int i = 0; i < TILE_DIM; i += BLOCK_ROWS)
        odata[index_out + i * height] = tile[threadIdx.x][threadIdx.y + i];
}

#define N_PER_BLOCK 64
__global__ void dotProduct(const float *a, const float *b, float *partial, int n)
{
    __shared__ float cache[N_PER_BLOCK];
    int tid = threadIdx.x + blockIdx.x * blockDim.x;
    int cacheIndex = threadIdx.x;
    float temp = 0;
    while (tid < n) {
        temp += a[tid] * b[tid];
        tid += blockDim.x * gridDim.x;
    }
    cache[cacheIndex] = temp;
    __syncthreads();
    int i = blockDim.x / 2;
    while (i != 0) {
        if (cacheIndex < i)
            cache[cacheIndex] += cache[cacheIndex + i];
        __syncthreads();
        i /= 2;
    }
    if (cacheIndex == 0)
        partial[blockIdx.x] = cache[0];
}

__global__ void jacobi(const float *A, const float *b, const float *x_old, float *x_new, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float sigma = 0.0f;
        for (int j = 0; j < n; j++) {
            if (j != i)
                sigma += A[i * n + j] * x_old[j];
        }
        x_new[i] = (b[i] - sigma) / A[i * n + i];
    }
}

template <typename T>
__global__ void axpy(T alpha, const T *x, T *y, int n)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;
    if (i < n) y[i] = alpha * x[i] + y[i];
}

int main(void)
{
    float *x = 0, *y = 0;
    axpy<float><<<4, 64>>>(2.0f, x, y, 200);
    dim3 grid(2, 2), block(16, 16);
    sgemmTiled<<<grid, block>>>(x, x, y, 20, 30, 25);
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
    return 0;
}
