//! Options of `warpsim run`.

use super::DirectArgs;
use super::WhichLaunch;
use super::watch::ProgressArgs;
use report::program::MILLION;
use request::options::{ChipArgs, Request};
use sim_core::check::{Check, Checks};
use sim_core::host::SaveAt;
use std::path::PathBuf;

/// Compilers of host code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Compiler {
    /// The built-in one; on a terminal, clang for programs that it refuses, if you agree
    Auto,
    /// The built-in one, without any toolchain: memory is checked, and every run is the same
    Embedded,
    /// clang, which compiles all of C++ to native code
    Clang,
}

/// Options of `run`.
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
#[derive(Debug, clap::Args)]
pub struct RunArgs {
    /// The launch.
    #[command(flatten)]
    pub workload: Request,

    /// The launch without a launch file.
    #[command(flatten)]
    pub direct: DirectArgs,

    /// The chip.
    #[command(flatten)]
    pub chip: ChipArgs,

    /// Compiler of the host code of a CUDA C program (`run FILE.cu`)
    #[arg(long, value_name = "WHICH", value_enum, default_value_t = Compiler::Auto)]
    pub compiler: Compiler,

    /// Run on the functional machine: the same results, without timing
    #[arg(long)]
    pub functional: bool,

    /// Simulate only the first blocks of a large launch and estimate the rest; the report states
    /// the error (docs/MODEL.md), and results are not checked
    #[arg(long)]
    pub sample: bool,

    /// Time some launches of a CUDA C program (`run FILE.cu`) that repeats its launches, and
    /// estimate the times of the others, as `exec` does (docs/PROGRAMS.md)
    #[arg(long, value_name = "N", value_parser = sampled_launches,
          conflicts_with_all = ["functional", "sample", "check", "racecheck"])]
    pub sample_launches: Option<u64>,

    /// Most work of the timed launches of a program with host code, in millions, or `all` for no
    /// limit: a warp instruction is 1, a transaction to global or local memory 4. Later launches
    /// run on the functional machine: their results are the same, their times estimated or missing.
    /// Without this option 60, and no limit with an option that is about certain launches
    /// (docs/PROGRAMS.md)
    #[arg(long, value_name = "N|all", value_parser = timed_work,
          conflicts_with_all = ["functional", "sample", "sample_launches", "check", "racecheck", "warmup", "why",
                                "html", "save_state", "load_state"])]
    pub timed_work: Option<TimedWork>,

    /// Search for mistakes: run on the functional machine and print, instead of the report, what
    /// the checkers in this list, separated by commas, find (docs/CHECKERS.md). Exit code 1 if they
    /// find errors
    #[arg(long, value_name = "LIST", value_enum, value_delimiter = ',')]
    pub check: Vec<Checker>,

    /// The same as `--check race`
    #[arg(long)]
    pub racecheck: bool,

    /// The launch of a program with host code that the report explains.
    #[command(flatten)]
    pub which: WhichLaunch,

    /// Write each launch of a program with host code to a folder below this one, as PTX, launch
    /// file and data, which all commands take
    #[arg(long, value_name = "DIR")]
    pub record: Option<PathBuf>,

    /// Print the full report; `all` includes rows that are zero
    #[arg(long, value_name = "WHICH", value_enum, num_args = 0..=1, require_equals = true,
          default_missing_value = "most", conflicts_with_all = ["check", "racecheck"])]
    pub details: Option<Details>,

    /// Test the stated limit: run again with each resource twice as fast, and with each idealized,
    /// and show the gains
    #[arg(long)]
    pub why: bool,

    /// Write the report as JSON (docs/REPORT.md); `-` writes it to standard output instead of the
    /// text report
    #[arg(long, value_name = "FILE|-")]
    pub json: Option<PathBuf>,

    /// Write the report to this file as one HTML page with pictures (docs/PICTURES.md)
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    /// Write the copies, the kernels and the calls of the host with their times to this file, as
    /// Chrome trace events for Perfetto (docs/LAUNCH.md)
    #[arg(long, value_name = "FILE")]
    pub timeline: Option<PathBuf>,

    /// Run the first N blocks of a launch on the functional machine, and only the others with
    /// timing; the report is about these (docs/MODEL.md)
    #[arg(long, value_name = "N", conflicts_with_all = ["functional", "sample", "check", "racecheck", "why"],
          value_parser = clap::value_parser!(u64).range(1..))]
    pub warmup: Option<u64>,

    /// Save the state of a launch to this file, at the cycle or block of the next two options; the
    /// run continues (docs/PROGRAMS.md)
    #[arg(long, value_name = "FILE", requires = "save_at",
          conflicts_with_all = ["functional", "sample", "check", "racecheck", "why"])]
    pub save_state: Option<PathBuf>,

    /// Shader cycle of the launch at which the state is saved
    #[arg(long, value_name = "N", group = "save_at", requires = "save_state")]
    pub at_cycle: Option<u64>,

    /// Number of finished blocks of the launch after which the state is saved: at the next multiple
    /// of 1,024 cycles
    #[arg(long, value_name = "N", group = "save_at", requires = "save_state")]
    pub at_block: Option<u64>,

    /// Number of the launch whose state is saved, for programs with several launches
    #[arg(long, value_name = "N", default_value_t = 1, requires = "save_state",
          value_parser = clap::value_parser!(u32).range(1..))]
    pub at_launch: u32,

    /// Continue a launch from the state in this file. Kernel, chip and inputs must be the same
    /// as in the run that saved it; report and results are the same
    #[arg(long, value_name = "FILE",
          conflicts_with_all = ["functional", "sample", "check", "racecheck", "why"])]
    pub load_state: Option<PathBuf>,

    /// Maximum number of host threads; fewer run while there is little work. The report does not
    /// depend on it [default: 1; with --functional all processors]
    #[arg(long, value_name = "N", value_parser = threads)]
    pub threads: Option<usize>,

    /// The display of the progress.
    #[command(flatten)]
    pub progress: ProgressArgs,

    /// Print statistics of the simulator itself to standard error
    #[arg(long)]
    pub host_stats: bool,
}

