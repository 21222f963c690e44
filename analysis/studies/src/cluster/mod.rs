//! The engines of clusters: divides the points into batches, submits them to a scheduler, and adds
//! the results to the store as they arrive.
//!
//! A submission is an array of tasks, one for each batch (`batches`). A task writes its results as
//! a complete part into a folder that all hosts see (`parts`); the `scheduler` only has to run
//! tasks. So a lost worker, a lost task and a full disk of a host all look alike: points without a
//! result. They are submitted again, in smaller batches, so that a point that kills its process
//! separates from the others.
//!
//! Invariant `clusters-lose-nothing`: An engine of a cluster gives the rows of the local engine,
//! also if a worker or the program is killed or the scheduler ends: no point is lost or has two
//! results.

mod batches;
mod parts;
mod scheduler;
mod settings;

pub use batches::Batch;
pub use scheduler::Scheduler;
pub use settings::Settings;

use crate::file::Stop;
use crate::host::Host;
use crate::local::{self, failure};
use crate::outcome::Outcome;
use crate::plan::{Plan, Planned};
use crate::runner::{Done, Early};
use crate::selection;
use crate::store::Store;
use batches::divide;
use indicatif::ProgressBar;
use parts::{Parts, message, script};
use report::exit::Failure;
use report::render::number::{count, plural};
use report::text::shown;
use scheduler::{Array, Job};
use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Time between two scans of the folder of parts.
const LOOK: Duration = Duration::from_millis(500);

/// Time between two queries of the scheduler.
const ASK: Duration = Duration::from_secs(2);

/// The scheduler has ended if it does not answer this number of queries in a row.
const MOST_UNANSWERED: u32 = 5;

/// Time for which a shared folder may hide the files of a job that has ended.
const DELAY: Duration = Duration::from_secs(3);

/// Time without a result after which a hint about the workers is printed.
const QUIET: Duration = Duration::from_mins(1);

/// Maximum number of submissions of a run, and of those in a row without a new result.
const MOST_ROUNDS: usize = 6;
const MOST_IDLE: usize = 2;

/// The batches of a submission have this part of the time of those before it.
const SMALLER: f64 = 8.0;

/// Number of results of a kernel from which the time of its other points is estimated.
const SAMPLES: usize = 64;

/// A cluster, with the folder of parts, which no other run uses.
pub struct Cluster {
    settings: Settings,
    parts: Parts,
    host: Arc<dyn Host>,
}

/// State of a run.
struct Run<'r, 'p> {
    cluster: &'r Cluster,
    plan: &'r Plan<'p>,
    store: &'r mut Store,
    stop: Stop,
    start: Instant,
    bar: ProgressBar,
    done: Done,
    /// Whether a part had results, but none of its points.
    strange: bool,
    /// Whether the hint about missing workers was given.
    hinted: bool,
}

impl Cluster {
    /// Opens the folder beside the store at `path`. Ends a job that an earlier run has left, and
    /// adds its results to the store.
    ///
    /// # Errors
    ///
    /// If the folder cannot be used, or another run uses it.
    pub fn open(
        settings: Settings,
        path: &Path,
        store: &Store,
        host: &Arc<dyn Host>,
    ) -> Result<Self, Failure> {
        let parts = Parts::open(path).map_err(|why| Failure::input(format!("error: {why}")))?;
        let cluster = Self { settings, parts, host: Arc::clone(host) };
        if let Some((scheduler, job)) = cluster.parts.job()
            && scheduler.is_alive(&job).unwrap_or(false)
        {
            cluster.cancel(scheduler, &job);
        }
        let parts = cluster.parts.all().map_err(|why| cluster.failed(&why))?;
        let added = parts.iter().map(|part| cluster.merge(store, part)).sum::<Result<u64, Failure>>()?;
        if added > 0 {
            host.say(&format!("added {} of an earlier run", plural(added, "result")));
        }
        cluster.parts.clear().map_err(|why| cluster.failed(&why))?;
        Ok(cluster)
    }

    fn failed(&self, why: &io::Error) -> Failure {
        Failure::input(format!("error: cannot use the folder {}: {why}", shown(self.parts.path())))
    }

    fn cancel(&self, scheduler: Scheduler, job: &Job) {
        if let Err(why) = scheduler.cancel(job) {
            self.host.say(&format!("cannot cancel {} job {}: {why}", scheduler.name(), job.id));
        }
    }

    /// Adds the results of a part and returns their number. A part that cannot be read counts as
    /// lost.
    fn merge(&self, store: &Store, part: &Path) -> Result<u64, Failure> {
        match store.merge(part) {
            Err(error) if !error.is_of_the_store() => {
                self.host.say(&format!("a part is lost: {error}"));
                Ok(0)
            }
            result => result.map_err(|error| failure(&error)),
        }
    }

