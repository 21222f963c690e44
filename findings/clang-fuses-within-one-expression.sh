#!/usr/bin/env bash
# Versions: ziglang 0.14.1 (Clang 19.1.7), target nvptx64, -O2.
#
# Expected: Clang and NVRTC, both based on LLVM, decide alike which products of C code become
# fused.
#
# Seen: Clang fuses inside one expression only. For a product in a variable it writes `mul.rn.f32`
# and `sub.rn.f32`; the explicit `.rn` forbids ptxas to fuse them. NVRTC fuses across statements,
# and writes products without `.rn`. If the product is also stored, Clang still fuses, and computes
# it twice.
#
# Output:
#
#   p[0] = a * b - c;: ['fma.rn.f32']
#   float t = a * b; p[0] = t - c;: ['mul.rn.f32', 'sub.rn.f32']
#   p[0] = a * b - c; p[1] = a * b;: ['fma.rn.f32', 'mul.rn.f32']
#
# Why it matters: the same source has other last bits under each compiler, and `mul.f32` and
# `mul.rn.f32`, which compute the same value, are not the same instruction for an optimizer.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" -q --disable-pip-version-check install \
  ziglang==0.14.1
DIR=$dir "$dir/venv/bin/python" - <<'EOF'
import importlib.metadata as metadata, os, re, subprocess, sys

print("ziglang", metadata.version("ziglang"))
scratch = os.environ["DIR"]
environment = dict(os.environ, ZIG_GLOBAL_CACHE_DIR=scratch, ZIG_LOCAL_CACHE_DIR=scratch)

def expect(what, seen, wanted):
    print(f"{what}: {seen}")
    if seen != wanted:
        sys.exit(f"changed; recorded: {wanted}")

for body, wanted in (
        ("p[0] = a * b - c;", ["fma.rn.f32"]),
        ("float t = a * b; p[0] = t - c;", ["mul.rn.f32", "sub.rn.f32"]),
        ("p[0] = a * b - c; p[1] = a * b;", ["fma.rn.f32", "mul.rn.f32"])):
    open(scratch + "/k.c", "w").write("void k(float *p, float a, float b, float c) { " + body + " }")
    command = [sys.executable, "-m", "ziglang", "cc", "-target", "nvptx64-cuda", "-O2", "-S",
               "-o", "k.s", "k.c"]
    subprocess.run(command, cwd=scratch, env=environment, check=True, stderr=subprocess.DEVNULL)
    text = open(scratch + "/k.s").read()
    found = [o for o in re.findall(r"^\s+([a-z]+\.\S*f32)\s", text, re.M) if o[:3] in ("fma", "mul", "sub")]
    expect(body, sorted(found), wanted)
EOF
