//! Progress display of long claims: one line with the finished and the running claims. It also
//! handles Ctrl-C.

use crate::output::interrupt;
use crate::render::number::count;
use evidence::runner::Follow;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use sim_core::host::{Gpu, StopReason};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The progress line. Copies share it.
#[derive(Clone)]
pub struct Progress {
    bar: ProgressBar,
    /// (claim, progress of its launch) of the running claims, in the order in which they began.
    under_way: Arc<Mutex<Vec<(&'static str, String)>>>,
    /// Whether the results of the claims are no longer needed.
    abandoned: Arc<AtomicBool>,
}

/// A running claim.
pub struct Running {
    progress: Progress,
    claim: &'static str,
    stopped: Arc<AtomicBool>,
}

impl Progress {
    /// A progress line for `claims` claims, drawn if standard error is a terminal. From now on the
    /// first Ctrl-C stops launches, and the second one the program.
    pub fn new(claims: usize) -> Self {
        interrupt::catch();
        let bar = ProgressBar::with_draw_target(Some(claims as u64), ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template("{pos}/{len} claims, {elapsed}; {wide_msg}");
        bar.set_style(style.expect("a constant template"));
        Self { bar, under_way: Arc::default(), abandoned: Arc::default() }
    }

    /// Starts a claim.
    pub fn begin(&self, claim: &'static str) -> Running {
        self.update(|claims| claims.push((claim, String::new())));
        Running { progress: self.clone(), claim, stopped: Arc::default() }
    }

    /// Notes that the results are no longer needed.
    pub fn abandon(&self) {
        self.abandoned.store(true, Ordering::Relaxed);
    }

    /// Whether claims should stop: after Ctrl-C, or if the results are no longer needed.
    pub fn is_over(&self) -> bool {
        interrupt::flow().is_break() || self.abandoned.load(Ordering::Relaxed)
    }

    /// Hides the line while `print` prints.
    pub fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }

    /// Removes the line.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }

    fn update(&self, change: impl FnOnce(&mut Vec<(&'static str, String)>)) {
        let mut claims = self.under_way.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut claims);
        let words: Vec<String> = claims.iter().map(|(claim, far)| format!("{claim}{far}")).collect();
        self.bar.set_message(words.join("; "));
    }
}

impl Running {
    /// Returns a monitor that shows the claim's launches, and stops them when claims should stop.
    pub fn follow(&self) -> Follow {
        let (progress, claim, stopped) = (self.progress.clone(), self.claim, Arc::clone(&self.stopped));
        Follow(Arc::new(move |gpu: &mut Gpu| {
            let (progress, stopped) = (progress.clone(), Arc::clone(&stopped));
            gpu.monitor(Some(Box::new(move |launch| {
                let sample = launch.pass.map_or_else(String::new, |pass| format!(", sample {}", pass.number));
                let (done, all) = (count(launch.retired), count(launch.blocks));
                let far = format!(" ({}{sample}: {done} of {all} blocks)", launch.kernel);
                progress.update(|claims| {
                    claims
                        .iter_mut()
                        .filter(|(id, _)| *id == claim)
                        .for_each(|(_, old)| old.clone_from(&far));
                });
                if progress.is_over() {
                    stopped.store(true, Ordering::Relaxed);
                    return ControlFlow::Break(StopReason::Interrupted);
                }
                ControlFlow::Continue(())
            })));
        }))
    }

    /// Ends the claim; returns whether one of its launches was stopped.
    pub fn end(self) -> bool {
        self.progress.update(|claims| claims.retain(|(id, _)| *id != self.claim));
        self.progress.bar.inc(1);
        self.stopped.load(Ordering::Relaxed)
    }
}
