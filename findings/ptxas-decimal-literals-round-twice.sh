#!/usr/bin/env bash
# Versions: NVRTC and ptxas 12.9.86, nvdisasm 13.5.37.
#
# Expected: `mov.f32 %f1, 1.00000005960464477539062501` gives the nearest float, as the same
# literal with `f` does in C: 0x3F800001. A literal above the largest float is an error.
#
# Seen: ptxas rounds the literal to double first and then to float. The double is exactly between
# two floats, so the second rounding goes down to 0x3F800000. 1e39 silently becomes infinity. Only
# 1e400, which is too large for a double, is an error.
#
# Output:
#
#   C literal: 0x3f800001
#   PTX literal: ['MOV R0, 0x3f800000']
#   PTX literal 1e39: ['MOV R0, 0x7f800000']
#   PTX literal 1e400: error   : Constant overflow
#
# Why it matters: the PTX ISA says that floating-point literals are 64-bit. A parser that reads
# decimals directly as float has other bits. Compilers write `0f` forms to avoid it.
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

literal = "1.00000005960464477539062501"
text = ptx('extern "C" __global__ void k(float *p) { p[0] = ' + literal + "f; }")
expect("C literal", f"{int(re.findall(r'mov.u32 .*, ([0-9]+);', text)[0]):#x}", "0x3f800001")
def literal_code(number):
    return sass(f""".version 7.8
.target sm_75
.address_size 64
.visible .entry k(.param .u64 p) {{ .reg .u64 %rd<2>; .reg .f32 %f<2>;
ld.param.u64 %rd1, [p]; mov.f32 %f1, {number}; st.global.f32 [%rd1], %f1; ret; }}""")
moves = lambda number: [c for c in literal_code(number) if " R0, 0x" in c]
expect("PTX literal", moves(literal), ["MOV R0, 0x3f800000"])
expect("PTX literal 1e39", moves("1e39"), ["MOV R0, 0x7f800000"])
expect("PTX literal 1e400", literal_code("1e400")[0].split("\n")[0].split("; ")[1],
       "error   : Constant overflow")
EOF
