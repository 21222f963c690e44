#!/usr/bin/env bash
# Versions: NVRTC 12.9.86.
#
# Expected: `for (i = 0; i < n; i += s)` has an addition and a comparison in each round, and no
# division.
#
# Seen: NVRTC unrolls the loop four times, and for that computes the number of rounds with a
# `div.u32` by the step. The division is not in the source. A grid-stride loop, whose step is the
# unsigned product `blockDim.x * gridDim.x`, has no division and is not unrolled.
#
# Output:
#
#   step s: div.u32 1, stores 5
#   grid-stride loop: div.u32 0, stores 1
#
# Why it matters: a signed step may not overflow, so the compiler may count the rounds before.
# Instruction counts of a simulator differ from the counts of NVIDIA's compiler.
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

def show(source):
    found = opcodes(ptx('extern "C" __global__ void k(float *p, int n, int s) { ' + source + " p[i] = 1; }"))
    return f"div.u32 {found.count('div.u32')}, stores {sum(o.startswith('st.global') for o in found)}"
expect("step s", show("for (int i = 0; i < n; i += s)"), "div.u32 1, stores 5")
expect("grid-stride loop",
       show("for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)"),
       "div.u32 0, stores 1")
EOF
