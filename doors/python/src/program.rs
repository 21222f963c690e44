//! Whole programs with their host code.

use crate::chip::Chip;
use crate::device::checks;
use crate::errors::{CompileError, Error, error};
use crate::interrupt;
use crate::module::Options;
use crate::run::Run;
use embedded::library::VirtualFolder;
use figures::{streams, svg};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use report::json;
use report::outcome::{Check, RunResult, shown};
use report::page::Page;
use report::program::Program as Record;
use report::program::streams::Streams;
use report::provenance::{PROGRAM, Provenance};
use report::render::short::WIDTH;
use report::text::visible;
use request::Request;
use request::program::{Around, Program};
use sim_core::host::{Gpu, Mode};
use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};

/// Most bytes of each stream.
const OUTPUT: usize = 64 << 20;

/// A run, as the dictionary of Python has it.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Settings {
    text: String,
    name: String,
    args: Vec<String>,
    stdin: Vec<u8>,
    files: BTreeMap<String, Vec<u8>>,
    timed: bool,
    checks: String,
    devices: usize,
    max_cycles: Option<u64>,
    threads: usize,
}

/// Output of a program, and its unread input.
#[derive(Default)]
struct Printed {
    out: Vec<u8>,
    err: Vec<u8>,
    input: Vec<u8>,
}

/// The standard streams of a program.
#[derive(Clone, Default)]
struct Collected(Arc<Mutex<Printed>>);

impl Collected {
    fn with<T>(&self, access: impl FnOnce(&mut Printed) -> T) -> T {
        access(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

fn add(all: &mut Vec<u8>, bytes: &[u8]) {
    let room = OUTPUT.saturating_sub(all.len());
    all.extend(&bytes[..bytes.len().min(room)]);
}

impl Streams for Collected {
    fn print(&mut self, bytes: &[u8]) {
        self.with(|printed| add(&mut printed.out, bytes));
    }

    fn complain(&mut self, bytes: &[u8]) {
        self.with(|printed| add(&mut printed.err, bytes));
    }

    fn input(&mut self) -> Option<Vec<u8>> {
        Some(self.with(|printed| std::mem::take(&mut printed.input)))
    }
}

/// A program that has ended.
#[pyclass(frozen, module = "warpsim._native")]
pub struct ProgramRun {
    record: Record,
    /// The report as text.
    text: String,
    /// Exit code.
    #[pyo3(get)]
    code: i32,
    /// Warnings of the compiler.
    #[pyo3(get)]
    warnings: String,
    /// Why the program stopped, if it made a mistake.
    #[pyo3(get)]
    message: Option<String>,
    /// The reports of the launches; `None` without a launch.
    #[pyo3(get)]
    launches: Option<Py<Run>>,
    out: Vec<u8>,
    err: Vec<u8>,
    files: Vec<(String, Vec<u8>)>,
}

#[pymethods]
impl ProgramRun {
    /// Standard output.
    fn stdout<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.out)
    }

    /// Standard error.
    fn stderr<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.err)
    }

    /// The files that the program has written.
    fn files<'py>(&self, py: Python<'py>) -> Vec<(&str, Bound<'py, PyBytes>)> {
        self.files.iter().map(|(name, bytes)| (name.as_str(), PyBytes::new(py, bytes))).collect()
    }

    /// Record of the program and its GPU, as JSON (docs/PROGRAMS.md).
    fn json(&self) -> String {
        json::pretty(&self.record)
    }

    /// The same as text.
    fn text(&self) -> String {
        visible(&self.text).into_owned()
    }

    /// Hints about parts of the program that should change.
    fn hints(&self) -> Vec<String> {
        self.record.hints()
    }

    /// The picture of copies and kernels as SVG.
    fn timeline(&self) -> PyResult<String> {
        if self.record.calls.is_empty() {
            return Err(error::<Error>("the program made neither copies nor launches"));
        }
        Ok(svg(&streams::program(&self.record)))
    }

    /// One HTML page that loads no other file.
    fn page(&self) -> String {
        let mut page = Page::new(&self.record.command);
        page.answer(self.code == 0, &self.message.clone().unwrap_or_else(|| self.record.summary()));
        page.section("report", "Report");
        page.text("Report", &self.text());
        if !self.record.calls.is_empty() {
            page.section("timeline", "Timeline");
            let scene = streams::program(&self.record);
            page.picture(&scene.title, &figures::embedded(&scene));
        }
        page.finish(PROGRAM)
    }
}

/// Compiles and runs a program.
#[pyfunction]
pub fn run_program(
    py: Python<'_>,
    chip: &Chip,
    options: Options,
    settings: Settings,
) -> PyResult<ProgramRun> {
    let checks = checks(&settings.checks)?;
    let simulated = chip.to_run()?.clone();
    let folder = VirtualFolder::new(settings.files.clone());
    let folder =
        folder.map_err(|(name, why)| error::<Error>(&format!("the file `{name}` is refused: {why}")))?;
    let (name, text) = (settings.name.as_str(), settings.text.as_str());
    let provenance =
        Provenance::of((name, None), [text].into_iter(), (&chip.name, &chip.sets), &chip.texts, &simulated);
    let collected = Collected::default();
    collected.with(|printed| printed.input.clone_from(&settings.stdin));
    let written = folder.clone();
    let run = Request {
        max_cycles: settings.max_cycles,
        program_arguments: settings.args.iter().map(Into::into).collect(),
        compile: options.compile(),
        preprocess: options.preprocess(),
        ..Request::new(name)
    };
    let made = interrupt::run(py, |stop| {
        let mut run = run;
        run.sources.insert(name, text.to_owned());
        let how = run.compilation(&simulated);
        let mut warnings = String::new();
        let program = Program::new(&run, &how, &mut |text| warnings += text);
        let mut program = program.and_then(|refused| refused).map_err(|failure| failure.message)?;
        let mut gpu = Gpu::new(simulated.clone());
        gpu.monitor(Some(interrupt::monitor(stop)));
        gpu.check(checks);
        let timed = settings.timed && checks.is_empty();
        let mode = if timed { Mode::Timed } else { Mode::Functional };
        let ends = Arc::clone(stop);
        program.with.devices = Some(settings.devices);
        program.with.interrupted = Some(Arc::new(move || ends.load(Ordering::Relaxed)));
        let around = Around { streams: Box::new(collected.clone()), folder: Box::new(folder), control: None };
        let ended =
            program.start(&mut gpu, run.settings(mode, settings.threads, &simulated).launches, around);
        Ok::<_, String>((ended, warnings, gpu.timeline().clone()))
    })?;
    let (ended, warnings, timeline) = made.map_err(|messages| error::<CompileError>(&messages))?;
    let mut record = ended.record;
    record.command =
        std::iter::once(name).chain(settings.args.iter().map(String::as_str)).collect::<Vec<_>>().join(" ");
    let longest = shown(&ended.reports).map(|place| (place, &ended.reports[place]));
    let text = record.text(WIDTH, longest);
    let launches = if ended.reports.is_empty() {
        None
    } else {
        let check = Check { passed: (ended.code == 0).then_some(true), lines: Vec::new() };
        let result = RunResult { reports: ended.reports, check, failures: Vec::new(), program: None };
        Some(Py::new(py, Run { result, timeline, provenance, checks })?)
    };
    let (out, err) =
        collected.with(|printed| (std::mem::take(&mut printed.out), std::mem::take(&mut printed.err)));
    Ok(ProgramRun {
        record,
        text,
        code: ended.code,
        warnings,
        message: ended.message,
        launches,
        out,
        err,
        files: written.written().into_iter().collect(),
    })
}
