#!/usr/bin/env bash
# Versions: NVRTC and ptxas 12.9.86 for sm_75, nvdisasm 13.5.37.
#
# Expected: `threadIdx.x / warpSize` is a shift by 5, because every GPU of NVIDIA has warps of 32.
#
# Seen: NVRTC writes `div.u32` by the PTX constant WARP_SZ. ptxas replaces WARP_SZ by 32, but
# expands the division before: the machine code converts 32 to a float, takes its reciprocal, and
# corrects the quotient. `threadIdx.x / 32` is one shift.
#
# Output:
#
#   PTX: ['mov.u32', 'mov.u32', 'div.u32', 'st.global.u32']
#   machine code with warpSize: 18 instructions, MUFU.RCP: True
#   machine code with 32: 5 instructions, MUFU.RCP: False
#
# Why it matters: lane and warp numbers are the commonest index expressions of a course. The choice
# of the spelling changes the cost more than the choice of the algorithm.
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

def code(size):
    text = ptx('extern "C" __global__ void k(unsigned *p) { p[0] = threadIdx.x / ' + size + "; }",
               "-arch=compute_75")
    return text, [c for c in sass(text) if not re.match("NOP|BRA|EXIT", c)]
text, machine = code("warpSize")
expect("PTX", opcodes(text), ["mov.u32", "mov.u32", "div.u32", "st.global.u32"])
show = lambda m: f"{len(m)} instructions, MUFU.RCP: {any('MUFU.RCP' in c for c in m)}"
expect("machine code with warpSize", show(machine), "18 instructions, MUFU.RCP: True")
expect("machine code with 32", show(code("32")[1]), "5 instructions, MUFU.RCP: False")
EOF
