#!/usr/bin/env bash
# Versions: NVRTC 12.9.86.
#
# Expected: `fminf(fmaxf(x, 0), 1)` and `fmaxf(fminf(x, 1), 0)` are the same clamp and compile to
# the same code.
#
# Seen: NVRTC compiles the first one to the saturating conversion `cvt.sat.f32.f32`, and the second
# one to `min.f32` and `max.f32`. For NaN the results differ: the first clamp gives 0, the second
# 1.
#
# Output:
#
#   max first: ['cvt.sat.f32.f32', 'st.global.f32']
#   min first: ['mov.f32', 'min.f32', 'mov.f32', 'max.f32', 'st.global.f32']
#
# Why it matters: `.sat` of NaN is +0.0 (PTX ISA), so only one order may become `.sat`. An
# optimizer that accepts both orders is wrong for NaN.
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

head = 'extern "C" __global__ void k(float *p, float x) { p[0] = '
expect("max first", opcodes(ptx(head + "fminf(fmaxf(x, 0.0f), 1.0f); }")),
       ["cvt.sat.f32.f32", "st.global.f32"])
expect("min first", opcodes(ptx(head + "fmaxf(fminf(x, 1.0f), 0.0f); }")),
       ["mov.f32", "min.f32", "mov.f32", "max.f32", "st.global.f32"])
EOF
