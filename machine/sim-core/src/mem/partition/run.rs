//! Runs the parts of a partition: in each cycle, or each part alone for as long as the others do
//! not affect it.

use super::Partition;
use super::l2::Looked;
use crate::time::message::{PartitionOutbox, RequestKind};

impl Partition {
    /// Processes the events due at shader cycle `now`. A call before [`Partition::next_wake`]
    /// changes nothing.
    #[inline]
    pub fn tick(&mut self, now: u64, out: &mut PartitionOutbox) {
        if now < self.wake() {
            return;
        }
        self.act(now, out);
    }

    fn act(&mut self, now: u64, out: &mut PartitionOutbox) {
        self.send_replies(now, out);
        self.act_inside(now, out);
    }

    /// Same as [`Self::act`], except that replies do not leave. The port may follow later: a reply
    /// that is ready later than a cycle leaves after those that have left by this cycle.
    #[inline]
    fn act_inside(&mut self, now: u64, out: &mut PartitionOutbox) {
        self.tick_memory_and_plan(now, now);
        while self.arbiter.wake() <= now
            && let Some(link) = self.arbiter.take(now, self.has_space())
        {
            if self.arbiter.links.head(link).kind == RequestKind::Fence {
                // The reply to a fence leaves behind earlier replies.
                self.send_replies(now, out);
            }
            self.order(link, now, out);
            self.arbiter.links.remove(link);
            self.last_message = self.last_message.max(now);
            self.arbiter.plan(now, self.has_space());
        }
        self.tick_l2(now);
        // A request without pipeline time may enter the DRAM queue in the same cycle.
        self.tick_memory_and_plan(now, now + 1);
    }

    /// Processes all events from shader cycle `now` to before `end`, while no request arrives.
    /// Returns the number of ticks.
    ///
    /// DRAM commands affect the other parts only through the queues between them. The DRAM
    /// therefore runs alone until another part has an event. The arbiter, or the L2 behind it,
    /// needs the DRAM only while the pipeline is full: both run ahead of the DRAM, except while one
    /// of them has a recorder or mapped memory. The reply port follows.
    pub fn run(&mut self, now: u64, end: u64, out: &mut PartitionOutbox) -> u64 {
        if self.l2_runs_ahead() {
            self.run_ahead_with_l2(now, end, out)
        } else if self.l2.is_none() && self.before_dram > 0 {
            self.run_ahead(end, out)
        } else {
            self.run_together(now, end, out)
        }
    }

    /// Same as [`Self::run`], with an L2 and a pipeline before and behind the DRAM.
    ///
    /// A request is looked up when the arbiter accepts it, in its later cycle (`l2::ahead`). The
    /// DRAM follows at the end, or when the L2 finds no entry in the pipeline: what it reads
    /// arrives after the pipeline behind it, so a run is not longer than that.
    fn run_ahead_with_l2(&mut self, mut now: u64, end: u64, out: &mut PartitionOutbox) -> u64 {
        let mut ticks = 0;
        while now < end {
            let until = end.min(now.saturating_add(self.after_dram));
            let last = until - 1;
            let mut looked = Looked::new(now);
            self.run_l2(last, &mut looked);
            let mut room = self.l2_room(&looked);
            while let Some((at, link)) = self.arbiter.choose(until, room) {
                ticks += 2;
                let query = match self.arbiter.links.head(link).kind {
                    RequestKind::Load | RequestKind::Fill { local: false } => {
                        Some(self.perform_read(link, at, out))
                    }
                    kind => {
                        if kind == RequestKind::Fence {
                            // The reply to a fence leaves behind earlier replies.
                            self.fill_l2(at);
                            self.send_replies(at, out);
                        }
                        self.perform(link, at, out)
                    }
                };
                self.arbiter.links.remove(link);
                self.last_message = self.last_message.max(at);
                if let Some(query) = query {
                    self.look_up_ahead(&query, last, &mut looked);
                    room = self.l2_room(&looked);
                }
            }
            self.fill_l2(last);
            if self.memory_wake < until {
                self.tick_memory(last);
            }
            self.send_replies(last, out);
            ticks += 1;
            now = self.wake().max(until);
        }
        ticks
    }

    /// Same as [`Self::run`], with all parts except the reply port in the same cycle.
    fn run_together(&mut self, mut now: u64, end: u64, out: &mut PartitionOutbox) -> u64 {
        let mut ticks = 0;
        loop {
            let others = self.inner_wake().max(now);
            ticks += 1;
            if self.memory_wake < others.min(end) {
                self.run_memory(others.min(end) - 1);
                continue;
            }
            if others >= end {
                break;
            }
            self.act_inside(others, out);
            now = others + 1;
        }
        self.send_replies(end - 1, out);
        ticks
    }

    /// Same as [`Self::run`], without an L2 and with a pipeline in front of the DRAM queue: a
    /// request enters the DRAM queue after the cycle in which the arbiter accepts it.
    ///
    /// The pipeline contains requests that have left it by the arbiter's cycle. It is therefore
    /// full only if the DRAM has run up to this cycle. A reply that is ready later than a cycle
    /// leaves after those that have left by this cycle, so the port can follow at the end.
    fn run_ahead(&mut self, end: u64, out: &mut PartitionOutbox) -> u64 {
        let mut ticks = 0;
        loop {
            let (at, room) = (self.arbiter.wake(), self.has_space());
            if !room && self.memory_wake <= at && self.memory_wake < end {
                self.tick_memory_and_plan(self.memory_wake, self.memory_wake);
                continue;
            }
            if at >= end {
                break;
            }
            // With its DRAM commands and its reply.
            ticks += 2;
            let Some(link) = self.arbiter.take(at, room) else { break };
            let head = self.arbiter.links.head(link);
            if matches!(head.kind, RequestKind::Fence | RequestKind::Line | RequestKind::Texture)
                || head.chunk >= self.mapped_from
            {
                // The reply to a fence leaves behind earlier replies, and the DRAM fills the caches
                // of constants and textures. Of two replies that are ready in the same cycle, from
                // the DRAM and from the host, the one served first leaves first.
                if self.memory_wake <= at {
                    self.tick_memory(at);
                }
                self.send_replies(at, out);
            }
            self.order(link, at, out);
            self.arbiter.links.remove(link);
            self.last_message = self.last_message.max(at);
            self.arbiter.plan(at, self.has_space());
        }
        if self.memory_wake < end {
            self.tick_memory(end - 1);
        }
        self.send_replies(end - 1, out);
        ticks
    }

    /// Sends all replies that have left by shader cycle `now`.
    #[inline]
    fn send_replies(&mut self, now: u64, out: &mut PartitionOutbox) {
        while let Some((at, cluster, message)) = self.replies.pop(now, self.crossbar_latency) {
            // Copied once: a message that is pushed is copied to the stack first.
            out.to(cluster).replies.extend_from_slice(std::slice::from_ref(message));
            self.last_message = self.last_message.max(at);
        }
    }

    /// Lets the memory side act at command cycle `clock`.
    pub(super) fn wake_memory_at(&mut self, clock: u64) {
        self.memory_clock = clock;
        self.memory_wake = self.memory.start_of(clock);
    }
}
