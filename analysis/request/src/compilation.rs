//! How the files of a run are compiled, and the PTX of CUDA C.

use crate::sources::Sources;
use cuda::options::{Options, Standard};
use cuda::preprocess::Included;
use cuda::target::Target;
use isa::feature::Features;
use isa::types::Capability;
use isa::variables::Variables;
use report::access::Quoted;
use report::exit::Failure;
use report::text::shown;
use sim_core::config::Chip;
use sim_core::config::builtin::DEFAULT_CHIP;
use std::cell::RefCell;
use std::path::{Path, PathBuf};

/// Options for the preprocessor of CUDA C.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "command-line", derive(clap::Args))]
pub struct PreprocessArgs {
    /// Folder in which files of `#include` are looked for; may be repeated
    #[cfg_attr(feature = "command-line", arg(short = 'I', long = "include-path", value_name = "DIR"))]
    pub include: Vec<PathBuf>,

    /// Define a macro, as `#define NAME VALUE` before the first line; may be repeated
    #[cfg_attr(
        feature = "command-line",
        arg(short = 'D', long = "define-macro", value_name = "NAME[=VALUE]")
    )]
    pub define: Vec<String>,

    /// Standard: c++03 to c++20 for C++, c89 to c17 for C, or a name such as gnu++17. It selects
    /// macros such as `__cplusplus`; clang refuses what is not in it (default: c++17 and c99)
    #[cfg_attr(feature = "command-line", arg(long = "std", value_name = "STANDARD"))]
    pub standard: Option<Standard>,
}

/// Options for the compilation of PTX.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(feature = "command-line", derive(clap::Args))]
pub struct CompileArgs {
    /// Optimization level, as for ptxas: 0 compiles each instruction separately; 1 to 3, which are
    /// the same here, optimize copies, constants, addresses and dead code (docs/MODEL.md)
    #[cfg_attr(feature = "command-line", arg(short = 'O', long, value_name = "LEVEL", default_value_t = 3,
          value_parser = clap::value_parser!(u32).range(0..=3)))]
    pub opt_level: u32,

    /// Fuse a product with a sum into one multiply-add if the product has no other use and neither
    /// names its rounding, which changes results (default: true for CUDA C, as nvcc; false for
    /// PTX). No effect on PTX with -O 0
    #[cfg_attr(feature = "command-line", arg(long, value_name = "true|false"))]
    pub fmad: Option<bool>,

    /// Order the instructions of each block by their latencies: loads ahead of their readers,
    /// independent chains interleaved. Results stay the same. No effect with -O 0
    #[cfg_attr(feature = "command-line", arg(long, value_name = "true|false", default_value_t = false, action = clap::ArgAction::Set))]
    pub schedule: bool,

    /// Maximum number of registers per thread, as for ptxas: values that do not fit are computed
    /// again or kept in local memory (default: the limit of `.maxnreg` and of the chip)
    #[cfg_attr(feature = "command-line", arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..)))]
    pub maxrregcount: Option<u32>,

    /// Fast functions instead of exact ones in CUDA C.
    #[cfg_attr(feature = "command-line", arg(skip))]
    pub fast_math: bool,

    /// Lines that texts, pages and the debugger name: of the CUDA C file that the PTX was compiled
    /// from, if it is found, or of the PTX
    #[cfg_attr(feature = "command-line", arg(long, value_enum, default_value = "source"))]
    pub lines: Lines,
}

/// Lines that messages name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "command-line", derive(clap::ValueEnum))]
pub enum Lines {
    /// Lines of CUDA C, or of PTX without a source file
    Source,
    /// Lines of PTX
    Ptx,
}

impl Default for CompileArgs {
    fn default() -> Self {
        Self {
            opt_level: 3,
            fmad: None,
            schedule: false,
            maxrregcount: None,
            fast_math: false,
            lines: Lines::Source,
        }
    }
}

impl CompileArgs {
    /// The options of the compiler.
    pub fn options(self) -> isa::Options {
        let optimize = self.opt_level > 0;
        isa::Options {
            optimize,
            fmad: optimize && self.fmad == Some(true),
            schedule: optimize && self.schedule,
            max_registers: self.maxrregcount,
            wide_addresses: false,
        }
    }
}

/// How the files of a program are compiled: CUDA C to PTX, and PTX for the machine.
#[derive(Clone, Debug)]
pub struct Compilation {
    /// Options for PTX.
    pub options: isa::Options,
    /// Compute capability of the chip, for which CUDA C is compiled; `None` without a chip.
    pub capability: Option<Capability>,
    /// Instructions after Fermi that the chip has.
    features: Features,
    /// Bytes of device memory, if the chip is known.
    memory_bytes: Option<u64>,
    /// The options as they were given.
    compile: CompileArgs,
    preprocess: PreprocessArgs,
    /// Where the files are.
    pub sources: Sources,
}