/// A checker, or all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Checker {
    /// Accesses outside of variables and allocations, misaligned accesses
    Memory,
    /// Accesses to the same bytes without an order
    Race,
    /// Values that nothing wrote
    Init,
    /// Barriers that not all threads reach, wrong counts, barriers without purpose
    Sync,
    /// All checkers
    All,
}

impl RunArgs {
    /// Returns the checkers of the run.
    pub fn checks(&self) -> Checks {
        let start = Checks::NONE.set(Check::Race, self.racecheck);
        self.check.iter().fold(start, |checks, checker| match checker {
            Checker::Memory => checks.and(Check::Memory),
            Checker::Race => checks.and(Check::Race),
            Checker::Init => checks.and(Check::Init),
            Checker::Sync => checks.and(Check::Sync),
            Checker::All => Checks::ALL,
        })
    }

    /// Most work of the timed launches of a program with host code.
    pub fn work_limit(&self) -> TimedWork {
        // Options that decide themselves which launches are timed, or that are about certain ones.
        let is_about_some = self.functional
            || self.sample
            || self.sample_launches.is_some()
            || !self.checks().is_empty()
            || self.why
            || self.html.is_some()
            || self.details.is_some()
            || self.warmup.is_some()
            || self.save_state.is_some()
            || self.load_state.is_some()
            || self.which.given().iter().any(|(_, given)| *given);
        self.timed_work.unwrap_or(if is_about_some { TimedWork::All } else { TimedWork::USUAL })
    }
}

impl RunArgs {
    /// Returns the words of the checkers.
    pub fn all_checks(&self) -> Vec<Checker> {
        let race = self.racecheck.then_some(Checker::Race);
        self.check.iter().copied().chain(race).collect()
    }

    /// Returns when the state is saved.
    pub fn save_at(&self) -> SaveAt {
        match self.at_block {
            Some(blocks) => SaveAt::Blocks(blocks),
            None => SaveAt::Cycle(self.at_cycle.unwrap_or(0)),
        }
    }
}

/// How much of the full report is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Details {
    /// Rows that are not zero
    Most,
    /// All rows
    All,
}

impl From<Details> for crate::render::Details {
    fn from(details: Details) -> Self {
        match details {
            Details::Most => Self::Most,
            Details::All => Self::All,
        }
    }
}

/// Most work of timed launches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimedWork {
    /// No limit.
    All,
    /// So many millions.
    Millions(u64),
}

impl TimedWork {
    /// The limit without the option: about ten seconds.
    pub const USUAL: Self = Self::Millions(60);

    /// The limit as the settings of a program have it.
    pub fn limit(self) -> Option<u64> {
        match self {
            Self::All => None,
            Self::Millions(number) => Some(number * MILLION),
        }
    }
}

/// Reads a limit for the work of timed launches.
pub fn timed_work(text: &str) -> Result<TimedWork, String> {
    match text.parse() {
        _ if text == "all" => Ok(TimedWork::All),
        Ok(number @ 1..=1_000_000) => Ok(TimedWork::Millions(number)),
        _ => Err("expected a whole number of millions from 1 to 1000000, or all".to_owned()),
    }
}

/// Most launches that `--sample-launches` times at first.
const MOST_SAMPLED: u64 = 1_000_000;

/// Reads a number of launches to be timed.
pub fn sampled_launches(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(number) if (1..=MOST_SAMPLED).contains(&number) => Ok(number),
        _ => Err(format!("expected a whole number from 1 to {MOST_SAMPLED}")),
    }
}

/// Largest permitted number of host threads.
const MAX_THREADS: usize = 256;

/// Reads a number of host threads.
pub fn threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(n) if (1..=MAX_THREADS).contains(&n) => Ok(n),
        _ => Err(format!("expected a whole number from 1 to {MAX_THREADS}")),
    }
}
