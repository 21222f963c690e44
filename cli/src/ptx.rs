//! PTX texts: of a built-in kernel, or from a file.

use crate::exit::Failure;
use crate::families;
use crate::output::{complain, read_text, shown};
use isa::Options;
use isa::diag::render_all;
use isa::ptx::parse::MAX_TEXT;
use isa::uop::Module;
use kernels::Workload;
use std::borrow::Cow;
use std::path::Path;

/// A PTX text and its source.
pub struct Ptx {
    /// Name of the file, for messages.
    pub name: String,
    /// The text.
    pub text: Cow<'static, str>,
    /// The workload, for the text of a built-in kernel.
    pub workload: Option<&'static Workload>,
}

impl Ptx {
    /// Returns the text of the built-in kernel of that name, or of the file.
    pub fn of(name: &str) -> Result<Self, Failure> {
        if let Some(workload) = kernels::find(name) {
            let text = Cow::Borrowed(workload.ptx);
            return Ok(Self { name: workload.file.to_owned(), text, workload: Some(workload) });
        }
        let path = Path::new(name);
        if is_file(path) { Self::read(path) } else { Err(unknown(name)) }
    }

    /// Reads the text of a file.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let text = Cow::Owned(read_text(path, MAX_TEXT as u64)?);
        if has_extension(path, &["cu", "cuh"]) || is_cuda_c(&text) {
            return Err(cuda_c(path));
        }
        Ok(Self { name: shown(path), text, workload: None })
    }

    /// Compiles the text. Warnings go to standard error.
    pub fn compile(&self, options: Options) -> Result<Module, Failure> {
        let (module, diagnostics) = isa::compile_with(&self.name, &self.text, options);
        let drawn = render_all(&diagnostics, &self.name, &self.text);
        let Some(module) = module else { return Err(Failure::input(drawn)) };
        if !drawn.is_empty() {
            complain(&drawn);
        }
        Ok(module)
    }
}

/// Whether a name that is not a built-in kernel refers to a file.
pub fn is_file(path: &Path) -> bool {
    has_extension(path, &["ptx", "cu", "cuh"]) || path.is_file()
}

fn has_extension(path: &Path, known: &[&str]) -> bool {
    path.extension().is_some_and(|extension| known.iter().any(|known| extension.eq_ignore_ascii_case(known)))
}

/// Whether a text is CUDA C: it contains words that only CUDA C has, and no line with the directive
/// that begins a PTX module.
fn is_cuda_c(text: &str) -> bool {
    const WORDS: [&str; 6] =
        ["__global__", "__device__", "threadIdx.", "blockIdx.", "cudaMalloc", "#include"];
    let ptx = text.lines().any(|line| line.trim_start().starts_with(".version"));
    !ptx && WORDS.iter().any(|word| text.contains(word))
}

/// Failure for CUDA C instead of PTX.
fn cuda_c(path: &Path) -> Failure {
    Failure::input(format!(
        "error: {} is CUDA C, not PTX\n\
         help: compile it with `nvcc -ptx -arch=sm_20 FILE.cu` (CUDA 3.0 to 8.0)\n\
         help: or with `clang --cuda-device-only -S --cuda-gpu-arch=sm_20 FILE.cu` (clang with a CUDA 8.0 toolkit)\n\
         help: or copy the PTX from Compiler Explorer (https://godbolt.org); docs/FROM-CUDA.md describes each way",
        shown(path)
    ))
}

/// Failure for a name that is neither a kernel nor a file.
pub fn unknown(name: &str) -> Failure {
    let members = families::members(name);
    let wrong = if members.is_empty() {
        format!("error: unknown kernel `{name}`{}", families::near(name))
    } else {
        format!("error: `{name}` is a family of kernels\nhelp: choose one of: {}", members.join(", "))
    };
    Failure::input(wrong + "\nhelp: `warpsim list` lists the built-in kernels; a PTX file ends in `.ptx`")
}
