#!/usr/bin/env bash
# Versions: ptxas 12.9.86 for sm_75 (11.8.89 for sm_35 rejects `ld.global` too).
#
# Expected: `ld.shared.u32 %r1, [16]` is accepted: the PTX ISA lists `[immAddr]`, an immediate
# absolute byte address, among the address operands of `ld` and `st`.
#
# Seen: ptxas accepts an immediate address in local memory only, where no program has a reason to
# use one. It rejects the address for shared, constant, global and generic accesses and for
# atomics.
#
# Output:
#
#   ld.local: accepted
#   ld.shared: Immediate addresses allowed only for .local state space
#   ld.const: Immediate addresses allowed only for .local state space
#   ld.global: Immediate addresses allowed only for .local state space
#   ld: Immediate addresses allowed only for .local state space
#   atom.shared.add: Immediate addresses allowed only for .local state space
#
# Why it matters: a PTX parser that follows the manual accepts programs that NVIDIA's assembler
# rejects, such as a hand-written test that reads shared memory at a fixed address.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" -q --disable-pip-version-check install \
  nvidia-cuda-nvcc-cu12==12.9.86
"$dir/venv/bin/python" - <<'EOF'
import importlib.metadata as metadata, re, subprocess, sys, sysconfig, tempfile

site = sysconfig.get_paths()["purelib"]
print("nvidia-cuda-nvcc-cu12", metadata.version("nvidia-cuda-nvcc-cu12"))

def ptxas(text, arch="sm_75"):
    """Messages of ptxas for the PTX `text`; empty if it accepts the text silently."""
    with tempfile.TemporaryDirectory() as d:
        open(d + "/k.ptx", "w").write(text)
        command = [site + "/nvidia/cuda_nvcc/bin/ptxas", "-arch=" + arch, "k.ptx", "-o", "k.cubin"]
        done = subprocess.run(command, cwd=d, capture_output=True, text=True)
        return (done.stdout + done.stderr).strip().split("\n")[0]

def kernel(body, directives="", globals_=""):
    return f""".version 7.8
.target sm_75
.address_size 64
{globals_}
.visible .entry k(.param .u64 out, .param .u32 n) {directives}
{{
  .reg .u32 %r<9>; .reg .u64 %rd<9>; .reg .f32 %f<9>;
  ld.param.u64 %rd1, [out]; ld.param.u32 %r1, [n];
  {body}
  ret;
}}
"""

def expect(what, seen, wanted):
    print(f"{what}: {seen}")
    if seen != wanted:
        sys.exit(f"changed; recorded: {wanted}")

only = "Immediate addresses allowed only for .local state space"
for op in ("ld.local", "ld.shared", "ld.const", "ld.global", "ld"):
    message = ptxas(kernel(f"{op}.u32 %r2, [16]; st.global.u32 [%rd1], %r2;"))
    expect(op, message.split(" : ")[-1] or "accepted", "accepted" if op == "ld.local" else only)
message = ptxas(kernel("atom.shared.add.u32 %r2, [16], 1;"))
expect("atom.shared.add", message.split(" : ")[-1], only)
EOF
