//! A whole program from its text: host half and device half.

use crate::code::Program;
use crate::lower::lower;
use cuda::Unit;
use cuda::diagnostics::CAPABILITY;
use cuda::source::Sources;
use cuda::target::Target;
use isa::variables::Variables;
use std::sync::Arc;
use warpsim_cuda::runtime::images::Shared;

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
    /// The device half as module, after the first run.
    pub module: Shared,
}

/// Why a program is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The messages.
    pub messages: String,
    /// Whether the chip is the only reason: no compiler makes code for it.
    pub is_of_chip: bool,
}

/// Compiles a program of one or several files. Returns its warnings, too.
///
/// # Errors
///
/// What the compiler refuses.
pub fn compile(units: &[Unit], target: Target) -> Result<(Compiled, String), Refused> {
    let made = cuda::compile_program(units, target);
    let name = units.first().map_or("", |unit| unit.name);
    let messages = made.messages();
    let (Some(host), Some(ptx)) = (&made.host, made.device.ptx) else {
        let all = made.diagnostics.iter().chain(&made.device.diagnostics);
        let mut errors = all.filter(|one| one.is_error());
        return Err(Refused { messages, is_of_chip: errors.all(|one| one.code == CAPABILITY) });
    };
    let program = lower(host).map_err(|problem| {
        let place = made.sources.location(problem.span).map_or(format!("{name}: "), |location| {
            format!("{}:{}: ", made.sources.file(location.file).name, location.line)
        });
        // The words of the message may come from a hidden file.
        let is_hidden = made.sources.is_hidden(made.sources.outermost(problem.span));
        let message = if is_hidden { "a construct that is not supported" } else { &*problem.message };
        Refused { messages: format!("error: {place}{message}"), is_of_chip: false }
    })?;
    let device = Device { ptx, variables: made.device.variables };
    let variables = Arc::new(cuda::host_variables(host, &made.sources));
    let sources = Arc::new(made.sources);
    Ok((Compiled { program, sources, device, variables, module: Shared::default() }, messages))
}
