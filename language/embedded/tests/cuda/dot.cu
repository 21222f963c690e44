// Dot product: sums of blocks in shared memory, and the rest in plain C.
#include <stdio.h>
#include <stdlib.h>

#define THREADS 128

__global__ void dot(const int *a, const int *b, int *sums, int n) {
    __shared__ int part[THREADS];
    int sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += a[i] * b[i];
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int step = THREADS / 2; step > 0; step /= 2) {
        if (threadIdx.x < step) part[threadIdx.x] += part[threadIdx.x + step];
        __syncthreads();
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = part[0];
}

int main() {
    const int n = 3000, blocks = 6;
    int *a = (int *)malloc(n * sizeof(int)), *b = (int *)malloc(n * sizeof(int)), *sums = (int *)calloc(blocks, 4);
    int expected = 0, found = 0, i;
    for (i = 0; i < n; i++) {
        a[i] = i % 17 - 8;
        b[i] = (i * 7) % 23;
        expected += a[i] * b[i];
    }
    int *da, *db, *ds;
    cudaMalloc((void **)&da, n * sizeof(int));
    cudaMalloc((void **)&db, n * sizeof(int));
    cudaMalloc((void **)&ds, blocks * sizeof(int));
    cudaMemcpy(da, a, n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(db, b, n * sizeof(int), cudaMemcpyHostToDevice);
    dot<<<blocks, THREADS>>>(da, db, ds, n);
    cudaMemcpy(sums, ds, blocks * sizeof(int), cudaMemcpyDeviceToHost);
    for (i = 0; i < blocks; i++) {
        printf("block %d: %6d\n", i, sums[i]);
        found += sums[i];
    }
    printf("%d %s\n", found, found == expected ? "PASSED" : "FAILED");
    cudaFree(da);
    cudaFree(db);
    cudaFree(ds);
    free(a);
    free(b);
    free(sums);
    return 0;
}
