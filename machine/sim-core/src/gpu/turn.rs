//! What the threads report of a window to each other. It decides how they continue.
//!
//! A turn serves every third window. When the threads meet at the end of a window, all of them have
//! read the turn of the window before: the lead clears it, and the next but one window uses it.

use crate::time::NEVER;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// Cycles of events that stop or pause the machine; [`NEVER`] if there was none.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    /// The first trap.
    pub trapped: u64,
    /// The end of the kernel.
    pub finished: u64,
    /// The end of one of several kernels, for which the machine pauses.
    pub ended: u64,
}

impl Known {
    /// The earlier cycle of each event.
    pub(super) fn earliest(self, other: Self) -> Self {
        Self {
            trapped: self.trapped.min(other.trapped),
            finished: self.finished.min(other.finished),
            ended: self.ended.min(other.ended),
        }
    }
}

/// Reports of one window.
#[derive(Debug)]
pub(super) struct Turn {
    /// Earliest cycle at which a component may have an event.
    wake: AtomicU64,
    trapped: AtomicU64,
    finished: AtomicU64,
    ended: AtomicU64,
    /// Ticks of all components.
    pub ticks: AtomicU64,
    /// Whether another window of the batch follows.
    pub another: AtomicBool,
}

impl Default for Turn {
    fn default() -> Self {
        let never = || AtomicU64::new(NEVER);
        Self {
            wake: never(),
            trapped: never(),
            finished: never(),
            ended: never(),
            ticks: AtomicU64::new(0),
            another: AtomicBool::new(true),
        }
    }
}

impl Turn {
    /// A thread reports the end of its part of the window.
    pub(super) fn report(&self, wake: u64, known: Known) {
        self.wake.fetch_min(wake, Ordering::AcqRel);
        for (all, cycle) in
            [(&self.trapped, known.trapped), (&self.finished, known.finished), (&self.ended, known.ended)]
        {
            if cycle != NEVER {
                all.fetch_min(cycle, Ordering::AcqRel);
            }
        }
    }

    /// Returns the earliest cycle at which a component may have an event, and the events of all
    /// threads.
    pub(super) fn read(&self) -> (u64, Known) {
        let of = |cycle: &AtomicU64| cycle.load(Ordering::Acquire);
        let known =
            Known { trapped: of(&self.trapped), finished: of(&self.finished), ended: of(&self.ended) };
        (of(&self.wake), known)
    }

    /// Removes the reports.
    pub(super) fn clear(&self) {
        for cycle in [&self.wake, &self.trapped, &self.finished, &self.ended] {
            cycle.store(NEVER, Ordering::Release);
        }
        self.ticks.store(0, Ordering::Release);
    }
}
