//! Built-in kernels as requests: their results and errors as those of all runs.

use isa::Options;
use isa::uop::Module;
use kernels::{HostRun, RunError, Settings, Workload};
use report::exit::Failure;
use report::outcome::{Check, RunResult};
use sim_core::host::Gpu;

/// Compiles the text of a kernel.
///
/// # Errors
///
/// The text has errors.
pub fn compile(workload: &Workload, options: Options) -> Result<Module, Failure> {
    workload.compile_with(options).map_err(failure)
}

/// Runs a kernel, whose text is compiled to `module`, on `gpu`.
///
/// # Errors
///
/// The kernel does not have the size, or the chip refuses a launch.
pub fn run(
    workload: &'static Workload,
    module: Module,
    gpu: &mut Gpu,
    settings: Settings,
) -> Result<RunResult, Failure> {
    let HostRun { reports, check, summary } = workload.run(module, gpu, settings).map_err(failure)?;
    let check = Check::of(check.verdict(), summary);
    Ok(RunResult { reports, check, failures: Vec::new(), program: None })
}

/// Returns an error with its exit code.
fn failure(error: RunError) -> Failure {
    match error {
        RunError::Host(error) => error.into(),
        other => Failure::input(format!("error: {other}")),
    }
}
