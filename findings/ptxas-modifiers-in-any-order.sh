#!/usr/bin/env bash
# Versions: ptxas 11.8.89 for sm_35, and 12.9.86 for sm_90.
#
# Expected: the modifiers of an instruction have the order of the manual: `add.rn.ftz.f32`,
# `ld.relaxed.gpu.global.u32`. Another order is a syntax error.
#
# Seen: ptxas accepts any order of words, also in PTX 2.3. Two things stay in place: the order of
# types, and words that belong to the name (`mul.lo`, `div.full`, `cvta.to`, `vote.ballot`,
# `bar.red`). For `mul` with `.lo` behind the type the message speaks of types.
#
# Output:
#
#   add.ftz.rn.f32: accepted
#   setp.u32.eq: accepted
#   ld.u32.global: accepted
#   cvt.f32.s32.rn: accepted
#   cvt.s32.rn.f32: Arguments mismatch for instruction 'cvt'
#   mul.u32.lo: Unexpected instruction types specified for 'mul'
#   div.f32.full: Unknown modifier '.full'
#   atom.global.gpu.acq_rel.add.u32: accepted
#   ld.global.u32.relaxed.gpu: accepted
#
# Why it matters: Triton writes `atom.global.gpu.acq_rel`, not the order of the manual. A parser
# that follows the manual rejects it.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
for version in cu11==11.8.89 cu12==12.9.86; do
  "$dir/venv/bin/pip" -q --disable-pip-version-check install --no-deps \
    --target "$dir/${version%%=*}" "nvidia-cuda-nvcc-$version"
done
DIR=$dir "$dir/venv/bin/python" - <<'EOF'
import os, subprocess, sys, tempfile

def ptxas(name, header, arch, instruction):
    """Messages of ptxas for a kernel with the instruction; "accepted" if there is none."""
    text = f""".version {header[0]}
.target {header[1]}
.address_size 64
.visible .entry k(.param .u64 out)
{{
  .reg .u32 %r<9>; .reg .u64 %rd<9>; .reg .f32 %f<9>; .reg .pred %p<9>;
  ld.param.u64 %rd1, [out];
  {instruction}
  ret;
}}
"""
    with tempfile.TemporaryDirectory() as d:
        open(d + "/k.ptx", "w").write(text)
        tool = os.environ["DIR"] + f"/{name}/nvidia/cuda_nvcc/bin/ptxas"
        os.chmod(tool, 0o755)
        command = [tool, "-arch=" + arch, "k.ptx", "-o", "k.cubin"]
        done = subprocess.run(command, cwd=d, capture_output=True, text=True)
        message = (done.stdout + done.stderr).strip().split("\n")[0]
        return message.split(" : ")[-1] or "accepted"

def expect(words, operands, wanted, name="cu11", header=("2.3", "sm_20"), arch="sm_35"):
    seen = ptxas(name, header, arch, f"{words} {operands};")
    print(f"{words}: {seen}")
    if seen != wanted:
        sys.exit(f"changed; recorded: {wanted}")

expect("add.ftz.rn.f32", "%f1, %f2, %f3", "accepted")
expect("setp.u32.eq", "%p1, %r1, %r2", "accepted")
expect("ld.u32.global", "%r1, [%rd1]", "accepted")
expect("cvt.f32.s32.rn", "%f1, %r1", "accepted")
expect("cvt.s32.rn.f32", "%f1, %r1", "Arguments mismatch for instruction 'cvt'")
expect("mul.u32.lo", "%r1, %r2, %r3", "Unexpected instruction types specified for 'mul'")
expect("div.f32.full", "%f1, %f2, %f3", "Unknown modifier '.full'")
new = {"name": "cu12", "header": ("8.0", "sm_90"), "arch": "sm_90"}
expect("atom.global.gpu.acq_rel.add.u32", "%r1, [%rd1], 1", "accepted", **new)
expect("ld.global.u32.relaxed.gpu", "%r1, [%rd1]", "accepted", **new)
EOF