impl Compilation {
    /// A compilation by the options of a command, without a chip.
    pub fn new(compile: CompileArgs, preprocess: &PreprocessArgs) -> Self {
        Self {
            options: compile.options(),
            capability: None,
            features: Features::NONE,
            memory_bytes: None,
            compile,
            preprocess: preprocess.clone(),
            sources: Sources::default(),
        }
    }

    /// A compilation without folders and macros.
    pub fn usual(compile: CompileArgs) -> Self {
        Self::new(compile, &PreprocessArgs::default())
    }

    /// The same compilation of texts that are elsewhere.
    #[must_use]
    pub fn with(self, sources: &Sources) -> Self {
        Self { sources: sources.clone(), ..self }
    }

    /// The same compilation for chips of a compute capability with these instructions after Fermi.
    #[must_use]
    pub fn on(self, capability: Capability, features: Features) -> Self {
        Self { capability: Some(capability), features, ..self }
    }

    /// The same compilation for chips with this much device memory.
    #[must_use]
    pub fn within(self, bytes: u64) -> Self {
        Self { memory_bytes: Some(bytes), ..self }
    }

    /// Returns the target of CUDA C.
    pub fn target(&self) -> Target {
        self.capability.map_or_else(default_target, |own| Target::of_chip(own, self.features))
    }

    /// Returns the options for CUDA C.
    pub fn cuda(&self) -> Options {
        let mut options = Options {
            opt_level: self.compile.opt_level,
            defines: self.preprocess.define.clone(),
            standard: self.preprocess.standard,
            memory_bytes: self.memory_bytes,
            ..Options::of(self.target())
        };
        if self.compile.fast_math {
            options.fast_math();
        }
        options.fmad = self.compile.fmad.unwrap_or(options.fmad);
        options
    }

    /// Whether messages name lines of CUDA C.
    pub fn has_source_lines(&self) -> bool {
        self.compile.lines == Lines::Source
    }
}

/// The target of commands without a chip: the one of the default chip.
fn default_target() -> Target {
    let chip = Chip::builtin(DEFAULT_CHIP).expect("a built-in chip");
    Target::of_chip(chip.capability, chip.features)
}

/// PTX of a CUDA C file.
pub struct Compiled {
    /// Text of the compiled PTX.
    pub ptx: String,
    /// The variables of the program.
    pub variables: Variables,
    /// Warnings; empty without any.
    pub warnings: String,
    /// The files that it includes.
    pub included: Vec<PathBuf>,
}

impl Compilation {
    /// Returns the folders whose files messages quote.
    pub fn quoted<'p>(&'p self, sources: impl IntoIterator<Item = &'p Path>) -> Quoted {
        Quoted::new(sources, &self.preprocess.include)
    }

    /// Finds and reads a file that is included: beside the file that names it, or in the folders of
    /// the options.
    pub fn load(
        &self,
        wanted: &str,
        (from, is_angled): (&str, bool),
        quoted: &Quoted,
    ) -> Option<(PathBuf, Included)> {
        let beside = Path::new(from).parent().filter(|_| !is_angled);
        let folders = beside.into_iter().chain(self.preprocess.include.iter().map(PathBuf::as_path));
        let path = folders.map(|one| one.join(wanted)).find(|path| self.sources.is_file(path))?;
        let text = self.sources.cuda_c(&path).ok()?;
        let hidden = self.sources.given(&path).is_none() && !quoted.has(&path);
        Some((path.clone(), Included { name: shown(&path), text, hidden }))
    }

    /// Compiles the text of a CUDA C file with the options of this compilation.
    pub fn to_ptx(&self, path: &Path, text: &str) -> Result<Compiled, Failure> {
        self.to_ptx_with(path, text, (self.target(), &self.cuda()))
    }

    /// Compiles the text of a CUDA C file.
    pub fn to_ptx_with(
        &self,
        path: &Path,
        text: &str,
        (target, options): (Target, &Options),
    ) -> Result<Compiled, Failure> {
        let quoted = self.quoted([path]);
        let included = RefCell::new(Vec::new());
        let load = |wanted: &str, from: &str, is_angled| {
            let (path, file) = self.load(wanted, (from, is_angled), &quoted)?;
            included.borrow_mut().push(path);
            Some(file)
        };
        let options = options.clone().of_file(path, target);
        let compiled = cuda::compile(&shown(path), text, &load, target, &options);
        let warnings = compiled.messages();
        let included = included.into_inner();
        match compiled.ptx {
            Some(ptx) => Ok(Compiled { ptx, variables: compiled.variables, warnings, included }),
            None => Err(Failure::input(warnings)),
        }
    }
}
