#!/usr/bin/env bash
# Versions: triton 3.3.1.
#
# Expected: a Triton kernel with one pointer argument has one PTX parameter, and capability 90
# gives `.target sm_90`.
#
# Seen: the PTX has a second pointer parameter (global scratch memory) that the source does not
# have and this kernel never reads. A launch that passes the arguments of the source passes too
# few. For capability 90 the target is `sm_90a`, whose code runs on no later chip.
#
# Output:
#
#   capability 75: .target sm_75, 2 parameters, read: ['0']
#   capability 90: .target sm_90a, 2 parameters, read: ['0']
#
# Why it matters: a tool that launches the PTX of another compiler must take the number of
# parameters from the PTX, not from the source, and has to give a value for parameters that it does
# not know.
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
def one(p):
    tl.store(p, 1.0)
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

for capability, target in ((75, "sm_75"), (90, "sm_90a")):
    text = ptx(kernels.one, {"p": "*fp32"}, capability)
    found = len(re.findall(r"^\s*\.param .*one_param_\d", text, re.M))
    read = re.findall(r"ld\.param\S* .*one_param_(\d)", text)
    seen = re.search(r"^\.target \S+", text, re.M)[0]
    expect(f"capability {capability}", f"{seen}, {found} parameters, read: {read}",
           f".target {target}, 2 parameters, read: ['0']")
EOF