    /// Simulates the points `work` of the plan. The folder stays if points have no result.
    ///
    /// # Errors
    ///
    /// If the folder or the store cannot be used.
    pub fn run(
        self,
        plan: &Plan<'_>,
        store: &mut Store,
        mut work: Batch<'_>,
        stop: Stop,
    ) -> Result<Done, Failure> {
        let all = work.len();
        work.truncate(stop.points.map_or(all, |most| usize::try_from(most).unwrap_or(all)));
        let is_cut = work.len() < all;
        let bar = self.host.bar(work.len() as u64);
        let mut run = Run {
            cluster: &self,
            plan,
            store,
            stop,
            start: Instant::now(),
            bar,
            done: Done::default(),
            strange: false,
            hinted: false,
        };
        let result = run.rounds(work);
        run.bar.finish_and_clear();
        let mut done = run.done;
        result?;
        if done.early.is_none() {
            self.parts.remove().map_err(|why| Failure::input(format!("error: {why}")))?;
            done.early = is_cut.then_some(Early::Rule("points"));
        }
        Ok(done)
    }
}

impl Run<'_, '_> {
    /// Submits the points until all have a result.
    fn rounds(&mut self, mut rest: Batch<'_>) -> Result<(), Failure> {
        let times = self.times(&mut rest)?;
        let mut seconds = self.cluster.settings.batch_seconds;
        let mut idle = 0;
        for number in 0..MOST_ROUNDS {
            self.end();
            if rest.is_empty() || self.done.early.is_some() {
                return Ok(());
            }
            let batches = divide(&rest, seconds, |planned| times[planned.point.kernel]);
            let lost = self.round(number, &batches)?;
            let before = rest.len();
            rest = lost;
            if rest.is_empty() || self.done.early.is_some() {
                return Ok(());
            }
            if self.strange {
                self.fail(
                    "batches had results of other points: all hosts must have the same program and files",
                );
                return Ok(());
            }
            idle = if rest.len() == before { idle + 1 } else { 0 };
            if idle == MOST_IDLE {
                break;
            }
            let points = plural(rest.len() as u64, "point");
            self.say(&format!("submission {} left {points} without a result", number + 1));
            seconds /= SMALLER;
        }
        let points = plural(rest.len() as u64, "point");
        self.fail(&format!(
            "{points} have no result after several submissions; the messages are in the folder"
        ));
        Ok(())
    }

    /// Ends the run if a signal or a rule requires it.
    fn end(&mut self) {
        let host = &self.cluster.host;
        let signal = host.interrupted().then_some(Early::Signal);
        if signal.is_some() {
            host.ends();
        }
        self.done.early = self.done.early.or(signal).or_else(|| self.done.rule(&self.stop, self.start));
    }

    /// Prints a message above the progress bar.
    fn say(&self, text: &str) {
        self.bar.suspend(|| self.cluster.host.say(text));
    }

    /// Ends the run with a message.
    fn fail(&mut self, why: &str) {
        self.say(&format!("error: {why}\nnote: folder {}", shown(self.cluster.parts.path())));
        self.done.early = Some(Early::Engine);
    }

    /// Returns the expected host time in seconds of a point of each kernel, from results of the
    /// store. The first point of a kernel without a result is simulated on this host.
    fn times(&mut self, rest: &mut Batch<'_>) -> Result<Vec<f64>, Failure> {
        let kernels = self.plan.study.file.kernels.len();
        let mut measured = vec![Vec::new(); kernels];
        for planned in &self.plan.points {
            let of_kernel = &mut measured[planned.point.kernel];
            if of_kernel.len() < SAMPLES
                && let Some(outcome) = self.outcome(planned)?
            {
                of_kernel.push(outcome.host_seconds);
            }
        }
        let without = (0..kernels).filter(|kernel| measured[*kernel].is_empty());
        let first = |kernel: usize| rest.iter().find(|planned| planned.point.kernel == kernel);
        let first: Vec<&Planned> = without.filter_map(first).copied().collect();
        if !first.is_empty() {
            let jobs = self.cluster.settings.jobs;
            self.done = local::run(self.plan, self.store, &first, jobs, self.stop)?;
            for planned in first {
                let outcome = self.outcome(planned)?;
                measured[planned.point.kernel].extend(outcome.map(|outcome| outcome.host_seconds));
            }
            self.retain(rest)?;
        }
        let mean = |times: &Vec<f64>| times.iter().sum::<f64>() / times.len().max(1) as f64;
        Ok(measured.iter().map(mean).collect())
    }

    fn outcome(&self, planned: &Planned) -> Result<Option<Outcome>, Failure> {
        self.store.get(&planned.digest).map_err(|error| failure(&error))
    }

    /// Keeps the points without a result.
    fn retain(&self, points: &mut Batch<'_>) -> Result<(), Failure> {
        for planned in std::mem::take(points) {
            if !self.store.has(&planned.digest).map_err(|error| failure(&error))? {
                points.push(planned);
            }
        }
        Ok(())
    }

