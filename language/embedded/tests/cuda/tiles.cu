// Tiles of a block whose size the program computes.
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

__global__ void sums(const int *in, int *out, int *ranks, int size) {
    __shared__ int values[64];
    cg::thread_block block = cg::this_thread_block();
    cg::thread_group tile = cg::tiled_partition(block, size);
    unsigned int thread = threadIdx.x;
    values[thread] = in[thread];
    cg::sync(block);
    // The first thread of a tile adds the values of its threads.
    if (tile.thread_rank() == 0) {
        int sum = 0;
        for (unsigned int at = 0; at < tile.size(); at++) sum += values[thread + at];
        out[thread / size] = sum;
    }
    cg::sync(tile);
    ranks[thread] = tile.thread_rank();
}

int main() {
    int in[64], out[64], ranks[64], *d_in, *d_out, *d_ranks;
    for (int at = 0; at < 64; at++) in[at] = at * at % 17;
    cudaMalloc(&d_in, sizeof(in));
    cudaMalloc(&d_out, sizeof(out));
    cudaMalloc(&d_ranks, sizeof(ranks));
    cudaMemcpy(d_in, in, sizeof(in), cudaMemcpyHostToDevice);
    int wrong = 0;
    for (int size = 1; size <= 32; size *= 2) {
        sums<<<1, 64>>>(d_in, d_out, d_ranks, size);
        cudaMemcpy(out, d_out, 64 / size * sizeof(int), cudaMemcpyDeviceToHost);
        cudaMemcpy(ranks, d_ranks, sizeof(ranks), cudaMemcpyDeviceToHost);
        for (int tile = 0; tile < 64 / size; tile++) {
            int sum = 0;
            for (int at = 0; at < size; at++) sum += in[tile * size + at];
            wrong += sum != out[tile];
        }
        for (int at = 0; at < 64; at++) wrong += ranks[at] != at % size;
    }
    cudaFree(d_in);
    cudaFree(d_out);
    cudaFree(d_ranks);
    printf("%s\n", wrong ? "FAILED" : "PASSED");
    return wrong != 0;
}
