//! A barrier for the host threads that run islands: spins briefly, then yields, and lets nobody wait for a thread
//! that has panicked.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Spins before a waiting thread gives its core away: about the length of a short window.
const SPINS: u32 = 2_000;

/// The barrier.
pub struct SpinBarrier {
    threads: usize,
    arrived: AtomicUsize,
    round: AtomicUsize,
    broken: AtomicBool,
}

impl SpinBarrier {
    /// For `threads` threads.
    pub fn new(threads: usize) -> Self {
        Self {
            threads,
            arrived: AtomicUsize::new(0),
            round: AtomicUsize::new(0),
            broken: AtomicBool::new(false),
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
        let round = self.round.load(Ordering::Acquire);
        if self.arrived.fetch_add(1, Ordering::AcqRel) + 1 == self.threads {
            self.arrived.store(0, Ordering::Release);
            self.round.store(round.wrapping_add(1), Ordering::Release);
            return;
        }
        let mut spins = 0;
        while self.round.load(Ordering::Acquire) == round {
            assert!(!self.broken.load(Ordering::Relaxed), "another thread of the simulation panicked");
            spins += 1;
            if spins < SPINS {
                std::hint::spin_loop();
            } else {
                std::thread::yield_now();
            }
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
            self.0.broken.store(true, Ordering::Relaxed);
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
