//! The result of a run of a kernel.

use crate::exit::Failure;
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

/// Result of comparing the output with the expected output.
pub struct Check {
    /// Whether the results are right; `None` if there were no expectations, or no results.
    pub passed: Option<bool>,
    /// Description, one line per fact.
    pub lines: Vec<String>,
}
