//! Runs a built-in kernel through its host program.

use super::{Check, RunResult};
use crate::exit::{Code, Failure};
use isa::Options;
use isa::uop::Module;
use kernels::{RunError, Settings, Workload};
use sim_core::host::Gpu;

/// Compiles the workload's text.
pub fn prepare(workload: &'static Workload, options: Options) -> Result<Module, Failure> {
    workload.compile_with(options).map_err(failure)
}

/// Runs the workload with its compiled `module`.
pub fn run(
    workload: &'static Workload,
    module: Module,
    gpu: &mut Gpu,
    settings: Settings,
) -> Result<RunResult, Failure> {
    let outcome = workload.run(module, gpu, settings).map_err(failure)?;
    let check = Check::of(outcome.check.verdict(), outcome.summary);
    Ok(RunResult { reports: outcome.reports, check, failures: Vec::new() })
}

fn failure(error: RunError) -> Failure {
    match error {
        RunError::Host(error) => Failure::from(error),
        other => Failure { code: Code::BadInput, message: format!("error: {other}") },
    }
}
