//! The record of a run: what is run, and its options. The documentation of a field is the help of
//! its option.

use crate::compilation::{Compilation, CompileArgs, PreprocessArgs};
use crate::sources::Sources;
use embedded::Unwritten;
use kernels::Settings;
use report::exit::Failure;
use report::launch_file::watchdog_cycles;
use sim_core::config::Chip;
#[cfg(feature = "command-line")]
use sim_core::config::builtin::DEFAULT_CHIP;
use sim_core::host::{BarrierRule, CachePreference, LaunchSettings, MemoryRule, Mode, RunOptions};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Rules for the lanes of a warp at a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "command-line", derive(clap::ValueEnum))]
#[cfg_attr(feature = "json", derive(serde::Deserialize), serde(rename_all = "kebab-case"))]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "command-line", derive(clap::ValueEnum))]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "command-line", derive(clap::ValueEnum))]
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
#[derive(Clone, Copy, Debug, Default)]
#[cfg_attr(feature = "command-line", derive(clap::Args))]
pub struct RuleArgs {
    /// Rule for accesses to global memory outside of allocations (default: strict); overrides the
    /// launch file. With `page`, accesses in the pages of allocations are counted and reported with
    /// a warning
    #[cfg_attr(feature = "command-line", arg(long, value_name = "RULE", value_enum))]
    pub memory: Option<Memory>,

    /// Rule for the lanes of a warp at a barrier in a divergent branch: all live lanes must arrive
    /// together (strict, the default), or any lane is enough, as in silicon, with a warning
    /// (hardware); overrides the launch file
    #[cfg_attr(feature = "command-line", arg(long, value_name = "RULE", value_enum))]
    pub barriers: Option<Barriers>,
}

/// Endings of the names of sources.
const ENDINGS: [&str; 5] = ["cu", "cpp", "cc", "cxx", "c"];

/// Whether a file is a program in CUDA C, C or C++ and not PTX, a launch file or the name of a
/// kernel.
pub fn is_source(file: &str) -> bool {
    Path::new(file).extension().is_some_and(|end| ENDINGS.iter().any(|known| end.eq_ignore_ascii_case(known)))
}

/// Whether a file has kernels in CUDA C or OpenCL C.
pub fn is_cuda_c_file(path: &Path) -> bool {
    path.extension()
        .is_some_and(|end| ["cu", "cuh", "cl"].iter().any(|known| end.eq_ignore_ascii_case(known)))
}

/// Preferences for the division of an SM's memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "command-line", derive(clap::ValueEnum))]
#[cfg_attr(feature = "json", derive(serde::Deserialize), serde(rename_all = "kebab-case"))]
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
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

/// Request for a run: the kernel or program, its compilation and its launch.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "command-line", derive(clap::Args))]
pub struct Request {
    /// A built-in kernel, such as matmul-tiled (`warpsim list` lists all), or a CUDA C program with
    /// its host code, or a host program for OpenCL in C, or a PTX file, or a launch file that names
    /// its PTX files
    #[cfg_attr(feature = "command-line", arg(value_name = "KERNEL|FILE"))]
    pub kernel: String,

    /// More source files of the program (docs/PROGRAMS.md), or more PTX files, which are linked
    /// with the first one (docs/FROM-CUDA.md)
    #[cfg_attr(feature = "command-line", arg(value_name = "FILE"))]
    pub linked: Vec<PathBuf>,

    /// The launch file of a PTX file: grid, block, parameters, buffers, expected results
    /// (docs/LAUNCH.md)
    #[cfg_attr(feature = "command-line", arg(long, value_name = "LAUNCH.ron"))]
    pub launch: Option<PathBuf>,

    /// Problem size of a built-in kernel
    #[cfg_attr(feature = "command-line", arg(long, value_name = "N"))]
    pub size: Option<u64>,

    /// Registers per thread, instead of the number of the compiled code, the launch file or the
    /// built-in kernel: changes how many blocks fit on an SM, not the results. The code stays the
    /// same; --maxrregcount compiles it for fewer registers
    #[cfg_attr(feature = "command-line", arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..)))]
    pub registers: Option<u32>,

    /// The compilation of PTX.
    #[cfg_attr(feature = "command-line", command(flatten))]
    pub compile: CompileArgs,

    /// The preprocessor of CUDA C.
    #[cfg_attr(feature = "command-line", command(flatten))]
    pub preprocess: PreprocessArgs,

    /// The strictness.
    #[cfg_attr(feature = "command-line", command(flatten))]
    pub rules: RuleArgs,

