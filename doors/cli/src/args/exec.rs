//! Options of `warpsim exec`.

use super::run::{Checker, TimedWork, sampled_launches, threads, timed_work};
use request::options::{ChipArgs, RuleArgs};
use std::ffi::OsString;
use std::path::PathBuf;

/// Options of `exec`.
#[derive(Debug, clap::Args)]
pub struct ExecArgs {
    /// The chip.
    #[command(flatten)]
    pub chip: ChipArgs,

    /// Run all launches on the functional machine: the same results, without timing
    #[arg(long)]
    pub functional: bool,

    /// Simulate only the first blocks of large launches and estimate the rest (docs/MODEL.md)
    #[arg(long, conflicts_with = "functional")]
    pub sample: bool,

    /// Time some launches of a kernel that is launched many times: the first N with equal grid and
    /// block, then others at growing distances. The rest runs on the functional machine, and its
    /// times are estimated; the error is stated (docs/PROGRAMS.md)
    #[arg(long, value_name = "N", value_parser = sampled_launches,
          conflicts_with_all = ["functional", "sample", "launches", "check"])]
    pub sample_launches: Option<u64>,

    /// Most work of the timed launches, in millions, or `all` for no limit; later launches run on
    /// the functional machine. Without this option 60 (docs/PROGRAMS.md)
    #[arg(long, value_name = "N|all", value_parser = timed_work,
          conflicts_with_all = ["functional", "sample", "sample_launches", "launches", "check"])]
    pub timed_work: Option<TimedWork>,

    /// Time the launches with these numbers, counted from 1, such as 3..5; the others run on the
    /// functional machine
    #[arg(long, value_name = "FIRST..LAST", value_parser = launches, conflicts_with_all = ["functional", "check"])]
    pub launches: Option<String>,

    /// Search all launches for mistakes, with the checkers in this list, separated by commas
    /// (docs/CHECKERS.md)
    #[arg(long, value_name = "LIST", value_enum, value_delimiter = ',')]
    pub check: Vec<Checker>,

    /// Write what the program did to this file, as an HTML page or as JSON by its ending
    #[arg(long, value_name = "FILE.html|FILE.json")]
    pub report: Option<PathBuf>,

    /// Write each launch to a folder below this one, as PTX, launch file and data that
    /// `warpsim run` replays
    #[arg(long, value_name = "DIR")]
    pub record: Option<PathBuf>,

    /// Open the debugger at the launch with this number, after the program has ended
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub debug: Option<u64>,

    /// Time that host code takes between calls: none, or the time of this machine
    #[arg(long, value_name = "WHICH", value_enum, default_value_t = HostTime::None)]
    pub host_time: HostTime,

    /// The rules of the programming model.
    #[command(flatten)]
    pub rules: RuleArgs,

    /// Stop a launch after this many shader cycles (functional machine: warp instructions)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_cycles: Option<u64>,

    /// Maximum number of host threads of a launch [default: 1; with --functional all processors]
    #[arg(long, value_name = "N", value_parser = threads)]
    pub threads: Option<usize>,

    /// Print nothing but what the program prints
    #[arg(long)]
    pub quiet: bool,

    /// The program and its arguments
    #[arg(value_name = "PROGRAM", required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    pub command: Vec<OsString>,
}

/// The time of host code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum HostTime {
    /// Host code takes no simulated time: the same times in every run
    None,
    /// The time of this machine passes in the simulation as well
    Real,
}

/// Checks a range of launches.
fn launches(text: &str) -> Result<String, String> {
    let (first, last) = text.split_once("..").unwrap_or((text, text));
    match (first.parse::<u64>(), last.parse::<u64>()) {
        (Ok(first), Ok(last)) if first >= 1 && first <= last => Ok(text.to_owned()),
        _ => Err("expected two numbers from 1, such as 3..5".to_owned()),
    }
}
