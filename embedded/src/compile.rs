//! A whole program from its text: host half and device half.

use crate::code::Program;
use crate::lower::lower;
use cuda::options::Options;
use cuda::preprocess::Loader;
use cuda::source::Sources;
use cuda::target::Target;
use isa::variables::Variables;
use std::sync::Arc;

/// The device half of a program.
#[derive(Clone, Debug, Default)]
pub struct Device {
    /// Its PTX.
    pub ptx: String,
    /// The variables of CUDA C in it.
    pub variables: Variables,
}

/// A program that can run.
#[derive(Debug)]
pub struct Compiled {
    /// The host half.
    pub program: Program,
    /// The files of the host half, for messages.
    pub sources: Arc<Sources>,
    /// The device half.
    pub device: Device,
    /// The types and variables of the host half, for debuggers.
    pub variables: Arc<Variables>,
}

/// Compiles a program. Returns its warnings, too.
///
/// # Errors
///
/// The messages about what the compiler refuses.
pub fn compile(
    name: &str,
    text: &str,
    loader: &dyn Loader,
    target: Target,
    options: &Options,
) -> Result<(Compiled, String), String> {
    let made = cuda::compile_program(name, text, loader, target, options);
    let messages = made.messages();
    let (Some(host), Some(ptx)) = (&made.host, made.device.ptx) else { return Err(messages) };
    let program = lower(host).map_err(|problem| {
        let place = made.sources.location(problem.span).map_or(String::new(), |location| {
            format!("{}:{}: ", made.sources.file(location.file).name, location.line)
        });
        format!("error: {place}{}", problem.message)
    })?;
    let device = Device { ptx, variables: made.device.variables };
    let variables = Arc::new(cuda::host_variables(host, &made.sources));
    Ok((Compiled { program, sources: Arc::new(made.sources), device, variables }, messages))
}
