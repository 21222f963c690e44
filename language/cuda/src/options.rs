//! Options of the code generator, with the names that nvcc uses.

use crate::target::Target;
use std::path::Path;

/// The language of a source file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Language {
    /// CUDA C, and C++ in host code.
    #[default]
    CudaC,
    /// C, for host programs.
    C,
    /// OpenCL C 1.0 or 1.1, as `__OPENCL_VERSION__` says: 100 or 110.
    OpenClC(u32),
}

/// Options of the code generator.
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of nvcc")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The language of the source.
    pub language: Language,
    /// Numbers without suffix are `float` (OpenCL C, `-cl-single-precision-constant`).
    pub single_literals: bool,
    /// Optimization level, 0 to 3; 1 to 3 are the same.
    pub opt_level: u32,
    /// Contract products and sums into multiply-adds.
    pub fmad: bool,
    /// Subnormal floats are zeros (`-ftz`); below `sm_20` always.
    pub ftz: bool,
    /// Exact division of floats; from `sm_20` on.
    pub prec_div: bool,
    /// Exact square roots of floats; from `sm_20` on.
    pub prec_sqrt: bool,
    /// Write `.file` and `.loc`.
    pub lines: bool,
    /// Write the line of CUDA C above its instructions.
    pub comments: bool,
    /// Functions of the mathematical library are the fast ones (`-use_fast_math`).
    pub use_fast_math: bool,
    /// Macros of the command line: `NAME` or `NAME=VALUE` (`-D`).
    pub defines: Vec<String>,
    /// Maximum number of registers per thread (`.maxnreg`).
    pub max_registers: Option<u32>,
    /// An NDRange may be several launches (OpenCL C): environment registers have the first
    /// work-group of the launch, and the number of all work-groups.
    pub parts: bool,
    /// Bytes of device memory, if the chip is known: larger variables are refused.
    pub memory_bytes: Option<u64>,
}

impl Options {
    /// The defaults of nvcc for a target.
    pub fn of(target: Target) -> Options {
        let exact = target.is_fermi();
        Options {
            language: Language::CudaC,
            single_literals: false,
            opt_level: 3,
            fmad: true,
            ftz: !exact,
            prec_div: exact,
            prec_sqrt: exact,
            lines: true,
            comments: true,
            use_fast_math: false,
            defines: Vec::new(),
            max_registers: None,
            parts: false,
            memory_bytes: None,
        }
    }

    /// The options for a file: the language follows from the ending of its name.
    #[must_use]
    pub fn of_file(self, path: &Path, target: Target) -> Options {
        let is = |known: &str| path.extension().is_some_and(|end| end.eq_ignore_ascii_case(known));
        if self.language != Language::CudaC {
            return self;
        }
        if is("c") {
            return Options { language: Language::C, ..self };
        }
        if !is("cl") {
            return self;
        }
        // NVIDIA's drivers had OpenCL 1.0 below compute capability 2.0.
        let version = if target.is_fermi() { 110 } else { 100 };
        self.in_open_cl(version)
    }

    /// The options for OpenCL C, where divisions and square roots may be approximate.
    #[must_use]
    pub fn in_open_cl(self, version: u32) -> Options {
        Options { language: Language::OpenClC(version), prec_div: false, prec_sqrt: false, ..self }
    }

    /// Applies `-use_fast_math`.
    pub fn fast_math(&mut self) {
        self.use_fast_math = true;
        self.fmad = true;
        self.ftz = true;
        self.prec_div = false;
        self.prec_sqrt = false;
    }

    /// Whether the optimizer runs.
    pub fn optimizes(&self) -> bool {
        self.opt_level > 0
    }
}
