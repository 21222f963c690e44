//! Options of `warpsim debug`.

use super::run::threads;
use super::workload::{ChipArgs, WorkloadArgs, kernel_list};
use std::path::PathBuf;

/// Options of `debug`.
#[derive(Debug, clap::Args)]
#[command(after_long_help = kernel_list())]
pub struct DebugArgs {
    /// What is launched.
    #[command(flatten)]
    pub workload: WorkloadArgs,

    /// Which chip.
    #[command(flatten)]
    pub chip: ChipArgs,

    /// Execute the commands in this file first, one per line; `#` begins a comment
    #[arg(long, short = 'x', value_name = "FILE")]
    pub script: Option<PathBuf>,

    /// End after the script, or after standard input; print each command before its output, and
    /// stop at the first command that fails
    #[arg(long)]
    pub batch: bool,

    /// Run on the functional machine: steps of warp instructions, without cycles
    #[arg(long)]
    pub functional: bool,

    /// Most host threads for the simulation; the output does not depend on it
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = threads)]
    pub threads: usize,
}
