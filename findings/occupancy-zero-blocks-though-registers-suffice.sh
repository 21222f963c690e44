#!/usr/bin/env bash
# Versions: nvidia-cuda-runtime-cu12 12.9.79, compiled with ziglang 0.14.1.
#
# Expected: a block fits a multiprocessor if its allocated registers are at most the registers of
# the multiprocessor. 64,512 of 65,536 registers fit once.
#
# Seen: `cuda_occupancy.h` gives 0 blocks and returns success. Registers belong to four partitions.
# A partition of 16,384 registers holds 2 warps of 224 registers, so the block of 9 warps does not
# fit, although 9 warps need only 64,512 registers. On compute capability 3.7, a block may use
# 65,536 of the 131,072 registers; this limit is divided by four as well, so 50,688 registers do
# not fit.
#
# Output:
#
#   5.2, 288 threads, 224 registers: 64512 allocated, 0 blocks
#   5.2, 256 threads, 224 registers: 57344 allocated, 1 blocks
#   3.7, 288 threads, 176 registers: 50688 allocated, 0 blocks
#   3.7, 288 threads, 168 registers: 48384 allocated, 2 blocks
#
# Why it matters: an occupancy formula with total registers alone accepts blocks that this header,
# and with it NVIDIA's occupancy calculation, rejects.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" -q --disable-pip-version-check install \
  nvidia-cuda-runtime-cu12==12.9.79 ziglang==0.14.1
DIR=$dir "$dir/venv/bin/python" - <<'EOF'
import importlib.metadata as metadata, os, subprocess, sys, sysconfig

for package in ("nvidia-cuda-runtime-cu12", "ziglang"):
    print(package, metadata.version(package))
scratch = os.environ["DIR"]
open(scratch + "/k.c", "w").write("""
#include <cuda_occupancy.h>
#include <stdio.h>

void run(int major, int minor, int threads, int registers) {
    struct cudaOccDeviceProp chip;
    chip.computeMajor = major; chip.computeMinor = minor;
    chip.maxThreadsPerBlock = 1024; chip.maxThreadsPerMultiprocessor = 2048;
    chip.regsPerBlock = 65536; chip.regsPerMultiprocessor = major == 3 ? 131072 : 65536;
    chip.warpSize = 32; chip.numSms = 1;
    chip.sharedMemPerBlock = chip.sharedMemPerBlockOptin = 49152;
    chip.sharedMemPerMultiprocessor = major == 3 ? 114688 : 98304;
    chip.reservedSharedMemPerBlock = 0;
    struct cudaOccFuncAttributes kernel;
    kernel.maxThreadsPerBlock = 1024; kernel.numRegs = registers; kernel.sharedSizeBytes = 0;
    kernel.partitionedGCConfig = PARTITIONED_GC_OFF;
    kernel.shmemLimitConfig = FUNC_SHMEM_LIMIT_DEFAULT;
    kernel.maxDynamicSharedSizeBytes = 49152; kernel.numBlockBarriers = 1;
    struct cudaOccDeviceState state = { 0 };
    struct cudaOccResult result;
    if (cudaOccMaxActiveBlocksPerMultiprocessor(&result, &chip, &kernel, &state, threads, 0))
        printf("error ");
    printf("%d.%d, %d threads, %d registers: %d allocated, %d blocks\\n", major, minor, threads,
           registers, result.allocatedRegistersPerBlock, result.activeBlocksPerMultiprocessor);
}

int main(void) {
    run(5, 2, 288, 224); run(5, 2, 256, 224); run(3, 7, 288, 176); run(3, 7, 288, 168);
}
""")
environment = dict(os.environ, ZIG_GLOBAL_CACHE_DIR=scratch, ZIG_LOCAL_CACHE_DIR=scratch)
include = sysconfig.get_paths()["purelib"] + "/nvidia/cuda_runtime/include"
subprocess.run([sys.executable, "-m", "ziglang", "cc", "-w", "-I" + include, "k.c", "-o", "k"],
               cwd=scratch, env=environment, check=True)
seen = subprocess.run([scratch + "/k"], capture_output=True, text=True, check=True).stdout
print(seen, end="")
wanted = """5.2, 288 threads, 224 registers: 64512 allocated, 0 blocks
5.2, 256 threads, 224 registers: 57344 allocated, 1 blocks
3.7, 288 threads, 176 registers: 50688 allocated, 0 blocks
3.7, 288 threads, 168 registers: 48384 allocated, 2 blocks
"""
if seen != wanted:
    sys.exit("changed; recorded:\n" + wanted)
EOF
