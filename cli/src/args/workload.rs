//! Options that several commands share: the launch and the chip.

use super::{CompileArgs, PreprocessArgs};
use crate::families::{Entry, entries};
use crate::render::table::wrapped;
use embedded::Unwritten;
use sim_core::host::{BarrierRule, CachePreference, MemoryRule};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Columns of the lists at the end of a long help.
pub const HELP_COLUMNS: usize = 80;

pub use crate::provenance::DEFAULT_CHIP;

/// Rules for the lanes of a warp at a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Barriers {
    /// All live lanes must arrive together, otherwise the launch traps
    Strict,
    /// Any lane is enough: barriers count warps, as in silicon
    Hardware,
}

impl From<Barriers> for BarrierRule {
    fn from(barriers: Barriers) -> Self {
        match barriers {
            Barriers::Strict => Self::Strict,
            Barriers::Hardware => Self::Hardware,
        }
    }
}

/// Rules for accesses to global memory outside of allocations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Memory {
    /// They trap
    Strict,
    /// They trap outside of pages with an allocation, as in silicon; others are counted
    Page,
}

impl From<Memory> for MemoryRule {
    fn from(memory: Memory) -> Self {
        match memory {
            Memory::Strict => Self::Strict,
            Memory::Page => Self::Page,
        }
    }
}

/// Rules for reads of host memory that nothing has written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum HostMemory {
    /// They stop the program
    Strict,
    /// They return zero
    Zero,
}

impl From<HostMemory> for Unwritten {
    fn from(memory: HostMemory) -> Self {
        match memory {
            HostMemory::Strict => Self::Stops,
            HostMemory::Zero => Self::Zero,
        }
    }
}

/// How strictly the rules of the programming model are enforced.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct RuleArgs {
    /// Rule for accesses to global memory outside of allocations (default: strict); overrides the
    /// launch file. With `page`, accesses in the pages of allocations are counted and reported with
    /// a warning
    #[arg(long, value_name = "RULE", value_enum)]
    pub memory: Option<Memory>,

    /// Rule for the lanes of a warp at a barrier in a divergent branch: all live lanes must arrive
    /// together (strict, the default), or any lane is enough, as in silicon, with a warning
    /// (hardware); overrides the launch file
    #[arg(long, value_name = "RULE", value_enum)]
    pub barriers: Option<Barriers>,
}

/// Endings of the names of sources.
const ENDINGS: [&str; 4] = ["cu", "cpp", "cc", "cxx"];

/// Whether a file is a CUDA C program and not PTX, a launch file or the name of a kernel.
pub fn is_source(file: &str) -> bool {
    Path::new(file).extension().is_some_and(|end| ENDINGS.iter().any(|known| end.eq_ignore_ascii_case(known)))
}

/// Preferences for the division of an SM's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Cache {
    /// The default of the chip
    PreferNone,
    /// More shared memory
    PreferShared,
    /// More L1, if the blocks' shared memory fits into the rest
    PreferL1,
}

impl From<Cache> for CachePreference {
    fn from(cache: Cache) -> Self {
        match cache {
            Cache::PreferNone => Self::None,
            Cache::PreferShared => Self::Shared,
            Cache::PreferL1 => Self::L1,
        }
    }
}

/// The launch.
#[derive(Debug, clap::Args)]
pub struct WorkloadArgs {
    /// A built-in kernel, such as matmul-tiled (`warpsim list` lists all), or a CUDA C program with
    /// its host code, or a PTX file, or a launch file that names its PTX files
    #[arg(value_name = "KERNEL|FILE")]
    pub kernel: String,

    /// More PTX files, which are linked with the first one (docs/FROM-CUDA.md)
    #[arg(value_name = "FILE.ptx")]
    pub linked: Vec<PathBuf>,

    /// The launch file of a PTX file: grid, block, parameters, buffers, expected results
    /// (docs/LAUNCH.md)
    #[arg(long, value_name = "LAUNCH.ron")]
    pub launch: Option<PathBuf>,

    /// Problem size of a built-in kernel
    #[arg(long, value_name = "N")]
    pub size: Option<u64>,

    /// Registers per thread, instead of the number of the compiled code, the launch file or the
    /// built-in kernel: changes how many blocks fit on an SM, not the results. The code stays the
    /// same; --maxrregcount compiles it for fewer registers
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub registers: Option<u32>,

    /// The compilation of PTX.
    #[command(flatten)]
    pub compile: CompileArgs,

    /// The preprocessor of CUDA C.
    #[command(flatten)]
    pub preprocess: PreprocessArgs,

    /// The strictness.
    #[command(flatten)]
    pub rules: RuleArgs,

    /// Rule for reads of host memory that nothing has written, in a program whose host code the
    /// built-in compiler takes: they stop the program (strict, the default), or return zero, as
    /// fresh pages of an operating system do (zero)
    #[arg(long, value_name = "RULE", value_enum)]
    pub host_memory: Option<HostMemory>,

    /// Division of an SM's memory between L1 and shared memory (cudaFuncSetCacheConfig); overrides
    /// the launch file. Changes times and how many blocks fit, not results
    #[arg(long, value_name = "PREFERENCE", value_enum)]
    pub cache: Option<Cache>,

    /// Stop after this many shader cycles (functional machine: warp instructions)
    ///
    /// The default is one second of the chip's own time, so that an endless loop ends with a
    /// verdict after minutes; --time-limit limits the wall time. A launch that provably never ends
    /// is stopped earlier.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_cycles: Option<u64>,

    /// Arguments of a CUDA C program with host code
    #[arg(last = true, value_name = "ARGUMENT")]
    pub program_arguments: Vec<OsString>,
}

impl WorkloadArgs {
    /// A program with host code, without options.
    pub fn of_program(file: &str, arguments: &[OsString]) -> Self {
        Self {
            kernel: file.to_owned(),
            linked: Vec::new(),
            launch: None,
            size: None,
            registers: None,
            compile: CompileArgs::default(),
            preprocess: PreprocessArgs::default(),
            rules: RuleArgs { memory: None, barriers: None },
            host_memory: None,
            cache: None,
            max_cycles: None,
            program_arguments: arguments.to_vec(),
        }
    }

    /// Whether a CUDA C program with its host code runs, and not a kernel.
    pub fn is_program(&self) -> bool {
        self.launch.is_none() && is_source(&self.kernel)
    }
}

/// The chip.
#[derive(Clone, Debug, clap::Args)]
pub struct ChipArgs {
    /// A built-in chip, or a chip file
    #[arg(long, value_name = "NAME|FILE.ron", default_value = DEFAULT_CHIP)]
    pub chip: String,

    /// Override a number of the chip, such as `sm.max_warps=16`; may be repeated
    #[arg(long = "set", value_name = "PATH=VALUE")]
    pub sets: Vec<String>,
}

/// The built-in kernels for the long help of a command, with one entry per family.
pub fn kernel_list() -> String {
    let describe = |entry: &Entry| {
        let (name, about, book) = (entry.name, entry.about(), entry.book());
        let mut lines = wrapped(&format!("  {name:<20} "), &format!("{about} ({book})"), 23, HELP_COLUMNS);
        lines.extend(wrapped(&" ".repeat(23), &format!("--size: {}", entry.size()), 25, HELP_COLUMNS));
        lines.extend(entry.variants().iter().flat_map(|v| wrapped(&" ".repeat(23), v, 25, HELP_COLUMNS)));
        lines.join("\n")
    };
    let list: Vec<String> = entries().iter().map(describe).collect();
    format!("Built-in kernels (an ending with a hyphen is added to the name):\n{}", list.join("\n"))
}
