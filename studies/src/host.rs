//! What a study needs of the program around it: its input files, its messages and its signals.

use indicatif::ProgressBar;
use isa::Options;
use isa::types::Capability;
use isa::uop::Module;
use kernels::{Settings, Workload};
use report::exit::Failure;
use report::outcome::RunResult;
use sim_core::config::base::Texts;
use sim_core::host::Gpu;
use std::path::PathBuf;

/// The program around a study.
#[derive(Clone, Copy)]
pub struct Host {
    /// Digest of the sources that decide the result of a simulation.
    pub sources: &'static str,
    /// Returns the digest of the program file, which contains the components that the program
    /// registers.
    pub executable: fn() -> &'static str,
    /// Prints a line on standard error.
    pub say: fn(&str),
    /// Returns a progress bar for this number of points.
    pub bar: fn(u64) -> ProgressBar,
    /// Whether a signal asks for the end of the study.
    pub interrupted: fn() -> bool,
    /// Notes that the study has stopped its work after a signal, and writes its results.
    pub ends: fn(),
    /// Makes a signal stop the launches of a GPU.
    pub monitor: fn(&mut Gpu),
    /// Returns the texts of the chip of this name or file.
    pub chip: fn(&str) -> Result<Texts, Failure>,
    /// Compiles a kernel for chips of a compute capability. The last argument takes warnings.
    pub program: for<'k> fn(&'k Found, Options, Capability, Warn<'_>) -> Result<Compiled<'k>, Failure>,
}

/// Takes warnings of a compilation.
pub type Warn<'w> = &'w mut dyn FnMut(&str);

/// A built-in kernel, or the files of a kernel.
#[derive(Debug)]
pub enum Found {
    /// A built-in kernel.
    Builtin(&'static Workload),
    /// PTX file and launch file.
    Files(PathBuf, PathBuf),
}

/// A compiled kernel of a study.
pub type Compiled<'k> = Box<dyn Program + 'k>;

/// A compiled kernel with its launch. Several threads run it at the same time.
pub trait Program: Sync {
    /// Returns the compiled module.
    fn module(&self) -> &Module;

    /// Returns the source texts: PTX, and the launch file if there is one.
    fn texts(&self) -> Vec<&str>;

    /// Returns the text of the launch file; `None` for a built-in kernel.
    fn launch_text(&self) -> Option<&str>;

    /// Returns all input files of the program as it is.
    fn files(&self) -> Vec<PathBuf>;

    /// Returns the input files that the text of a launch file names.
    fn inputs(&self, launch: &str) -> Vec<PathBuf>;

    /// Runs the kernel on `gpu` as the text `launch` of a launch file describes; a built-in kernel
    /// has none. Dumps are not written.
    ///
    /// # Errors
    ///
    /// If the launch is invalid, or exceeds a limit of the chip.
    fn run(&self, launch: Option<&str>, gpu: &mut Gpu, settings: Settings) -> Result<RunResult, Failure>;
}
