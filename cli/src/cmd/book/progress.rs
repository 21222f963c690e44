//! What a person sees of rows that take long: one line with those that are done and those under
//! way. And Ctrl-C.

use crate::render::number::count;
use crate::watch::interrupt;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use kernels::book::bench::Follow;
use sim_core::host::Gpu;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The line. Its copies share it.
#[derive(Clone)]
pub struct Progress {
    bar: ProgressBar,
    /// (row, how far its launch is) of those under way, in the order in which they began.
    under_way: Arc<Mutex<Vec<(&'static str, String)>>>,
    /// Nobody reads what comes of the rows.
    abandoned: Arc<AtomicBool>,
}

/// A row under way.
pub struct Running {
    progress: Progress,
    row: &'static str,
    stopped: Arc<AtomicBool>,
}

impl Progress {
    /// The line of so many rows, drawn where standard error is a terminal. From now on the first
    /// Ctrl-C stops launches, and the second the program.
    pub fn new(rows: usize) -> Self {
        interrupt::catch();
        let bar = ProgressBar::with_draw_target(Some(rows as u64), ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template("{pos}/{len} rows, {elapsed}; {wide_msg}");
        bar.set_style(style.expect("a constant template"));
        Self { bar, under_way: Arc::default(), abandoned: Arc::default() }
    }

    /// A row begins.
    pub fn begin(&self, row: &'static str) -> Running {
        self.tell(|rows| rows.push((row, String::new())));
        Running { progress: self.clone(), row, stopped: Arc::default() }
    }

    /// From now on no row need go on.
    pub fn abandon(&self) {
        self.abandoned.store(true, Ordering::Relaxed);
    }

    /// Whether no row need go on: after Ctrl-C, or where nobody reads what comes of them.
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
        let mut rows = self.under_way.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut rows);
        let words: Vec<String> = rows.iter().map(|(row, far)| format!("{row}{far}")).collect();
        self.bar.set_message(words.join("; "));
    }
}

impl Running {
    /// Tells of its launches, and stops them where no row need go on.
    pub fn follow(&self) -> Follow {
        let (progress, row, stopped) = (self.progress.clone(), self.row, Arc::clone(&self.stopped));
        Follow(Arc::new(move |gpu: &mut Gpu| {
            let (progress, stopped) = (progress.clone(), Arc::clone(&stopped));
            gpu.monitor(Some(Box::new(move |launch| {
                let sample = launch.pass.map_or_else(String::new, |pass| format!(", sample {}", pass.number));
                let (done, all) = (count(launch.retired), count(launch.blocks));
                let far = format!(" ({}{sample}: {done} of {all} blocks)", launch.kernel);
                progress.tell(|rows| {
                    rows.iter_mut().filter(|(id, _)| *id == row).for_each(|(_, old)| old.clone_from(&far));
                });
                if progress.is_over() {
                    stopped.store(true, Ordering::Relaxed);
                    return ControlFlow::Break(());
                }
                ControlFlow::Continue(())
            })));
        }))
    }

    /// The row has ended; whether a launch of it was stopped.
    pub fn end(self) -> bool {
        self.progress.tell(|rows| rows.retain(|(id, _)| *id != self.row));
        self.progress.bar.inc(1);
        self.stopped.load(Ordering::Relaxed)
    }
}
