//! Options of `warpsim dap`, and the arguments with which its client launches a program.

use super::run::threads;
use request::options::{ChipArgs, Request};
use std::path::PathBuf;

/// Options of `dap`. The program and the chip come from the client (docs/DEBUGGING.md).
#[derive(Debug, clap::Args)]
pub struct DapArgs {}

/// The launch arguments of a client: each has the name of an option, in camel case.
#[derive(Debug, clap::Parser)]
#[command(name = "launch", no_binary_name = true, disable_help_flag = true, disable_version_flag = true)]
pub struct LaunchArgs {
    /// Kernel or program that is launched.
    #[command(flatten)]
    pub workload: Request,

    /// Which chip.
    #[command(flatten)]
    pub chip: ChipArgs,

    /// Run on the functional machine: steps of warp instructions, without cycles
    #[arg(long)]
    pub functional: bool,

    /// Most host threads for the simulation; the output does not depend on it
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = threads)]
    pub threads: usize,

    /// Stop before the first instruction of the first launch
    #[arg(long)]
    pub stop_on_entry: bool,

    /// Run without breakpoints
    #[arg(long)]
    pub no_debug: bool,

    /// A word of the command line of a whole program; may be repeated
    #[arg(long, value_name = "WORD", allow_hyphen_values = true)]
    pub args: Vec<String>,

    /// The folder of relative paths
    #[arg(long, value_name = "DIR")]
    pub cwd: Option<PathBuf>,
}
