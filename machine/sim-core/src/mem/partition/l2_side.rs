//! The partition's side of its L2: runs it, and updates the arbiter and the DRAM.

use super::Partition;
use super::l2::{Below, Looked, Query};

impl Partition {
    /// Runs the L2 at `now`, if there is one and it has an event.
    #[inline]
    pub(super) fn tick_l2(&mut self, now: u64) {
        if self.l2.as_ref().is_some_and(|l2| l2.wake() <= now) {
            self.serve_l2(now);
        }
    }

    fn serve_l2(&mut self, now: u64) {
        let Some(l2) = &mut self.l2 else { return };
        let (full, alone) = (!l2.has_space(), self.pipeline.is_empty());
        let mut below = Below {
            pipeline: &mut self.pipeline,
            room: self.pipeline_space,
            memory: self.memory,
            through: now + self.before_dram,
            burst_bytes: self.burst_bytes,
            observed: &mut self.observed,
        };
        l2.tick(now, &mut below, &mut self.replies);
        let freed = full && l2.has_space();
        if freed {
            self.arbiter.plan(now + 1, true);
        }
        self.sent_by_l2(alone);
    }

    /// The L2 may have sent requests to the DRAM. `alone`: the pipeline was empty before. Behind
    /// other requests they wait for them; the memory side already has a wake-up time.
    #[inline]
    fn sent_by_l2(&mut self, alone: bool) {
        if alone
            && let Some(first) = self.pipeline.front()
            && self.dram.can_accept()
        {
            self.wake_memory_at(first.entry.max(self.memory_last).min(self.memory_clock));
        }
    }

    /// Whether the L2 can run ahead of the other parts: see [`Self::run_ahead_with_l2`].
    pub(super) fn l2_runs_ahead(&self) -> bool {
        self.l2.as_ref().is_some_and(|l2| !l2.is_flushing())
            && self.before_dram > 0
            && self.after_dram > 0
            && self.observed.is_none()
            && self.host_link.is_none()
            && self.constants.is_none()
    }

    /// Gives the L2 a request at the point of order, and runs the L2 up to shader cycle `last`
    /// while a request waits in it.
    #[inline]
    pub(super) fn look_up_ahead(&mut self, query: &Query, last: u64, looked: &mut Looked) {
        let Some(l2) = &mut self.l2 else { return };
        if !l2.answer_ahead(query, last, &mut self.replies, looked) {
            l2.push(*query);
            self.run_l2(last, looked);
        }
    }

    /// Runs the L2 up to shader cycle `last` while a request waits in it. Only a lack of entries in
    /// the pipeline to the DRAM involves another part: the memory side, which may be behind the L2.
    pub(super) fn run_l2(&mut self, last: u64, looked: &mut Looked) {
        loop {
            let Some(l2) = &mut self.l2 else { return };
            let Some(at) = l2.next_try() else { return };
            if l2.lacks_entries() && self.memory_wake <= at.min(last) {
                self.run_memory(at.min(last));
                continue;
            }
            if at > last {
                return;
            }
            let alone = self.pipeline.is_empty();
            let mut below = Below {
                pipeline: &mut self.pipeline,
                room: self.pipeline_space,
                memory: self.memory,
                through: at + self.before_dram,
                burst_bytes: self.burst_bytes,
                observed: &mut self.observed,
            };
            l2.try_at(at, &mut below, &mut self.replies, looked);
            self.sent_by_l2(alone);
        }
    }

    /// Completes the fetches of the L2 whose data arrive by shader cycle `now`. No request can be
    /// looked up by then.
    #[inline]
    pub(super) fn fill_l2(&mut self, now: u64) {
        if let Some(l2) = &mut self.l2 {
            l2.fill_to(now, &mut self.replies);
        }
    }

    /// Returns the shader cycle from which the arbiter may give the L2 a request.
    #[inline]
    pub(super) fn l2_room(&self, looked: &Looked) -> u64 {
        self.l2.as_ref().map_or(0, |l2| looked.room_from(l2.waiting()))
    }

    /// The launch has ended: the following ticks write the dirty sectors of the L2 to the DRAM, and
    /// copies have no more traffic.
    pub fn flush(&mut self) {
        self.end_copies();
        if let Some(l2) = &mut self.l2 {
            l2.flush();
        }
    }
}
