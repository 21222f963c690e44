#!/usr/bin/env bash
# Versions: NVRTC 12.9.86.
#
# Expected: since conversions on the GPU saturate, `(unsigned char)300.0f` is 255; or the compiler
# folds the constant, because the value does not fit.
#
# Seen: NVRTC converts to 32 bits with saturation and stores the low byte, so 300.0f becomes 44 and
# -1.0f becomes 0 (an x86 host gives 255). It does not fold constants that do not fit: even
# `(int)3e9f` is a `cvt.rzi.s32.f32` of a constant at run time.
#
# Output:
#
#   unsigned char of x: ['cvt.rzi.u32.f32', 'st.global.u8']
#   unsigned char of 300.0f: ['mov.f32', 'cvt.rzi.u32.f32', 'st.global.u8']
#   int of 3e9f: ['mov.f32', 'cvt.rzi.s32.f32', 'st.global.u32']
#   int of 3e8f: ['mov.u32', 'st.global.u32']
#
# Why it matters: pixels that overflow wrap instead of becoming white, and host references differ
# from the device for negative values. A `cvt.rzi.u8.f32` in a compiler would saturate to 255.
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

def show(type_, value):
    return opcodes(ptx(f'extern "C" __global__ void k({type_} *p, float x) {{ p[0] = ({type_}){value}; }}'))
expect("unsigned char of x", show("unsigned char", "x"), ["cvt.rzi.u32.f32", "st.global.u8"])
expect("unsigned char of 300.0f", show("unsigned char", "300.0f"),
       ["mov.f32", "cvt.rzi.u32.f32", "st.global.u8"])
expect("int of 3e9f", show("int", "3e9f"), ["mov.f32", "cvt.rzi.s32.f32", "st.global.u32"])
expect("int of 3e8f", show("int", "3e8f"), ["mov.u32", "st.global.u32"])
EOF
