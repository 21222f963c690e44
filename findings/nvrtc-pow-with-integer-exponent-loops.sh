#!/usr/bin/env bash
# Versions: NVRTC and ptxas 12.9.86, nvdisasm 13.5.37.
#
# Expected: `pow(x, 2)` with a float x calls the double function, as in C++11 on the host, or is
# compiled to `x * x`.
#
# Seen: NVRTC has a `pow(float, int)` that returns a float. For the constant 2 it writes a loop of
# square and multiply that runs at run time over the bits of the constant. ptxas keeps the loop
# too.
#
# Output:
#
#   type of pow(float, int): float
#   branches in PTX: 4
#   backward branch in the machine code: True
#
# Why it matters: result type, overload resolution and instruction count of a usual expression
# differ between host and device. A simulator that compiles CUDA C has to choose one of them.
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

head = 'extern "C" __global__ void k(float *p, float x) '
size = ptx(head + "{ static_assert(sizeof(pow(x, 2)) == sizeof(float), \"\"); }")
expect("type of pow(float, int)", "float" if size else "", "float")
text = ptx(head + "{ p[0] = pow(x, 2); }", "-arch=compute_75")
expect("branches in PTX", len(re.findall(r"\bbra\b", text)), 4)
code = sass(text)
print("\n".join("  " + line for line in code[:11]))
expect("backward branch in the machine code",
       any(line.startswith("@P1 BRA") for line in code[:11]), True)
EOF
