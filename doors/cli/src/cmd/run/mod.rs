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
pub mod native;
mod recording;

use crate::args::{Compiler, Details, RunArgs};
use crate::chip;
use crate::exit::{Code, Failure};
use crate::json;
use crate::output::{Files, OutputFile, complain, interrupt, print, print_report, recording_folder, shown};
use crate::provenance::{Provenance, without_effect};
use crate::render;
use crate::render::ending::{Ending, ending};
use crate::render::short::WIDTH;
use crate::state_file;
use crate::terminal;
use crate::watch::{Watch, code_of};
use crate::why::Lab;
use crate::workload::streams::Terminal;
use crate::workload::{self, RunResult, folder, interruptible, prepare, reads};
use recording::Ended;
use report::outcome::Ran;
use report::trace::host_trace;
use report::why::Why;
use request::Compilation;
use request::prepared::provenance as origin;
use request::program::{Around, Program};
use request::streams::Remembered;
use request::{Prepared, Source};
use sim_core::config::Chip;
use sim_core::host::{Gpu, HostStats, Mode, Sampling, SaveAt, SavedState};
use std::path::Path;
use std::process::ExitCode;
use warpcc::command::Mode as ClangOutput;

/// Runs a program. Returns the exit code: of a program with host code, its own.
pub fn run(args: &RunArgs) -> Result<ExitCode, Failure> {
    if args.workload.is_program() && args.compiler == Compiler::Clang {
        return native::run(args, native::compile(args, ClangOutput::Run)?);
    }
    let (chip, texts) = chip::load_to_run(&args.chip)?;
    let how = how(args, Some(&chip));
    let source = Source::of(&args.workload, &how)?;
    let checks = args.checks();
    let mode = if args.functional || !checks.is_empty() { Mode::Functional } else { Mode::Timed };
    check_options(args, mode)?;
    let settings = args.workload.settings(mode, threads(args, mode), &chip);
    let prepared = match prepared(args, &source, &how)? {
        Compiled::Here(prepared) => prepared,
        Compiled::Native(native) => return native::run(args, native),
    };
    let mut provenance = origin(&args.workload, &prepared, &args.chip, &texts, &chip)?;
    let mut files = Files::new();
    chip::reads(&mut files, &args.chip.chip)?;
    reads(&prepared, &mut files)?;
    let Opened { json, html, timeline, load, save } = Opened::new(args, &mut files)?;
    let mut gpu = Gpu::new(chip);
    let recording = html.as_ref().and_then(|_| recording::start(args, &mut gpu));
    if let Some(state) = load {
        gpu.load_state(state);
    }
    let saved = save.map(|file| state_file::save(&mut gpu, args.at_launch, args.save_at(), file));
    gpu.check(checks);
    gpu.sample(args.sample.then(Sampling::default));
    gpu.warm_up(args.warmup.unwrap_or(0), None);
    let watch = Watch::of(&args.progress);
    watch.follow(&mut gpu);
    let launch = || launched(args, &prepared, &mut gpu, settings, files, &watch);
    let outcome = match &args.load_state {
        Some(path) => state_file::contained(path, launch),
        None => launch(),
    };
    watch.clear();
    let outcome = outcome?;
    provenance.without_effect = without_effect(&provenance.sets(), &texts, gpu.chip(), &outcome.reports);

    // A failure of the experiments is printed after the report, which is complete without them.
    let experiments = args.why.then(|| {
        let (prepared, chip, provenance) = (&prepared, gpu.chip(), &provenance);
        let lab = Lab { prepared, settings, chip, texts: &texts, provenance, watch: &watch };
        let why = lab.run(&outcome, gpu.timeline());
        watch.clear();
        why
    });
    let (why, why_failed) = match experiments {
        Some(Ok(why)) => (Some(why), None),
        Some(Err(failure)) => (None, Some(failure)),
        None => (None, None),
    };
    let (selected, not_selected) = match args.which.of(&outcome.reports) {
        Ok(selected) => (selected, None),
        Err(failure) => (None, Some(failure)),
    };
    let view = View { args, outcome: &outcome, gpu: &gpu, provenance: &provenance, why, selected };
    let mut written = vec![json.map(|file| file.write(view.document().as_bytes()))];
    written.push(timeline.map(|file| file.write(trace_of(args, &gpu).as_bytes())));
    let Ending { mut code, messages } = view.ending();
    let printed = view.print(&messages);
    // After the report, so that a reader does not wait for the page.
    written.push(html.map(|file| {
        let (prepared, gpu, outcome, watch) = (&prepared, &gpu, &outcome, &watch);
        let drawn = recording::finish(recording, args, Ended { prepared, gpu, settings, outcome, watch });
        let text = view.output() + &view.report(None, WIDTH);
        file.write(html::page((&text, &messages, code), outcome, &provenance, &drawn).as_bytes())
    }));
    if args.host_stats {
        complain(&host_stats(gpu.host_stats()));
    }
    let own = outcome.program.as_ref().filter(|_| code == Code::Fine).map(|ran| ran.code);
    let states = saved.and_then(|saved| saved.failure()).into_iter().chain(pending_states(args, &gpu));
    let failures = outcome.failures.into_iter().chain(why_failed).chain(not_selected).chain(states);
    let mut has_failed = false;
    for failure in failures.chain(written.into_iter().flatten().filter_map(Result::err)).chain(printed.err())
    {
        complain(&failure.message);
        code = code.max(failure.code);
        has_failed = true;
    }
    Ok(own.filter(|_| !has_failed).map_or_else(|| code.into(), ExitCode::from))
}

