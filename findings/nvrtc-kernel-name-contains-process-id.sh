#!/usr/bin/env bash
# Versions: NVRTC 12.9.86.
#
# Expected: compiling the same source twice gives the same PTX, and the mangled name of a kernel in
# an anonymous namespace is `_ZN12_GLOBAL__N_11kEPi`, as GCC and Clang write it.
#
# Seen: NVRTC puts the file name, a hash and the number of the process into the name, so each run
# of the same program has another name. If the file has an external function, its name replaces
# hash and number, and the name is stable. The kernel is an `.entry` without `.visible`.
#
# Output (HASH and PID replaced):
#
#   alone: _ZN41_GLOBAL__N__00000000_4_k_cu_HASH_PID1kEPi
#   with a function z: _ZN33_GLOBAL__N__00000000_4_k_cu__Z1zv1kEPi
#
# Why it matters: a cache of compiled code with the PTX as key misses in each run, a saved profile
# cannot be compared by kernel name, and a tool cannot mangle the name itself.
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

import os
source = "namespace { __global__ void k(int *p) { *p = 1; } }"
def name(text):
    found = re.findall(r"^\.entry (\w+)", ptx(text), re.M)[0]
    found = re.sub(r"_[0-9a-f]{8}_" + str(os.getpid()) + "1k", "_HASH_PID1k", found)
    return re.sub(r"ZN\d+(.*PID)", r"ZN41\1", found)  # The length depends on the process number.
expect("alone", name(source), "_ZN41_GLOBAL__N__00000000_4_k_cu_HASH_PID1kEPi")
expect("with a function z", name(source + "\n__global__ void z(){}"),
       "_ZN33_GLOBAL__N__00000000_4_k_cu__Z1zv1kEPi")
EOF
