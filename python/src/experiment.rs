//! Experiment files: runs their points, and returns rows and answers.

use crate::errors::{Error, error};
use crate::interrupt;
use cuda::target::Target;
use figures::svg;
use indicatif::ProgressBar;
use isa::diag::render_source;
use isa::ptx::is_module;
use isa::ptx::parse::MAX_TEXT;
use isa::source::Source;
use isa::types::Capability;
use isa::uop::Module;
use isa::variables::Variables;
use kernels::{Settings, Workload};
use pyo3::prelude::*;
use report::exit::Failure;
use report::json::pretty;
use report::launch_file::{self, Plan};
use report::outcome::RunResult;
use report::text::{read_text, shown};
use report::{access, chip};
use sim_core::host::Gpu;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use studies::experiment::Options;
use studies::host::{Compiled, Found, Host, Program, Warn};
use studies::rows::Format;
use studies::{draw, experiment as study, load, load_text};

/// Maximum size of a launch file in bytes.
const MAX_LAUNCH: u64 = 16 << 20;

/// Only one experiment runs at a time: a study knows the program around it by functions.
static ONE: Mutex<()> = Mutex::new(());
/// Whether the experiment ends early.
static STOP: Mutex<Option<Arc<AtomicBool>>> = Mutex::new(None);
/// Messages of the experiment.
static MESSAGES: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// The results of an experiment.
#[pyclass(frozen, get_all, module = "warpsim._native")]
pub struct Experiment {
    /// Name of the experiment.
    name: String,
    /// A JSON object for each point, one per line.
    rows: String,
    /// The answers as JSON.
    answers: String,
    /// The answers as text.
    text: String,
    /// The answers as one HTML page.
    page: String,
    /// The pictures of the answers: name and SVG.
    pictures: Vec<(String, String)>,
    /// Messages of the run.
    messages: Vec<String>,
}

/// Runs an experiment: the text, its path, the file of the store, and the number of points that run
/// at a time.
#[pyfunction]
pub fn experiment(
    py: Python<'_>,
    text: Option<String>,
    path: PathBuf,
    store: Option<PathBuf>,
    jobs: usize,
) -> PyResult<Experiment> {
    let made = interrupt::run(py, |flag| {
        let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
        *stop() = Some(Arc::clone(flag));
        messages().clear();
        run(text, &path, store, jobs)
    })?;
    made.map_err(|failure| error::<Error>(&failure.message))
}

fn stop() -> MutexGuard<'static, Option<Arc<AtomicBool>>> {
    STOP.lock().unwrap_or_else(PoisonError::into_inner)
}

fn messages() -> MutexGuard<'static, Vec<String>> {
    MESSAGES.lock().unwrap_or_else(PoisonError::into_inner)
}

fn run(
    text: Option<String>,
    path: &Path,
    store: Option<PathBuf>,
    jobs: usize,
) -> Result<Experiment, Failure> {
    let host = Host {
        sources: env!("WARPSIM_SOURCES"),
        // The package registers no components, so no key contains it.
        executable: || "",
        say: |text| messages().push(text.to_owned()),
        bar: |_| ProgressBar::hidden(),
        interrupted: || stop().as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed)),
        ends: || {},
        monitor: |gpu| drop(gpu.monitor(stop().as_ref().map(interrupt::monitor))),
        chip: chip::texts,
        program,
    };
    let loaded = match text {
        Some(text) => load_text(path, text, host),
        None => load(path, host),
    }?;
    let programs = loaded.programs()?;
    let points = loaded.points()?;
    let selected: Vec<usize> = (0..points.count()).collect();
    let cannot = |why| Failure::input(format!("error: cannot make a temporary folder: {why}"));
    let folder = tempfile::tempdir().map_err(cannot)?;
    let store = store.unwrap_or_else(|| folder.path().join("results.sqlite"));
    let options =
        Options { store: &store, merge: &[], jobs, cluster: None, dry_run: false, host_time: false };
    let results = study::run(loaded.study(&programs), &points, &selected, options)?;
    let results = results.ok_or_else(|| Failure::input("error: the experiment has not run"))?;
    results.report_ends();
    let answers = results.answers();
    let pictures = draw::all(&answers).into_iter().map(|one| (one.name, svg(&one.scene))).collect();
    Ok(Experiment {
        name: loaded.name.clone(),
        rows: results.rows(Format::Jsonl),
        text: results.text(&answers),
        page: results.page(&answers),
        answers: pretty(&answers),
        pictures,
        messages: std::mem::take(&mut *messages()),
    })
}

