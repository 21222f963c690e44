#!/usr/bin/env bash
# Versions: NVRTC and ptxas 12.9.86, nvdisasm 13.5.37.
#
# Expected: `__sinf(1.0f)` is the value of the special function unit, since the program asks for
# that unit by name.
#
# Seen: NVRTC computes the intrinsic of a constant at compile time, with the accuracy of the host:
# `__sinf(1.0f)` is 0x3F576AA4, the correctly rounded sine. Only a variable argument gives
# `sin.approx.f32`. ptxas folds `sin.approx` and `ex2.approx` of constants too, but not
# `tanh.approx`.
#
# Output:
#
#   constant: 0x3f576aa4 (no sin.approx)
#   variable: ['sin.approx.f32', 'st.global.f32']
#   ptxas, sin.approx.f32: ['MOV R0, 0x3f576aa4']
#   ptxas, ex2.approx.f32: ['MOV R0, 0x40000000']
#   ptxas, tanh.approx.f32: ['MUFU.TANH R0, 1']
#
# Why it matters: a test that checks the accuracy of the special function unit with constants tests
# the compiler. A simulator may give two results for the same value, one folded and one computed.
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

import math, struct
head = 'extern "C" __global__ void k(float *p, float x) { p[0] = __sinf('
text = ptx(head + "1.0f); }")
bits = int(re.findall(r"mov\.u32 .*, (-?\d+);", text)[0])
exact = struct.unpack("<i", struct.pack("<f", math.sin(1.0)))[0]
expect("constant", f"{bits:#x} " + ("" if "sin.approx" in text else "(no sin.approx)"),
       f"{exact:#x} (no sin.approx)")
expect("variable", opcodes(ptx(head + "x); }")), ["sin.approx.f32", "st.global.f32"])
for op, wanted in (("sin", ["MOV R0, 0x3f576aa4"]), ("ex2", ["MOV R0, 0x40000000"]),
                   ("tanh", ["MUFU.TANH R0, 1"])):
    code = sass(f""".version 7.8
.target sm_75
.address_size 64
.visible .entry k(.param .u64 p) {{ .reg .u64 %rd<2>; .reg .f32 %f<2>;
ld.param.u64 %rd1, [p]; {op}.approx.f32 %f1, 0f3F800000; st.global.f32 [%rd1], %f1; ret; }}""")
    expect(f"ptxas, {op}.approx.f32", [c for c in code if " R0," in c], wanted)
EOF
