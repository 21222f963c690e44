#!/usr/bin/env bash
# Versions: NVRTC 12.9.86 (also 11.8.89).
#
# Expected: `-use_fast_math` never makes `x / 2.0f` slower or less exact than the default.
#
# Seen: without the flag NVRTC writes an exact multiplication by 0.5. With the flag it keeps the
# division and writes `div.approx.ftz.f32`, which is a reciprocal and a multiplication.
#
# Output:
#
#   default: ['mul.f32', 'st.global.f32']
#   fast: ['mov.f32', 'div.approx.ftz.f32', 'st.global.f32']
#
# Why it matters: a compiler that copies the flag as "the same code with `.approx`" has another
# instruction count and other bits than NVIDIA's. The flag implies `-prec-div=false` (NVRTC
# manual).
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

source = 'extern "C" __global__ void k(float *p, float x) { p[0] = x / 2.0f; }'
expect("default", opcodes(ptx(source)), ["mul.f32", "st.global.f32"])
expect("fast", opcodes(ptx(source, "-use_fast_math")),
       ["mov.f32", "div.approx.ftz.f32", "st.global.f32"])
EOF
