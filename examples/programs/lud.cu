// LU decomposition in tiles, three kernels for each step, with dynamic shared memory.
// Build: warpcc lud.cu -o lud && ./lud [size] [tile], a multiple of the tile
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <cuda.h>

extern __shared__ float shared[];

// Decomposes the tile on the diagonal; one block with a thread for each row.
__global__ void lud_diagonal(float *m, int size, int tile, int step)
{
    float *a = shared;
    float *corner = m + (step * size + step) * tile;
    int t = threadIdx.x;
    for (int r = 0; r < tile; r++)
        a[r * tile + t] = corner[r * size + t];
    __syncthreads();
    for (int k = 0; k < tile - 1; k++) {
        if (t > k) {
            float factor = a[t * tile + k] / a[k * tile + k];
            for (int c = k + 1; c < tile; c++)
                a[t * tile + c] -= factor * a[k * tile + c];
            a[t * tile + k] = factor;
        }
        __syncthreads();
    }
    for (int r = 0; r < tile; r++)
        corner[r * size + t] = a[r * tile + t];
}

// Block 2 i solves tile i of the row of tiles, block 2 i + 1 tile i of the column.
__global__ void lud_perimeter(float *m, int size, int tile, int step)
{
    float *diagonal = shared;
    float *a = shared + tile * tile;
    int t = threadIdx.x;
    int other = step + 1 + blockIdx.x / 2;
    bool column = blockIdx.x % 2;
    const float *corner = m + (step * size + step) * tile;
    float *mine = m + (column ? other * size + step : step * size + other) * tile;
    for (int r = 0; r < tile; r++) {
        diagonal[r * tile + t] = corner[r * size + t];
        a[r * tile + t] = mine[r * size + t];
    }
    __syncthreads();
    if (column) { // thread t has row t: x U = a
        for (int c = 0; c < tile; c++) {
            float sum = a[t * tile + c];
            for (int k = 0; k < c; k++)
                sum -= a[t * tile + k] * diagonal[k * tile + c];
            a[t * tile + c] = sum / diagonal[c * tile + c];
        }
    } else { // thread t has column t: L x = a
        for (int r = 1; r < tile; r++) {
            float sum = a[r * tile + t];
            for (int k = 0; k < r; k++)
                sum -= diagonal[r * tile + k] * a[k * tile + t];
            a[r * tile + t] = sum;
        }
    }
    __syncthreads();
    for (int r = 0; r < tile; r++)
        mine[r * size + t] = a[r * tile + t];
}

// Subtracts the product of the tiles of the perimeter from the other tiles.
__global__ void lud_internal(float *m, int size, int tile, int step)
{
    float *left = shared;
    float *top = shared + tile * tile;
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = (step + 1 + blockIdx.y) * tile + ty;
    int col = (step + 1 + blockIdx.x) * tile + tx;
    left[ty * tile + tx] = m[row * size + step * tile + tx];
    top[ty * tile + tx] = m[(step * tile + ty) * size + col];
    __syncthreads();
    float sum = 0;
    for (int k = 0; k < tile; k++)
        sum += left[ty * tile + k] * top[k * tile + tx];
    m[row * size + col] -= sum;
}

int main(int argc, char **argv)
{
    int size = argc > 1 ? atoi(argv[1]) : 64;
    int tile = argc > 2 ? atoi(argv[2]) : 16;
    if (size < 1 || tile < 1 || size % tile) {
        fprintf(stderr, "usage: lud [size] [tile], size a multiple of tile\n");
        return 2;
    }
    cudaDeviceProp prop;
    if (cudaGetDeviceProperties(&prop, 0) != cudaSuccess)
        return 2;
    size_t two_tiles = 2 * tile * tile * sizeof(float);
    if (tile * tile > prop.maxThreadsPerBlock || two_tiles > prop.sharedMemPerBlock - 256) {
        fprintf(stderr, "tiles of %d x %d are too large for this device\n", tile, tile);
        return 2;
    }

    size_t bytes = sizeof(float) * size * size;
    float *a = (float *)malloc(bytes), *lu = (float *)malloc(bytes), *d_m;
    for (int y = 0; y < size; y++)
        for (int x = 0; x < size; x++)
            a[y * size + x] = (y == x ? size : 0) + (float)((7 * y + 13 * x) % 17) / 17;
    cudaMalloc((void **)&d_m, bytes);
    cudaMemcpy(d_m, a, bytes, cudaMemcpyHostToDevice);
    int tiles = size / tile;
    for (int step = 0; step < tiles; step++) {
        int rest = tiles - step - 1;
        lud_diagonal<<<1, tile, two_tiles / 2>>>(d_m, size, tile, step);
        if (rest > 0) {
            lud_perimeter<<<2 * rest, tile, two_tiles>>>(d_m, size, tile, step);
            lud_internal<<<dim3(rest, rest), dim3(tile, tile), two_tiles>>>(d_m, size, tile, step);
        }
    }
    cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess)
        error = cudaMemcpy(lu, d_m, bytes, cudaMemcpyDeviceToHost);
    if (error != cudaSuccess) {
        fprintf(stderr, "%s\n", cudaGetErrorString(error));
        return 2;
    }
    cudaFree(d_m);

    // L has ones on its diagonal; L U has to be the matrix.
    double worst = 0;
    for (int y = 0; y < size; y++)
        for (int x = 0; x < size; x++) {
            double sum = 0;
            for (int k = 0; k <= (y < x ? y : x); k++)
                sum += (k == y ? 1.0 : lu[y * size + k]) * lu[k * size + x];
            double d = fabs(sum - a[y * size + x]);
            worst = d > worst || d != d ? d : worst;
        }
    printf("%d x %d in tiles of %d\n", size, size, tile);
    bool passed = worst < 1e-4 * size;
    printf("%s: largest difference %g\n", passed ? "PASSED" : "FAILED", worst);
    free(a);
    free(lu);
    return !passed;
}
