//! `warpsim trace`: the activity of selected warps in every issue cycle, as text or for Perfetto.

use crate::args::{Numbers, ProgressArgs, ShowProgress, Size, TraceArgs, TraceFormat};
use crate::exit::{Code, Failure};
use crate::output::{Files, OutputFile, complain, interrupt};
use crate::render::number::{count, plural};
use crate::render::verdict;
use crate::watch::{Watch, code_of};
use crate::workload::{self, Opened, RunResult};
use report::trace::{Chrome, Cycles, Output, Request, Shared, Sink, Spans, Writer};
use sim_core::config::Chip;
use sim_core::host::{Gpu, Mode};
use sim_core::stats::report::{Report, Verdict};
use std::io::{self, Write};
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
            "error: --fold requires --format text\nhelp: remove --fold, or remove --format",
        ));
    }
    let mut files = Files::new();
    let how = (Mode::Timed, args.threads);
    let Opened { prepared, settings, chip, .. } = Opened::new(&args.workload, &args.chip, how, &mut files)?;
    let launch = args.which.before(&prepared, &chip, settings)?;
    let request = request(args, &chip, launch)?;
    let file = args.out.as_ref().map(|path| files.open(path)).transpose()?;
    let writer: Box<dyn Writer> = match args.format {
        TraceFormat::Text => Box::new(Spans::new(args.fold)),
        TraceFormat::Cycles => Box::new(Cycles::default()),
        TraceFormat::Chrome => Box::new(Chrome::default()),
    };

    let output: Box<dyn Output> = match file {
        Some(file) => Box::new(file),
        None => Box::new(StandardOutput),
    };
    let tracer = Shared::new(request.clone(), writer, Sink::new(output, args.max_size.bytes()));
    let mut gpu = Gpu::new(chip);
    gpu.observe(Some(Box::new(tracer.clone())));
    let watch = Watch::of(&ProgressArgs { progress: shown(args), ..args.progress });
    watch.follow(&mut gpu);
    let outcome = workload::run(&prepared, &mut gpu, settings, &mut files);
    watch.clear();
    let outcome = outcome?;
    let Some(cycles) = tracer.traced() else {
        let lost = outcome.lost().map_or_else(String::new, |lost| format!("; {lost}"));
        let message = format!(
            "error: launch {} does not exist: the number of launches of the host program is {}{lost}",
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
    let ended = Ended { abandoned: tracer.abandoned(), full: tracer.cut() };
    let written = tracer.finish().err();
    let full = ended.full.map(|cut| full(&request, args.max_size, cut));
    Ok(judge(&request, &outcome, &ended, full.iter().chain(&written)))
}

/// Standard output as the output of a trace.
struct StandardOutput;

impl Output for StandardOutput {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut stdout = io::stdout().lock();
        stdout.write_all(bytes).and_then(|()| stdout.flush())
    }

    fn finish(self: Box<Self>) -> Result<(), Failure> {
        Ok(())
    }
}

impl Output for OutputFile {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        Self::append(self, bytes)
    }

    fn finish(self: Box<Self>) -> Result<(), Failure> {
        Self::finish(*self)
    }
}

/// When the progress is shown. A bar would mix with a trace on the terminal, also behind a pipe to
/// a pager.
fn shown(args: &TraceArgs) -> ShowProgress {
    match args.progress.progress {
        ShowProgress::Auto if args.out.is_none() => ShowProgress::Never,
        when => when,
    }
}

/// How the trace ended.
struct Ended {
    /// Whether the reader has closed the output.
    abandoned: bool,
    /// Shader cycle at which the full trace ends.
    full: Option<u64>,
}

/// Failure of a trace that has reached its limit at shader cycle `cut`.
fn full(request: &Request, limit: Size, cut: u64) -> Failure {
    let sms = plural(request.sms.len() as u64, "SM");
    let warps = plural(request.warps.len() as u64, "warp slot");
    let fewer = match request.sms.len() * request.warps.len() {
        1 => "select",
        _ => "select fewer with --warp and --sm, or",
    };
    let narrower = match cut.saturating_sub(1) {
        last if last > request.cycles.start => {
            format!("for example --cycles {}..{last}, which this trace has", request.cycles.start)
        }
        _ => "which begins and ends with a cycle".to_owned(),
    };
    let message = format!(
        "error: the trace has reached {limit} (--max-size) and ends before cycle {}\n\
         help: it shows {warps} of {sms}; {fewer} a range with --cycles, {narrower}\n\
         help: or raise --max-size",
        count(cut)
    );
    Failure { code: Code::HangOrLimit, message }
}

/// Failure if the requested events do not exist. After Ctrl-C the exit code is that of the
/// interrupt.
fn nothing(message: String) -> Failure {
    let code = if interrupt::asked() { interrupt::code() } else { Code::BadInput };
    Failure { code, message }
}

/// Returns the request, if the chip has the SMs and warp slots.
fn request(args: &TraceArgs, chip: &Chip, launch: u32) -> Result<Request, Failure> {
    let (sms, warps) = (chip.clusters * chip.cluster.sms, chip.sm.max_warps);
    Ok(Request {
        sms: within(args.sm, sms, "SM", "SMs")?,
        warps: within(args.warp, warps, "warp slot", "warp slots on an SM")?,
        cycles: args.cycles.up_to(u64::MAX),
        then_stop: args.cycles.is_bounded(),
        values: args.values,
        launch,
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
fn judge<'a>(
    request: &Request,
    outcome: &'a RunResult,
    ended: &Ended,
    failures: impl Iterator<Item = &'a Failure>,
) -> Code {
    let stopped = |report: &Report| match report.verdict {
        Verdict::Limit { limit, .. } => {
            ended.abandoned || ended.full.is_some() || request.then_stop && limit == request.cycles.end
        }
        _ => false,
    };
    let mut code = Code::Fine;
    for report in outcome.reports.iter().filter(|report| !stopped(report)) {
        code = code.max(code_of(&report.verdict));
        if let Some(message) = verdict::message(report) {
            complain(&message);
        }
    }
    // A program has not got the results of a launch that the trace has stopped.
    let is_cut = outcome.program.is_some() && outcome.reports.iter().any(stopped);
    if outcome.check.passed == Some(false) && !is_cut {
        outcome.check.texts().for_each(|line| complain(&format!("error: {line}")));
        code = code.max(Code::WrongResult);
    }
    for failure in outcome.failures.iter().chain(failures) {
        complain(&failure.message);
        code = code.max(failure.code);
    }
    code
}