    /// Rule for reads of host memory that nothing has written, in a program whose host code the
    /// built-in compiler takes: they stop the program (strict, the default), or return zero, as
    /// fresh pages of an operating system do (zero)
    #[cfg_attr(feature = "command-line", arg(long, value_name = "RULE", value_enum))]
    pub host_memory: Option<HostMemory>,

    /// Division of an SM's memory between L1 and shared memory (cudaFuncSetCacheConfig); overrides
    /// the launch file. Changes times and how many blocks fit, not results
    #[cfg_attr(feature = "command-line", arg(long, value_name = "PREFERENCE", value_enum))]
    pub cache: Option<Cache>,

    /// Stop after this many shader cycles (functional machine: warp instructions)
    ///
    /// The default is one second of the chip's own time, so that an endless loop ends with a
    /// verdict after minutes; --time-limit limits the wall time. A launch that provably never ends
    /// is stopped earlier.
    #[cfg_attr(feature = "command-line", arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..)))]
    pub max_cycles: Option<u64>,

    /// Arguments of a CUDA C program with host code
    #[cfg_attr(feature = "command-line", arg(last = true, value_name = "ARGUMENT"))]
    pub program_arguments: Vec<OsString>,

    /// Texts that are not read from files.
    #[cfg_attr(feature = "command-line", arg(skip))]
    pub sources: Sources,
}

impl Request {
    /// A run of a built-in kernel or a file, without options.
    pub fn new(kernel: &str) -> Self {
        Self {
            kernel: kernel.to_owned(),
            linked: Vec::new(),
            launch: None,
            size: None,
            registers: None,
            compile: CompileArgs::default(),
            preprocess: PreprocessArgs::default(),
            rules: RuleArgs::default(),
            host_memory: None,
            cache: None,
            max_cycles: None,
            program_arguments: Vec::new(),
            sources: Sources::default(),
        }
    }

    /// Whether a CUDA C program with its host code runs, and not a kernel.
    pub fn is_program(&self) -> bool {
        self.launch.is_none() && is_source(&self.kernel)
    }

    /// Returns the settings of its launches on `chip`.
    pub fn settings(&self, mode: Mode, threads: usize, chip: &Chip) -> Settings {
        Settings {
            size: self.size,
            launches: LaunchSettings {
                mode,
                registers: self.registers,
                barriers: self.rules.barriers.map(Into::into),
                memory: self.rules.memory.map(Into::into),
                cache: self.cache.map(Into::into),
                options: RunOptions {
                    threads,
                    max_cycles: self.max_cycles.unwrap_or_else(|| watchdog_cycles(chip)),
                    ..RunOptions::default()
                },
            },
        }
    }

    /// Returns how its files are compiled for `chip`.
    pub fn compilation(&self, chip: &Chip) -> Compilation {
        Compilation::new(self.compile, &self.preprocess)
            .with(&self.sources)
            .on(chip.capability, chip.features)
            .within(chip.memory_bytes)
    }
}

/// The chip.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "command-line", derive(clap::Args))]
pub struct ChipArgs {
    /// A built-in chip, or a chip file
    #[cfg_attr(feature = "command-line", arg(long, value_name = "NAME|FILE.ron", default_value = DEFAULT_CHIP))]
    pub chip: String,

    /// Override a number of the chip, such as `sm.max_warps=16`; may be repeated
    #[cfg_attr(feature = "command-line", arg(long = "set", value_name = "PATH=VALUE"))]
    pub sets: Vec<String>,
}

impl ChipArgs {
    /// The built-in chip or the chip file of this name, without overrides.
    pub fn new(chip: &str) -> Self {
        Self { chip: chip.to_owned(), sets: Vec::new() }
    }

    /// Returns the overrides, path and value.
    ///
    /// # Errors
    ///
    /// An override is not `PATH=VALUE`.
    pub fn sets(&self) -> Result<Vec<(String, String)>, Failure> {
        self.sets.iter().map(|set| split(set)).collect()
    }
}

/// Splits `PATH=VALUE`.
pub fn split(set: &str) -> Result<(String, String), Failure> {
    match set.split_once('=') {
        Some((path, value)) if !path.trim().is_empty() && !value.trim().is_empty() => {
            Ok((path.trim().to_owned(), value.to_owned()))
        }
        _ => Err(Failure::input(format!(
            "error: invalid `--set {set}`: expected PATH=VALUE, such as sm.max_warps=16"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_has_a_path_and_a_value() {
        assert_eq!(split("sm.max_warps=16").unwrap(), ("sm.max_warps".to_owned(), "16".to_owned()));
        assert_eq!(split("a = b=c").unwrap().1, " b=c");
        for bad in ["a", "=1", "a=", " = "] {
            assert!(split(bad).unwrap_err().message.contains("PATH=VALUE"), "{bad}");
        }
    }
}
