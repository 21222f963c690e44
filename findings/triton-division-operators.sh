#!/usr/bin/env bash
# Versions: triton 3.3.1, compiled for capability 75.
#
# Expected: `/` of two float32 is the IEEE division that PyTorch and CUDA C have, `//` rounds down
# as in Python, and `/` of two int32 is a division of these numbers.
#
# Seen: `/` is `div.full.f32`, which has an error of up to 2 ulp. `//` is `div.s32`, which
# truncates, so -7 // 2 is -3. `/` of two int32 converts both to float32 first, so values above 2
# to the 24 lose bits before the division.
#
# Output:
#
#   x / y: ['div.full.f32']
#   a // b: ['div.s32']
#   a / b: ['cvt.rn.f32.s32', 'cvt.rn.f32.s32', 'div.full.f32']
#
# Why it matters: three operators that look like Python have other results. `div.full` is rare in
# CUDA C, but every Triton kernel with a division needs it. `tl.div_rn` is the rounded division.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" -q --disable-pip-version-check install \
  triton==3.3.1 setuptools==75.8.0
DIR=$dir "$dir/venv/bin/python" - <<'EOF'
import importlib.metadata as metadata, os, re, sys

scratch = os.environ["DIR"]
os.environ["TRITON_CACHE_DIR"] = scratch + "/cache"
import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

print("triton", metadata.version("triton"))
# Triton reads the source of a kernel from its file.
open(scratch + "/kernels.py", "w").write("""import triton
import triton.language as tl

@triton.jit
def floats(out, p):
    tl.store(out, tl.load(p) / tl.load(p + 1))

@triton.jit
def floor(out, p):
    tl.store(out, tl.load(p) // tl.load(p + 1))

@triton.jit
def ints(out, p):
    tl.store(out, tl.load(p) / tl.load(p + 1))
""")
sys.path.insert(0, scratch)
import kernels

def ptx(function, signature, capability=75):
    source = ASTSource(function, signature, constexprs={})
    target = GPUTarget("cuda", capability, 32)
    return triton.compile(source, target=target, options={"num_warps": 1}).asm["ptx"]

def expect(what, seen, wanted):
    print(f"{what}: {seen}")
    if seen != wanted:
        sys.exit(f"changed; recorded: {wanted}")

for what, function, out, p, wanted in (
        ("x / y", kernels.floats, "*fp32", "*fp32", ["div.full.f32"]),
        ("a // b", kernels.floor, "*i32", "*i32", ["div.s32"]),
        ("a / b", kernels.ints, "*fp32", "*i32",
         ["cvt.rn.f32.s32", "cvt.rn.f32.s32", "div.full.f32"])):
    text = ptx(function, {"out": out, "p": p})
    expect(what, re.findall(r"^\s+((?:div|cvt)\.[\w.]+)", text, re.M), wanted)
EOF
