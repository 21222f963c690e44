#!/usr/bin/env bash
# Versions: numba-cuda 0.20.1, numba 0.61.2.
#
# Expected: an array argument of a kernel is a pointer, or a pointer and a length.
#
# Seen: Numba passes a 1-D array as seven 8-byte parameters, and each further dimension adds two.
# They are: memory owner, parent object, item count, item size, data pointer, shape, strides. A
# kernel that stores one element reads only three of them.
#
# Output:
#
#   1-D array: 7 parameters, 56 bytes, read: [4, 5, 6]
#   2-D array: 9 parameters, 72 bytes
#
# Why it matters: a chip of compute capability 1.x has 256 bytes for parameters, so a kernel with
# five arrays (280 bytes) cannot be launched there. A tool that pairs PTX parameters with arguments
# of the source by position pairs them wrongly.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" -q --disable-pip-version-check install \
  numba-cuda==0.20.1 numba==0.61.2 llvmlite==0.44.0 numpy==2.2.6 cuda-core==0.7.0 \
  cuda-bindings==12.9.10 cuda-pathfinder==1.9.1 cuda-python==12.9.10 \
  nvidia-cuda-cccl-cu12==12.9.27 nvidia-cuda-nvcc-cu12==12.9.86 nvidia-cuda-nvrtc-cu12==12.9.86 \
  nvidia-cuda-runtime-cu12==12.9.79 nvidia-nvjitlink-cu12==12.9.86
"$dir/venv/bin/python" - <<'EOF'
import importlib.metadata as metadata, re, sys
from numba import cuda, types

print("numba-cuda", metadata.version("numba-cuda"), "numba", metadata.version("numba"))

def expect(what, seen, wanted):
    print(f"{what}: {seen}")
    if seen != wanted:
        sys.exit(f"changed; recorded: {wanted}")

def one(a, n): a[n] = 0
def two(a, n): a[n, n] = 0

def show(function, dimensions):
    array = types.Array(types.float32, dimensions, "A")
    text, _ = cuda.compile_ptx(function, (array, types.int32), cc=(7, 5))
    found = len(re.findall(r"^\s*\.param \.u64 \S+_param_\d+", text, re.M))
    read = sorted(int(n) for n in re.findall(r"ld\.param\.u64 .*_param_(\d+)\];", text))
    return f"{found} parameters, {8 * found} bytes", read

what, read = show(one, 1)
expect("1-D array", f"{what}, read: {read}", "7 parameters, 56 bytes, read: [4, 5, 6]")
expect("2-D array", show(two, 2)[0], "9 parameters, 72 bytes")
EOF
