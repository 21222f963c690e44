//! The checkers' findings in the report.

use crate::check::race::Coverage;
use crate::check::{Check, Checks, Finding, Severity};
use serde::Serialize;

/// Findings of the checkers for a launch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CheckReport {
    /// Checkers that were on: `memory`, `race`, `init`, `sync`.
    pub on: Vec<Check>,
    /// Number of findings that are errors.
    pub errors: usize,
    /// Number of findings that are warnings.
    pub warnings: usize,
    /// Number of findings that are neither.
    pub infos: usize,
    /// Whether the launch finished; if not, later instructions were not checked.
    pub complete: bool,
    /// Accesses that the race checker did not consider; absent without it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub race: Option<Coverage>,
    /// The findings: errors first, then by checker, kind and line.
    pub findings: Vec<Finding>,
}

impl CheckReport {
    /// Makes the report of a launch.
    pub fn new(on: Checks, complete: bool, findings: Vec<Finding>, race: Option<Coverage>) -> Self {
        let count = |severity| findings.iter().filter(|finding| finding.severity == severity).count();
        let [errors, warnings, infos] = [Severity::Error, Severity::Warning, Severity::Info].map(count);
        Self { on: on.iter().collect(), errors, warnings, infos, complete, race, findings }
    }

    /// Iterates over the errors and the warnings.
    pub fn mistakes(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|finding| finding.severity != Severity::Info)
    }
}
