#!/usr/bin/env bash
# Versions: ptxas 12.9.86, nvdisasm 13.5.37.
#
# Expected: the remainder by 0 is the dividend (as on RISC-V), or ptxas rejects a constant divisor
# of 0.
#
# Seen: ptxas folds quotient and remainder by 0 to 0xFFFFFFFF, without a message. So `q * 0 + r ==
# a` does not hold. A zero divisor is an error only in a constant expression (`1 / 0`).
#
# Output:
#
#   div.u32 5, 0: ['MOV R0, 0xffffffff']
#   rem.u32 5, 0: ['MOV R0, 0xffffffff']
#   div.s32 n, 0: ['MOV R0, 0xffffffff']
#
# Why it matters: the PTX ISA calls both results unspecified values of the machine. A simulator
# that wants the same numbers as a GPU needs them, for the remainder too.
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

for what in ("div.u32 5, 0", "rem.u32 5, 0", "div.s32 n, 0"):
    op, operands = what.replace("n,", "%r1,").split(" ", 1)
    code = sass(kernel(f"{op} %r2, {operands}; st.global.u32 [%rd1], %r2;"))
    expect(what, [c for c in code if " R0, " in c], ["MOV R0, 0xffffffff"])
EOF
