#!/usr/bin/env bash
# Versions: ptxas 12.9.86.
#
# Expected: braces are for vectors: `.v2` and `.v4` accesses and the packing forms of `mov`. A
# scalar load into `{%r1}` is a syntax error.
#
# Seen: ptxas accepts a list of one register as that register, in scalar loads, in stores and in
# `mov`. Triton 3.3.1 writes all its scalar accesses so, for example `ld.global.b32 { %r1 }, [ %rd1
# + 0 ];`. A list of two registers in a scalar load is an error.
#
# Output:
#
#   ld.global.u32 {%r2}, [%rd1];: accepted
#   st.global.u32 [%rd1], {%r1};: accepted
#   mov.b32 %r2, {%r1};: accepted
#   ld.global.u32 {%r2, %r3}, [%rd1];: Argument vector size mismatch for instruction 'ld'
#
# Why it matters: without the list of one, a PTX parser rejects every kernel of Triton. The PTX ISA
# describes vector operands by `.v2` and `.v4` only.
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

for code in ("ld.global.u32 {%r2}, [%rd1];", "st.global.u32 [%rd1], {%r1};", "mov.b32 %r2, {%r1};"):
    expect(code, ptxas(kernel(code)) or "accepted", "accepted")
code = "ld.global.u32 {%r2, %r3}, [%rd1];"
message = ptxas(kernel(code))
expect(code, message.split(" : ")[-1], "Argument vector size mismatch for instruction 'ld'")
EOF
