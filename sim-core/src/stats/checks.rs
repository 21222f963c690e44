//! The checkers' findings in the report.

use crate::check::{Check, Checks, Finding, Severity};
use serde::Serialize;

/// Findings of the checkers for a launch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CheckReport {
    /// Checkers that were on.
    pub on: Vec<Check>,
    /// Number of findings that are errors.
    pub errors: usize,
    /// Number of findings that are hints.
    pub hints: usize,
    /// Whether the launch finished. If not, later instructions were not checked.
    pub complete: bool,
    /// The findings: errors first, then by checker, kind and line.
    pub findings: Vec<Finding>,
}

impl CheckReport {
    /// Makes the report of a launch.
    pub fn new(on: Checks, complete: bool, findings: Vec<Finding>) -> Self {
        let count = |severity| findings.iter().filter(|finding| finding.severity == severity).count();
        let (errors, hints) = (count(Severity::Error), count(Severity::Hint));
        Self { on: on.iter().collect(), errors, hints, complete, findings }
    }
}
