//! A barrier for the host threads that run islands: spins briefly, then sleeps, and lets nobody wait for a thread
//! that has panicked.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

/// Spins before a waiting thread goes to sleep: about as long as a window takes, so that threads on cores of their
/// own do not sleep, and threads that share a core do not burn it.
const SPINS: u32 = 1_000;

/// The barrier.
pub struct SpinBarrier {
    threads: usize,
    arrived: AtomicUsize,
    round: AtomicUsize,
    broken: AtomicBool,
    /// Threads that sleep or are about to.
    sleepers: AtomicUsize,
    bed: Mutex<()>,
    alarm: Condvar,
}

impl SpinBarrier {
    /// For `threads` threads.
    pub fn new(threads: usize) -> Self {
        Self {
            threads,
            arrived: AtomicUsize::new(0),
            round: AtomicUsize::new(0),
            broken: AtomicBool::new(false),
            sleepers: AtomicUsize::new(0),
            bed: Mutex::new(()),
            alarm: Condvar::new(),
        }
    }

    /// Waits until all threads have called it.
    ///
    /// # Panics
    /// If another thread has panicked: its panic is the one to read.
    pub fn wait(&self) {
        if self.threads == 1 {
            return;
        }
        let round = self.round.load(Ordering::SeqCst);
        if self.arrived.fetch_add(1, Ordering::SeqCst) + 1 == self.threads {
            self.arrived.store(0, Ordering::SeqCst);
            self.round.store(round.wrapping_add(1), Ordering::SeqCst);
            self.wake_sleepers();
            return;
        }
        for _ in 0..SPINS {
            if self.passed(round) {
                return;
            }
            std::hint::spin_loop();
        }
        // The count goes up before the round is looked at again, and the last thread looks at the count after it
        // has changed the round: one of the two sees the other.
        self.sleepers.fetch_add(1, Ordering::SeqCst);
        let mut bed = self.bed.lock().unwrap_or_else(PoisonError::into_inner);
        while !self.passed(round) {
            bed = self.alarm.wait(bed).unwrap_or_else(PoisonError::into_inner);
        }
        self.sleepers.fetch_sub(1, Ordering::SeqCst);
    }

    /// Whether `round` is over.
    fn passed(&self, round: usize) -> bool {
        assert!(!self.broken.load(Ordering::SeqCst), "another thread of the simulation panicked");
        self.round.load(Ordering::SeqCst) != round
    }

    fn wake_sleepers(&self) {
        if self.sleepers.load(Ordering::SeqCst) > 0 {
            let _bed = self.bed.lock().unwrap_or_else(PoisonError::into_inner);
            self.alarm.notify_all();
        }
    }

    /// Held by a thread while it works: if it panics, the others are told.
    pub fn guard(&self) -> Guard<'_> {
        Guard(self)
    }
}

/// See [`SpinBarrier::guard`].
pub struct Guard<'a>(&'a SpinBarrier);

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.broken.store(true, Ordering::SeqCst);
            self.0.wake_sleepers();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_passes_before_the_last_has_come() {
        let barrier = SpinBarrier::new(3);
        let count = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    for round in 1..=100 {
                        count.fetch_add(1, Ordering::Relaxed);
                        barrier.wait();
                        assert_eq!(count.load(Ordering::Relaxed), 3 * round);
                        barrier.wait();
                    }
                });
            }
        });
    }

    #[test]
    fn a_panic_does_not_leave_the_others_waiting() {
        let barrier = SpinBarrier::new(2);
        let ended = std::thread::scope(|scope| {
            let dies = scope.spawn(|| {
                let _guard = barrier.guard();
                panic!("on purpose");
            });
            let waits = scope.spawn(|| barrier.wait());
            [dies.join().is_err(), waits.join().is_err()]
        });
        assert_eq!(ended, [true, true]);
    }
}
