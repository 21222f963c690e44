//! What a person sees of claims that take long: one line with those that are done and those under
//! way. And Ctrl-C.

use crate::render::number::count;
use crate::watch::interrupt;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use kernels::book::runner::Follow;
use sim_core::host::Gpu;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The line. Its copies share it.
#[derive(Clone)]
pub struct Progress {
    bar: ProgressBar,
    /// (claim, how far its launch is) of those under way, in the order in which they began.
    under_way: Arc<Mutex<Vec<(&'static str, String)>>>,
    /// Nobody reads what comes of the claims.
    abandoned: Arc<AtomicBool>,
}

/// A claim under way.
pub struct Running {
    progress: Progress,
    claim: &'static str,
    stopped: Arc<AtomicBool>,
}

impl Progress {
    /// The line of so many claims, drawn where standard error is a terminal. From now on the first
    /// Ctrl-C stops launches, and the second the program.
    pub fn new(claims: usize) -> Self {
        interrupt::catch();
        let bar = ProgressBar::with_draw_target(Some(claims as u64), ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template("{pos}/{len} claims, {elapsed}; {wide_msg}");
        bar.set_style(style.expect("a constant template"));
        Self { bar, under_way: Arc::default(), abandoned: Arc::default() }
    }

    /// A claim begins.
    pub fn begin(&self, claim: &'static str) -> Running {
        self.tell(|claims| claims.push((claim, String::new())));
        Running { progress: self.clone(), claim, stopped: Arc::default() }
    }

    /// From now on no claim need go on.
    pub fn abandon(&self) {
        self.abandoned.store(true, Ordering::Relaxed);
    }

    /// Whether no claim need go on: after Ctrl-C, or where nobody reads what comes of them.
    pub fn is_over(&self) -> bool {
        interrupt::asked() || self.abandoned.load(Ordering::Relaxed)
    }

    /// Takes the line away while `print` prints.
    pub fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }

    /// Takes the line away.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }

    fn tell(&self, change: impl FnOnce(&mut Vec<(&'static str, String)>)) {
        let mut claims = self.under_way.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut claims);
        let words: Vec<String> = claims.iter().map(|(claim, far)| format!("{claim}{far}")).collect();
        self.bar.set_message(words.join("; "));
    }
}

impl Running {
    /// Tells of its launches, and stops them where no claim need go on.
    pub fn follow(&self) -> Follow {
        let (progress, claim, stopped) = (self.progress.clone(), self.claim, Arc::clone(&self.stopped));
        Follow(Arc::new(move |gpu: &mut Gpu| {
            let (progress, stopped) = (progress.clone(), Arc::clone(&stopped));
            gpu.monitor(Some(Box::new(move |launch| {
                let sample = launch.pass.map_or_else(String::new, |pass| format!(", sample {}", pass.number));
                let (done, all) = (count(launch.retired), count(launch.blocks));
                let far = format!(" ({}{sample}: {done} of {all} blocks)", launch.kernel);
                progress.tell(|claims| {
                    claims
                        .iter_mut()
                        .filter(|(id, _)| *id == claim)
                        .for_each(|(_, old)| old.clone_from(&far));
                });
                if progress.is_over() {
                    stopped.store(true, Ordering::Relaxed);
                    return ControlFlow::Break(());
                }
                ControlFlow::Continue(())
            })));
        }))
    }

    /// The claim has ended; whether a launch of it was stopped.
    pub fn end(self) -> bool {
        self.progress.tell(|claims| claims.retain(|(id, _)| *id != self.claim));
        self.progress.bar.inc(1);
        self.stopped.load(Ordering::Relaxed)
    }
}
