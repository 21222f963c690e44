//! The local engine: simulates the points that the store does not have, on the threads of this
//! process.
//!
//! A result is written to the store as soon as it exists, so that neither Ctrl-C nor a kill loses
//! one. Points start in the order of their numbers; which of them run at the same time changes host
//! times only.

use super::engine::{Done, Early};
use super::plan::{Plan, Planned};
use super::{failure, memory};
use crate::exit::Failure;
use crate::metrics::{self, Reports};
use crate::point::{Failed, Finished, Setup};
use crate::watch::{Watch, counting, interrupt};
use experiment::file::Stop;
use experiment::ordered;
use experiment::store::{Outcome, Store, StoreError};
use indicatif::ProgressBar;
use std::ops::ControlFlow;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Time between two looks at the available memory.
const PATIENCE: Duration = Duration::from_millis(200);

/// State that the threads share.
struct Engine<'a, 'p> {
    plan: &'a Plan<'p>,
    store: Mutex<&'a mut Store>,
    stop: Stop,
    start: Instant,
    bar: ProgressBar,
    done: Mutex<Progress>,
    /// Number of running points.
    running: Mutex<u64>,
    ended: Condvar,
}

#[derive(Default)]
struct Progress {
    done: Done,
    broken: Option<StoreError>,
}

/// Simulates the points `work` of the plan, `jobs` at a time, until a rule of `stop` holds.
pub fn run(
    plan: &Plan<'_>,
    store: &mut Store,
    work: &[&Planned],
    jobs: usize,
    stop: Stop,
    watch: &Watch,
) -> Result<Done, Failure> {
    let bar = counting(work.len() as u64, "points");
    let engine = Engine {
        plan,
        store: Mutex::new(store),
        stop,
        start: Instant::now(),
        bar,
        done: Mutex::default(),
        running: Mutex::new(0),
        ended: Condvar::new(),
    };
    let threads = jobs.min(work.len()).max(1);
    let one = |index: u64| engine.point(work[index as usize], watch);
    ordered::run(work.len() as u64, threads, one, |_, flow| flow)
        .map_err(|why| Failure::input(format!("error: cannot start {threads} threads: {why}")))?;
    engine.bar.finish_and_clear();
    let Progress { mut done, broken } = engine.done.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(error) = broken {
        return Err(failure(&error));
    }
    if interrupt::asked() {
        done.early = Some(Early::Signal);
    }
    Ok(done)
}

/// Locks a value; a thread that panics ends the program.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Engine<'_, '_> {
    /// Simulates a point and stores its result; breaks if no further point may start.
    fn point(&self, planned: &Planned, watch: &Watch) -> ControlFlow<()> {
        if self.ends() {
            return ControlFlow::Break(());
        }
        self.admit();
        let start = Instant::now();
        let outcome = match self.plan.setup(&planned.point).and_then(Setup::ready) {
            Ok(ready) => ready.run(watch),
            Err(failed) => Some(Err(failed)),
        };
        *lock(&self.running) -= 1;
        self.ended.notify_all();
        let Some(result) = outcome else { return ControlFlow::Break(()) };
        let failed = result.as_ref().map_or_else(|failed| failed.code, |finished| finished.code);
        let outcome = outcome_of(result, start.elapsed());
        let put = lock(&self.store).put(&self.plan.description(planned), &outcome);
        let mut progress = lock(&self.done);
        match put {
            Ok(_) => progress.done.simulated += 1,
            Err(error) => {
                progress.broken = Some(error);
                return ControlFlow::Break(());
            }
        }
        if failed != crate::exit::Code::Fine {
            progress.done.failed += 1;
            self.bar.set_message(format!(", {} failed", progress.done.failed));
        }
        drop(progress);
        self.bar.inc(1);
        ControlFlow::Continue(())
    }

    /// Whether no further point may start; notes the reason.
    fn ends(&self) -> bool {
        let mut progress = lock(&self.done);
        let done = &mut progress.done;
        done.early = done.early.or_else(|| done.rule(&self.stop, self.start));
        done.early.is_some() || progress.broken.is_some() || interrupt::asked()
    }

    /// Waits until the host has memory for another point, unless none runs.
    fn admit(&self) {
        let mut running = lock(&self.running);
        while *running > 0 && memory::is_short() && !interrupt::asked() {
            let waited = self.ended.wait_timeout(running, PATIENCE);
            running = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        *running += 1;
    }
}

/// Returns the result of a run as a row of the store.
fn outcome_of(result: Result<Finished, Failed>, took: Duration) -> Outcome {
    let host_seconds = took.as_secs_f64();
    match result {
        Ok(Finished { verdict, code, message, reports, memory }) => {
            let reports = Reports::new(&reports);
            let metrics = metrics::ALL.iter().map(|metric| reports.value(metric)).collect();
            Outcome { verdict: verdict.to_owned(), message, code: code as u8, memory, metrics, host_seconds }
        }
        Err(Failed { verdict, code, message }) => Outcome {
            verdict: verdict.to_owned(),
            message,
            code: code as u8,
            memory: String::new(),
            metrics: vec![None; metrics::ALL.len()],
            host_seconds,
        },
    }
}
