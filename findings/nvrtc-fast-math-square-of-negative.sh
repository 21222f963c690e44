#!/usr/bin/env bash
# Versions: NVRTC 12.9.86.
#
# Expected: `powf(x, 2.0f)` is `x * x`, as GCC and Clang compile it, or at least a number for x =
# -3.
#
# Seen: with `-use_fast_math` NVRTC writes ex2(lg2(x) + lg2(x)). The logarithm of a negative number
# is NaN, so the square of every negative number is NaN. The constant exponent gives no
# multiplication.
#
# Output:
#
#   fast: ['lg2.approx.ftz.f32', 'add.ftz.f32', 'ex2.approx.ftz.f32', 'st.global.f32']
#
# Why it matters: a simulator that runs such a kernel must show the NaN of the hardware, and a
# compiler with this flag may not simplify the call. The table of `lg2.approx` in the PTX ISA gives
# the NaN.
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

source = 'extern "C" __global__ void k(float *p, float x) { p[0] = powf(x, 2.0f); }'
expect("fast", opcodes(ptx(source, "-use_fast_math")),
       ["lg2.approx.ftz.f32", "add.ftz.f32", "ex2.approx.ftz.f32", "st.global.f32"])
EOF
