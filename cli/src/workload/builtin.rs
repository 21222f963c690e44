//! Runs a built-in kernel through its host program.

use super::{Check, Outcome};
use crate::exit::{Code, Failure};
use kernels::{RunError, Settings};
use sim_core::host::Gpu;

/// Runs the workload `name`.
pub fn run(name: &str, gpu: &mut Gpu, settings: Settings) -> Result<Outcome, Failure> {
    let outcome = kernels::run(name, gpu, settings).map_err(|error| match error {
        RunError::Host(error) => Failure::from(error),
        other => Failure { code: Code::BadInput, message: format!("error: {other}") },
    })?;
    let passed = match outcome.check {
        kernels::Check::NotRun => None,
        check => Some(check.passed()),
    };
    let check = Check { passed, lines: vec![outcome.summary] };
    Ok(Outcome { reports: outcome.reports, check, failures: Vec::new() })
}
