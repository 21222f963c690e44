#!/usr/bin/env bash
# Versions: numba-cuda 0.20.1, numba 0.61.2.
#
# Expected: `a // b` with b = 0 raises ZeroDivisionError, as in Python, or gives the value of the
# GPU (all bits set for an integer division by 0).
#
# Seen: by default the PTX of Numba tests the divisor and returns 0 as quotient. It has no trap and
# no error flag. The same test is in `a % b`.
#
# Output:
#
#   a // b: if b == 0, the result is 0
#   a % b: if b == 0, the result is 0
#   trap: False
#
# Why it matters: an integer division by zero in a Python kernel is invisible for a checker that
# looks at the divisors of executed divisions, because no division is executed.
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

def quotient(a, b): return a // b
def remainder(a, b): return a % b

trap = False
for what, function in (("a // b", quotient), ("a % b", remainder)):
    text, _ = cuda.compile(function, (types.int32, types.int32), cc=(7, 5), device=True, abi="c")
    trap = trap or "trap" in text
    b = re.search(r"ld\.param\.s32 \s*(%rd\d+), \[\w+_param_1\]", text)[1]
    # If b is 0, a register gets 0, and a branch goes to the label behind which it is returned.
    test = re.search(r"setp\.eq\.s64 \s*(%p\d+), " + b + r", 0;\s+mov\.u64 \s*(%rd\d+), 0;"
                     r"\s+@(%p\d+) bra \s*(\S+);", text)
    end = re.search(r"(\S+):\s+st\.param\.b64 \s*\[func_retval0\+0\], (%rd\d+);", text)
    zero = test and end and (test[1], test[4], test[2]) == (test[3], end[1], end[2])
    expect(what, "if b == 0, the result is 0" if zero else text, "if b == 0, the result is 0")
expect("trap", trap, False)
EOF
