/* LU decomposition with pivots by rows; columns are copied with cudaMemcpy2D. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define N 24
#define A(r, c) a[(r) * pitch + (c)]

__global__ void swap_rows(float *a, size_t pitch, int r, int s) {
    int c = threadIdx.x;
    float t = A(r, c);
    A(r, c) = A(s, c);
    A(s, c) = t;
}

__global__ void scale(float *a, size_t pitch, int k) {
    int r = k + 1 + threadIdx.x;
    if (r < N) A(r, k) /= A(k, k);
}

__global__ void eliminate(float *a, size_t pitch, int k) {
    int c = k + 1 + blockIdx.x * blockDim.x + threadIdx.x;
    int r = k + 1 + blockIdx.y * blockDim.y + threadIdx.y;
    if (r < N && c < N) A(r, c) -= A(r, k) * A(k, c);
}

static int find_pivot(float *column, int k) {
    int best = k;
    for (int r = k + 1; r < N; r++)
        if (fabsf(column[r]) > fabsf(column[best])) best = r;
    return best;
}

int main(void) {
    float matrix[N][N], lu[N][N], column[N], *d;
    int order[N], swaps = 0;
    size_t pitch;
    dim3 block(8, 8), grid(N / 8, N / 8);

    srand(1234);
    for (int r = 0; r < N; r++) {
        order[r] = r;
        for (int c = 0; c < N; c++) matrix[r][c] = (float)(rand() % 19 - 9);
    }
    if (cudaMallocPitch((void **)&d, &pitch, N * sizeof(float), N) != cudaSuccess) {
        fprintf(stderr, "no memory\n");
        return 1;
    }
    if (pitch % sizeof(float)) return 2;
    cudaMemcpy2D(d, pitch, matrix, sizeof matrix[0], sizeof matrix[0], N, cudaMemcpyHostToDevice);
    for (int k = 0; k < N; k++) {
        int p, t;
        cudaMemcpy2D(column, sizeof(float), d + k, pitch, sizeof(float), N, cudaMemcpyDeviceToHost);
        p = find_pivot(column, k);
        if (p != k) {
            swap_rows<<<1, N>>>(d, pitch / sizeof(float), p, k);
            t = order[p], order[p] = order[k], order[k] = t;
            swaps++;
        }
        if (k == N - 1) break;
        scale<<<1, N>>>(d, pitch / sizeof(float), k);
        eliminate<<<grid, block>>>(d, pitch / sizeof(float), k);
    }
    cudaMemcpy2D(&lu[0][0], N * sizeof(float), d, pitch, N * sizeof(float), N, cudaMemcpyDeviceToHost);

    double worst = 0, largest = 0;
    for (int r = 0; r < N; r++)
        for (int c = 0; c < N; c++) {
            double sum = 0;
            for (int k = 0; k <= (r < c ? r : c); k++) sum += (k == r ? 1.0 : lu[r][k]) * (double)lu[k][c];
            worst = fmax(worst, fabs(sum - matrix[order[r]][c]));
            if (c < r) largest = fmax(largest, fabs(lu[r][c]));
        }
    printf("%d swaps, first rows:", swaps);
    for (int r = 0; r < 6; r++) printf(" %d", order[r]);
    printf("\nlargest factor %s 1, error %s\n", largest <= 1 ? "<=" : ">", worst < 1e-4 ? "small" : "large");
    printf("%s\n", worst < 1e-4 && largest <= 1 ? "PASSED" : "FAILED");
    cudaFree(d);
    return 0;
}
