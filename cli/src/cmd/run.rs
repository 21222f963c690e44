//! `warpsim run`: a built-in kernel or a PTX file, its report as text or JSON, and the exit code.

use super::{builtin, custom};
use crate::args::RunArgs;
use crate::chip;
use crate::exit::{Code, Failure};
use crate::json;
use crate::output::{Files, complain, print};
use crate::render;
use isa::diag::nearest;
use kernels::Settings;
use sim_core::config::builtin::builtin_text;
use sim_core::gpu::run::HostStats;
use sim_core::host::{Gpu, Mode, RunOptions};
use sim_core::stats::Report;
use std::path::Path;

/// What a run gave, whatever was run.
pub struct Outcome {
    /// One report per launch.
    pub reports: Vec<Report>,
    /// Whether the results are right.
    pub check: Check,
    /// Files that could not be written: told at the end, so that nothing else is lost by it.
    pub failures: Vec<Failure>,
}

/// Whether the results are right.
pub struct Check {
    /// `None` if there was nothing to check with, or no result to check.
    pub passed: Option<bool>,
    /// In words, one line per fact.
    pub lines: Vec<String>,
}

/// Seconds of the chip's own time after which a launch is stopped where `--max-cycles` is not given: about what the
/// display driver's watchdog allowed.
const WATCHDOG_SECONDS: u64 = 5;

/// Runs.
pub fn run(args: &RunArgs) -> Result<Code, Failure> {
    let target = Target::of(args)?;
    let chip = chip::load(&args.chip, &args.sets)?;
    let watchdog = chip.clocks.hot_khz.saturating_mul(1000 * WATCHDOG_SECONDS);
    let options = RunOptions {
        threads: args.threads,
        max_cycles: args.max_cycles.unwrap_or(watchdog),
        ..RunOptions::default()
    };
    let mode = if args.functional { Mode::Functional } else { Mode::Timed };
    let to_stdout = args.json.as_deref() == Some(Path::new("-"));
    let mut files = Files::default();
    if builtin_text(&args.chip).is_none() {
        files.reads(Path::new(&args.chip));
    }
    if let Target::Custom { ptx, launch } = &target {
        files.reads(ptx);
        files.reads(launch);
    }
    // Opened now, so that a path that cannot be written is told before a long run.
    let json_file = match &args.json {
        Some(path) if !to_stdout => Some(files.open(path)?),
        _ => None,
    };

    let mut gpu = Gpu::new(chip);
    let outcome = match target {
        Target::Builtin(name) => {
            let settings = Settings { size: args.size, mode, registers: args.registers, options };
            builtin::run(name, &mut gpu, settings)?
        }
        Target::Custom { ptx, launch } => {
            let settings = Settings { size: None, mode, registers: args.registers, options };
            custom::run(ptx, launch, &mut gpu, settings, &mut files)?
        }
    };

    let written = json_file.map(|file| file.write(json::document(&outcome, gpu.timeline()).as_bytes()));
    let text = if to_stdout {
        json::document(&outcome, gpu.timeline())
    } else {
        render::text::render(&outcome, gpu.timeline())
    };

    let printed = print(&text);
    if args.host_stats {
        complain(&host_stats(gpu.host_stats()));
    }

    let mut code = Code::Fine;
    for report in &outcome.reports {
        code = code.max(Code::of(&report.verdict));
        if let Some(message) = render::verdict::message(report) {
            complain(&message);
        }
    }
    if outcome.check.passed == Some(false) {
        outcome.check.lines.iter().for_each(|line| complain(&format!("error: {line}")));
        code = code.max(Code::WrongResult);
    }
    for failure in outcome.failures.into_iter().chain(written.and_then(Result::err)).chain(printed.err()) {
        complain(&failure.message);
        code = code.max(failure.code);
    }
    Ok(code)
}

/// How the simulator itself ran, which is no part of the report.
fn host_stats(stats: HostStats) -> String {
    let HostStats { threads, windows, skipped_cycles, ticks } = stats;
    let s = if threads == 1 { "" } else { "s" };
    format!(
        "host: {threads} thread{s}, {windows} windows, {skipped_cycles} cycles skipped, {ticks} island ticks"
    )
}

/// What is to be run.
enum Target<'a> {
    Builtin(&'static str),
    Custom { ptx: &'a Path, launch: &'a Path },
}

impl<'a> Target<'a> {
    /// The built-in kernel of that name, or else a file; options that belong to the other kind are refused.
    fn of(args: &'a RunArgs) -> Result<Self, Failure> {
        if let Some(workload) = kernels::find(&args.kernel) {
            if args.launch.is_some() {
                let message = format!("error: `{}` is a built-in kernel and takes no --launch", args.kernel);
                return Err(Failure::input(
                    message + "\nIts host program launches it; --size sets the size.",
                ));
            }
            return Ok(Self::Builtin(workload.name));
        }
        let ptx = Path::new(&args.kernel);
        let is_text = ptx.extension().is_some_and(|e| e.eq_ignore_ascii_case("ptx"));
        if !is_text && !ptx.is_file() {
            let names = kernels::ALL.iter().map(|w| w.name);
            let near = nearest(&args.kernel, names.clone())
                .map_or_else(String::new, |n| format!("; did you mean `{n}`?"));
            let list = names.collect::<Vec<_>>().join(", ");
            let message = format!("error: there is no kernel `{}`{near}\nBuilt in: {list}", args.kernel);
            return Err(Failure::input(message + "\nA file of your own ends in `.ptx`."));
        }
        if args.size.is_some() {
            let message = "error: --size belongs to the built-in kernels; a launch file gives the sizes of a PTX file's run";
            return Err(Failure::input(message));
        }
        match &args.launch {
            Some(launch) => Ok(Self::Custom { ptx, launch }),
            None => Err(custom::explain_launch(ptx)),
        }
    }
}
