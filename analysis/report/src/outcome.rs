//! The result of a run of a kernel.

use crate::exit::Failure;
use crate::program::Program;
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
    /// Record of a program with host code, beside its launches.
    pub program: Option<Box<Ran>>,
}

/// Record of a program with host code, beside its launches.
#[derive(Debug, Default)]
pub struct Ran {
    /// Its calls, and what is wrong with them.
    pub record: Program,
    /// Its exit code.
    pub code: u8,
    /// Why it stopped, and what its user is told.
    pub messages: Vec<String>,
    /// Whether a signal has ended it.
    pub is_interrupted: bool,
    /// Whether a read of host memory that nothing has written has stopped it.
    pub reads_unwritten: bool,
}

impl RunResult {
    /// Returns the report of a program with host code as text, `width` characters wide; `launch` is
    /// the number of the launch, from 0, that it explains, or else it is the longest one.
    pub fn program_text(&self, width: usize, launch: Option<usize>) -> Option<String> {
        let number = launch.or_else(|| shown(&self.reports));
        let launch = number.and_then(|number| Some((number, self.reports.get(number)?)));
        Some(self.program.as_ref()?.record.text(width, launch))
    }

    /// Why the reports are not the work of a program, although its exit code may be 0: a launch was
    /// refused, and the program does not read the error, or it launches no kernel.
    pub fn lost(&self) -> Option<String> {
        let ran = self.program.as_ref()?;
        let none = || self.reports.is_empty().then(|| "the program launches no kernel".to_owned());
        ran.record.unchecked.first().map(ToString::to_string).or_else(none)
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

/// Subject of a fact.
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
    /// Subject of the fact.
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
