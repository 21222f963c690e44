//! Parallel work whose results are consumed in order, each as soon as all earlier results are
//! available.
//!
//! Invariant `sweeps-are-deterministic`: The rows of a sweep are the same bytes for any number of
//! jobs, in order, with failures among them.

use rayon::iter::{ParallelBridge, ParallelIterator};
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::{Condvar, Mutex, MutexGuard};

/// Maximum distance between running work and the oldest missing result. It bounds the results kept
/// in memory.
const AHEAD: u64 = 1024;

/// State shared by the threads.
struct Shared<T, F> {
    /// Index of the next result to consume.
    next: u64,
    /// Results that arrived before their turn.
    early: BTreeMap<u64, T>,
    take: F,
    /// Whether threads must not start new work.
    stopped: bool,
}

struct Queue<T, F> {
    shared: Mutex<Shared<T, F>>,
    moved: Condvar,
}

impl<T, F: FnMut(u64, T) -> ControlFlow<()>> Queue<T, F> {
    fn lock(&self) -> MutexGuard<'_, Shared<T, F>> {
        self.shared.lock().expect("a thread that panics stops all others")
    }

    /// Waits until `index` is close enough to the oldest missing result; returns whether to start
    /// it.
    fn admit(&self, index: u64) -> bool {
        let shared = self.lock();
        let far = |s: &mut Shared<T, F>| !s.stopped && index >= s.next + AHEAD;
        !self.moved.wait_while(shared, far).expect("as above").stopped
    }

    /// Stores a result and consumes all results whose turn has come.
    fn deliver(&self, index: u64, result: T) {
        let mut guard = self.lock();
        let shared = &mut *guard;
        shared.early.insert(index, result);
        while let Some(result) = shared.early.remove(&shared.next) {
            if shared.stopped {
                break;
            }
            shared.stopped = (shared.take)(shared.next, result).is_break();
            shared.next += 1;
        }
        drop(guard);
        self.moved.notify_all();
    }
}

/// Stops the other threads when the thread that holds it panics, because they would wait for its
/// result.
struct StopOnPanic<'q, T, F>(&'q Queue<T, F>);

impl<T, F> Drop for StopOnPanic<'_, T, F> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            if let Ok(mut shared) = self.0.shared.lock() {
                shared.stopped = true;
            }
            self.0.moved.notify_all();
        }
    }
}

/// Calls `work` for 0 to `count` − 1 on `jobs` threads and passes the results to `take` in order,
/// one at a time, until it breaks. Fails if the threads cannot be started.
pub fn run<T: Send>(
    count: u64,
    jobs: usize,
    work: impl Fn(u64) -> T + Sync,
    take: impl FnMut(u64, T) -> ControlFlow<()> + Send,
) -> Result<(), String> {
    let shared = Shared { next: 0, early: BTreeMap::new(), take, stopped: false };
    let queue = Queue { shared: Mutex::new(shared), moved: Condvar::new() };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).build().map_err(|e| e.to_string())?;
    // The bridge assigns numbers in order. So a thread that does not wait always works on the
    // oldest missing result, and every wait ends.
    pool.install(|| {
        (0..count).par_bridge().for_each(|index| {
            let guard = StopOnPanic(&queue);
            if guard.0.admit(index) {
                queue.deliver(index, work(index));
            }
        });
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU64, Ordering};

    /// Tests: `sweeps-are-deterministic`.
    #[test]
    fn results_arrive_in_order_regardless_of_duration() {
        for jobs in [1, 2, 7] {
            let mut taken = Vec::new();
            let work = |i: u64| {
                if i.is_multiple_of(3) {
                    std::thread::sleep(std::time::Duration::from_micros(300));
                }
                i * i
            };
            run(200, jobs, work, |i, square| {
                taken.push((i, square));
                ControlFlow::Continue(())
            })
            .unwrap();
            assert_eq!(taken, (0..200).map(|i| (i, i * i)).collect::<Vec<_>>(), "{jobs} jobs");
        }
    }

    #[test]
    fn no_thread_runs_far_ahead_of_a_slow_one() {
        let (highest, first_done) = (AtomicU64::new(0), AtomicU64::new(0));
        let work = |i: u64| {
            if i == 0 {
                // Until the other thread cannot start any more work.
                while highest.load(Ordering::SeqCst) < AHEAD - 1 {
                    std::thread::yield_now();
                }
                std::thread::sleep(std::time::Duration::from_millis(20));
                first_done.store(highest.load(Ordering::SeqCst), Ordering::SeqCst);
            }
            highest.fetch_max(i, Ordering::SeqCst);
        };
        run(3 * AHEAD, 2, work, |_, ()| ControlFlow::Continue(())).unwrap();
        assert_eq!(first_done.load(Ordering::SeqCst), AHEAD - 1);
        assert_eq!(highest.load(Ordering::SeqCst), 3 * AHEAD - 1);
    }

    #[test]
    fn a_break_ends_the_work() {
        let mut taken = 0;
        let stop_at_five = |i: u64, (): ()| {
            taken += 1;
            if i == 5 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        run(100_000, 3, |_| (), stop_at_five).unwrap();
        assert_eq!(taken, 6);
    }

    /// Tests: `panicking-threads`.
    #[test]
    fn a_panic_does_not_leave_the_others_waiting() {
        let panicking = || {
            let work = |i: u64| assert!(i != 0, "the first one fails");
            run(10 * AHEAD, 3, work, |_, ()| ControlFlow::Continue(()))
        };
        assert!(std::panic::catch_unwind(panicking).is_err());
    }
}
