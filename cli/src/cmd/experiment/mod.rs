//! `warpsim experiment`: runs the points of an experiment file, keeps their results in a store, and
//! answers the questions of the file.
//!
//! `load` reads the file and everything that it names, `plan` makes runs of its points, `local`
//! simulates those that the store does not have, `rows` writes a row for each point, `answers`
//! analyzes the results, `text` prints the answers, `draw` draws them, and `page` makes a page of
//! them. `docs/EXPERIMENTS.md` is the manual.

mod answers;
mod draw;
mod load;
mod local;
mod page;
mod plan;
mod rows;
mod text;
mod values;

use crate::args::{ExperimentArgs, ShowProgress};
use crate::exit::{Code, Failure};
use crate::json::pretty;
use crate::metrics;
use crate::output::{Files, complain, print, shown};
use crate::point::{SUCCESSES, VERDICTS};
use crate::watch::{Watch, interrupt};
use experiment::design::Variant;
use experiment::file::Idealize;
use experiment::store::{Outcome, Store, StoreError};
use load::load;
use local::{Done, Early};
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
    let (points, excluded) = loaded.points()?;
    let selected = selected(args, points.len())?;
    let to_stdout = |path: &Option<PathBuf>| path.as_deref() == Some(Path::new("-"));
    if to_stdout(&args.out) && to_stdout(&args.json) {
        return Err(Failure::input("error: --out and --json cannot both write to standard output"));
    }
    let mut files = Files::new();
    loaded.reads(&prepared, &mut files)?;
    let store_path = args.store.clone().unwrap_or_else(|| PathBuf::from(format!("{}.sqlite", loaded.name)));
    args.merge.iter().try_for_each(|part| files.reads(part))?;
    let out = args.out.as_ref().filter(|path| *path != Path::new("-"));
    let out = out.map(|path| files.open(path)).transpose()?;
    let json = args.json.as_ref().filter(|path| *path != Path::new("-"));
    let json = json.map(|path| files.open(path)).transpose()?;
    let html = args.html.as_ref().map(|path| files.open(path)).transpose()?;
    files.claims(&store_path)?;

    // From here on the first Ctrl-C ends the experiment in an orderly way.
    let watch = Watch::new(ShowProgress::Never);
    let plan = Plan::new(&loaded, &prepared, points);
    let names: Vec<&'static str> = metrics::ALL.iter().map(|metric| metric.name).collect();
    let mut store = Store::open(&store_path, &names).map_err(|error| failure(&error))?;
    for part in &args.merge {
        let added = store.merge(part).map_err(|error| failure(&error))?;
        complain(&format!("merged {}: {added} new results", shown(part)));
    }
    let entries: Vec<_> = plan.points.iter().map(|planned| plan.entry(planned)).collect();
    store.define(&loaded.name, &entries).map_err(|error| failure(&error))?;
    let work = missing(&plan, &store, selected)?;
    let all = plan.points.len();
    let conditions =
        if excluded > 0 { format!(" ({excluded} excluded by conditions)") } else { String::new() };
    let distinct = plan.points.iter().map(|planned| &planned.digest).collect::<BTreeSet<_>>().len();
    let head = format!(
        "{}: {all} points{conditions}, {distinct} different runs, {} to simulate; store {}",
        loaded.name,
        work.len(),
        shown(&store_path)
    );
    complain(&head);
    if args.dry_run {
        return Ok(Code::Fine);
    }
    let jobs = args.jobs.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
    let done = local::run(&plan, &mut store, &work, jobs, &watch)?;

    let outcomes: Vec<Option<Outcome>> = plan
        .points
        .iter()
        .map(|planned| store.get(&planned.digest))
        .collect::<Result<_, _>>()
        .map_err(|error| failure(&error))?;
    let mut code = report_ends(&plan, &outcomes, &done);
    let columns: Vec<String> = loaded.file.metrics.iter().map(|name| name.value.clone()).collect();
    let rows = rows::Rows { plan: &plan, outcomes: &outcomes, columns, host_time: args.host_time };
    if let Some(out) = out {
        out.write(rows.text(args.format).as_bytes())?;
    }
    let answers = answers::answers(&plan, &outcomes);
    if let Some(json) = json {
        json.write(pretty(&answers).as_bytes())?;
    }
    if let Some(html) = html {
        html.write(page::render(&plan, &rows, &answers).as_bytes())?;
    }
    if to_stdout(&args.out) {
        print(&rows.text(args.format))?;
    } else if to_stdout(&args.json) {
        print(&pretty(&answers))?;
    } else {
        print(&text::render(&plan, &outcomes, &answers))?;
    }
    if let Some(folder) = &args.plots
        && let Err(failure) = draw::write(&answers, folder, &mut files)
    {
        complain(&failure.message);
        code = code.max(failure.code);
    }
    Ok(code)
}

fn failure(error: &StoreError) -> Failure {
    Failure::input(format!("error: {error}"))
}

/// Returns the numbers of the points that may be simulated.
fn selected(args: &ExperimentArgs, all: usize) -> Result<std::ops::Range<usize>, Failure> {
    let Some(text) = &args.points else { return Ok(0..all) };
    let range = text.split_once("..").and_then(|(first, last)| {
        let (first, last): (usize, usize) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
        (first <= last).then_some(first..last.saturating_add(1).min(all))
    });
    range
        .ok_or_else(|| Failure::input(format!("error: --points {text}: expected FIRST..LAST, such as 0..99")))
}

/// Returns the points whose results the store does not have; of points with the same run, the
/// first.
fn missing<'p>(
    plan: &'p Plan<'_>,
    store: &Store,
    selected: std::ops::Range<usize>,
) -> Result<Vec<&'p Planned>, Failure> {
    let mut seen = BTreeSet::new();
    let mut work = Vec::new();
    for planned in &plan.points[selected.start.min(plan.points.len())..selected.end] {
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
    let count = |verdict: &str| counted.iter().filter(|outcome| outcome.verdict == verdict).count();
    let failures: Vec<String> = VERDICTS[SUCCESSES..]
        .iter()
        .map(|verdict| (verdict, count(verdict)))
        .filter(|(_, count)| *count > 0)
        .map(|(verdict, count)| format!("{count} {verdict}"))
        .collect();
    if !failures.is_empty() {
        complain(&format!("failed points: {}", failures.join(", ")));
    }
    let missing = outcomes.iter().filter(|outcome| outcome.is_none()).count();
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
        None if missing > 0 => complain(&format!("{missing} points have no result in the store")),
        None => {}
    }
    code
}
