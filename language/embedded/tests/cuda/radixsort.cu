/* Radix sort with 4 bits a pass: counts of blocks, one scan, a stable scatter. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BITS 4
#define DIGITS (1 << BITS)
#define BLOCK 64
#define CHECK(call)                                                                       \
    do {                                                                                  \
        cudaError_t status_ = (call);                                                     \
        if (status_ != cudaSuccess) {                                                     \
            fprintf(stderr, "%s:%d: %s\n", #call, __LINE__, cudaGetErrorString(status_)); \
            exit(EXIT_FAILURE);                                                           \
        }                                                                                 \
    } while (0)

typedef unsigned int uint32;

__global__ void count_digits(const uint32 *keys, uint32 *counts, int n, int shift) {
    __shared__ uint32 local[DIGITS];
    if (threadIdx.x < DIGITS) local[threadIdx.x] = 0;
    __syncthreads();
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (i < n) atomicAdd(&local[(keys[i] >> shift) & (DIGITS - 1)], 1u);
    __syncthreads();
    if (threadIdx.x < DIGITS) counts[threadIdx.x * gridDim.x + blockIdx.x] = local[threadIdx.x];
}

/* One block: each thread scans a piece, then the pieces are joined. */
__global__ void scan_counts(uint32 *counts, int n) {
    extern __shared__ uint32 sums[];
    int piece = (n + blockDim.x - 1) / blockDim.x;
    int first = threadIdx.x * piece, last = min(first + piece, n);
    uint32 sum = 0;
    for (int i = first; i < last; ++i) sum += counts[i];
    sums[threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        uint32 before = 0;
        for (int t = 0; t < blockDim.x; ++t) {
            uint32 own = sums[t];
            sums[t] = before;
            before += own;
        }
    }
    __syncthreads();
    sum = sums[threadIdx.x];
    for (int i = first; i < last; ++i) {
        uint32 own = counts[i];
        counts[i] = sum;
        sum += own;
    }
}

__global__ void scatter(const uint32 *in, uint32 *out, const uint32 *places, int n, int shift) {
    __shared__ unsigned char digit[BLOCK];
    int t = threadIdx.x, i = blockIdx.x * BLOCK + t;
    uint32 key = 0;
    int own = DIGITS;
    if (i < n) {
        key = in[i];
        own = (key >> shift) & (DIGITS - 1);
    }
    digit[t] = (unsigned char)own;
    __syncthreads();
    if (i >= n) return;
    uint32 rank = 0;
    for (int k = 0; k < t; ++k) rank += digit[k] == own;
    out[places[own * gridDim.x + blockIdx.x] + rank] = key;
}

static int compare(const void *a, const void *b) {
    uint32 x = *(const uint32 *)a, y = *(const uint32 *)b;
    return x < y ? -1 : x > y;
}

int main(void) {
    const int n = 3000, blocks = (n + BLOCK - 1) / BLOCK;
    const size_t bytes = n * sizeof(uint32);
    uint32 *keys = (uint32 *)malloc(bytes), *result = (uint32 *)malloc(bytes);
    uint32 *d_in, *d_out, *d_counts;
    int pass, i, wrong = 0;
    uint32 seed = 2463534242u;
    for (i = 0; i < n; ++i) {
        seed ^= seed << 13, seed ^= seed >> 17, seed ^= seed << 5;
        keys[i] = i % 5 ? seed : seed & 0xff;
    }
    CHECK(cudaMalloc((void **)&d_in, bytes));
    CHECK(cudaMalloc((void **)&d_out, bytes));
    CHECK(cudaMalloc((void **)&d_counts, DIGITS * blocks * sizeof(uint32)));
    CHECK(cudaMemcpy(d_in, keys, bytes, cudaMemcpyHostToDevice));
    for (pass = 0; pass < 32 / BITS; ++pass) {
        uint32 *t;
        count_digits<<<blocks, BLOCK>>>(d_in, d_counts, n, pass * BITS);
        scan_counts<<<1, 32, 32 * sizeof(uint32)>>>(d_counts, DIGITS * blocks);
        scatter<<<blocks, BLOCK>>>(d_in, d_out, d_counts, n, pass * BITS);
        CHECK(cudaGetLastError());
        t = d_in, d_in = d_out, d_out = t;
    }
    CHECK(cudaThreadSynchronize());
    CHECK(cudaMemcpy(result, d_in, bytes, cudaMemcpyDeviceToHost));
    qsort(keys, n, sizeof *keys, compare);
    for (i = 0; i < n; ++i) wrong += keys[i] != result[i];
    printf("first %u %u %u, last %#x\n", result[0], result[1], result[2], result[n - 1]);
    printf("memcmp %d, wrong %d: %s\n", memcmp(keys, result, bytes), wrong, wrong ? "FAILED" : "PASSED");
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    CHECK(cudaFree(d_counts));
    free(keys);
    free(result);
    return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
