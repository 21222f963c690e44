#!/usr/bin/env bash
# Versions: ptxas 12.9.86 and 13.5.37.
#
# Expected: constant expressions of PTX follow C with 64-bit integers: `~0` is -1, the remainder of
# 7 and -3 is 1, and an integer that does not fit is an error.
#
# Seen: `~` and `%` give an unsigned value whatever the operands are, so that `~0 < 0` is false and
# `7 % -3` is 7. The value of `a ? b : c` keeps the sign of the chosen part, unlike in C. A literal
# with more than 64 bits loses the upper ones without a message. `-0f3F800000` is a syntax error,
# `-0d3FF0000000000000` is not.
#
# Output (the value of a .u64 variable, the same in both versions):
#
#   ~0 < 0: 0
#   7 % -3: 7
#   (-7) / 3 < 0: 1
#   (0 ? 1U : -1) / 2: 0
#   (0 * 1U - 1) / 2: 9223372036854775807
#   0x1FFFFFFFFFFFFFFFF: 18446744073709551615
#   -0f3F800000: Parsing error near '0f3F800000': syntax error
#
# Why it matters: a tool that evaluates these expressions with exact or signed integers lays out
# another initial value than NVIDIA's assembler, and nothing warns.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" -q --disable-pip-version-check install pyelftools==0.32
for version in -cu12==12.9.86 ==13.5.37; do
  "$dir/venv/bin/pip" -q --disable-pip-version-check install --no-deps \
    --target "$dir/${version##*=}" "nvidia-cuda-nvcc$version"
done
DIR=$dir "$dir/venv/bin/python" - <<'EOF'
import glob, os, subprocess, sys, tempfile
from elftools.elf.elffile import ELFFile

def value(version, expression, kind):
    """The value that ptxas gives a variable, or its message."""
    text = f""".version 2.3
.target sm_20
.address_size 64
.visible .global .{kind} x = {expression};
.visible .entry k() {{ ret; }}
"""
    tool = glob.glob(os.environ["DIR"] + f"/{version}/nvidia/*/bin/ptxas")[0]
    os.chmod(tool, 0o755)
    with tempfile.TemporaryDirectory() as d:
        open(d + "/k.ptx", "w").write(text)
        command = [tool, "-arch=sm_75", "k.ptx", "-o", "k.cubin"]
        done = subprocess.run(command, cwd=d, capture_output=True, text=True)
        if done.returncode:
            return (done.stdout + done.stderr).strip().split("\n")[0].split("   : ")[-1]
        section = ELFFile(open(d + "/k.cubin", "rb")).get_section_by_name(".nv.global.init")
        return str(int.from_bytes(section.data()[:8], "little")) if section else "0"

def expect(expression, wanted, kind="u64"):
    for version in ("12.9.86", "13.5.37"):
        seen = value(version, expression, kind)
        if seen != wanted:
            sys.exit(f"changed for ptxas {version}: {expression}: {seen}; recorded: {wanted}")
    print(f"{expression}: {wanted}")

expect("~0 < 0", "0")
expect("7 % -3", "7")
expect("(-7) / 3 < 0", "1")
expect("(0 ? 1U : -1) / 2", "0")
expect("(0 * 1U - 1) / 2", "9223372036854775807")
expect("0x1FFFFFFFFFFFFFFFF", "18446744073709551615")
expect("-0f3F800000", "Parsing error near '0f3F800000': syntax error", "f32")
EOF
