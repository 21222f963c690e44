//! Runs the cache ahead of the arbiter: a request that the arbiter accepts is looked up at once, in
//! its later cycle. The state of the cache changes only by look-ups, in the order of acceptance,
//! and by fetches, whose cycles are known before. The data of a fetch that the DRAM begins now
//! arrive later than any cycle of the run.

use super::{Below, Replies};
use super::{Blocked, L2, NO_REPLY, QUEUE, Query, Use};
use crate::config::WritePolicy;
use crate::mem::sectors;
use crate::time::NEVER;

/// The cycles of the latest look-ups: they say when the queue in front of the cache has space, as
/// requests leave it before their cycle.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Looked {
    /// First cycles after the latest look-ups.
    after: [u64; QUEUE],
    /// Index of the earliest.
    first: usize,
}

impl Looked {
    /// No look-up, in a run that begins at shader cycle `now`.
    #[inline]
    pub(in super::super) fn new(now: u64) -> Self {
        Self { after: [now; QUEUE], first: 0 }
    }

    #[inline]
    fn add(&mut self, at: u64) {
        self.after[self.first] = at + 1;
        self.first = (self.first + 1) % QUEUE;
    }

    /// Returns the shader cycle from which the queue has space, if `waiting` requests wait in it
    /// for a cycle after the run.
    #[inline]
    pub(in super::super) fn room_from(&self, waiting: usize) -> u64 {
        if waiting >= QUEUE { NEVER } else { self.after[(self.first + waiting) % QUEUE] }
    }
}

impl L2 {
    /// Returns the number of requests that wait to be looked up.
    #[inline]
    pub(in super::super) fn waiting(&self) -> usize {
        self.queue.len()
    }

    /// Whether dirty sectors are being written to the DRAM.
    pub(in super::super) fn is_flushing(&self) -> bool {
        self.flushing.is_some()
    }

    /// Whether the first request waits for entries in the pipeline to the DRAM.
    #[inline]
    pub(in super::super) fn lacks_entries(&self) -> bool {
        matches!(self.blocked, Blocked::ForEntries(_))
    }

    /// Returns the next shader cycle in which the first request may be looked up, unless entries
    /// become free; `None` without a request.
    #[inline]
    pub(in super::super) fn next_try(&self) -> Option<u64> {
        let query = self.queue.front()?;
        Some(match self.blocked {
            Blocked::No => query.at.max(self.free),
            _ => self.fills.front().map_or(NEVER, |fill| fill.0),
        })
    }

    /// Completes the fetches whose data arrive by shader cycle `now`.
    #[inline]
    pub(in super::super) fn fill_to(&mut self, now: u64, replies: &mut Replies) {
        while let Some((at, fetch)) = self.fills.pop_front_if(|fill| fill.0 <= now) {
            self.fill(fetch, at, replies);
            self.unblock(at);
        }
    }

    /// Answers `query` if nothing waits, its cycle is not after `last`, and it reads valid sectors.
    /// Returns whether it did.
    #[inline]
    pub(in super::super) fn answer_ahead(
        &mut self,
        query: &Query,
        last: u64,
        replies: &mut Replies,
        looked: &mut Looked,
    ) -> bool {
        let at = query.at.max(self.free);
        if !self.queue.is_empty() || self.blocked != Blocked::No || at > last || query.usage != Use::Read {
            return false;
        }
        self.fill_to(at, replies);
        let Some(slot) = self.tags.find(query.line) else { return false };
        if query.sectors & !self.lines[slot].valid != 0 {
            return false;
        }
        self.tags.touch(slot);
        let count = sectors::count(query.sectors);
        self.free = at + u64::from(self.config.sector_cycles * u32::from(count));
        self.counters.count(Use::Read, count.into(), 0);
        looked.add(at);
        if query.name != NO_REPLY {
            replies.served(query.name, count, at + u64::from(self.config.hit_cycles));
        }
        true
    }

    /// Processes the events up to shader cycle `at`, which is [`Self::next_try`].
    pub(in super::super) fn try_at(
        &mut self,
        at: u64,
        below: &mut Below<'_>,
        replies: &mut Replies,
        looked: &mut Looked,
    ) {
        self.fill_to(at, replies);
        let waiting = self.queue.len();
        if self.config.writes == WritePolicy::WriteThrough {
            self.look_up_through(at, below, replies);
        } else {
            self.look_up::<false>(at, below, replies);
        }
        if self.queue.len() < waiting {
            looked.add(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_queue_has_space_after_the_fourth_last_look_up() {
        let mut looked = Looked::new(10);
        assert_eq!([0, 3, 4].map(|waiting| looked.room_from(waiting)), [10, 10, NEVER]);
        for at in [12, 14, 20] {
            looked.add(at);
        }
        // Three leave at 12, 14 and 20; with one more that waits, the queue is full until then.
        assert_eq!([0, 1, 2, 3].map(|waiting| looked.room_from(waiting)), [10, 13, 15, 21]);
        looked.add(22);
        looked.add(30);
        assert_eq!([0, 3].map(|waiting| looked.room_from(waiting)), [15, 31]);
    }
}
