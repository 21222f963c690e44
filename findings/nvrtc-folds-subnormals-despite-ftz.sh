#!/usr/bin/env bash
# Versions: NVRTC and ptxas 12.9.86, nvdisasm 13.5.37.
#
# Expected: with `-ftz=true` a product of constants is what the GPU computes: a subnormal result is
# 0.
#
# Seen: NVRTC folds `1e-40f * 1.5f` to the subnormal 1.5e-40 (bits 107043) and stores these bits.
# The same product of a variable is `mul.ftz.f32`, which gives 0. ptxas is different from NVRTC: it
# folds `mul.ftz.f32` of two constants to 0.
#
# Output:
#
#   constant product: ['107043']
#   variable product: ['mul.ftz.f32']
#   ptxas, mul.f32: ['MOV R0, 0x1a223']
#   ptxas, mul.ftz.f32: []
#
# Why it matters: constant folding in a compiler for G80 (which always flushes) has to choose.
# Folding as the host does gives other results than the instruction that it replaces.
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

head = 'extern "C" __global__ void k(float *p, float x) { p[0] = '
text = ptx(head + "1e-40f * 1.5f; }", "-ftz=true")
expect("constant product", re.findall(r"mov\.u32 .*, (\d+);", text), ["107043"])
text = ptx(head + "x * 1.5f; }", "-ftz=true")
expect("variable product", [o for o in opcodes(text) if o.startswith("mul")], ["mul.ftz.f32"])
for op, wanted in (("mul.f32", ["MOV R0, 0x1a223"]), ("mul.ftz.f32", [])):
    code = sass(f""".version 7.8
.target sm_75
.address_size 64
.visible .entry k(.param .u64 p) {{ .reg .u64 %rd<2>; .reg .f32 %f<2>;
ld.param.u64 %rd1, [p]; {op} %f1, 0f000116C2, 0f3FC00000; st.global.f32 [%rd1], %f1; ret; }}""")
    expect("ptxas, " + op, [c for c in code if "MOV" in c and "R0," in c], wanted)
EOF
