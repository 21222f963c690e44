//! `warpsim experiment`: runs the points of an experiment file, keeps their results in a store, and
//! answers the questions of the file.
//!
//! `load` reads the file and everything that it names, `plan` makes runs of its points, `selection`
//! reads `--points`. An `engine` simulates the points that the store does not have: `local` in this
//! process, while there is `memory`, or `cluster` as a `batch` for each task. `rows` writes a row
//! for each point, `answers` analyzes the results, `text` prints the answers, `draw` draws them,
//! and `page` makes an HTML page of them. `docs/EXPERIMENTS.md` is the manual.

mod answers;
mod batch;
mod cluster;
mod draw;
mod engine;
mod load;
mod local;
mod memory;
mod page;
mod plan;
mod rows;
mod selection;
mod text;
mod values;

use crate::args::{ExperimentArgs, ShowProgress};
use crate::exit::{Code, Failure};
use crate::json::pretty;
use crate::metrics;
use crate::output::{Files, OutputFile, complain, print, shown};
use crate::point::{CODES, SUCCESSES, VERDICTS};
use crate::render::number::count;
use crate::watch::{Watch, interrupt};
use cluster::{Batch, Cluster, settings};
use engine::{Done, Early};
use experiment::design::Variant;
use experiment::file::Idealize;
use experiment::store::{Layout, Outcome, Store, StoreError};
use load::load;
use plan::{Plan, Planned};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Runs an experiment.
pub fn run(args: &ExperimentArgs) -> Result<Code, Failure> {
    let mut loaded = load(&args.file)?;
    if args.idealize && loaded.file.idealize == Idealize::None {
        loaded.file.idealize = Idealize::Gains;
    }
    let prepared = loaded.prepare()?;
    let points = loaded.points()?;
    let selected = match &args.points {
        Some(text) => selection::read(text, points.count())?,
        None => (0..points.count()).collect(),
    };
    let mut files = Files::new();
    loaded.reads(&prepared, &mut files)?;
    let jobs = args.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    if let Some(part) = &args.part {
        return batch::run(&loaded, &prepared, &points, &selected, jobs, files.open(part)?);
    }
    let store_path = args.store.clone().unwrap_or_else(|| PathBuf::from(format!("{}.sqlite", loaded.name)));
    let outputs = Outputs::open(args, &store_path, &mut files)?;
    let settings = if args.dry_run { None } else { settings::of(args, jobs)? };

    // From here on the first Ctrl-C ends the experiment in an orderly way.
    let watch = Watch::new(ShowProgress::Never);
    let plan = Plan::new(&loaded, &prepared, &points, &selected);
    let mut store = Store::open(&store_path, layout()).map_err(|error| failure(&error))?;
    for part in &args.merge {
        let added = store.merge(part).map_err(|error| failure(&error))?;
        complain(&format!("merged {}: {} new results", shown(part), count(added)));
    }
    let cluster = settings.map(|settings| Cluster::open(settings, &store_path, &store)).transpose()?;
    let entries = plan.points.iter().map(|planned| (planned.number, plan.entry(planned)));
    let is_whole = plan.points.len() == points.count();
    store.define(&loaded.name, entries, is_whole).map_err(|error| failure(&error))?;
    let work = missing(&plan, &store)?;
    let conditions = match points.excluded() {
        0 => String::new(),
        excluded => format!(" ({} excluded by conditions)", count(excluded)),
    };
    let part =
        if is_whole { String::new() } else { format!(", {} selected", count(plan.points.len() as u64)) };
    let distinct = plan.points.iter().map(|planned| &planned.digest).collect::<BTreeSet<_>>().len();
    let head = format!(
        "{}: {} points{conditions}{part}, {} different runs, {} to simulate; store {}",
        loaded.name,
        count(points.count() as u64),
        count(distinct as u64),
        count(work.len() as u64),
        shown(&store_path)
    );
    complain(&head);
    if args.dry_run {
        return Ok(Code::Fine);
    }
    let stop = loaded.file.stop;
    let done = if let Some(cluster) = cluster {
        cluster.run(&plan, &mut store, work, stop, &watch)?
    } else {
        local::run(&plan, &mut store, &work, jobs, stop, &watch)?
    };
    let outcomes: Vec<Option<Outcome>> = plan
        .points
        .iter()
        .map(|planned| store.get(&planned.digest))
        .collect::<Result<_, _>>()
        .map_err(|error| failure(&error))?;
    let code = report_ends(&plan, &outcomes, &done);
    Ok(code.max(outputs.write(args, &plan, &outcomes, &mut files)?))
}

/// Files that are opened before the simulation, so that a bad path is reported early.
struct Outputs {
    rows: Option<OutputFile>,
    answers: Option<OutputFile>,
    page: Option<OutputFile>,
}

impl Outputs {
    /// Opens the files of `--out`, `--json` and `--html`, and claims the store.
    fn open(args: &ExperimentArgs, store: &Path, files: &mut Files) -> Result<Self, Failure> {
        if is_stdout(args.out.as_ref()) && is_stdout(args.json.as_ref()) {
            return Err(Failure::input("error: --out and --json cannot both write to standard output"));
        }
        args.merge.iter().try_for_each(|part| files.reads(part))?;
        let mut open = |path: &Option<PathBuf>| {
            let path = path.as_ref().filter(|path| !is_stdout(Some(path)));
            path.map(|path| files.open(path)).transpose()
        };
        let (rows, answers) = (open(&args.out)?, open(&args.json)?);
        let page = args.html.as_ref().map(|path| files.open(path)).transpose()?;
        files.claims(store)?;
        Ok(Self { rows, answers, page })
    }

