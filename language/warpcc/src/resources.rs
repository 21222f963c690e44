//! `-Xptxas -v`: registers and memory of each kernel, in the words of NVIDIA's assembler.

use isa::source::Source;
use isa::uop::Module;
use std::fmt::Write as _;
use std::sync::Arc;

/// Bytes of the constant bank before the parameters of a kernel, on `sm_20`.
const BEFORE_PARAMETERS: u32 = 32;

/// Compiles PTX and returns the lines about its kernels. Returns the messages if the PTX is not
/// accepted.
pub fn describe(name: &str, ptx: &str, target: &str) -> Result<String, String> {
    let source = Arc::new(Source::new(name, ptx));
    let (module, diagnostics) = isa::compile_source(&source, isa::Options::default());
    module.map(|module| lines(&module, target)).ok_or_else(|| isa::diag::render_source(&diagnostics, &source))
}

fn lines(module: &Module, target: &str) -> String {
    let mut text = String::new();
    let global: u64 = module.globals.iter().map(|variable| u64::from(variable.bytes)).sum();
    let _ = write!(text, "ptxas info    : {global} bytes gmem");
    if module.const_bytes > 0 {
        let _ = write!(text, ", {} bytes cmem[2]", module.const_bytes);
    }
    text.push('\n');
    for kernel in &module.entries {
        let name = &kernel.name;
        let spills = kernel.spills;
        let _ = writeln!(text, "ptxas info    : Compiling entry function '{name}' for '{target}'");
        let _ = writeln!(text, "ptxas info    : Function properties for {name}");
        let _ = writeln!(
            text,
            "    {} bytes stack frame, {} bytes spill stores, {} bytes spill loads",
            kernel.local_bytes, spills.store_bytes, spills.load_bytes
        );
        let _ = write!(text, "ptxas info    : Used {} registers", kernel.registers);
        if kernel.shared_bytes > 0 {
            let _ = write!(text, ", {} bytes smem", kernel.shared_bytes);
        }
        let _ = write!(text, ", {} bytes cmem[0]", BEFORE_PARAMETERS + kernel.param_bytes);
        if module.const_bytes > 0 {
            let _ = write!(text, ", {} bytes cmem[2]", module.const_bytes);
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::describe;

    #[test]
    fn a_kernel_has_its_registers_and_shared_memory() {
        let ptx = ".version 3.2\n.target sm_20\n.address_size 64\n.entry k(.param .u64 a)\n{\n\
                   .reg .u64 %rd;\n.reg .u32 %r;\n.shared .align 4 .b8 s[64];\nld.param.u64 %rd, [a];\n\
                   ld.shared.u32 %r, [s];\nst.global.u32 [%rd], %r;\nret;\n}\n";
        let text = describe("k.ptx", ptx, "sm_20").expect("the text is correct");
        assert!(text.starts_with("ptxas info    : 0 bytes gmem\n"), "{text}");
        assert!(text.contains("Compiling entry function 'k' for 'sm_20'"), "{text}");
        assert!(text.contains("registers, 64 bytes smem, 40 bytes cmem[0]\n"), "{text}");
        assert!(describe("k.ptx", ".version 3.2\n.target sm_20\nnonsense", "sm_20").is_err());
    }
}
