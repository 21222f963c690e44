#!/usr/bin/env bash
# Versions: ptxas 11.8.89, 12.9.86, 13.5.37; NVRTC 12.9.86.
#
# Expected: the size that `nvrtcGetPTXSize` returns is that of the text, and a file of that size is
# a valid input of every ptxas.
#
# Seen: the size includes the NUL at the end, as the manual says. A file with all these bytes, which
# Python's `buffer.raw` and C++'s `std::string(size, …)` write, is accepted by ptxas 11.8 and 12.9,
# and is an error for ptxas 13.5.
#
# Output:
#
#   last byte of NVRTC's text: 0
#   ptxas 11.8.89: accepted
#   ptxas 12.9.86: accepted
#   ptxas 13.5.37: Unexpected EOF encountered
#
# Why it matters: files written this way by existing tools worked for a decade. A reader of PTX has
# to decide about one NUL at the end of a file.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
for package in nvcc-cu11==11.8.89 nvcc-cu12==12.9.86 nvcc==13.5.37 nvrtc-cu12==12.9.86; do
  "$dir/venv/bin/pip" -q --disable-pip-version-check install --no-deps \
    --target "$dir/${package/==/-}" "nvidia-cuda-$package"
done
DIR=$dir "$dir/venv/bin/python" - <<'EOF'
import ctypes as C, glob, os, re, subprocess, sys, tempfile

root = os.environ["DIR"]
nvrtc = C.CDLL(glob.glob(root + "/nvrtc-cu12-12.9.86/nvidia/*/lib/libnvrtc.so.12")[0])
prog, size = C.c_void_p(), C.c_size_t()
nvrtc.nvrtcCreateProgram(C.byref(prog), b"__global__ void k(int *p) { *p = 1; }", b"k.cu", 0, None, None)
options = (C.c_char_p * 1)(b"--gpu-architecture=compute_75")
if nvrtc.nvrtcCompileProgram(prog, 1, options):
    sys.exit("NVRTC rejects the source")
nvrtc.nvrtcGetPTXSize(prog, C.byref(size))
buffer = C.create_string_buffer(size.value)
nvrtc.nvrtcGetPTX(prog, buffer)
# A header that all three assemblers know.
text = re.sub(rb"\.version \S+", b".version 7.8", buffer.raw)

def expect(what, seen, wanted):
    print(f"{what}: {seen}")
    if seen != wanted:
        sys.exit(f"changed; recorded: {wanted}")

expect("last byte of NVRTC's text", text[-1], 0)
for package, wanted in [
    ("nvcc-cu11-11.8.89", "accepted"),
    ("nvcc-cu12-12.9.86", "accepted"),
    ("nvcc-13.5.37", "Unexpected EOF encountered"),
]:
    tool = glob.glob(f"{root}/{package}/nvidia/*/bin/ptxas")[0]
    os.chmod(tool, 0o755)
    with tempfile.TemporaryDirectory() as d:
        open(d + "/k.ptx", "wb").write(text)
        done = subprocess.run([tool, "-arch=sm_75", "k.ptx", "-o", "k.cubin"], cwd=d, capture_output=True, text=True)
        message = (done.stdout + done.stderr).strip().split("\n")[0].split(" : ")[-1]
    expect("ptxas " + package.split("-")[-1], re.sub(r" on line \d+", "", message) or "accepted", wanted)
EOF