    /// Writes the rows, the answers, the page and the pictures. Returns the code of a picture that
    /// could not be written; the other results are complete then.
    fn write(
        self,
        args: &ExperimentArgs,
        plan: &Plan<'_>,
        outcomes: &[Option<Outcome>],
        files: &mut Files,
    ) -> Result<Code, Failure> {
        let columns: Vec<String> = plan.loaded.file.metrics.iter().map(|name| name.value.clone()).collect();
        let rows = rows::Rows { plan, outcomes, columns, host_time: args.host_time };
        if let Some(out) = self.rows {
            out.write(rows.text(args.format).as_bytes())?;
        }
        let answers = answers::answers(plan, outcomes);
        if let Some(json) = self.answers {
            json.write(pretty(&answers).as_bytes())?;
        }
        if let Some(html) = self.page {
            html.write(page::render(plan, &rows, &answers).as_bytes())?;
        }
        if is_stdout(args.out.as_ref()) {
            print(&rows.text(args.format))?;
        } else if is_stdout(args.json.as_ref()) {
            print(&pretty(&answers))?;
        } else {
            print(&text::render(plan, outcomes, &answers))?;
        }
        if let Some(folder) = &args.plots
            && let Err(failure) = draw::write(&answers, folder, files)
        {
            complain(&failure.message);
            return Ok(failure.code);
        }
        Ok(Code::Fine)
    }
}

/// Whether an output is standard output.
fn is_stdout(path: Option<&PathBuf>) -> bool {
    path.is_some_and(|path| path == Path::new("-"))
}

/// Returns the contents of a store of this program.
fn layout() -> Layout {
    let codes = CODES.iter().map(|code| *code as u8);
    Layout {
        metrics: metrics::names(),
        verdicts: VERDICTS.into_iter().zip(codes).collect(),
        needed: "cycles",
        stops: interrupt::asked,
    }
}

fn failure(error: &StoreError) -> Failure {
    let code = match error {
        StoreError::Interrupted { .. } => interrupt::code(),
        _ => Code::BadInput,
    };
    Failure { code, message: format!("error: {error}") }
}

/// Returns the points whose results the store does not have; of points with the same run, the
/// first.
fn missing<'p>(plan: &'p Plan<'_>, store: &Store) -> Result<Batch<'p>, Failure> {
    let mut seen = BTreeSet::new();
    let mut work = Vec::new();
    for planned in &plan.points {
        let is_new = seen.insert(&planned.digest);
        if is_new && !store.has(&planned.digest).map_err(|error| failure(&error))? {
            work.push(planned);
        }
    }
    Ok(work)
}

/// Reports failed and missing points; returns the exit code: the highest of all points.
///
/// A field that cannot be changed alone, because the rules over several fields forbid it, is no
/// failure of a sensitivity design.
fn report_ends(plan: &Plan<'_>, outcomes: &[Option<Outcome>], done: &Done) -> Code {
    let forbidden = |(planned, outcome): &(&Planned, &Outcome)| {
        matches!(planned.point.variant, Variant::Field(_)) && outcome.verdict == "bad_chip"
    };
    let with_results = plan.points.iter().zip(outcomes).filter_map(|(p, o)| Some((p, o.as_ref()?)));
    let counted: Vec<&Outcome> = with_results.filter(|pair| !forbidden(pair)).map(|(_, o)| o).collect();
    let codes = [Code::Fine, Code::WrongResult, Code::BadInput, Code::Trap, Code::HangOrLimit];
    let of_outcome = |outcome: &Outcome| codes.into_iter().find(|code| *code as u8 == outcome.code);
    let mut code = counted.iter().filter_map(|outcome| of_outcome(outcome)).max().unwrap_or(Code::Fine);
    let failed = |verdict: &str| counted.iter().filter(|outcome| outcome.verdict == verdict).count();
    let failures: Vec<String> = VERDICTS[SUCCESSES..]
        .iter()
        .map(|verdict| (verdict, failed(verdict)))
        .filter(|(_, failed)| *failed > 0)
        .map(|(verdict, failed)| format!("{} {verdict}", count(failed as u64)))
        .collect();
    if !failures.is_empty() {
        complain(&format!("failed points: {}", failures.join(", ")));
    }
    let missing = count(outcomes.iter().filter(|outcome| outcome.is_none()).count() as u64);
    match done.early {
        Some(Early::Signal) => {
            complain(&format!(
                "interrupted: {missing} points are not done; run the command again to continue"
            ));
            code = interrupt::code();
        }
        Some(Early::Rule(rule)) => {
            complain(&format!("stopped by the rule `stop.{rule}`: {missing} points are not done"));
        }
        Some(Early::Engine) => {
            complain(&format!("{missing} points have no result; run the command again to continue"));
            code = code.max(Code::BadInput);
        }
        None if missing != "0" => complain(&format!("{missing} points have no result in the store")),
        None => {}
    }
    code
}
