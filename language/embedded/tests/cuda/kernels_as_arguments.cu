// Kernels as arguments of calls, groups of threads, and a lock that the lanes of a warp take in turn.
#include <cooperative_groups.h>
#include <cstdio>

namespace groups = cooperative_groups;

__global__ void add(int *list, int value) {
    groups::thread_block block = groups::this_thread_block();
    groups::thread_block_tile<8> tile = groups::tiled_partition<8>(block);
    list[block.thread_rank()] += value + tile.thread_rank();
    block.sync();
}

__global__ void take_turns(int *lock, int *count) {
    bool done = false;
    while (!done) {
        if (atomicCAS(lock, 0, 1) == 0) {
            *count += 1;
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
    }
}

void on_host(void *value) { printf("the host has %d\n", *(int *)value); }

int main() {
    int *list, value = 5, blocks = 0, grid = 0, block = 0;
    cudaMalloc(&list, 64 * sizeof(int));
    cudaMemset(list, 0, 64 * sizeof(int));
    void *arguments[] = {&list, &value};
    printf("launch: %d\n", cudaLaunchKernel(add, dim3(1), dim3(32), arguments, 0, 0));
    printf("launch: %d\n", cudaLaunchKernel((const void *)add, 1, 32, arguments));
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add, 64, 0);
    cudaOccupancyMaxPotentialBlockSize(&grid, &block, add);
    printf("occupancy: %d, %d, %d\n", blocks, grid, block);
    cudaFuncAttributes attributes;
    printf("attributes: %d, %d\n", cudaFuncGetAttributes(&attributes, add), attributes.maxThreadsPerBlock);
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaLaunchHostFunc(stream, on_host, &value);
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
    take_turns<<<1, 32>>>(list + 40, list + 41);
    int host[64];
    cudaMemcpy(host, list, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d %d, %d lanes had the lock\n", host[0], host[31], host[41]);
    cudaFree(list);
    printf("%s\n", host[0] == 10 && host[31] == 24 && host[41] == 32 ? "PASSED" : "FAILED");
    return 0;
}
