//! The unit of the L2 that changes words: atomics on one word go one after the other, on different words side by side.

use std::collections::VecDeque;

/// Requests that it works on at once.
const PLACES: usize = 16;

/// What it works on.
#[derive(Clone, Copy, Debug)]
struct Busy {
    /// First hot cycle in which it is done.
    until: u64,
    line: u64,
    /// The words of the line, as bits.
    words: u32,
}

/// The unit.
#[derive(Clone, Debug)]
pub(super) struct Atomics {
    /// Hot cycles for one operation on a word.
    cycles: u64,
    busy: VecDeque<Busy>,
}

impl Atomics {
    /// An idle unit.
    pub(super) fn new(cycles: u32) -> Self {
        Self { cycles: cycles.into(), busy: VecDeque::with_capacity(PLACES) }
    }

    /// The first hot cycle, `now` or later, at which it can begin with `words` of line number `line`.
    pub(super) fn free_at(&mut self, now: u64, line: u64, words: u32) -> u64 {
        self.busy.retain(|busy| busy.until > now);
        let same = self.busy.iter().filter(|busy| busy.line == line && busy.words & words != 0);
        let free = same.map(|busy| busy.until).max().unwrap_or(now);
        if self.busy.len() < PLACES {
            return free;
        }
        free.max(self.busy.iter().map(|busy| busy.until).min().unwrap_or(now))
    }

    /// Begins at `now`, which [`Self::free_at`] has allowed; `crowd` operations fall on one of the words at most. Gives
    /// the hot cycles until the last of them begins.
    pub(super) fn begin(&mut self, now: u64, line: u64, words: u32, crowd: u32) -> u64 {
        debug_assert!(self.busy.len() < PLACES, "asked before");
        let last = self.cycles * u64::from(crowd.max(1) - 1);
        self.busy.push_back(Busy { until: now + last + self.cycles, line, words });
        last
    }
}
