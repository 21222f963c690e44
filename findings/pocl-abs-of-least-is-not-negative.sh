#!/usr/bin/env bash
# Versions: pocl-binary-distribution 3.0.
#
# Expected: `abs` of the least `int` is 0x80000000 as `uint`: OpenCL C returns an unsigned number, so
# that every absolute value fits. `as_int` of it is the least `int` again, which is below 0.
#
# Seen: the value is the least `int`, but `as_int(abs(x)) < 0` is false. With the value in a buffer
# in between, the same comparison is true. `long` is the same; `short` is right. What is computed
# from the value goes wrong, too: `convert_ulong_sat` of it was 2^63 and not 0 in some kernels.
#
# Output (value as hexadecimal number, whether it is below 0):
#
#   int: 80000000 0, through memory 1
#   long: 8000000000000000 0, through memory 1
#   short: 8000 1, through memory 1
#
# Why it matters: a random test that takes PoCL as its reference reports a correct compiler.
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
# Other OpenCL platforms of the machine are not used.
platform = [p for p in cl.get_platforms() if p.version.startswith("OpenCL 3.0 PoCL 3.0-rc2")][0]
context = cl.Context(platform.get_devices())
queue = cl.CommandQueue(context)
source = """kernel void one(global const T *in, global ulong *out, global T *kept) {
  T x = in[0], y = as_T(abs(x));
  out[0] = as_unsigned(y); out[1] = y < 0;
  kept[0] = y;
}
kernel void two(global const T *in, global ulong *out, global T *kept) {
  out[2] = kept[0] < 0;
}"""
wanted = {"int": "80000000 0, through memory 1", "long": "8000000000000000 0, through memory 1",
          "short": "8000 1, through memory 1"}
for name, kind in (("int", np.int32), ("long", np.int64), ("short", np.int16)):
    text = source.replace("unsigned", "u" + name).replace("as_T", "as_" + name).replace("T ", name + " ")
    program = cl.Program(context, text).build()
    flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
    out = np.zeros(3, np.uint64)
    buffers = [cl.Buffer(context, flags, hostbuf=values)
               for values in (np.array([np.iinfo(kind).min]), out, np.zeros(1, kind))]
    for kernel in (program.one, program.two):
        kernel(queue, (1,), None, *buffers)
    cl.enqueue_copy(queue, out, buffers[1])
    seen = "{:x} {}, through memory {}".format(*map(int, out))
    print(f"{name}: {seen}")
    if seen != wanted[name]:
        sys.exit(f"changed; recorded: {wanted[name]}")
EOF
