//! `warpsim run`: a built-in kernel or a PTX file, its report as text or JSON, and the exit code.

use crate::args::RunArgs;
use crate::chip;
use crate::exit::{Code, Failure};
use crate::json;
use crate::output::{Files, complain, print};
use crate::provenance::Provenance;
use crate::render;
use crate::watch::Watch;
use crate::workload::{Source, settings};
use sim_core::host::HostStats;
use sim_core::host::{Gpu, Mode, Sampling};
use std::path::Path;

/// Runs.
pub fn run(args: &RunArgs) -> Result<Code, Failure> {
    let source = Source::of(&args.workload)?;
    let (chip, texts) = chip::load_to_run(&args.chip)?;
    let mode = if args.functional || args.racecheck { Mode::Functional } else { Mode::Timed };
    if args.sample && mode == Mode::Functional {
        return Err(Failure::input(
            "error: --sample estimates how long a launch takes, and the functional machine (--functional, --racecheck) has no time",
        ));
    }
    let settings = settings(&args.workload, mode, args.threads, &chip);
    let to_stdout = args.json.as_deref() == Some(Path::new("-"));
    let prepared = source.prepare(args.workload.compile.options())?;
    let provenance = Provenance::of(&args.workload, &prepared, &args.chip, &texts, &chip)?;
    let mut files = Files::new();
    files.reads_chip(&args.chip.chip)?;
    prepared.reads(&mut files)?;
    // Opened now, so that a path that cannot be written is told before a long run.
    let json_file = match &args.json {
        Some(path) if !to_stdout => Some(files.open(path)?),
        _ => None,
    };

    let mut gpu = Gpu::new(chip);
    gpu.check_races(args.racecheck);
    gpu.sample(args.sample.then(Sampling::default));
    let watch = Watch::new(args.progress.progress);
    watch.follow(&mut gpu);
    let outcome = prepared.run(&mut gpu, settings, Some(&mut files));
    watch.clear();
    let outcome = outcome?;

    let written =
        json_file.map(|file| file.write(json::document(&provenance, &outcome, gpu.timeline()).as_bytes()));
    let text = if to_stdout {
        json::document(&provenance, &outcome, gpu.timeline())
    } else if args.racecheck {
        render::races::render(&outcome)
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
    if let Some(message) = render::races::complaint(&outcome.reports) {
        complain(message);
        code = code.max(Code::WrongResult);
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
    let HostStats { threads, windows, shared_windows, skipped_cycles, ticks } = stats;
    let s = if threads == 1 { "" } else { "s" };
    format!(
        "host: {threads} thread{s}, {windows} windows ({shared_windows} on several threads), \
         {skipped_cycles} cycles skipped, {ticks} island ticks"
    )
}