/// Compiled input of the command.
enum Compiled {
    /// In this process.
    Here(Prepared),
    /// As native code, which the user permits.
    Native(native::Native),
}

/// Compiles what runs. A program that the built-in compiler refuses becomes native code only if
/// clang takes it: otherwise the mistake is one of the program.
fn prepared(args: &RunArgs, source: &Source, how: &Compilation) -> Result<Compiled, Failure> {
    let Source::Program(workload) = source else { return prepare(source, how).map(Compiled::Here) };
    let refused = match Program::new(workload, how, &mut complain)? {
        Ok(mut program) => {
            args.record.as_deref().map_or(Ok(()), recording_folder)?;
            program.with.sample_launches = args.sample_launches;
            program.with.timed_work = args.work_limit().limit();
            program.with.chooses_threads = args.threads.is_none();
            program.with.record.clone_from(&args.record);
            return Ok(Compiled::Here(interruptible(Prepared::Program(Box::new(program)))));
        }
        Err(refused) => refused,
    };
    if args.compiler == Compiler::Embedded || warpcc::clang::find(None).is_err() {
        return Err(refused);
    }
    let Ok(native) = native::compile(args, ClangOutput::Quiet) else { return Err(refused) };
    native::permit(&refused)?;
    Ok(Compiled::Native(native))
}

/// The files of the options. They are opened before the run, so that an unwritable path is reported
/// before a long simulation.
struct Opened {
    json: Option<OutputFile>,
    html: Option<OutputFile>,
    timeline: Option<OutputFile>,
    load: Option<SavedState>,
    save: Option<OutputFile>,
}

impl Opened {
    fn new(args: &RunArgs, files: &mut Files) -> Result<Self, Failure> {
        let mut open = |path: Option<&Path>| path.map(|path| files.open(path)).transpose();
        let json = open(args.json.as_deref().filter(|_| !is_to_stdout(args)))?;
        let (html, timeline) = (open(args.html.as_deref())?, open(args.timeline.as_deref())?);
        let load = args.load_state.as_deref().map(|path| {
            files.reads(path)?;
            state_file::load(path)
        });
        let load = load.transpose()?;
        let save = args.save_state.as_deref().map(|path| files.open(path)).transpose()?;
        Ok(Self { json, html, timeline, load, save })
    }
}

/// Runs it. A program with host code prints while it runs.
fn launched(
    args: &RunArgs,
    prepared: &Prepared,
    gpu: &mut Gpu,
    settings: kernels::Settings,
    mut files: Files,
    watch: &Watch,
) -> Result<RunResult, Failure> {
    let Prepared::Program(program) = prepared else {
        return workload::run(prepared, gpu, settings, &mut files);
    };
    let watch = watch.clone();
    let terminal = Terminal::new(move || watch.clear());
    let terminal = if is_to_stdout(args) { terminal.beside_document() } else { terminal };
    let streams = Box::new(Remembered::new(Box::new(terminal), &program.with.input));
    let around = Around { streams, folder: folder(files), control: None };
    Ok(program.start(gpu, settings.launches, around).into())
}

