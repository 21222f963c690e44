//! The result of a run of a kernel.

use crate::exit::Failure;
use kernels::HostRun;
use sim_core::stats::Report;

/// Result of a run.
pub struct RunResult {
    /// One report per launch.
    pub reports: Vec<Report>,
    /// Result of the check.
    pub check: Check,
    /// Files that could not be written. They are reported at the end, so that no other result is
    /// lost.
    pub failures: Vec<Failure>,
}

impl From<HostRun> for RunResult {
    fn from(run: HostRun) -> Self {
        let check = Check::of(run.check.verdict(), run.summary);
        Self { reports: run.reports, check, failures: Vec::new() }
    }
}

/// Returns the place of the launch that reports and pages show: the first that did not finish, or
/// otherwise the first of those that took longest.
pub fn shown(reports: &[Report]) -> Option<usize> {
    let weights = reports.iter().map(weight).enumerate();
    let first_of_largest = weights.reduce(|best, next| if next.1 > best.1 { next } else { best });
    first_of_largest.map(|(place, _)| place)
}

/// Weight of a launch: [`shown`] returns the first launch of the largest weight. A launch that did
/// not finish weighs more than any other.
pub fn weight(report: &Report) -> (bool, u64) {
    let cycles = report.timing.as_ref().map_or(report.instructions.warp, |timing| timing.cycles);
    let is_whole = report.verdict.is_whole();
    (!is_whole, if is_whole { cycles } else { 0 })
}

/// Result of comparing the output with the expected output.
#[derive(Default)]
pub struct Check {
    /// Whether the results are right; `None` if there were no expectations, or no results.
    pub passed: Option<bool>,
    /// Description, one line per fact.
    pub lines: Vec<Fact>,
}

/// What a fact is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// Data that the kernel computed.
    Data,
    /// A metric of the run.
    Metric,
    /// The findings of a checker.
    Checker,
}

/// One fact about the results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// Its subject.
    pub subject: Subject,
    /// Whether it is as expected; `None` if it was not checked.
    pub passed: Option<bool>,
    /// The fact.
    pub text: String,
}

impl Check {
    /// A check with one fact.
    pub fn of(passed: Option<bool>, text: String) -> Self {
        Self { passed, lines: vec![Fact { subject: Subject::Data, passed, text }] }
    }

    /// Adds a fact. The check passes if no fact failed and one was checked.
    pub fn add(&mut self, fact: Fact) {
        self.passed = fact.passed.map(|passed| self.passed.unwrap_or(true) && passed).or(self.passed);
        self.lines.push(fact);
    }

    /// Iterates over the texts of the facts.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.lines.iter().map(|fact| fact.text.as_str())
    }
}
