#!/usr/bin/env bash
# Versions: pocl-binary-distribution 3.0, x86-64.
#
# Expected: `convert_int_sat(NAN)` and the other saturating conversions give 0: the OpenCL C
# specification says that NaN should be converted to 0.
#
# Seen: PoCL gives the smallest int, the largest uint, and 0 for uchar and short.
#
# Output:
#
#   NaN: int -2147483648, uint 4294967295, uchar 0, short 0
#
# Why it matters: on a GPU of NVIDIA, `cvt` of a float NaN to 32 bits gives 0. A program that was
# tested on PoCL alone can depend on the other values.
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

source = """kernel void k(global long *p) {
  volatile float n = NAN;
  p[0] = convert_int_sat(n); p[1] = convert_uint_sat(n);
  p[2] = convert_uchar_sat(n); p[3] = convert_short_sat(n);
}"""
p = run(source, np.zeros(4, np.int64))
expect("NaN", "int {}, uint {}, uchar {}, short {}".format(*p),
       "int -2147483648, uint 4294967295, uchar 0, short 0")
EOF
