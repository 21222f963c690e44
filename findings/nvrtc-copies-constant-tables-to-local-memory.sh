#!/usr/bin/env bash
# Versions: NVRTC 12.9.86.
#
# Expected: a `const` or `constexpr` table inside a kernel is in constant or global memory once.
#
# Seen: with a variable index, NVRTC makes every thread write the whole table to its local memory
# first, and then read one word. `static const` gives one table in global memory that all threads
# read with `ld.global.nc`. None of them is in constant memory.
#
# Output:
#
#   const: st.local 5, ld.local 1, ld.global.nc 0
#   constexpr: st.local 5, ld.local 1, ld.global.nc 0
#   static const: st.local 0, ld.local 0, ld.global.nc 1
#
# Why it matters: one word `static` decides whether a kernel has local memory traffic, and how many
# bytes of local memory a thread needs. The local memory of early chips has no cache.
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

def show(qualifier):
    found = opcodes(ptx('extern "C" __global__ void k(int *p, int n) { ' + qualifier
                        + " int t[5] = {5, 8, 1, 77, 6}; p[0] = t[n]; }", "-arch=compute_52"))
    count = lambda start: sum(o.startswith(start) for o in found)
    return ", ".join(f"{o} {count(o)}" for o in ("st.local", "ld.local", "ld.global.nc"))
expect("const", show("const"), "st.local 5, ld.local 1, ld.global.nc 0")
expect("constexpr", show("constexpr"), "st.local 5, ld.local 1, ld.global.nc 0")
expect("static const", show("static const"), "st.local 0, ld.local 0, ld.global.nc 1")
EOF
