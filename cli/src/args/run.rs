//! Options of `warpsim run`.

use super::watch::ProgressArgs;
use super::workload::{ChipArgs, WorkloadArgs, kernel_list};
use std::path::PathBuf;

/// Options of `run`.
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
#[derive(Debug, clap::Args)]
#[command(after_long_help = kernel_list())]
pub struct RunArgs {
    /// What is launched.
    #[command(flatten)]
    pub workload: WorkloadArgs,

    /// Which chip.
    #[command(flatten)]
    pub chip: ChipArgs,

    /// Run on the functional machine: the same results, without time
    #[arg(long)]
    pub functional: bool,

    /// Simulate only the first blocks of a launch of many, as many as show that all goes on like
    /// this, and estimate the rest: the report says how (docs/MODEL.md), and results are not
    /// checked
    #[arg(long)]
    pub sample: bool,
    /// Look for races: run on the functional machine and print, in place of the report, each pair
    /// of source lines that touch the same bytes in different threads with nothing to order them
    /// (docs/COMMANDS.md)
    #[arg(long)]
    pub racecheck: bool,

    /// Print the full report; `all` shows rows that are zero, too
    #[arg(long, value_name = "WHICH", value_enum, num_args = 0..=1, require_equals = true,
          default_missing_value = "most", conflicts_with = "racecheck")]
    pub details: Option<Details>,

    /// Test what limits the run: run again with each resource twice as fast, and with each
    /// idealized, and show the gains
    #[arg(long)]
    pub why: bool,

    /// Write the report as JSON (docs/REPORT.md); `-` writes it to standard output instead of the
    /// text
    #[arg(long, value_name = "FILE|-")]
    pub json: Option<PathBuf>,

    /// Most host threads for the simulation: fewer run while there is little work; the report does
    /// not depend on it
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = threads)]
    pub threads: usize,

    /// What is shown meanwhile.
    #[command(flatten)]
    pub progress: ProgressArgs,

    /// Print to standard error how the simulator itself ran
    #[arg(long)]
    pub host_stats: bool,
}

/// How much of the full report is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Details {
    /// Rows that are not zero
    Most,
    /// All rows
    All,
}

/// Most host threads that can be asked for.
const MAX_THREADS: usize = 256;

/// Reads a number of host threads.
pub fn threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(n) if (1..=MAX_THREADS).contains(&n) => Ok(n),
        _ => Err(format!("expected a whole number from 1 to {MAX_THREADS}")),
    }
}
