//! Options that several commands share: what is launched, and on which chip.

use super::CompileArgs;
use crate::families::{Entry, entries};
use sim_core::host::{BarrierRule, CachePreference};
use std::path::PathBuf;

/// The chip that is simulated where none is named.
pub const DEFAULT_CHIP: &str = "g80";

/// What a barrier asks of a warp.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Barriers {
    /// All its live lanes together; anything else is a trap
    Strict,
    /// Any of its lanes: barriers count warps
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

/// How an SM's memory is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Cache {
    /// As the chip does where nothing is said
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

/// What is launched.
#[derive(Debug, clap::Args)]
pub struct WorkloadArgs {
    /// A built-in kernel (matmul-tiled; --help or `warpsim list` name them all) or a PTX file
    #[arg(value_name = "KERNEL|FILE.ptx")]
    pub kernel: String,

    /// How to launch a PTX file: grid, block, parameters, buffers, expectations (docs/LAUNCH.md)
    #[arg(long, value_name = "LAUNCH.ron")]
    pub launch: Option<PathBuf>,

    /// Size of a built-in kernel's problem
    #[arg(long, value_name = "N")]
    pub size: Option<u64>,

    /// Registers per thread, in place of what the lowered code needs (and of the launch file's or
    /// the built-in kernel's own number): changes how many blocks fit on an SM, not the results
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub registers: Option<u32>,

    /// How PTX is compiled.
    #[command(flatten)]
    pub compile: CompileArgs,

    /// What a barrier asks of a warp: that all its live lanes reach it together (strict), or as in
    /// silicon only that some do (hardware), for a barrier in a divergent branch
    #[arg(long, value_name = "RULE", value_enum, default_value_t = Barriers::Strict)]
    pub barriers: Barriers,

    /// How the memory of an SM that has an L1 is divided between it and shared memory, in place of
    /// what the launch file says: changes times and how many blocks fit, not results
    /// (`cudaFuncSetCacheConfig`)
    #[arg(long, value_name = "PREFERENCE", value_enum)]
    pub cache: Option<Cache>,

    /// Stop after this many shader-clock cycles (functional: warp instructions)
    ///
    /// By default the launch is stopped after five seconds of the chip's own time, as the display
    /// driver's watchdog stopped kernels at the time, so that an endless loop ends with a verdict.
    /// A launch that can be shown never to end is stopped earlier.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_cycles: Option<u64>,
}

/// Which chip.
#[derive(Debug, clap::Args)]
pub struct ChipArgs {
    /// The chip: the name of a built-in one, or a chip file
    #[arg(long, value_name = "NAME|FILE.ron", default_value = DEFAULT_CHIP)]
    pub chip: String,

    /// Override a number of the chip, such as `sm.max_warps=16`; may be repeated
    #[arg(long = "set", value_name = "PATH=VALUE")]
    pub sets: Vec<String>,
}

/// The built-in kernels, for a command's long help; those of a family together.
pub fn kernel_list() -> String {
    let describe = |entry: &Entry| {
        let (name, about, book) = (entry.name, entry.about(), entry.book());
        let variants = entry.variants().map_or_else(String::new, |v| format!("\n  {:<20} {v}", ""));
        format!("  {name:<20} {about} ({book})\n  {:<20} --size: {}{variants}", "", entry.size())
    };
    let list: Vec<String> = entries().iter().map(describe).collect();
    format!("Built-in kernels; an ending with a hyphen goes behind the name:\n{}", list.join("\n"))
}
