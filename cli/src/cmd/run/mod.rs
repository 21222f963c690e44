//! `warpsim run`: a built-in kernel or a PTX file, its report as text, JSON or HTML, and the exit
//! code.
//!
//! `direct` writes the launch file of a launch that the command line describes,
//! `failed` writes the document of a run without a report, `html` writes the page, `recording`
//! collects what its pictures need besides the report.

pub mod direct;
mod failed;
mod hazard;
mod html;
mod recording;

use crate::args::{Details, RunArgs};
use crate::chip;
use crate::cuda_c::Compilation;
use crate::exit::{Code, Failure};
use crate::json;
use crate::output::{Files, complain, print, print_report, shown};
use crate::provenance::without_effect;
use crate::render;
use crate::render::ending::{Ending, ending};
use crate::render::short::WIDTH;
use crate::state_file;
use crate::terminal;
use crate::watch::{Watch, code_of};
use crate::why::Lab;
use crate::workload::{Source, provenance as origin, settings};
use recording::Ended;
use report::trace::host_trace;
use sim_core::config::Chip;
use sim_core::host::{Gpu, HostStats, Mode, Sampling, SaveAt};
use std::path::Path;

/// Runs a program.
pub fn run(args: &RunArgs) -> Result<Code, Failure> {
    let (chip, texts) = chip::load_to_run(&args.chip)?;
    let how = how(args, Some(&chip));
    let source = Source::of(&args.workload, &how)?;
    let checks = args.checks();
    let mode = if args.functional || !checks.is_empty() { Mode::Functional } else { Mode::Timed };
    check_options(args, mode)?;
    let settings = settings(&args.workload, mode, threads(args, mode), &chip);
    let to_stdout = is_to_stdout(args);
    let prepared = source.prepare(&how)?;
    let mut provenance = origin(&args.workload, &prepared, &args.chip, &texts, &chip)?;
    let mut files = Files::new();
    chip::reads(&mut files, &args.chip.chip)?;
    prepared.reads(&mut files)?;
    // Opened before the run, so that an unwritable path is reported before a long simulation.
    let json_file = match &args.json {
        Some(path) if !to_stdout => Some(files.open(path)?),
        _ => None,
    };

    let state =
        args.load_state.as_deref().map(|path| files.reads(path).and_then(|()| state_file::load(path)));
    let state = state.transpose()?;
    let state_out = args.save_state.as_deref().map(|path| files.open(path)).transpose()?;

    let html_file = args.html.as_deref().map(|path| files.open(path)).transpose()?;

    let timeline_file = args.timeline.as_deref().map(|path| files.open(path)).transpose()?;

    let mut gpu = Gpu::new(chip);
    let recording = html_file.as_ref().and_then(|_| recording::start(args, &mut gpu));
    if let Some(state) = state {
        gpu.load_state(state);
    }
    let saved = state_out.map(|file| state_file::save(&mut gpu, args.at_launch, args.save_at(), file));
    gpu.check(checks);
    gpu.sample(args.sample.then(Sampling::default));
    gpu.warm_up(args.warmup.unwrap_or(0), None);
    let watch = Watch::of(&args.progress);
    watch.follow(&mut gpu);
    let mut launch = || prepared.run(&mut gpu, settings, Some(&mut files));
    let outcome = match &args.load_state {
        Some(path) => state_file::contained(path, launch),
        None => launch(),
    };
    watch.clear();
    let outcome = outcome?;
    provenance.without_effect = without_effect(&provenance.sets(), &texts, gpu.chip(), &outcome.reports);

    // A failure of the experiments is printed after the report, which is complete without them.
    let (why, why_failed) = if args.why {
        let lab = Lab {
            prepared: &prepared,
            settings,
            chip: gpu.chip(),
            texts: &texts,
            provenance: &provenance,
            watch: &watch,
        };
        let why = lab.run(&outcome, gpu.timeline());
        watch.clear();
        why.map_or_else(|failure| (None, Some(failure)), |why| (Some(why), None))
    } else {
        (None, None)
    };
    let document = || json::document(&provenance, &outcome, gpu.timeline(), why.as_ref());
    let mut written = vec![json_file.map(|file| file.write(document().as_bytes()))];
    written.push(timeline_file.map(|file| file.write(trace_of(args, &gpu).as_bytes())));
    let report = |details: Option<Details>, width| {
        if !checks.is_empty() {
            return render::findings::render(&outcome, checks);
        }
        let text = match details {
            Some(details) => render::text::render(&outcome, gpu.timeline(), details.into()),
            None => render::short::render(&outcome, gpu.timeline(), &provenance, width),
        };
        text + &why.as_ref().map_or_else(String::new, render::why::render)
    };
    let text = if to_stdout { document() } else { report(args.details, terminal::width()) };
    let output = render::output::printed(&outcome.reports);
    let printed = if to_stdout { print(&text) } else { print_both(&output, &text) };
    let Ending { mut code, messages } = ending(&outcome, code_of);
    // After the report, so that a reader does not wait for the page.
    written.push(html_file.map(|file| {
        let (prepared, gpu, outcome, watch) = (&prepared, &gpu, &outcome, &watch);
        let ended = Ended { prepared, gpu, settings, outcome, watch };
        let drawn = recording::finish(recording, args, ended);
        let text = output + &report(None, WIDTH);
        file.write(html::page((&text, &messages, code), outcome, &provenance, &drawn).as_bytes())
    }));
    if args.host_stats {
        complain(&host_stats(gpu.host_stats()));
    }

    for message in &messages {
        complain(message);
    }
    let failures = outcome.failures.into_iter().chain(why_failed);
    let states = saved.and_then(|saved| saved.failure()).into_iter().chain(pending_states(args, &gpu));
    for failure in failures
        .chain(states)
        .chain(written.into_iter().flatten().filter_map(Result::err))
        .chain(printed.err())
    {
        complain(&failure.message);
        code = code.max(failure.code);
    }
    Ok(code)
}

