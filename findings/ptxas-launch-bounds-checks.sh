#!/usr/bin/env bash
# Versions: NVRTC and ptxas 12.9.86.
#
# Expected: ptxas rejects a block that no GPU can launch (`.maxntid 2048`), and treats 0 blocks as
# "no bound", as `__launch_bounds__(100, 0)` in CUDA C is.
#
# Seen: it accepts `.maxntid 2048` and `.maxntid 1024, 2, 1` without a message. `.minnctapersm 0`
# is an error. NVRTC never writes it: for a second bound of 0 it leaves the directive out.
#
# Output:
#
#   .maxntid 2048: accepted
#   .maxntid 1024, 2, 1: accepted
#   .maxntid 100 .minnctapersm 0: Positive non-zero value expected for minnctapersm
#   .minnctapersm 2 .maxntid 100: accepted
#   __launch_bounds__(100, 0): ['.maxntid 100, 1, 1']
#   __launch_bounds__(2000): ['.maxntid 2000, 1, 1']
#
# Why it matters: the limit of 1,024 threads is checked at the launch only. A tool that checks it
# when it loads the PTX rejects modules that NVIDIA's tools accept.
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

def kernel(directives):
    return f""".version 7.8
.target sm_75
.address_size 64
.visible .entry k(.param .u64 out) {directives}
{{ ret; }}
"""
for what, wanted in ((".maxntid 2048", "accepted"), (".maxntid 1024, 2, 1", "accepted"),
                     (".maxntid 100 .minnctapersm 0", "Positive non-zero value expected for minnctapersm"),
                     (".minnctapersm 2 .maxntid 100", "accepted")):
    text = sass(kernel(what))[0]
    expect(what, text.split("\n")[0].split(" : ")[-1] if "error" in text else "accepted", wanted)
for bounds, wanted in (("100, 0", [".maxntid 100, 1, 1"]), ("2000", [".maxntid 2000, 1, 1"])):
    text = ptx(f'extern "C" __global__ void __launch_bounds__({bounds}) k(int *p) {{ *p = 1; }}')
    expect(f"__launch_bounds__({bounds})", re.findall(r"^\.m\w+ .*\d", text, re.M), wanted)
EOF
