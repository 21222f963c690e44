//! Experiment files: runs their points, and returns rows and answers.

use crate::errors::{Error, error};
use crate::interrupt;
use figures::svg;
use pyo3::prelude::*;
use report::exit::Failure;
use report::json::pretty;
use sim_core::host::Gpu;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use studies::experiment::Options;
use studies::host::Host;
use studies::rows::Format;
use studies::{draw, experiment as study, load, load_text};

/// Python around an experiment.
struct Notebook {
    /// Whether the experiment ends early.
    stop: Arc<AtomicBool>,
    /// Messages of the experiment.
    messages: Mutex<Vec<String>>,
}

impl Notebook {
    fn messages(&self) -> MutexGuard<'_, Vec<String>> {
        self.messages.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Host for Notebook {
    fn sources(&self) -> &'static str {
        env!("WARPSIM_SOURCES")
    }

    fn say(&self, text: &str) {
        self.messages().push(text.to_owned());
    }

    fn interrupted(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn monitor(&self, gpu: &mut Gpu) {
        gpu.monitor(Some(interrupt::monitor(&self.stop)));
    }
}

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
    let made = interrupt::run(py, |stop| {
        let notebook = Arc::new(Notebook { stop: Arc::clone(stop), messages: Mutex::default() });
        run(&notebook, text, &path, store, jobs)
    })?;
    made.map_err(|failure| error::<Error>(&failure.message))
}

fn run(
    notebook: &Arc<Notebook>,
    text: Option<String>,
    path: &Path,
    store: Option<PathBuf>,
    jobs: usize,
) -> Result<Experiment, Failure> {
    let host: Arc<dyn Host> = Arc::clone(notebook) as Arc<dyn Host>;
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
        messages: std::mem::take(&mut *notebook.messages()),
    })
}
