//! Wakes the host threads for a batch of windows. Without a call from the lead thread, the other
//! threads sleep.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The latest call.
#[derive(Debug)]
struct Call<T> {
    /// Its number, from 1.
    number: u64,
    threads: usize,
    owners: Vec<usize>,
    from: Option<T>,
    ended: bool,
}

/// The calls to the sleeping threads. `T` describes the start of a batch.
#[derive(Debug)]
pub struct Calls<T> {
    call: Mutex<Call<T>>,
    bell: Condvar,
}

impl<T: Copy> Calls<T> {
    /// Creates the state before the first call.
    pub fn new() -> Self {
        let call = Call { number: 0, threads: 0, owners: Vec::new(), from: None, ended: false };
        Self { call: Mutex::new(call), bell: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, Call<T>> {
        self.call.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Calls the threads below `threads`, except the lead, to the batch `from`, with the owners of
    /// all components.
    pub fn call(&self, threads: usize, owners: &[usize], from: T) {
        if threads == 1 {
            return;
        }
        let mut call = self.lock();
        call.number += 1;
        call.threads = threads;
        call.owners.clear();
        call.owners.extend_from_slice(owners);
        call.from = Some(from);
        self.bell.notify_all();
    }

    /// Waits for the next call to a thread after call `seen`. Returns `None` if there are no more
    /// calls.
    pub fn next(&self, thread: usize, seen: &mut u64) -> Option<(Vec<usize>, T)> {
        let call = self.lock();
        let waits = |call: &mut Call<T>| !call.ended && (call.number == *seen || call.threads <= thread);
        let call = self.bell.wait_while(call, waits).unwrap_or_else(PoisonError::into_inner);
        *seen = call.number;
        if call.ended { None } else { call.from.map(|from| (call.owners.clone(), from)) }
    }

    /// Returns a guard that ends all threads when it is dropped, including by a panic.
    pub fn end_on_drop(&self) -> End<'_, T> {
        End(self)
    }
}

/// See [`Calls::end_on_drop`].
pub struct End<'a, T: Copy>(&'a Calls<T>);

impl<T: Copy> Drop for End<'_, T> {
    fn drop(&mut self) {
        self.0.lock().ended = true;
        self.0.bell.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::{TryRecvError, channel};

    #[test]
    fn threads_run_the_calls_for_them_and_end_with_the_guard() {
        let calls = Calls::new();
        let (came, who_came) = channel();
        std::thread::scope(|scope| {
            for thread in [1, 2] {
                let (came, calls) = (came.clone(), &calls);
                scope.spawn(move || {
                    let mut seen = 0;
                    while let Some((owners, from)) = calls.next(thread, &mut seen) {
                        assert_eq!(owners, [0, 1, 2]);
                        came.send((from, thread)).expect("the test receives");
                    }
                });
            }
            let _end = calls.end_on_drop();
            for (threads, from) in [(3, 10), (1, 20), (2, 30), (3, 40)] {
                calls.call(threads, &[0, 1, 2], from);
                let mut all: Vec<_> = who_came.iter().take(threads - 1).collect();
                all.sort_unstable();
                let expected: Vec<_> = (1..threads).map(|thread| (from, thread)).collect();
                assert_eq!(all, expected);
            }
        });
        assert_eq!(who_came.try_recv(), Err(TryRecvError::Empty), "the threads ran no other call");
    }
}