/// Whether the report is printed as a JSON document.
fn is_to_stdout(args: &RunArgs) -> bool {
    args.json.as_deref() == Some(Path::new("-"))
}

/// Prints the JSON document of a run that failed, if standard output has a JSON document.
pub fn print_failure(args: &RunArgs, failure: &Failure) -> Result<(), Failure> {
    if is_to_stdout(args) { print(&failed::document(Some(args), failure)) } else { Ok(()) }
}

/// Prints the JSON document of an invalid command line `words`, if it asks for one.
pub fn print_invalid(words: &[String], failure: &Failure) -> Result<(), Failure> {
    let is_run = words.iter().skip(1).find(|word| !word.starts_with('-')).is_some_and(|word| word == "run");
    let asks = words.windows(2).any(|pair| pair == ["--json", "-"]) || words.iter().any(|w| w == "--json=-");
    if is_run && asks { print(&failed::document(None, failure)) } else { Ok(()) }
}

/// Returns the timeline of the run as trace events.
fn trace_of(args: &RunArgs, gpu: &Gpu) -> String {
    host_trace(gpu.timeline(), &args.workload.kernel, &gpu.chip().name)
}

/// Prints the output of the kernels, which a GPU prints when the host synchronizes, and the report.
fn print_both(output: &str, report: &str) -> Result<(), Failure> {
    print(output)?;
    print_report(report)
}

/// Refuses options that contradict each other.
fn check_options(args: &RunArgs, mode: Mode) -> Result<(), Failure> {
    if args.sample && mode == Mode::Functional {
        return Err(Failure::input(
            "error: --sample estimates the time of a launch, and the functional machine has no time\nhelp: leave out --functional and --check",
        ));
    }
    if args.sample_launches.is_some() {
        return Err(Failure::input(
            "error: --sample-launches is for a CUDA C program, whose host code repeats its launches\nhelp: use --sample for the blocks of one launch",
        ));
    }
    if args.why && (mode == Mode::Functional || args.sample) {
        return Err(Failure::input(
            "error: --why compares times of whole runs\nhelp: leave out --functional, --check and --sample",
        ));
    }
    Ok(())
}

/// Returns how the files are compiled for a chip.
fn how(args: &RunArgs, chip: Option<&Chip>) -> Compilation {
    let mut how = Compilation::new(args.workload.compile, &args.workload.preprocess);
    how.options.optimize &= !args.checks().need_plain_code();
    match chip {
        Some(chip) => how.on(chip.capability).within(chip.memory_bytes),
        None => how,
    }
}

/// Returns the failures of states that were neither saved nor loaded.
fn pending_states<'a>(args: &'a RunArgs, gpu: &Gpu) -> impl Iterator<Item = Failure> + use<'a> {
    let unsaved = args.save_state.as_deref().filter(|_| gpu.has_unsaved_state()).map(|path| {
        let when = match args.save_at() {
            SaveAt::Cycle(cycle) => format!("cycle {cycle}"),
            SaveAt::Blocks(blocks) => format!("block {blocks}"),
        };
        let (launch, path) = (args.at_launch, shown(path));
        Failure::input(format!("error: {path} was not written: launch {launch} has no state at {when}"))
    });
    let unloaded = args.load_state.as_deref().filter(|_| gpu.has_unloaded_state()).map(|path| {
        let path = shown(path);
        Failure::input(format!("error: {path} was not loaded: the program has fewer launches"))
    });
    unsaved.into_iter().chain(unloaded)
}

/// Returns the number of host threads: a timed launch gains little from several.
fn threads(args: &RunArgs, mode: Mode) -> usize {
    args.threads.unwrap_or_else(|| match mode {
        Mode::Timed => 1,
        Mode::Functional => std::thread::available_parallelism().map_or(1, usize::from),
    })
}

/// Returns statistics of the simulator itself, which are not part of the report.
fn host_stats(stats: HostStats) -> String {
    let HostStats { threads, windows, shared_windows, skipped_cycles, ticks, longest, single_ticks } = stats;
    let s = if threads == 1 { "" } else { "s" };
    let times = |longest: u64| single_ticks as f64 / longest.max(1) as f64;
    let parallel: Vec<String> = HostStats::THREADS
        .iter()
        .zip(longest)
        .map(|(threads, longest)| format!("{:.1} on {threads}", times(longest)))
        .collect();
    format!(
        "host: {threads} thread{s}, {windows} windows ({shared_windows} on several threads), \
         {skipped_cycles} cycles skipped, {ticks} component ticks; threads without overhead would be \
         {} times as fast",
        parallel.join(", ")
    )
}
