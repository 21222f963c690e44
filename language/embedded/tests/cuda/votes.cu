// Votes of warps: compaction of a stream without shared memory, and lines that kernels print.
#include <stdio.h>
#include <stdlib.h>

__device__ unsigned lanes_below() { return (1u << (threadIdx.x % warpSize)) - 1; }

__global__ void compact(const int *in, int n, int *out, int *count, int limit) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int value = i < n ? in[i] : limit;
    const bool keep = value < limit;
    const unsigned votes = __ballot(keep);
    if (!__any(keep)) return;
    int base;
    volatile __shared__ int bases[8];
    if (threadIdx.x % 32 == 0) bases[threadIdx.x / 32] = atomicAdd(count, __popc(votes));
    base = bases[threadIdx.x / 32];
    if (keep) out[base + __popc(votes & lanes_below())] = value;
}

__global__ void report(const int *values, int n) {
    const int lane = threadIdx.x;
    const unsigned odd = __ballot(lane < n && values[lane] & 1);
    const int all_small = __all(lane >= n || values[lane] < 50), any_zero = __any(lane < n && values[lane] == 0);
    if (lane == 0) {
        printf("odd %08x, first %d, last %d\n", odd, __ffs(odd), 31 - __clz(odd));
        printf("small: %s, zero: %s, %5.2f%% odd\n", all_small ? "all" : "not all", any_zero ? "yes" : "no", 100.0f * __popc(odd) / n);
    }
    if (lane % 10 == 3) printf("lane %2d: %-4d|%c\n", lane, values[lane], 'a' + lane);
}

static int ascending(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

int main() {
    enum { n = 1000, limit = 37 };
    static int in[n], out[n], expected[n];
    int kept = 0, count = 0, *d_in, *d_out, *d_count, good = 1;
    srand(5);
    for (int i = 0; i < n; i++) {
        in[i] = i / 100 % 2 ? 99 : rand() % 100;
        if (in[i] < limit) expected[kept++] = in[i];
    }
    cudaMalloc((void **)&d_in, sizeof in);
    cudaMalloc((void **)&d_out, sizeof in);
    cudaMalloc((void **)&d_count, sizeof(int));
    cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
    cudaMemset(d_count, 0, sizeof(int));
    compact<<<(n + 255) / 256, 256>>>(d_in, n, d_out, d_count, limit);
    cudaMemcpy(&count, d_count, sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(out, d_out, count * sizeof *out, cudaMemcpyDeviceToHost);
    report<<<1, 32>>>(d_in, 30);
    cudaDeviceSynchronize();
    // Blocks append in any order.
    qsort(out, count, sizeof *out, ascending);
    qsort(expected, kept, sizeof *expected, ascending);
    for (int i = 0; i < kept; i++) good = good && out[i] == expected[i];
    printf("kept %d of %d, median %d\n", count, n, out[count / 2]);
    puts(good && count == kept ? "PASSED" : "FAILED");
    cudaFree(d_in), cudaFree(d_out), cudaFree(d_count);
    return 0;
}
