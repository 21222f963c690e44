#!/usr/bin/env bash
# Versions: llvmlite 0.50.0 (LLVM 22.1.0).
#
# Expected: for a GPU with the memory model of PTX 6.0, LLVM writes the order and the scope of every
# atomic operation: `atomicrmw add … syncscope("device") acq_rel` is `atom.acq_rel.gpu.add`.
#
# Seen: `load atomic`, `store atomic`, `fence` and `cmpxchg` have their order. `atomicrmw` has not:
# it is `atom.add`, which PTX defines as relaxed, whether the order is monotonic, acq_rel or
# seq_cst. On sm_60 and below, LLVM refuses the ordered loads and stores.
#
# Output:
#
#   load atomic acquire: ld.acquire.sys.global.b32
#   store atomic release: st.release.gpu.global.b32
#   fence seq_cst: fence.sc.sys
#   cmpxchg acq_rel: atom.acq_rel.gpu.global.cas.b32
#   atomicrmw monotonic: atom.global.add.u32
#   atomicrmw acq_rel: atom.global.add.u32
#   atomicrmw seq_cst: atom.global.add.u32
#
# Why it matters: a lock or a counter that publishes data with a read-modify-write, in any language
# that compiles through LLVM, has no order on the GPU. A simulator that only forbids what PTX
# forbids shows the race; one that orders all atomics hides it.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" -q --disable-pip-version-check install llvmlite==0.50.0
"$dir/venv/bin/python" - <<'EOF'
import re, sys
import llvmlite.binding as llvm

print("LLVM", ".".join(map(str, llvm.llvm_version_info)))
llvm.initialize_all_targets()
llvm.initialize_all_asmprinters()
target = llvm.Target.from_triple("nvptx64-nvidia-cuda")
machine = target.create_target_machine(cpu="sm_90", features="+ptx83", opt=2)

def expect(what, line, wanted):
    text = f"""target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr addrspace(1) %p, i32 %n) {{
  {line}
  ret void
}}
"""
    ptx = machine.emit_assembly(llvm.parse_assembly(text))
    found = re.findall(r"^\s*((?:atom|ld\.acq|st\.rel|fence)\S*?)[ \t;]", ptx, re.M)
    seen = ", ".join(found)
    print(f"{what}: {seen}")
    if seen != wanted:
        sys.exit(f"changed; recorded: {wanted}")

expect("load atomic acquire", "%a = load atomic i32, ptr addrspace(1) %p acquire, align 4", "ld.acquire.sys.global.b32")
expect("store atomic release", 'store atomic i32 %n, ptr addrspace(1) %p syncscope("device") release, align 4', "st.release.gpu.global.b32")
expect("fence seq_cst", "fence seq_cst", "fence.sc.sys")
expect("cmpxchg acq_rel", '%a = cmpxchg ptr addrspace(1) %p, i32 1, i32 2 syncscope("device") acq_rel monotonic', "atom.acq_rel.gpu.global.cas.b32")
for order in ("monotonic", "acq_rel", "seq_cst"):
    line = f'%a = atomicrmw add ptr addrspace(1) %p, i32 1 syncscope("device") {order}'
    expect(f"atomicrmw {order}", line, "atom.global.add.u32")
EOF
