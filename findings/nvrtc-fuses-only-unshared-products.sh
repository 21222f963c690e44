#!/usr/bin/env bash
# Versions: NVRTC and ptxas 12.9.86 for sm_75, nvdisasm 13.5.37.
#
# Expected: whether `a * b + c` becomes one fused multiply-add depends on the expression. An extra
# store of the product does not change the sum.
#
# Seen: NVRTC fuses across statements, but only if all uses of the product are additions. With
# `p[1] = t`, a debugging store, it keeps `mul.f32` and `add.f32`, and ptxas does not fuse them, so
# the bits of p[0] change. Two additions compute the product twice. Of `a * b - c * a`, NVRTC fuses
# nothing, but ptxas fuses one product: the first product is exact, the second is rounded.
#
# Output:
#
#   p[0] = t + c;: ['fma.rn.f32'], ['FFMA']
#   p[1] = t; p[0] = t + c;: ['mul.f32', 'add.f32'], ['FMUL', 'FADD']
#   p[1] = t + 2.0f; p[0] = t + c;: ['fma.rn.f32', 'fma.rn.f32'], ['FFMA', 'FFMA']
#   p[0] = t - c * a;: ['mul.f32', 'mul.f32', 'sub.f32'], ['FMUL', 'FFMA']
#
# Why it matters: a simulator that runs the PTX as written, or fuses by a rule over expressions,
# gets other last bits than the hardware. The programming guide describes only the flag `-fmad`.
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

head = 'extern "C" __global__ void k(float *p, float a, float b, float c) { float t = a * b; '
for body, wanted in (
        ("p[0] = t + c;", "['fma.rn.f32'], ['FFMA']"),
        ("p[1] = t; p[0] = t + c;", "['mul.f32', 'add.f32'], ['FMUL', 'FADD']"),
        ("p[1] = t + 2.0f; p[0] = t + c;", "['fma.rn.f32', 'fma.rn.f32'], ['FFMA', 'FFMA']"),
        ("p[0] = t - c * a;", "['mul.f32', 'mul.f32', 'sub.f32'], ['FMUL', 'FFMA']")):
    text = ptx(head + body + " }", "-arch=compute_75")
    found = [o for o in opcodes(text) if o.startswith(("mul", "add.f", "sub.f", "fma"))]
    expect(body, f"{found}, {[c.split()[0] for c in sass(text) if c.startswith('F')]}", wanted)
EOF
