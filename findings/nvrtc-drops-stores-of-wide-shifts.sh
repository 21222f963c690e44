#!/usr/bin/env bash
# Versions: NVRTC and ptxas 12.9.86, nvdisasm 13.5.37.
#
# Expected: `1 << 33` is 0 (the PTX `shl` clamps the count) or 2 (an x86 processor uses the count
# modulo 32), and the store of it is compiled.
#
# Seen: NVRTC deletes the store. The word in memory keeps its old value, and later stores remain. A
# count of `n | 32`, which only the optimizer can see, gives the same. ptxas defines the shift: it
# folds `shl.b32` by 33 to 0 and keeps the store.
#
# Output:
#
#   1 << 33: stores at ['0', '8']
#   1 << (n | 32): stores at ['0', '8']
#   1 << n: stores at ['0', '4', '8']
#   ptxas: ['STG.E.SYS [UR4], RZ']
#
# Why it matters: for the programmer the variable "was not written". A simulator that compiles the
# same source shows 0 or 2 and hides the error; a checker should report the count.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" -q --disable-pip-version-check install \
  nvidia-cuda-nvrtc-cu12==12.9.86 nvidia-cuda-nvcc-cu12==12.9.86 nvidia-cuda-nvdisasm==13.5.37
"$dir/venv/bin/python" - <<'EOF'
import ctypes as C, glob, importlib.metadata as metadata, re, subprocess, sys, sysconfig, tempfile

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
print("ptxas", metadata.version("nvidia-cuda-nvcc-cu12"))
print("nvdisasm", metadata.version("nvidia-cuda-nvdisasm"))

def sass(text, arch="sm_75"):
    """Machine instructions that ptxas makes of the PTX `text`, or its messages."""
    with tempfile.TemporaryDirectory() as d:
        open(d + "/k.ptx", "w").write(text)
        run = lambda *a: subprocess.run(a, cwd=d, capture_output=True, text=True)
        done = run(site + "/nvidia/cuda_nvcc/bin/ptxas", "-arch=" + arch, "k.ptx", "-o", "k.cubin")
        if done.returncode:
            return [done.stdout + done.stderr]
        code = run(site + "/nvidia/cu13/bin/nvdisasm", "-c", "k.cubin").stdout
        return re.findall(r"/\*[0-9a-f]{4}\*/ +(.*?) *;", code)

def expect(what, seen, wanted):
    print(f"{what}: {seen}")
    if seen != wanted:
        sys.exit(f"changed; recorded: {wanted}")

def stores(count):
    text = ptx('extern "C" __global__ void k(int *p, int n) '
               "{ p[0] = 7; p[1] = 1 << (" + count + "); p[2] = 9; }")
    return "stores at " + str([s or "0" for s in re.findall(r"st\.global\.u32 \t\[%rd\d+\+?(\d*)\]", text)])
expect("1 << 33", stores("33"), "stores at ['0', '8']")
expect("1 << (n | 32)", stores("n | 32"), "stores at ['0', '8']")
expect("1 << n", stores("n"), "stores at ['0', '4', '8']")
code = sass(""".version 7.8
.target sm_75
.address_size 64
.visible .entry k(.param .u64 p) { .reg .u64 %rd<2>; .reg .u32 %r<2>;
ld.param.u64 %rd1, [p]; shl.b32 %r1, 1, 33; st.global.u32 [%rd1], %r1; ret; }""")
expect("ptxas", [c for c in code if c.startswith("STG")], ["STG.E.SYS [UR4], RZ"])
EOF
