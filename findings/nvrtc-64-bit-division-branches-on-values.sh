#!/usr/bin/env bash
# Versions: NVRTC 12.9.86.
#
# Expected: a division of two `long long` is one `div.s64`, and its cost does not depend on the
# values.
#
# Seen: NVRTC tests at run time whether both operands are in 0 .. 2^32 - 1, and branches to a
# `div.u32`. So a warp whose lanes have small and large operands diverges and executes both
# divisions.
#
# Output:
#
#   opcodes: ['or.b64', 'and.b64', 'setp.eq.s64', 'bra', 'div.s64', 'bra.uni', 'cvt.u32.u64',
#   'cvt.u32.u64', 'div.u32', 'cvt.u64.u32', 'st.global.u64']
#
# Why it matters: divergence appears in kernels without any `if`. A report of divergent branches
# needs a source line for a branch that the programmer did not write.
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

source = 'extern "C" __global__ void k(long long *p, long long a, long long b) { p[0] = a / b; }'
expect("opcodes", opcodes(ptx(source)),
       ["or.b64", "and.b64", "setp.eq.s64", "bra", "div.s64", "bra.uni", "cvt.u32.u64",
        "cvt.u32.u64", "div.u32", "cvt.u64.u32", "st.global.u64"])
EOF
