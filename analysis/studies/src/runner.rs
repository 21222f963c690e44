//! Simulates points on the threads of this process.
//!
//! Points start in the order of their numbers. A result is kept as soon as it exists, and the
//! results are then taken in order. Which points run at the same time changes host times only.

use crate::design::Point;
use crate::file::Stop;
use crate::memory;
use crate::ordered;
use crate::outcome::Outcome;
use crate::study::Study;
use indicatif::ProgressBar;
use report::exit::Failure;
use std::ops::ControlFlow;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Time between two looks at the available memory.
const PATIENCE: Duration = Duration::from_millis(200);

/// Reason why a study stopped early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Early {
    /// A signal ended the run.
    Signal,
    /// A rule of the experiment file.
    Rule(&'static str),
    /// The engine or the store failed.
    Engine,
}

/// Work that is done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Done {
    /// Number of simulated points.
    pub simulated: u64,
    /// Number of simulated points that failed.
    pub failed: u64,
    /// Reason of an early end.
    pub early: Option<Early>,
}

impl Done {
    /// Returns the rule by which no further point may start, for work that began at `start`.
    pub fn rule(&self, stop: &Stop, start: Instant) -> Option<Early> {
        let reached = |limit: Option<u64>, count: u64| limit.is_some_and(|limit| count >= limit);
        let minutes = start.elapsed().as_secs_f64() / 60.0;
        let name = if reached(stop.failed, self.failed) {
            "failed"
        } else if reached(stop.points, self.simulated) {
            "points"
        } else if stop.minutes.is_some_and(|limit| minutes >= limit) {
            "minutes"
        } else {
            return None;
        };
        Some(Early::Rule(name))
    }
}

/// How points are simulated.
pub struct Runner<'a> {
    /// Study whose points run.
    pub study: Study<'a>,
    /// Number of points that run at a time.
    pub jobs: usize,
    /// Rules that end the work early.
    pub stop: Stop,
    /// Bar of the simulated points.
    pub bar: ProgressBar,
}

/// State that the threads share.
struct Shared<'r, 'a> {
    runner: &'r Runner<'a>,
    start: Instant,
    done: Mutex<Done>,
    /// Number of running points.
    running: Mutex<u64>,
    ended: Condvar,
}

impl Runner<'_> {
    /// Simulates the points 0 to `count` − 1, which `point` returns. `keep` gets each result at
    /// once, from several threads, and `take` all results in order; both end the work with `Break`.
    ///
    /// # Errors
    ///
    /// If the threads cannot be started.
    pub fn run(
        &self,
        count: u64,
        point: impl Fn(u64) -> Point + Sync,
        keep: impl Fn(u64, &Outcome) -> ControlFlow<()> + Sync,
        mut take: impl FnMut(u64, Outcome) -> ControlFlow<()> + Send,
    ) -> Result<Done, Failure> {
        let threads = self.jobs.min(usize::try_from(count).unwrap_or(self.jobs)).max(1);
        let shared = Shared {
            runner: self,
            start: Instant::now(),
            done: Mutex::default(),
            running: Mutex::new(0),
            ended: Condvar::new(),
        };
        let work = |number| shared.point(&point(number), |outcome| keep(number, outcome));
        let taken = |number, outcome: Option<Outcome>| match outcome {
            Some(outcome) => take(number, outcome),
            None => ControlFlow::Break(()),
        };
        ordered::run(count, threads, work, taken)
            .map_err(|why| Failure::input(format!("error: cannot start {threads} threads: {why}")))?;
        let mut done = shared.done.into_inner().unwrap_or_else(PoisonError::into_inner);
        if self.study.host.interrupted() {
            done.early = Some(Early::Signal);
        }
        Ok(done)
    }
}

/// Locks a value; a thread that panics ends the program.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared<'_, '_> {
    /// Simulates a point and keeps its result; `None` if no further point may start.
    fn point(&self, point: &Point, keep: impl Fn(&Outcome) -> ControlFlow<()>) -> Option<Outcome> {
        if self.ends() {
            return None;
        }
        self.admit();
        let outcome = self.runner.study.run(point);
        *lock(&self.running) -= 1;
        self.ended.notify_all();
        let outcome = outcome?;
        let kept = keep(&outcome);
        let mut done = lock(&self.done);
        if kept.is_break() {
            done.early = done.early.or(Some(Early::Engine));
            return None;
        }
        done.simulated += 1;
        let bar = &self.runner.bar;
        if !outcome.ending.is_good() {
            done.failed += 1;
            bar.set_message(format!(", {} failed", done.failed));
        }
        drop(done);
        bar.inc(1);
        Some(outcome)
    }

    /// Whether no further point may start; notes the reason.
    fn ends(&self) -> bool {
        let mut done = lock(&self.done);
        done.early = done.early.or_else(|| done.rule(&self.runner.stop, self.start));
        done.early.is_some() || self.runner.study.host.interrupted()
    }

    /// Waits until the host has memory for another point, unless none runs.
    fn admit(&self) {
        let mut running = lock(&self.running);
        while *running > 0 && memory::is_short() && !self.runner.study.host.interrupted() {
            let waited = self.ended.wait_timeout(running, PATIENCE);
            running = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        *running += 1;
    }
}
