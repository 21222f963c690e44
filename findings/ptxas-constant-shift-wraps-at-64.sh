#!/usr/bin/env bash
# Versions: ptxas 12.9.86, nvdisasm 13.5.37.
#
# Expected: `1 << 64` in a constant expression of PTX is 0, because the instruction `shl.b64`
# clamps its count: a shift by 64 gives 0.
#
# Seen: constant expressions take the count modulo 64: `1 << 64` is 1, `1 << 65` is 2, and `1 <<
# -1` is 2 to the 63. The instruction with the same constants gives 0. A constant that does not fit
# (`mov.u32` of `1 << 33` or of 0x1FFFFFFFF) loses its upper bits without a message.
#
# Output:
#
#   mov.u64, 1 << 64: ['MOV R2, 0x1', 'MOV R3, 0x0']
#   mov.u64, 1 << -1: ['MOV R2, 0x0', 'MOV R3, 0x80000000']
#   shl.b64 1, 64: ['STG.E.64.SYS [UR4], RZ']
#   mov.u32, 0x1FFFFFFFF: ['MOV R0, 0xffffffff']
#
# Why it matters: an assembler needs two rules for the same shift. The chapter on constant
# expressions of the PTX ISA gives types, but no rule for large counts.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" -q --disable-pip-version-check install \
  nvidia-cuda-nvcc-cu12==12.9.86 nvidia-cuda-nvdisasm==13.5.37
"$dir/venv/bin/python" - <<'EOF'
import importlib.metadata as metadata, re, subprocess, sys, sysconfig, tempfile

site = sysconfig.get_paths()["purelib"]
for package in ("nvidia-cuda-nvcc-cu12", "nvidia-cuda-nvdisasm"):
    print(package, metadata.version(package))

def sass(text, arch="sm_75"):
    """Machine instructions that ptxas makes of the PTX `text`, or its messages."""
    with tempfile.TemporaryDirectory() as d:
        open(d + "/k.ptx", "w").write(text)
        run = lambda *a: subprocess.run(a, cwd=d, capture_output=True, text=True)
        done = run(site + "/nvidia/cuda_nvcc/bin/ptxas", "-arch=" + arch, "k.ptx", "-o", "k.cubin")
        if done.returncode:
            return [done.stdout + done.stderr]
        code = run(site + "/nvidia/cu13/bin/nvdisasm", "-c", "k.cubin").stdout
        return re.findall(r"/\*[0-9a-f]{4}\*/ +(.*?) *;", code)

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

def code(body):
    return [c for c in sass(kernel(body)) if re.match(r"MOV R[023], 0x", c) or c.endswith("RZ") and "STG" in c]
mov = "mov.u64 %rd2, {}; st.global.u64 [%rd1], %rd2;"
expect("mov.u64, 1 << 64", code(mov.format("1 << 64")), ["MOV R2, 0x1", "MOV R3, 0x0"])
expect("mov.u64, 1 << -1", code(mov.format("1 << -1")), ["MOV R2, 0x0", "MOV R3, 0x80000000"])
expect("shl.b64 1, 64", code("shl.b64 %rd2, 1, 64; st.global.u64 [%rd1], %rd2;"),
       ["STG.E.64.SYS [UR4], RZ"])
expect("mov.u32, 0x1FFFFFFFF", code("mov.u32 %r2, 0x1FFFFFFFF; st.global.u32 [%rd1], %r2;"),
       ["MOV R0, 0xffffffff"])
EOF
