//! A program as the launches of a GPU of the caller: the settings of its launches, and its result.

use crate::memory::Fault;
use crate::program::Ended;
use crate::stop::Stop;
use report::exit::Code;
use report::outcome::{Check, Ran, RunResult};
use report::render::number::plural;
use sim_core::host::{Gpu, Mode};
use warpsim_cuda::settings::Settings;

/// The settings of the runtime for launches with the settings of a command, on `gpu`.
pub fn settings(gpu: &Gpu, launches: kernels::Settings) -> Settings {
    let kernels::Settings { size: _, mode, registers, barriers, memory, cache, options } = launches;
    Settings {
        functional: mode == Mode::Functional,
        checks: gpu.checks(),
        registers,
        cache,
        barriers: barriers.unwrap_or_default(),
        memory: memory.unwrap_or_default(),
        max_cycles: options.max_cycles,
        threads: Some(options.threads),
        ..Settings::of(gpu.chip().clone())
    }
}

impl From<Ended> for RunResult {
    fn from(ended: Ended) -> Self {
        // An error that a checker has found is an error of the program.
        let errors = ended.record.findings.iter().filter(|found| found.is_error).count();
        let is_found = ended.code == 0 && errors > 0;
        let code = if is_found { Code::WrongResult as u8 } else { ended.code as u8 };
        let found = is_found.then(|| format!("error: {} of the checkers", plural(errors as u64, "finding")));
        let mut check = Check { passed: Some(code == 0), lines: Vec::new() };
        if code != 0 {
            check = Check::of(Some(false), format!("the program ends with exit code {code}"));
        }
        let ran = Ran {
            record: ended.record,
            code,
            messages: ended.message.into_iter().chain(found).collect(),
            is_interrupted: ended.stop == Stop::Interrupted,
            reads_unwritten: matches!(ended.stop, Stop::Fault(Fault::Uninitialized { .. })),
        };
        Self { reports: ended.reports, check, failures: Vec::new(), program: Some(Box::new(ran)) }
    }
}