/// A run that has ended, as documents and texts show it.
struct View<'a> {
    args: &'a RunArgs,
    outcome: &'a RunResult,
    gpu: &'a Gpu,
    provenance: &'a Provenance,
    why: Option<Why>,
    /// The launch of a program that the command line selects.
    selected: Option<usize>,
}

impl View<'_> {
    /// The JSON document.
    fn document(&self) -> String {
        json::document(self.provenance, self.outcome, self.gpu.timeline(), self.why.as_ref())
    }

    /// The report as text.
    fn report(&self, details: Option<Details>, width: usize) -> String {
        let Self { outcome, gpu, .. } = self;
        let why = self.why.as_ref().map_or_else(String::new, render::why::render);
        let full = |details| render::text::render(outcome, gpu.timeline(), details, self.selected);
        let details = details.map(|details| full(details.into()));
        if let Some(text) = outcome.program_text(width, self.selected) {
            return text + &details.unwrap_or_default() + &why;
        }
        let checks = self.args.checks();
        if !checks.is_empty() {
            return render::findings::render(outcome, checks);
        }
        let short = || render::short::render(outcome, gpu.timeline(), self.provenance, width);
        details.unwrap_or_else(short) + &why
    }

    /// Returns the output of the kernels; the runtime of a program has printed it meanwhile.
    fn output(&self) -> String {
        match self.outcome.program {
            Some(_) => String::new(),
            None => render::output::printed(&self.outcome.reports),
        }
    }

    /// Exit code and messages; the code of a program with host code is its own.
    fn ending(&self) -> Ending {
        match &self.outcome.program {
            Some(ran) if ran.is_interrupted => Ending { code: interrupt::code(), messages: messages_of(ran) },
            Some(ran) => Ending { code: Code::Fine, messages: messages_of(ran) },
            None => ending(self.outcome, code_of),
        }
    }

    /// Prints the report and the messages. Standard output of a program with host code is its own.
    fn print(&self, messages: &[String]) -> Result<(), Failure> {
        let document = is_to_stdout(self.args).then(|| self.document());
        let is_program = self.outcome.program.is_some();
        let text = document.is_none().then(|| self.report(self.args.details, terminal::width()));
        let printed = match (&document, &text) {
            (Some(document), _) => print(document),
            (None, Some(text)) if !is_program => print_both(&self.output(), text),
            (None, _) => Ok(()),
        };
        for message in messages {
            complain(message);
        }
        if let Some(text) = text.filter(|_| is_program) {
            complain(text.trim_end());
        }
        printed
    }
}

/// Returns the messages for the user behind the output of a program.
fn messages_of(ran: &Ran) -> Vec<String> {
    let mut messages = ran.messages.clone();
    if ran.reads_unwritten {
        messages.push(
            "help: with --host-memory zero, host memory that nothing has written reads as zero".to_owned(),
        );
    }
    messages
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
    let of_programs = [("--record", args.record.is_some())];
    let which = args.which.given();
    let given = of_programs.iter().chain(&which).find(|(_, is_given)| *is_given);
    if let Some((option, _)) = given.filter(|_| !args.workload.is_program()) {
        return Err(Failure::input(format!(
            "error: {option} is for a program with host code, and {} is not one",
            args.workload.kernel
        )));
    }
    if args.sample_launches.is_some() && !args.workload.is_program() {
        return Err(Failure::input(
            "error: --sample-launches is for a CUDA C program, whose host code repeats its launches\nhelp: use --sample for the blocks of one launch",
        ));
    }
    if args.timed_work.is_some() && !args.workload.is_program() {
        return Err(Failure::input(
            "error: --timed-work is for a program with host code, whose launches are timed one after the other\nhelp: use --sample for the blocks of one launch",
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
    let request = &args.workload;
    let mut how = Compilation::new(request.compile, &request.preprocess).with(&request.sources);
    how.options.optimize &= !args.checks().need_plain_code();
    match chip {
        Some(chip) => how.on(chip.capability, chip.features).within(chip.memory_bytes),
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
