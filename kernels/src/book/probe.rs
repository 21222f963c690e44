//! Small kernels under a row's hands: a chip that has loaded one, launches with the runner's
//! options, and reports whose books balance.

use super::runner::Runner;
use crate::measure::lab::Lab;
use crate::{RunError, identities};
use isa::types::Dim3;
use sim_core::config::Chip;
use sim_core::host::{Arg, HostError, Launch, RunOptions};
use sim_core::stats::Report;

/// What stands in a buffer before a kernel writes to it, and what no kernel here writes.
pub const UNTOUCHED: u32 = u32::MAX;

/// A chip with a kernel on it.
pub struct Probe {
    /// The chip, its module, and host calls.
    pub lab: Lab,
    options: RunOptions,
}

impl Probe {
    /// `chip` that has loaded `ptx`; `file` is what complaints call it.
    pub fn new(runner: &Runner, chip: Chip, file: &'static str, ptx: &str) -> Result<Self, RunError> {
        Ok(Self { lab: runner.lab(chip, file, ptx)?, options: runner.options() })
    }

    /// `entry<<<grid, block>>>`, timed, without arguments.
    pub fn launch(&self, entry: &str, grid: impl Into<Dim3>, block: impl Into<Dim3>) -> Launch {
        Launch::new(self.lab.module, entry, grid, block).options(self.options)
    }

    /// Runs a launch, which must finish, and whose numbers must fit together.
    pub fn run(&mut self, launch: &Launch) -> Result<Report, RunError> {
        let report = self.lab.run(launch)?;
        identities::check(&report).map_err(|what| RunError::Wrong(format!("the report's books: {what}")))?;
        Ok(report)
    }

    /// Runs a launch whose first argument is a buffer of `words` words, and returns what it holds
    /// afterwards.
    pub fn words(&mut self, mut launch: Launch, words: usize) -> Result<(Report, Vec<u32>), RunError> {
        let out = self.lab.upload(&vec![UNTOUCHED; words])?;
        launch.args.insert(0, Arg::Ptr(out));
        let report = self.run(&launch)?;
        Ok((report, self.lab.download(out, words)?))
    }

    /// Why a launch is refused.
    ///
    /// # Errors
    /// If it is not.
    pub fn refusal(&mut self, launch: &Launch) -> Result<HostError, RunError> {
        match self.lab.gpu.launch(launch) {
            Err(refusal) => Ok(refusal),
            Ok(_) => {
                Err(RunError::Wrong(format!("`{}` was launched and should have been refused", launch.entry)))
            }
        }
    }
}

/// Of the branch on the source line that holds `text`: how often warps executed it if it ever
/// diverged, and how often it diverged.
///
/// # Errors
/// If several such lines diverged.
pub fn branch(report: &Report, text: &str) -> Result<(u64, u64), RunError> {
    let lines: Vec<_> = report.control.divergent_lines.iter().filter(|l| l.source.contains(text)).collect();
    match lines[..] {
        [] => Ok((0, 0)),
        [line] => Ok((line.executed, line.divergent)),
        _ => Err(RunError::Wrong(format!("{} lines hold `{text}` and diverge", lines.len()))),
    }
}
