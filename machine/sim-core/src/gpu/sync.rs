//! A barrier for the host threads that run components. It spins briefly, then sleeps. It counts the
//! overhead of waiting, and no thread waits for a thread that has panicked.
//!
//! Invariant `panicking-threads`: A host thread that panics does not leave the other threads
//! waiting.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

/// Spins before a waiting thread sleeps: some milliseconds, which is longer than windows. So the
/// others sleep only if a thread has lost its core.
const SPINS: u64 = 1 << 16;

/// Waiting overhead of all threads together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Waste {
    /// Iterations of the spin loop.
    pub spins: u64,
    /// Number of sleeps.
    pub sleeps: u64,
}

/// A barrier that spins before it sleeps.
pub struct SpinBarrier {
    threads: AtomicUsize,
    /// Whether a waiting thread spins before it sleeps.
    spinning: AtomicBool,
    arrived: AtomicUsize,
    round: AtomicUsize,
    broken: AtomicBool,
    spins: AtomicU64,
    sleeps: AtomicU64,
    /// Number of threads that sleep or are about to sleep.
    sleepers: AtomicUsize,
    bed: Mutex<()>,
    alarm: Condvar,
}

impl SpinBarrier {
    /// Creates a barrier for `threads` threads.
    pub fn new(threads: usize) -> Self {
        Self {
            threads: AtomicUsize::new(threads),
            spinning: AtomicBool::new(true),
            arrived: AtomicUsize::new(0),
            round: AtomicUsize::new(0),
            broken: AtomicBool::new(false),
            spins: AtomicU64::new(0),
            sleeps: AtomicU64::new(0),
            sleepers: AtomicUsize::new(0),
            bed: Mutex::new(()),
            alarm: Condvar::new(),
        }
    }

    /// Changes the number of threads, and whether a waiting thread spins. No thread may be waiting.
    pub fn set_threads(&self, threads: usize, spinning: bool) {
        self.threads.store(threads, Ordering::SeqCst);
        self.spinning.store(spinning, Ordering::SeqCst);
    }

    /// Returns the overhead of all waits so far.
    pub fn waste(&self) -> Waste {
        Waste { spins: self.spins.load(Ordering::Relaxed), sleeps: self.sleeps.load(Ordering::Relaxed) }
    }

    /// Waits until all threads have called it.
    ///
    /// # Panics
    /// If another thread has panicked. That panic is the cause.
    pub fn wait(&self) {
        let threads = self.threads.load(Ordering::SeqCst);
        if threads == 1 {
            return;
        }
        let round = self.round.load(Ordering::SeqCst);
        if self.arrived.fetch_add(1, Ordering::SeqCst) + 1 == threads {
            self.arrived.store(0, Ordering::SeqCst);
            self.round.store(round.wrapping_add(1), Ordering::SeqCst);
            self.wake_sleepers();
            return;
        }
        let most = if self.spinning.load(Ordering::SeqCst) { SPINS } else { 0 };
        for spins in 0..most {
            if self.passed(round) {
                self.spins.fetch_add(spins, Ordering::Relaxed);
                return;
            }
            std::hint::spin_loop();
        }
        self.spins.fetch_add(most, Ordering::Relaxed);
        self.sleeps.fetch_add(1, Ordering::Relaxed);
        // A waiting thread increments the count before it checks the round again. The last thread
        // reads the count after it has changed the round. So at least one sees the other's change.
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

    /// A thread holds this guard while it works: if it panics, the other threads panic too instead
    /// of waiting.
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
    fn no_thread_passes_before_the_last_has_arrived() {
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
    fn the_number_of_threads_can_change_between_rounds() {
        let barrier = SpinBarrier::new(1);
        barrier.wait();
        assert_eq!(barrier.waste(), Waste::default(), "one thread does not wait");
        for (threads, spinning) in [(3, true), (1, true), (2, false), (3, false), (2, true)] {
            barrier.set_threads(threads, spinning);
            std::thread::scope(|scope| {
                (0..threads).for_each(|_| _ = scope.spawn(|| (0..100).for_each(|_| barrier.wait())));
            });
        }
    }

    /// Tests: `panicking-threads`.
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
