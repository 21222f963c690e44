//! The partition's side of its L2: runs it, and updates the arbiter and the DRAM.

use super::Partition;
use super::l2::Below;

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
        let entry = self.memory.cycle_at_or_after(now + self.before_dram);
        let mut below = Below {
            pipeline: &mut self.pipeline,
            room: self.pipeline_space,
            entry,
            burst_bytes: self.burst_bytes,
            observed: &mut self.observed,
        };
        l2.tick(now, &mut below, &mut self.replies);
        if full && l2.has_space() {
            self.arbiter.plan(now + 1, true);
        }
        // Behind other requests they wait for them; the memory side already has a wake-up time.
        if alone && !self.pipeline.is_empty() && self.dram.can_accept() {
            self.wake_memory_at(entry.max(self.memory_last).min(self.memory_clock));
        }
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
