#!/usr/bin/env bash
# Versions: NVRTC 12.9.86.
#
# Expected: a constant without `f` makes the expression double, so `x / 3.0` and `x * 2.0` of a
# float x need conversions and double instructions.
#
# Seen: NVRTC computes single operations in float where the result, rounded to float, is the same:
# `x * 2.0`, `x + 1.0`, `x / 3.0` and `1.0 / x` have no double instruction, even though 3.0 has no
# exact reciprocal. `x * 0.1` stays double, because 0.1 is not a float. Two operations in one
# expression stay double even with exact constants: `x * 0.5 + y * 0.25`.
#
# Output:
#
#   x * 2.0: ['add.f32']
#   x + 1.0: ['add.f32']
#   x / 3.0: ['div.rn.f32']
#   1.0 / x: ['rcp.rn.f32']
#   x * 0.1: ['cvt.f64.f32', 'mul.f64', 'cvt.rn.f32.f64']
#   x * 0.5 + y * 0.25: ['cvt.f64.f32', 'cvt.f64.f32', 'mul.f64', 'fma.rn.f64', 'cvt.rn.f32.f64']
#
# Why it matters: advice such as "a missing `f` costs double arithmetic" holds only for some
# constants. Chips before compute capability 1.3 have no double, so their compiler demotes all.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" -q --disable-pip-version-check install \
  nvidia-cuda-nvrtc-cu12==12.9.86
"$dir/venv/bin/python" - <<'EOF'
import ctypes as C, glob, importlib.metadata as metadata, re, sys, sysconfig

site = sysconfig.get_paths()["purelib"]
nvrtc = C.CDLL(glob.glob(site + "/nvidia/cuda_nvrtc/lib/libnvrtc.so.12")[0])
print("NVRTC", metadata.version("nvidia-cuda-nvrtc-cu12"))

def ptx(source, *options, name="k.cu"):
    prog, size = C.c_void_p(), C.c_size_t()
    nvrtc.nvrtcCreateProgram(C.byref(prog), source.encode(), name.encode(), 0, None, None)
    words = [o.encode() for o in options]
    if nvrtc.nvrtcCompileProgram(prog, len(words), (C.c_char_p * len(words))(*words)):
        sys.exit("NVRTC rejects the source")
    nvrtc.nvrtcGetPTXSize(prog, C.byref(size))
    text = C.create_string_buffer(size.value)
    nvrtc.nvrtcGetPTX(prog, text)
    return text.value.decode()

def opcodes(text):
    """Opcodes of the kernel, without the loads of its parameters."""
    found = re.findall(r"^\s+(?:@!?%p\d+ )?([a-z][\w.]*)\s.*;|^\s+(ret);", text, re.M)
    skip = ("ld.param", "cvta", "ret")
    return [a or b for a, b in found if not (a or b).startswith(skip)]

def expect(what, seen, wanted):
    print(f"{what}: {seen}")
    if seen != wanted:
        sys.exit(f"changed; recorded: {wanted}")

for expression, wanted in (
        ("x * 2.0", ["add.f32"]), ("x + 1.0", ["add.f32"]), ("x / 3.0", ["div.rn.f32"]),
        ("1.0 / x", ["rcp.rn.f32"]),
        ("x * 0.1", ["cvt.f64.f32", "mul.f64", "cvt.rn.f32.f64"]),
        ("x * 0.5 + y * 0.25",
         ["cvt.f64.f32", "cvt.f64.f32", "mul.f64", "fma.rn.f64", "cvt.rn.f32.f64"])):
    text = ptx('extern "C" __global__ void k(float *p, float x, float y) { p[0] = ' + expression + "; }")
    expect(expression, opcodes(text)[:-1], wanted)
EOF
