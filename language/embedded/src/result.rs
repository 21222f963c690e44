//! A program as the launches of a GPU of the caller: the settings of its launches, and its result.

use crate::memory::Fault;
use crate::program::Ended;
use crate::stop::Stop;
use report::exit::Code;
use report::mangled::plain;
use report::outcome::{Check, Ran, RunResult};
use report::render::number::plural;
use sim_core::host::{Gpu, LaunchSettings, Mode};
use warpsim_cuda::settings::Settings;

/// The settings of the runtime for launches with the settings of a command, on `gpu`.
pub fn settings(gpu: &Gpu, launches: LaunchSettings) -> Settings {
    let LaunchSettings { mode, registers, barriers, memory, cache, options } = launches;
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
        // A program cannot see these as a GPU shows them, and its results are not complete.
        let cut = ended.reports.iter().find(|report| Code::of(&report.verdict) == Code::HangOrLimit);
        // An error that a checker has found is an error of the program.
        let errors = ended.record.findings.iter().filter(|found| found.is_error).count();
        let (code, found) = match (ended.code, cut) {
            (0, Some(report)) => {
                let kernel = plain(&report.launch.kernel);
                let message = format!("error: a launch of `{kernel}` did not end, so results are missing");
                (Code::HangOrLimit as u8, Some(message))
            }
            (0, None) if errors > 0 => {
                let message = format!("error: {} of the checkers", plural(errors as u64, "finding"));
                (Code::WrongResult as u8, Some(message))
            }
            (code, _) => (code as u8, None),
        };
        let messages: Vec<String> = ended.message.into_iter().chain(found).collect();
        let mut check = Check { passed: Some(code == 0), lines: Vec::new() };
        if code != 0 {
            let why = messages.first().and_then(|message| message.lines().next());
            let why = why.map(|why| format!(": {}", why.trim_start_matches("error: ")));
            let ends = format!("the program ends with exit code {code}{}", why.unwrap_or_default());
            check = Check::of(Some(false), ends);
        }
        let ran = Ran {
            record: ended.record,
            code,
            messages,
            is_interrupted: ended.stop == Stop::Interrupted,
            reads_unwritten: matches!(ended.stop, Stop::Fault(Fault::Uninitialized { .. })),
        };
        Self { reports: ended.reports, check, failures: Vec::new(), program: Some(Box::new(ran)) }
    }
}