    /// Submits batches and waits for them; returns the points without a result.
    fn round<'w>(&mut self, number: usize, batches: &[Batch<'w>]) -> Result<Batch<'w>, Failure> {
        let Cluster { settings, parts, .. } = self.cluster;
        let mut open: BTreeMap<usize, Batch<'w>> = batches.iter().cloned().enumerate().collect();
        let rest = |open: BTreeMap<usize, Batch<'w>>| open.into_values().flatten().collect();
        let selections: Vec<String> = batches
            .iter()
            .map(|batch| selection::text(&batch.iter().map(|planned| planned.number).collect::<Vec<_>>()))
            .collect();
        let current = std::env::current_dir().map_err(|why| self.cluster.failed(&why))?;
        let folder = parts.path().join(number.to_string());
        let text = script(settings.scheduler, &folder, &current, &settings.program, &settings.command);
        parts.round(number, &text, &selections).map_err(|why| self.cluster.failed(&why))?;
        let array = Array {
            name: &format!("warpsim-{}-{number}", std::process::id()),
            script: &folder.join("batch.sh"),
            folder: &folder,
            tasks: batches.len(),
            arguments: &settings.arguments,
        };
        let job = match settings.scheduler.submit(&array) {
            Ok(job) => job,
            Err(why) => {
                self.fail(&format!("cannot submit to {}: {why}", settings.scheduler.name()));
                return Ok(rest(open));
            }
        };
        let points = plural(batches.iter().map(Vec::len).sum::<usize>() as u64, "point");
        let (tasks, ending) = (count(batches.len() as u64), if batches.len() == 1 { "" } else { "es" });
        self.say(&format!("{} job {}: {points} in {tasks} batch{ending}", settings.scheduler.name(), job.id));
        let noted = parts.note(settings.scheduler, &job).map_err(|why| self.cluster.failed(&why));
        let result = noted.and_then(|()| self.wait(&job, &folder, &mut open));
        let ends_early = matches!(self.done.early, Some(Early::Signal | Early::Rule(_)));
        if (result.is_err() || ends_early) && !open.is_empty() {
            self.cluster.cancel(settings.scheduler, &job);
        }
        result?;
        if !open.is_empty()
            && self.done.early.is_none()
            && let Some(text) = message(&folder, open.keys().copied())
        {
            self.say(&text);
        }
        Ok(rest(open))
    }

    /// Waits until all batches have a part or the job has ended. `open` keeps the batches with
    /// points without a result.
    fn wait(
        &mut self,
        job: &Job,
        folder: &Path,
        open: &mut BTreeMap<usize, Batch<'_>>,
    ) -> Result<(), Failure> {
        let scheduler = self.cluster.settings.scheduler;
        let mut waiting: Vec<usize> = open.keys().copied().collect();
        let (start, mut asked, mut unanswered) = (Instant::now(), Instant::now(), 0);
        let mut ended: Option<Instant> = None;
        loop {
            if ended.is_none() && asked.elapsed() >= ASK {
                match scheduler.is_alive(job) {
                    Ok(true) => unanswered = 0,
                    Ok(false) => ended = Some(Instant::now()),
                    Err(why) => {
                        unanswered += 1;
                        if unanswered == MOST_UNANSWERED {
                            self.fail(&format!("{} does not answer: {why}", scheduler.name()));
                        }
                    }
                }
                asked = Instant::now();
            }
            self.collect(folder, &mut waiting, open)?;
            if waiting.is_empty() || ended.is_some_and(|ended| ended.elapsed() >= DELAY) {
                return Ok(());
            }
            self.end();
            if self.done.early.is_some() {
                return Ok(());
            }
            if !self.hinted && self.done.simulated == 0 && start.elapsed() >= QUIET {
                self.hinted = true;
                let look = scheduler.look();
                self.say(&format!("no batch has ended: `{look}` shows the workers"));
            }
            sleep(LOOK);
        }
    }

    /// Adds the results of new parts.
    fn collect(
        &mut self,
        folder: &Path,
        waiting: &mut Vec<usize>,
        open: &mut BTreeMap<usize, Batch<'_>>,
    ) -> Result<(), Failure> {
        for number in std::mem::take(waiting) {
            let part = folder.join(format!("{number}.sqlite"));
            if !part.exists() {
                waiting.push(number);
                continue;
            }
            let added = self.cluster.merge(self.store, &part)?;
            let Some(batch) = open.get_mut(&number) else { continue };
            let before = batch.len();
            for planned in batch.iter() {
                if let Some(outcome) = self.outcome(planned)? {
                    self.done.simulated += 1;
                    self.done.failed += u64::from(!outcome.ending.is_good());
                }
            }
            self.retain(batch)?;
            self.strange |= added > 0 && batch.len() == before;
            self.bar.inc((before - batch.len()) as u64);
            if batch.is_empty() {
                open.remove(&number);
            }
        }
        Ok(())
    }
}
