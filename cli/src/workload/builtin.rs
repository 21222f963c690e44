//! Runs a built-in kernel through its host program.

use super::RunResult;
use crate::exit::Failure;
use isa::Options;
use isa::uop::Module;
use kernels::{Settings, Workload};
use sim_core::host::Gpu;

/// Compiles the workload's text.
pub fn prepare(workload: &'static Workload, options: Options) -> Result<Module, Failure> {
    Ok(workload.compile_with(options)?)
}

/// Runs the workload with its compiled `module`.
pub fn run(
    workload: &'static Workload,
    module: Module,
    gpu: &mut Gpu,
    settings: Settings,
) -> Result<RunResult, Failure> {
    Ok(workload.run(module, gpu, settings)?.into())
}
