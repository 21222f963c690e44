#!/usr/bin/env bash
# Versions: numba-cuda 0.20.1, numba 0.61.2, numpy 2.2.6.
#
# Expected: `x * 0.5` and `x + 1` of a float32 x are float32, as in NumPy 2, and the sum of two
# int32 is int32.
#
# Seen: in a CUDA kernel of Numba every Python number makes the expression 64-bit, even the integer
# 1. A float32 plus an int32 is float64. The sum of two int32 is int64. Only float32 with float32
# stays float32.
#
# Output:
#
#   x * 0.5: float64 ['cvt.f64.f32', 'mul.f64']
#   x + 1: float64 ['cvt.f64.f32', 'add.f64']
#   x + i: float64 ['cvt.f64.f32', 'cvt.rn.f64.s32', 'add.f64']
#   i + i: int64 ['add.s64']
#   x / x: float32 ['div.rn.f32']
#
# Why it matters: the PTX of simple Python kernels needs double arithmetic, which chips of compute
# capability 1.0 to 1.2 do not have, and 64-bit integers for each index.
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

def half(a): return a * 0.5
def one(a): return a + 1
def add(a, b): return a + b
def div(a, b): return a / b

def show(function, *args):
    text, result = cuda.compile(function, args, cc=(7, 5), device=True, abi="c")
    found = re.findall(r"^\s+([a-z][\w.]*)\s.*;", text, re.M)
    return f"{result} {[o for o in found if not o.startswith(('ld.', 'st.'))]}"

x, i = types.float32, types.int32
expect("x * 0.5", show(half, x), "float64 ['cvt.f64.f32', 'mul.f64']")
expect("x + 1", show(one, x), "float64 ['cvt.f64.f32', 'add.f64']")
expect("x + i", show(add, x, i), "float64 ['cvt.f64.f32', 'cvt.rn.f64.s32', 'add.f64']")
expect("i + i", show(add, i, i), "int64 ['add.s64']")
expect("x / x", show(div, x, x), "float32 ['div.rn.f32']")
EOF