/// A built-in kernel with its module.
struct Builtin(&'static Workload, Module);

/// A kernel of the user with its launch file.
struct Custom {
    module: Module,
    source: Arc<Source>,
    files: Vec<PathBuf>,
    launch: PathBuf,
    text: String,
}

fn program<'k>(
    found: &'k Found,
    options: isa::Options,
    capability: Capability,
    warn: Warn<'_>,
) -> Result<Compiled<'k>, Failure> {
    match found {
        Found::Builtin(workload) => Ok(Box::new(Builtin(workload, workload.compile_with(options)?))),
        Found::Files(ptx, launch) => Ok(Box::new(Custom::read(ptx, launch, options, capability, warn)?)),
    }
}

impl Program for Builtin {
    fn module(&self) -> &Module {
        &self.1
    }

    fn texts(&self) -> Vec<&str> {
        vec![self.0.ptx]
    }

    fn launch_text(&self) -> Option<&str> {
        None
    }

    fn files(&self) -> Vec<PathBuf> {
        Vec::new()
    }

    fn inputs(&self, _: &str) -> Vec<PathBuf> {
        Vec::new()
    }

    fn run(&self, _: Option<&str>, gpu: &mut Gpu, settings: Settings) -> Result<RunResult, Failure> {
        Ok(self.0.run(self.1.clone(), gpu, settings)?.into())
    }
}

impl Custom {
    fn read(
        kernel: &Path,
        launch: &Path,
        options: isa::Options,
        capability: Capability,
        warn: Warn<'_>,
    ) -> Result<Self, Failure> {
        let text = access::read_ron(launch, MAX_LAUNCH)?;
        let mut files = vec![kernel.to_owned()];
        files.extend(launch_file::linked(launch, &text).map_err(Failure::input)?);
        files.dedup();
        let mut texts = Vec::new();
        let mut variables = Vec::new();
        for path in &files {
            let name = shown(path);
            let mut text = read_text(path, MAX_TEXT as u64)?;
            let mut own = Variables::default();
            if !is_module(&text) {
                let target = Target::of_capability(capability);
                let none = |_: &str, _: &str, _| None;
                let options = cuda::options::Options::of(target);
                let compiled = cuda::compile(&name, &text, &none, target, &options);
                let messages = compiled.messages();
                text = compiled.ptx.ok_or_else(|| Failure::input(messages.clone()))?;
                if !messages.is_empty() {
                    warn(&messages);
                }
                own = compiled.variables;
            }
            variables.push(Arc::new(own));
            texts.push((name, text));
        }
        let mut source = Source::linked(texts.iter().map(|(name, text)| (&**name, &**text)));
        source.set_variables(variables);
        let source = Arc::new(source);
        let (module, diagnostics) = isa::compile_source(&source, options);
        let module = module.ok_or_else(|| Failure::input(render_source(&diagnostics, &source)))?;
        let lowered = isa::lowered_for(module, capability);
        let (module, warnings) = lowered.map_err(|errors| Failure::input(render_source(&errors, &source)))?;
        if !warnings.is_empty() {
            warn(&render_source(&warnings, &source));
        }
        Ok(Self { module, source, files, launch: launch.to_owned(), text })
    }
}

impl Program for Custom {
    fn module(&self) -> &Module {
        &self.module
    }

    fn texts(&self) -> Vec<&str> {
        self.source.texts().map(|(_, text)| text).chain([self.text.as_str()]).collect()
    }

    fn launch_text(&self) -> Option<&str> {
        Some(&self.text)
    }

    fn files(&self) -> Vec<PathBuf> {
        let inputs = launch_file::inputs(&self.launch, &self.text);
        self.files.iter().cloned().chain([self.launch.clone()]).chain(inputs).collect()
    }

    fn inputs(&self, launch: &str) -> Vec<PathBuf> {
        launch_file::inputs(&self.launch, launch)
    }

    fn run(&self, launch: Option<&str>, gpu: &mut Gpu, settings: Settings) -> Result<RunResult, Failure> {
        let module = self.module.clone();
        let text = launch.unwrap_or(&self.text);
        let plan = Plan::read(&self.launch, text, &module, gpu.chip().usable_bytes());
        let plan = plan.map_err(Failure::input)?;
        launch_file::run(plan, module, gpu, settings, &mut |_, _, _| Vec::new())
    }
}
