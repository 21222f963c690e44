//! An experiment: the points of a file whose results are kept in a store.
//!
//! An engine simulates the points that the store does not have: `local` in this process, or
//! `cluster` as a `batch` for each task.

use crate::answers::{Answers, answers};
use crate::axis::Part;
use crate::cluster::{Batch, Cluster, Settings};
use crate::design::{Points, Variant};
use crate::file::Stop;
use crate::local::{self, entry, failure};
use crate::outcome::{Ending, Outcome, Tally};
use crate::page::Collected;
use crate::plan::Plan;
use crate::rows::{Column, Format, PointRow, Rows, metric_columns, variant_columns};
use crate::runner::{Done, Early};
use crate::sections::{self, sections};
use crate::store::Store;
use crate::study::Study;
use report::exit::{Code, Failure};
use report::render::number::count;
use report::text::shown;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Options of an experiment.
pub struct Options<'o> {
    /// File of the store.
    pub store: &'o Path,
    /// Stores whose results are added first.
    pub merge: &'o [PathBuf],
    /// Number of points that run at a time.
    pub jobs: usize,
    /// The cluster; `None` for this process.
    pub cluster: Option<Settings>,
    /// Whether nothing is simulated.
    pub dry_run: bool,
    /// Whether the rows have the host time.
    pub host_time: bool,
}

/// An experiment with its results.
pub struct Results<'a> {
    plan: Plan<'a>,
    rows: Rows<'a>,
    /// Result of each point, if the store has it.
    outcomes: Vec<Option<Outcome>>,
    done: Done,
}

/// Runs an experiment; `None` for a dry run.
///
/// # Errors
///
/// If the store or the cluster cannot be used.
pub fn run<'a>(
    study: Study<'a>,
    points: &Points,
    selected: &[usize],
    options: Options<'_>,
) -> Result<Option<Results<'a>>, Failure> {
    let say = |text: &str| study.host.say(text);
    let plan = Plan::new(study, points, selected)?;
    let rows = rows(&plan, options.host_time)?;
    let mut store = Store::open(options.store, local::layout(&study)).map_err(|error| failure(&error))?;
    for part in options.merge {
        let added = store.merge(part).map_err(|error| failure(&error))?;
        say(&format!("merged {}: {} new results", shown(part), count(added)));
    }
    let cluster = options.cluster.filter(|_| !options.dry_run);
    let cluster =
        cluster.map(|settings| Cluster::open(settings, options.store, &store, study.host)).transpose()?;
    let entries = plan.points.iter().map(|planned| (planned.number, entry(&study, planned)));
    let is_whole = plan.points.len() == points.count();
    store.define(study.name, entries, is_whole).map_err(|error| failure(&error))?;
    let work = missing(&plan, &store)?;
    let conditions = match points.excluded() {
        0 => String::new(),
        excluded => format!(" ({} excluded by conditions)", count(excluded)),
    };
    let part =
        if is_whole { String::new() } else { format!(", {} selected", count(plan.points.len() as u64)) };
    let distinct = plan.points.iter().map(|planned| &planned.digest).collect::<BTreeSet<_>>().len();
    say(&format!(
        "{}: {} points{conditions}{part}, {} different runs, {} to simulate; store {}",
        study.name,
        count(points.count() as u64),
        count(distinct as u64),
        count(work.len() as u64),
        shown(options.store)
    ));
    if options.dry_run {
        return Ok(None);
    }
    let stop: Stop = study.file.given.stop;
    let done = match cluster {
        Some(cluster) => cluster.run(&plan, &mut store, work, stop)?,
        None => local::run(&plan, &mut store, &work, options.jobs, stop)?,
    };
    let outcomes = plan.points.iter().map(|planned| store.get(&planned.digest));
    let outcomes = outcomes.collect::<Result<_, _>>().map_err(|error| failure(&error))?;
    Ok(Some(Results { plan, rows, outcomes, done }))
}

/// Returns the rows of an experiment.
fn rows<'a>(plan: &Plan<'a>, host_time: bool) -> Result<Rows<'a>, Failure> {
    let file = plan.study.file;
    let mut columns = vec![Column::Number, Column::Of(Part::Kernel), Column::Of(Part::Chip)];
    columns.extend((0..file.factors.len()).map(|factor| Column::Of(Part::Factor(factor))));
    columns.extend((!file.given.seeds.is_empty()).then_some(Column::Of(Part::Seed)));
    columns.extend(variant_columns(&plan.points));
    columns.extend([Column::Verdict, Column::Message]);
    columns.extend(metric_columns(file.given.metrics.iter().map(|name| name.value.as_str())));
    columns.push(Column::Digest);
    columns.extend(host_time.then_some(Column::HostSeconds));
    Rows::new(plan.study, columns)
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

impl Results<'_> {
    /// Returns the answers to the questions of the file.
    pub fn answers(&self) -> Answers {
        answers(&self.plan, &self.outcomes)
    }

    /// Iterates over the points with their results.
    fn points(&self) -> impl Iterator<Item = PointRow<'_>> {
        self.plan.points.iter().zip(&self.outcomes).map(|(planned, outcome)| PointRow {
            number: planned.number,
            point: &planned.point,
            digest: &planned.digest,
            outcome: outcome.as_ref(),
        })
    }

    /// Returns the rows as text.
    pub fn rows(&self, format: Format) -> String {
        let lines = self.points().map(|row| self.rows.line(format, row));
        std::iter::once(self.rows.head(format)).chain(lines).collect()
    }

    /// Returns the answers as text.
    pub fn text(&self, answers: &Answers) -> String {
        sections::text(answers, self.outcomes.iter().flatten().count())
    }

    /// Returns the page.
    pub fn page(&self, answers: &Answers) -> String {
        let axes: Vec<_> = self.rows.axes().into_iter().map(Arc::new).collect();
        let mut collected = Collected::new(&self.rows, &axes, Vec::new(), true);
        self.points().for_each(|row| collected.take(&self.rows, row));
        collected.page(self.plan.study.name, &self.rows, self.outcomes.len() as u64, &sections(answers, true))
    }

    /// Prints the numbers of failed and missing points. Returns the exit code: the highest of all
    /// points, or that of Ctrl-C if a signal ended the experiment.
    ///
    /// A field that cannot be changed alone, because the rules over several fields forbid it, is no
    /// failure of a sensitivity design.
    pub fn report_ends(&self) -> Code {
        let say = |text: &str| self.plan.study.host.say(text);
        let mut tally = Tally::default();
        for row in self.points() {
            let Some(outcome) = row.outcome else { continue };
            let is_forbidden =
                matches!(row.point.variant, Variant::Field(_)) && outcome.ending == Ending::BadChip;
            if !is_forbidden {
                tally.add(outcome.ending);
            }
        }
        if let Some(failures) = tally.failures() {
            say(&failures);
        }
        let missing = self.outcomes.iter().filter(|outcome| outcome.is_none()).count() as u64;
        let (number, again) = (count(missing), "run the command again to continue");
        match self.done.early {
            Some(Early::Signal) => {
                say(&format!("interrupted: {number} points are not done; {again}"));
                return Code::Interrupted;
            }
            Some(Early::Rule(rule)) => {
                say(&format!("stopped by the rule `stop.{rule}`: {number} points are not done"));
            }
            Some(Early::Engine) => {
                say(&format!("{number} points have no result; {again}"));
                return tally.code().max(Code::BadInput);
            }
            None if missing > 0 => say(&format!("{number} points have no result in the store")),
            None => {}
        }
        tally.code()
    }
}
