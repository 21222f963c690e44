#!/usr/bin/env bash
# Versions: pocl-binary-distribution 3.0 (the OpenCL C specification demands all six).
#
# Expected: a component of a vector operation has the value that the same operation has for
# scalars.
#
# Seen: scalars are promoted to int first, as in C; vectors keep their element type. So 1 << 9 of a
# char is 512, but 2 for a char2: the count is taken modulo 8. 200 + 100 of uchar is 300, but 44
# for uchar2. A comparison that is true is 1 for scalars, but -1 for vectors.
#
# Output:
#
#   shift: scalar 512, vector 2
#   sum: scalar 300, vector 44
#   comparison: scalar 1, vector -1
#
# Why it matters: a compiler for OpenCL C cannot turn a vector operation into C expressions of the
# components, and code that is vectorized by hand changes its results.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" -q --disable-pip-version-check install \
  pyopencl==2026.1 pocl-binary-distribution==3.0 numpy==2.2.6
"$dir/venv/bin/python" - <<'EOF'
import importlib.metadata as metadata, sys
import numpy as np, pyopencl as cl

print("pocl-binary-distribution", metadata.version("pocl-binary-distribution"))
print("pyopencl", metadata.version("pyopencl"))
# Other OpenCL platforms of the machine are not used.
platform = [p for p in cl.get_platforms() if p.version.startswith("OpenCL 3.0 PoCL 3.0-rc2")][0]
context = cl.Context(platform.get_devices())
queue = cl.CommandQueue(context)

def run(source, values, *options):
    """Contents of the buffer p after one work-item."""
    kernel = cl.Kernel(cl.Program(context, source).build(list(options)), "k")
    flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
    buffer = cl.Buffer(context, flags, hostbuf=values)
    kernel(queue, (1,), None, buffer)
    cl.enqueue_copy(queue, values, buffer)
    return values

def expect(what, seen, wanted):
    print(f"{what}: {seen}")
    if seen != wanted:
        sys.exit(f"changed; recorded: {wanted}")

source = """kernel void k(global int *p) {
  volatile char c = 1; volatile uchar u = 200;
  volatile char2 v = (char2)(1); volatile uchar2 w = (uchar2)(200);
  p[0] = c << 9; p[1] = (v << (char2)(9)).x;
  p[2] = u + (uchar)100; p[3] = (w + (uchar2)(100)).x;
  p[4] = u > 100; p[5] = (w > (uchar2)(100)).x;
}"""
p = run(source, np.zeros(6, np.int32))
for n, what in enumerate(("shift", "sum", "comparison")):
    wanted = ("scalar 512, vector 2", "scalar 300, vector 44", "scalar 1, vector -1")[n]
    expect(what, "scalar {}, vector {}".format(*p[2 * n:2 * n + 2]), wanted)
EOF
