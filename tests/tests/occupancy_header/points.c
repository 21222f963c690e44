/* Prints what NVIDIA's header computes for each line of standard input, a point of main.rs. */

#include <cuda_occupancy.h>
#include <stdio.h>

int main(void) {
    struct cudaOccDeviceProp chip = {0};
    struct cudaOccFuncAttributes kernel = {0};
    struct cudaOccDeviceState state = {0};
    struct cudaOccResult found = {0};
    int warps, threads, fixed, dynamic, opt_in, cache, status;
    int shared, most, reserved;

    chip.maxThreadsPerBlock = kernel.maxThreadsPerBlock = 1024;
    chip.regsPerBlock = 65536;
    chip.sharedMemPerBlock = 49152;
    chip.warpSize = 32;
    chip.numSms = 1;
    while (scanf("%d %d %d %d %d %d %d", &chip.computeMajor, &chip.computeMinor, &warps,
                 &chip.regsPerMultiprocessor, &shared, &most, &reserved) == 7 &&
           scanf("%d %d %d %d %d %d %d %d", &threads, &kernel.numRegs,
                 &kernel.numBlockBarriers, &fixed, &dynamic, &opt_in,
                 &state.carveoutConfig, &cache) == 8) {
        chip.maxThreadsPerMultiprocessor = 32 * warps;
        chip.sharedMemPerMultiprocessor = shared;
        chip.sharedMemPerBlockOptin = most;
        chip.reservedSharedMemPerBlock = reserved;
        kernel.sharedSizeBytes = fixed;
        kernel.shmemLimitConfig = opt_in ? FUNC_SHMEM_LIMIT_OPTIN : FUNC_SHMEM_LIMIT_DEFAULT;
        kernel.maxDynamicSharedSizeBytes = dynamic;
        state.cacheConfig = cache;
        status = cudaOccMaxActiveBlocksPerMultiprocessor(&found, &chip, &kernel, &state, threads,
                                                         dynamic);
        printf("%d %d %u %d %d %d %d %d %d\n", status, found.activeBlocksPerMultiprocessor,
               found.limitingFactors, found.blockLimitWarps, found.blockLimitBlocks,
               found.blockLimitRegs, found.blockLimitSharedMem, found.allocatedRegistersPerBlock,
               (int)found.allocatedSharedMemPerBlock);
    }
    return 0;
}
