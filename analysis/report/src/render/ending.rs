//! Output after the report of a run: messages for standard error, and the exit code.

use super::{findings, output, verdict};
use crate::exit::Code;
use crate::outcome::RunResult;
use sim_core::stats::report::Verdict;

/// The end of a run.
pub struct Ending {
    /// The exit code.
    pub code: Code,
    /// Failed assertions, launches that did not finish, findings of the checkers, wrong results, in
    /// this order.
    pub messages: Vec<String>,
}

/// Returns the end of a run; `code_of` is the exit code of a verdict.
pub fn ending(outcome: &RunResult, code_of: impl Fn(&Verdict) -> Code) -> Ending {
    let RunResult { reports, check, failures: _, program: _ } = outcome;
    let mut code = reports.iter().map(|report| code_of(&report.verdict)).max().unwrap_or(Code::Fine);
    let mut messages = output::messages(reports);
    messages.extend(reports.iter().filter_map(verdict::message));
    let launches = messages.len();
    messages.extend(findings::complaint(reports));
    let failed = check.lines.iter().filter(|fact| fact.passed == Some(false));
    messages.extend(failed.map(|fact| format!("error: {}", fact.text)));
    if messages.len() > launches || check.passed == Some(false) {
        code = code.max(Code::WrongResult);
    }
    Ending { code, messages }
}
