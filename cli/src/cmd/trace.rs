//! `warpsim trace`: the activity of chosen warps in every issue cycle, as text or for Perfetto.

use crate::args::{Numbers, ShowProgress, TraceArgs, TraceFormat};
use crate::chip;
use crate::exit::{Code, Failure};
use crate::output::{Files, complain};
use crate::render::number::count;
use crate::render::verdict;
use crate::trace::{Chrome, Request, Shared, Sink, Text, Writer};
use crate::watch::{Watch, interrupt};
use crate::workload::{RunResult, Source, settings};
use sim_core::config::Chip;
use sim_core::host::{Gpu, Mode};
use sim_core::stats::report::{Report, Verdict};
use std::ops::Range;

/// Traces a launch.
pub fn run(args: &TraceArgs) -> Result<Code, Failure> {
    if args.functional {
        return Err(Failure::input(
            "error: the functional machine has no cycles to trace\nhelp: remove --functional",
        ));
    }
    if args.fold && args.format != TraceFormat::Text {
        return Err(Failure::input(
            "error: --fold requires --format text\nhelp: remove --fold; the other formats contain only changes",
        ));
    }
    let source = Source::of(&args.workload)?;
    let (chip, _) = chip::load_to_run(&args.chip)?;
    let request = request(args, &chip)?;
    let settings = settings(&args.workload, Mode::Timed, args.threads, &chip);
    let prepared = source.prepare(args.workload.compile.options())?;
    let mut files = Files::new();
    files.reads_chip(&args.chip.chip)?;
    prepared.reads(&mut files)?;
    let file = args.out.as_ref().map(|path| files.open(path)).transpose()?;
    let writer: Box<dyn Writer> = match args.format {
        TraceFormat::Text => Box::new(Text::new(args.fold)),
        TraceFormat::Chrome => Box::new(Chrome::default()),
    };

    let tracer = Shared::new(request.clone(), writer, Sink::new(file));
    let mut gpu = Gpu::new(chip);
    gpu.observe(Some(Box::new(tracer.clone())));
    Watch::new(ShowProgress::Never).follow(&mut gpu);
    let outcome = prepared.run(&mut gpu, settings, Some(&mut files))?;
    let Some(cycles) = tracer.traced() else {
        let message = format!(
            "error: launch {} does not exist: the number of launches of the host program is {}",
            request.launch,
            outcome.reports.len()
        );
        return Err(nothing(message));
    };
    if request.cycles.start >= cycles {
        let first = count(request.cycles.start);
        let message =
            format!("error: cycle {first} does not exist: the launch ended at cycle {}", count(cycles));
        return Err(nothing(message));
    }
    let abandoned = tracer.abandoned();
    let written = tracer.finish().err();
    Ok(judge(&request, &outcome, abandoned, written.as_ref()))
}

/// Failure if the requested events do not exist. After Ctrl-C the exit code is that of the
/// interrupt.
fn nothing(message: String) -> Failure {
    let code = if interrupt::asked() { interrupt::code() } else { Code::BadInput };
    Failure { code, message }
}

/// Returns the request, if the chip has the SMs and warp slots.
fn request(args: &TraceArgs, chip: &Chip) -> Result<Request, Failure> {
    let (sms, warps) = (chip.clusters * chip.cluster.sms, chip.sm.max_warps);
    Ok(Request {
        sms: within(args.sm, sms, "SM", "SMs")?,
        warps: within(args.warp, warps, "warp slot", "warp slots on an SM")?,
        cycles: args.cycles.up_to(u64::MAX),
        then_stop: args.cycles.is_bounded(),
        launch: args.launch_index,
    })
}

/// Returns the numbers as a range, if all are below `end`.
fn within(numbers: Numbers, end: u32, one: &str, all: &str) -> Result<Range<u32>, Failure> {
    let range = numbers.up_to(end.into());
    if range.start >= end.into() || range.end > end.into() {
        let wrong = if range.start >= end.into() { range.start } else { range.end - 1 };
        let message =
            format!("error: {one} {wrong} does not exist: the chip has {end} {all}, 0 to {}", end - 1);
        return Err(Failure::input(message));
    }
    Ok(range.start as u32..range.end as u32)
}

/// Prints errors and returns the exit code.
fn judge(request: &Request, outcome: &RunResult, abandoned: bool, written: Option<&Failure>) -> Code {
    let stopped = |report: &Report| match report.verdict {
        Verdict::Limit { limit, .. } => abandoned || request.then_stop && limit == request.cycles.end,
        _ => false,
    };
    let mut code = Code::Fine;
    for report in outcome.reports.iter().filter(|report| !stopped(report)) {
        code = code.max(Code::of(&report.verdict));
        if let Some(message) = verdict::message(report) {
            complain(&message);
        }
    }
    if outcome.check.passed == Some(false) {
        outcome.check.lines.iter().for_each(|line| complain(&format!("error: {line}")));
        code = code.max(Code::WrongResult);
    }
    for failure in outcome.failures.iter().chain(written) {
        complain(&failure.message);
        code = code.max(failure.code);
    }
    code
}
