//! Small kernels for experiments: a chip with a loaded kernel, launches with the runner's options,
//! and reports whose breakdowns are checked.

use super::runner::Runner;
use isa::Options;
use isa::types::Dim3;
use kernels::lab::Lab;
use kernels::{RunError, identities};
use sim_core::config::Chip;
use sim_core::host::{HostError, Launch, RunOptions};
use sim_core::stats::Report;

/// Initial value of every word of an output buffer. No kernel here writes this value.
pub const UNTOUCHED: u32 = u32::MAX;

/// A chip with a loaded kernel.
pub struct Probe {
    /// The GPU, its module, and host calls.
    pub lab: Lab,
    options: RunOptions,
}

impl Probe {
    /// Loads `ptx` on `chip`; error messages call the text `file`.
    pub fn new(runner: &Runner, chip: Chip, file: &'static str, ptx: &str) -> Result<Self, RunError> {
        Self::compiled(runner, chip, (file, ptx), Options::default())
    }

    /// Like [`Self::new`], with options of the compiler.
    pub fn compiled(
        runner: &Runner,
        chip: Chip,
        (file, ptx): (&'static str, &str),
        options: Options,
    ) -> Result<Self, RunError> {
        Ok(Self { lab: Lab::on(runner.gpu(chip), file, ptx, options)?, options: runner.options() })
    }

    /// Describes the timed launch `entry<<<grid, block>>>` without arguments.
    pub fn launch(&self, entry: &str, grid: impl Into<Dim3>, block: impl Into<Dim3>) -> Launch {
        Launch::new(self.lab.module, entry, grid, block).options(self.options)
    }

    /// Runs a launch to its end and checks the accounting identities of its report.
    pub fn run(&mut self, launch: &Launch) -> Result<Report, RunError> {
        let report = self.lab.run(launch)?;
        identities::check(&report)
            .map_err(|what| RunError::Wrong(format!("the report does not balance: {what}")))?;
        Ok(report)
    }

    /// Returns the error of a launch that must be refused.
    ///
    /// # Errors
    /// The launch succeeds.
    pub fn refusal(&mut self, launch: &Launch) -> Result<HostError, RunError> {
        match self.lab.gpu.launch(launch) {
            Err(refusal) => Ok(refusal),
            Ok(_) => {
                Err(RunError::Wrong(format!("`{}` was launched and should have been refused", launch.entry)))
            }
        }
    }
}

/// Returns, for the branch on the source line that contains `text`, the number of executions and of
/// divergent executions. Both are 0 if the branch never diverged.
///
/// # Errors
/// Several such lines diverged.
pub fn branch(report: &Report, text: &str) -> Result<(u64, u64), RunError> {
    let lines: Vec<_> = report.control.divergent_lines.iter().filter(|l| l.source.contains(text)).collect();
    match lines[..] {
        [] => Ok((0, 0)),
        [line] => Ok((line.executed, line.divergent)),
        _ => Err(RunError::Wrong(format!("{} lines hold `{text}` and diverge", lines.len()))),
    }
}
