//! `__popc`, `__clz` and `__brev` below `sm_20`: the compiler and the assembler, which lowers PTX
//! of a newer target, make the same instructions of them.

use cuda::options::Options;
use cuda::preprocess::Included;
use cuda::target::Target;
use isa::options::Compilation;
use isa::source::Source;
use isa::types::Capability;
use std::sync::Arc;

/// Number of instructions of a kernel that stores a value, compiled for `target`, on the G80.
fn instructions(value: &str, target: &str) -> usize {
    let text = format!(
        "__global__ void k(unsigned long long *p) {{ unsigned long long w = p[threadIdx.x];\n\
         unsigned int a = (unsigned int)w; p[threadIdx.x] = {value}; }}\n"
    );
    let target = Target::from_name(target).expect("a known target");
    let none = |_: &str, _: &str, _: bool| None::<Included>;
    let compiled = cuda::compile("test.cu", &text, &none, target, &Options::of(target));
    let messages = compiled.messages();
    let ptx = compiled.ptx.unwrap_or_else(|| panic!("{messages}"));
    let source = Arc::new(Source::new("test.ptx", ptx));
    let chip = Capability::from_target("sm_10");
    let (module, diagnostics) = isa::compile_for(&source, Compilation { chip, ..Compilation::default() });
    let module = module.unwrap_or_else(|| panic!("{}", isa::diag::render_source(&diagnostics, &source)));
    module.entries[0].code.len()
}

/// The compiler takes the halves of 64 bits with shifts, and the assembler reads them in place.
#[test]
fn the_compiler_needs_no_more_instructions_than_the_lowering_of_ptx() {
    for (value, halves) in [
        ("__popc(a) + w", 0),
        ("__clz(a) + w", 0),
        ("__brev(a) + w", 0),
        ("__popcll(w) + w", 2),
        ("__clzll(w) + w", 2),
        ("__brevll(w) + w", 5),
    ] {
        let of = |target| instructions(value, target) - instructions("a + w", target);
        let (own, lowered) = (of("sm_10"), of("sm_20"));
        assert!(own <= lowered + halves, "{value}: {own} instructions, {lowered} lowered");
    }
}
