#!/usr/bin/env bash
# Versions: nvidia-cuda-nvcc-cu12 12.9.86, nvidia-cuda-runtime-cu12 12.9.79, compiled with ziglang
# 0.14.1.
#
# Expected: a kernel that uses one named barrier needs one barrier, whatever its number is.
#
# Seen: ptxas counts all numbers up to the highest one: `bar.sync 15` alone "used 16 barriers". A
# multiprocessor of compute capability 9.0 has 64 for all its blocks, two for each of its 32 block
# slots, so `cuda_occupancy.h` allows 4 blocks where the same kernel with barrier 0 has 32. A number
# in a register counts as all 16. An H200 with driver 13.0 agrees: the driver answers the same
# numbers for blocks of 32 threads, and counters of resident blocks in a kernel reached 32, 21, 10
# and 4. The header names the former limit beside the barriers as a limiting factor: 24 is the
# barriers (16) and the block slots (8), although the slots allow 32 blocks.
#
# Output:
#
#   bar.sync 0: 1 barriers, 32 blocks, factors 8
#   bar.sync 2: 3 barriers, 21 blocks, factors 24
#   bar.sync 5: 6 barriers, 10 blocks, factors 24
#   bar.sync 15: 16 barriers, 4 blocks, factors 24
#   bar.sync %r1: 16 barriers, 4 blocks, factors 24
#
# Why it matters: renumbering barriers from 0 on, or constants in place of registers, can make eight
# times as many blocks resident; up to 8.9 the header ignores barriers.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" -q --disable-pip-version-check install \
  nvidia-cuda-nvcc-cu12==12.9.86 nvidia-cuda-runtime-cu12==12.9.79 ziglang==0.14.1
DIR=$dir "$dir/venv/bin/python" - <<'EOF'
import importlib.metadata as metadata, os, re, subprocess, sys, sysconfig

for package in ("nvidia-cuda-nvcc-cu12", "nvidia-cuda-runtime-cu12", "ziglang"):
    print(package, metadata.version(package))
scratch, packages = os.environ["DIR"], sysconfig.get_paths()["purelib"] + "/nvidia/"
open(scratch + "/k.c", "w").write("""
#include <cuda_occupancy.h>
#include <stdio.h>
#include <stdlib.h>

int main(int count, char **words) {
    struct cudaOccDeviceProp chip = { 0 };
    chip.computeMajor = 9;
    chip.maxThreadsPerBlock = 1024; chip.maxThreadsPerMultiprocessor = 2048;
    chip.regsPerBlock = chip.regsPerMultiprocessor = 65536;
    chip.warpSize = 32; chip.numSms = 1;
    chip.sharedMemPerBlock = 49152; chip.sharedMemPerBlockOptin = 227 << 10;
    chip.sharedMemPerMultiprocessor = 228 << 10; chip.reservedSharedMemPerBlock = 1024;
    struct cudaOccFuncAttributes kernel = { 0 };
    kernel.maxThreadsPerBlock = 1024; kernel.numRegs = 4;
    kernel.numBlockBarriers = atoi(words[1]);
    struct cudaOccDeviceState state = { 0 };
    state.carveoutConfig = SHAREDMEM_CARVEOUT_DEFAULT;
    struct cudaOccResult result;
    if (cudaOccMaxActiveBlocksPerMultiprocessor(&result, &chip, &kernel, &state, 32, 0))
        printf("error ");
    printf("%d blocks, factors %u", result.activeBlocksPerMultiprocessor, result.limitingFactors);
}
""")
environment = dict(os.environ, ZIG_GLOBAL_CACHE_DIR=scratch, ZIG_LOCAL_CACHE_DIR=scratch)
subprocess.run([sys.executable, "-m", "ziglang", "cc", "-w", "-I" + packages + "cuda_runtime/include",
                "k.c", "-o", "k"], cwd=scratch, env=environment, check=True)
seen = ""
for barrier in ("0", "2", "5", "15", "%r1"):
    open(scratch + "/k.ptx", "w").write(f"""
.version 7.8
.target sm_90
.address_size 64
.visible .entry k(.param .u32 number)
{{
  .reg .u32 %r1;
  ld.param.u32 %r1, [number];
  bar.sync {barrier};
  ret;
}}
""")
    said = subprocess.run([packages + "cuda_nvcc/bin/ptxas", "-v", "-arch=sm_90", "k.ptx", "-o", "k.cubin"],
                          cwd=scratch, capture_output=True, text=True, check=True).stderr
    barriers = re.search(r"used (\d+) barriers", said)[1]
    header = subprocess.run([scratch + "/k", barriers], capture_output=True, text=True, check=True).stdout
    seen += f"bar.sync {barrier}: {barriers} barriers, {header}\n"
print(seen, end="")
wanted = """bar.sync 0: 1 barriers, 32 blocks, factors 8
bar.sync 2: 3 barriers, 21 blocks, factors 24
bar.sync 5: 6 barriers, 10 blocks, factors 24
bar.sync 15: 16 barriers, 4 blocks, factors 24
bar.sync %r1: 16 barriers, 4 blocks, factors 24
"""
if seen != wanted:
    sys.exit("changed; recorded:\n" + wanted)
EOF
