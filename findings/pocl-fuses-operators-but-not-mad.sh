#!/usr/bin/env bash
# Versions: pocl-binary-distribution 3.0 on a processor with FMA instructions.
#
# Expected: `mad(a, b, c)` is the built-in that may be fused, so it is at least as fused as `a * b
# + c`.
#
# Seen: PoCL computes `mad` with two roundings, and `a * b + c` with one, equal to `fma`. A product
# in a separate variable, `t = a * b; t + c`, has two roundings, even with `-cl-mad-enable`. Only
# `-cl-fast-relaxed-math` fuses it, and still not `mad`.
#
# Output (1 is fused):
#
#   no option: fma 1, operators 1, mad 0, variable 0
#   -cl-mad-enable: fma 1, operators 1, mad 0, variable 0
#   -cl-fast-relaxed-math: fma 1, operators 1, mad 0, variable 1
#
# Why it matters: OpenCL C has FP_CONTRACT on by default. A test that compares a GPU with PoCL bit
# by bit needs `fma`, or `#pragma OPENCL FP_CONTRACT OFF`.
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

if " fma " not in open("/proc/cpuinfo").read():
    sys.exit("not checked: the processor has no FMA instructions")
source = """kernel void k(global float *p) {
  float a = p[0], b = p[1], c = p[2];
  float t = a * b;
  p[3] = fma(a, b, c); p[4] = a * b + c; p[5] = mad(a, b, c); p[6] = t + c;
}"""
x = 1 + 2.0 ** -12  # x * x - 1 is 2^-11 + 2^-24; a rounded product loses the last term.
for option, variable in ((None, 0), ("-cl-mad-enable", 0), ("-cl-fast-relaxed-math", 1)):
    p = run(source, np.array([x, x, -1, 0, 0, 0, 0], np.float32), *([option] if option else []))
    fused = [int(v == np.float32(2.0 ** -11 + 2.0 ** -24)) for v in p[3:7]]
    expect(option or "no option", "fma {}, operators {}, mad {}, variable {}".format(*fused),
           f"fma 1, operators 1, mad 0, variable {variable}")
EOF
