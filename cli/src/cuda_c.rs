//! CUDA C files: the one place that turns a path into PTX text.

use crate::access::Quoted;
use crate::args::{CompileArgs, Lines, PreprocessArgs};
use crate::chip;
use crate::exit::Failure;
use crate::output::{read_source, shown};
use cuda::options::Options;
use cuda::preprocess::Included;
use cuda::target::Target;
use isa::ptx::parse::MAX_TEXT;
use isa::types::Capability;
use isa::variables::Variables;
use sim_core::config::Chip;
use std::cell::RefCell;
use std::path::{Path, PathBuf};

/// Target for commands without a chip: the latest one whose code runs on chips of all generations
/// but the first.
const DEFAULT_TARGET: &str = "sm_13";

/// How the files of a program are compiled: CUDA C to PTX, and PTX for the machine.
#[derive(Clone, Debug)]
pub struct Compilation {
    /// Options for PTX.
    pub options: isa::Options,
    /// Compute capability of the chip, for which CUDA C is compiled; `None` without a chip.
    pub capability: Option<Capability>,
    /// Bytes of device memory, if the chip is known.
    memory_bytes: Option<u64>,
    /// Lines that messages name.
    pub lines: Lines,
    /// Optimization level of CUDA C.
    level: u32,
    preprocess: PreprocessArgs,
}

impl Compilation {
    /// A compilation by the options of a command, without a chip.
    pub fn new(compile: CompileArgs, preprocess: &PreprocessArgs) -> Self {
        let preprocess = preprocess.clone();
        let (options, lines, level) = (compile.options(), compile.lines, compile.opt_level);
        Self { options, capability: None, memory_bytes: None, lines, level, preprocess }
    }

    /// A compilation without options of the command line.
    pub fn usual(options: isa::Options) -> Self {
        let level = Options::of(default_target()).opt_level;
        let preprocess = PreprocessArgs::default();
        Self { options, capability: None, memory_bytes: None, lines: Lines::Source, level, preprocess }
    }

    /// The same compilation for chips of a compute capability.
    #[must_use]
    pub fn on(self, capability: Capability) -> Self {
        Self { capability: Some(capability), ..self }
    }

    /// The same compilation for chips with this much device memory.
    #[must_use]
    pub fn within(self, bytes: u64) -> Self {
        Self { memory_bytes: Some(bytes), ..self }
    }

    /// Returns the target of CUDA C.
    pub fn target(&self) -> Target {
        self.capability.map_or_else(default_target, Target::of_capability)
    }

    /// Returns the options for CUDA C.
    pub fn cuda(&self) -> Options {
        let defines = self.preprocess.define.clone();
        let memory_bytes = self.memory_bytes;
        Options { opt_level: self.level, defines, memory_bytes, ..Options::of(self.target()) }
    }
}

/// Returns the target of commands without a chip.
pub fn default_target() -> Target {
    Target::from_name(DEFAULT_TARGET).expect("a target")
}

/// Returns the target of a chip's code.
pub fn target_of(chip: &str) -> Result<Target, Failure> {
    let texts = chip::texts(chip)?;
    let (chip, _) = Chip::from_texts(&texts, &[]).map_err(|errors| Failure::input(errors.to_string()))?;
    Ok(Target::of_capability(chip.capability))
}

/// Finds a file that a program includes: beside the file in which it is named, or in the folders of
/// the command line.
pub fn find(folders: &[PathBuf], wanted: &str, from: &str, angled: bool) -> Option<PathBuf> {
    let beside = Path::new(from).parent().filter(|_| !angled);
    let mut found =
        beside.into_iter().chain(folders.iter().map(PathBuf::as_path)).map(|one| one.join(wanted));
    found.find(|path| path.is_file())
}

/// Reads a file that a program includes.
pub fn read(path: &Path, quoted: &Quoted) -> Option<Included> {
    let text = read_source(path, MAX_TEXT as u64).ok()?;
    Some(Included { name: shown(path), text, hidden: !quoted.has(path) })
}

/// PTX of a CUDA C file.
pub struct Compiled {
    /// The PTX.
    pub ptx: String,
    /// The variables of the program.
    pub variables: Variables,
    /// Warnings; empty without any.
    pub warnings: String,
    /// The files that it includes.
    pub included: Vec<PathBuf>,
}

/// Compiles the text of a CUDA C file.
pub fn to_ptx(
    path: &Path,
    text: &str,
    folders: &[PathBuf],
    (target, options): (Target, &Options),
) -> Result<Compiled, Failure> {
    let quoted = Quoted::new([path], folders);
    let included = RefCell::new(Vec::new());
    let load = |wanted: &str, from: &str, angled| {
        let path = find(folders, wanted, from, angled)?;
        included.borrow_mut().push(path.clone());
        read(&path, &quoted)
    };
    let compiled = cuda::compile(&shown(path), text, &load, target, options);
    let warnings = compiled.messages();
    let included = included.into_inner();
    match compiled.ptx {
        Some(ptx) => Ok(Compiled { ptx, variables: compiled.variables, warnings, included }),
        None => Err(Failure::input(warnings)),
    }
}

impl Compilation {
    /// Returns the folders whose files messages quote.
    pub fn quoted<'p>(&'p self, sources: impl IntoIterator<Item = &'p Path>) -> Quoted {
        Quoted::new(sources, &self.preprocess.include)
    }

    /// Compiles the text of a CUDA C file.
    pub fn to_ptx(&self, path: &Path, text: &str) -> Result<Compiled, Failure> {
        to_ptx(path, text, &self.preprocess.include, (self.target(), &self.cuda()))
    }
}
