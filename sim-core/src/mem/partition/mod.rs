//! A memory partition: the island with the point of order.
//!
//! ```text
//! links ─► input arbiter ─► pipeline ─► DRAM queue ─► DRAM ─► pipeline ─► reply port ─► clusters
//!          core clock       hot cycles  command clock         hot cycles  hot cycles
//! ```
//!
//! The arbiter takes one request at a time, going round the links, and is busy for `arbiter_cycles`
//! core cycles per transaction. In the cycle of taking a load reads and a store writes the image:
//! that is the order of global memory. All that follows moves only time. The link's credit goes
//! home at once, and so does a fence's answer, which uses no reply port.
//!
//! A load or store is taken only when the pipeline in front of the DRAM queue has room. It holds
//! what the arbiter can put into it while one request passes, and one more; a request waits at its
//! end while the queue is full. The first half of `pipeline_cycles` (rounded down) lies before the
//! DRAM queue, the rest between the last data beat and the reply port, which reply data occupy for
//! their bytes. A store ends with its DRAM write; an atomic is a DRAM read and a DRAM write, and
//! its reply waits for the first. Atomics on one word go one after the other, `atomic_cycles`
//! apart, and what comes behind one in the pipeline waits for it: see `atomics`.
//!
//! Where the chip has an L2 it stands between the arbiter and the first half of the pipeline, and
//! most requests end there: see `l2`.
//!
//! What leaves at hot cycle t arrives at t plus the crossbar's latency, so that arrivals never
//! decrease.
//!
//! Invariant `point-of-order`: Global memory is read and written when the arbiter accepts a
//! request, in the order of acceptance, and nowhere else.
//!
//! Invariant `fences`: A fence is answered in the cycle in which the arbiter accepts it, and never
//! waits for space in a queue.
//!
//! Invariant `unloaded-latency`: A load on an idle chip has the published latency.

mod arbiter;
mod atomics;
mod cached;
mod constants;
mod l2;
mod lanes;
mod links;
mod order;
mod replies;
mod report;

#[cfg(test)]
mod tests;

pub use l2::L2Counters;
pub use report::{LinkWait, PartitionCounters, PartitionStuck};

use super::dram::{Command, Dram};
use super::image::PartitionImage;
use super::map::AddressMap;
use crate::config::{Clocks, CrossbarConfig, PartitionConfig};
use crate::time::NEVER;
use crate::time::clock::Domain;
use crate::time::message::{PartitionOutbox, Request};
use arbiter::Arbiter;
use atomics::Atomics;
use constants::Constants;
use l2::L2;
use replies::Replies;
use std::collections::VecDeque;

/// The DRAM's name for what nobody waits for: writes, and what a reduction reads.
const NOBODY: u32 = u32::MAX;

/// A request between the arbiter and the DRAM queue.
#[derive(Clone, Copy, Debug)]
struct Passing {
    /// Command clock from which on the DRAM queue may take it.
    entry: u64,
    local: u32,
    name: u32,
    bursts: u8,
    write: bool,
}

/// The island.
#[derive(Clone, Debug)]
pub struct Partition {
    index: u32,
    map: AddressMap,
    memory: Domain,
    /// Hot cycles from the arbiter to the DRAM queue.
    before_dram: u64,
    /// Hot cycles from the last data beat to the reply port.
    after_dram: u64,
    crossbar_latency: u64,
    image: PartitionImage,
    arbiter: Arbiter,
    /// Where there is no L2.
    atomics: Atomics,
    l2: Option<Box<L2>>,
    pipeline: VecDeque<Passing>,
    pipeline_room: usize,
    burst_bytes: u32,
    dram: Dram,
    /// Command clock at which pipeline or DRAM have something to do next.
    memory_clock: u64,
    /// The latest command clock at which they had.
    memory_last: u64,
    replies: Replies,
    constants: Option<Constants>,
    /// The hot cycle in which `memory_clock` begins.
    memory_wake: u64,
    /// The hot cycle in which a store was last ordered, or an atomic that changed a word; 0: none
    /// yet.
    last_write: u64,
    /// The hot cycle in which a request was last taken or a reply sent.
    last_message: u64,
    counters: PartitionCounters,
}

impl Partition {
    /// Partition `index` of `map`, idle at cycle 0, with the bytes of `image`.
    pub fn new(
        index: u32,
        map: AddressMap,
        config: &PartitionConfig,
        clocks: Clocks,
        crossbar: CrossbarConfig,
        clusters: usize,
        image: PartitionImage,
    ) -> Self {
        let core = Domain::new(clocks.core_khz, clocks.shader_khz);
        let before_dram = u64::from(config.pipeline_cycles / 2);
        let arbiter_cycles = u64::from(config.arbiter_cycles).max(1);
        let pipeline_room = (core.cycle_at_or_after(before_dram) / arbiter_cycles + 1) as usize;
        Self {
            index,
            map,
            memory: Domain::new(clocks.memory_khz, clocks.shader_khz),
            before_dram,
            after_dram: u64::from(config.pipeline_cycles) - before_dram,
            crossbar_latency: crossbar.latency.into(),
            image,
            arbiter: Arbiter::new(config, clocks, crossbar, clusters),
            atomics: Atomics::new(config.atomic_cycles),
            l2: config.l2.map(|l2| Box::new(L2::new(l2, config.atomic_cycles, index))),
            pipeline: VecDeque::new(),
            pipeline_room: pipeline_room.max(if config.l2.is_some() { l2::MOST_ADDED } else { 1 }),
            burst_bytes: config.dram.burst_bytes,
            dram: Dram::new(&config.dram),
            memory_clock: NEVER,
            memory_last: 0,
            replies: Replies::new(config),
            constants: config.const_cache.map(|cache| Constants::new(cache, config.dram.burst_bytes, index)),
            memory_wake: NEVER,
            last_write: 0,
            last_message: 0,
            counters: PartitionCounters::default(),
        }
    }

    /// Requests of cluster `link` with their arrivals. Per link arrivals never decrease, and no
    /// more requests are on their way than credits allow; both are asserted. No tick has been at an
    /// arrival or later yet.
    pub fn accept(&mut self, link: usize, requests: &[(u64, Request)]) {
        let room = self.has_room();
        self.arbiter.accept(link, requests, room);
    }

    /// Does what is due at hot cycle `now`. A call before [`Partition::next_wake`] changes nothing.
    #[inline]
    pub fn tick(&mut self, now: u64, out: &mut PartitionOutbox) {
        if now < self.wake() {
            return;
        }
        self.act(now, out);
    }

    /// Does what is due at hot cycle `now`.
    fn act(&mut self, now: u64, out: &mut PartitionOutbox) {
        while let Some((at, cluster, reply)) = self.replies.pop(now) {
            out.to_cluster[cluster].replies.push((at + self.crossbar_latency, *reply));
            self.last_message = at;
        }
        self.tick_memory_and_plan(now, now);
        while let Some(link) = self.arbiter.take(now, self.has_room()) {
            self.order(link, now, out);
            self.arbiter.links.remove(link);
            self.last_message = now;
            self.arbiter.plan(now, self.has_room());
        }
        self.tick_l2(now);
        // A request that needs no time in the pipeline may enter the DRAM queue in this very cycle.
        self.tick_memory_and_plan(now, now + 1);
    }

    /// Everything that is due from hot cycle `now` to before `end`, in which no request comes.
    /// Returns the number of ticks.
    ///
    /// DRAM commands affect the other parts only through the queues between them. The DRAM
    /// therefore runs alone until another part has an event.
    pub fn run(&mut self, mut now: u64, end: u64, out: &mut PartitionOutbox) -> u64 {
        let (mut ticks, mut others) = (0, self.others_wake());
        loop {
            let at = self.memory_wake.min(others).max(now);
            if at >= end {
                return ticks;
            }
            ticks += 1;
            if others > at {
                if self.tick_memory_and_plan(at, at) {
                    others = self.others_wake();
                }
                if others > at {
                    continue;
                }
            }
            self.act(at, out);
            others = self.others_wake();
            now = at + 1;
        }
    }

    /// The next hot cycle, `now` or later, at which [`Partition::tick`] has something to do if no
    /// mail comes; [`NEVER`] if nothing is left to do.
    #[inline]
    pub fn next_wake(&self, now: u64) -> u64 {
        self.wake().max(now)
    }

    /// Nothing is queued anywhere: no event is to come until mail does.
    pub fn quiet(&self) -> bool {
        self.arbiter.links.waiting() == 0
            && self.pipeline.is_empty()
            && self.dram.queued() == 0
            && self.replies.in_flight() == 0
            && self.l2.as_ref().is_none_or(|l2| l2.quiet())
    }

    /// What has been counted by hot cycle `now`, the end of the launch or a moment in it.
    pub fn counters(&mut self, now: u64) -> PartitionCounters {
        self.dram.settle(self.memory.cycle_at_or_after(now));
        PartitionCounters {
            arbiter_busy: self.arbiter.busy,
            reply_busy: self.replies.busy,
            reply_bytes: self.replies.sent,
            dram: *self.dram.counters(),
            l2: self.l2.as_ref().map(|l2| l2.counters()).unwrap_or_default(),
            const_cache: self.constants.as_ref().map(|cache| cache.counters).unwrap_or_default(),
            ..self.counters
        }
    }

    /// The bytes as the point of order has left them.
    pub fn image(&self) -> &PartitionImage {
        &self.image
    }

    /// Gives the bytes back at the end of a launch.
    pub fn into_image(self) -> PartitionImage {
        self.image
    }

    /// The requests on their way to the point of order.
    pub fn requests(&self) -> impl Iterator<Item = &Request> {
        self.arbiter.links.requests()
    }

    /// The hot cycle in which its image last changed; 0: it holds what it began with.
    pub fn last_write(&self) -> u64 {
        self.last_write
    }

    /// The last hot cycle in which a request was taken, a reply sent or the DRAM worked on a
    /// request.
    pub fn last_change(&self) -> u64 {
        self.last_message.max(self.memory.start_of(self.memory_last))
    }

    /// What each queue waits for.
    pub fn stuck(&self) -> PartitionStuck {
        let wait = |(link, queued, arrival, kind)| LinkWait { link, queued, arrival, kind };
        PartitionStuck {
            partition: self.index,
            links: self.arbiter.links.occupied().map(wait).collect(),
            arbiter_free_at: self.arbiter.free_at(),
            room: self.has_room(),
            in_l2: self.l2.as_ref().map_or((0, 0), |l2| l2.occupied()),
            in_pipeline: self.pipeline.len(),
            in_dram: self.dram.queued(),
            dram_oldest: self.dram.oldest().map(|oldest| oldest.1),
            loads_in_flight: self.replies.in_flight(),
            loads_served: self.replies.leaving(),
            next_wake: Some(self.wake()).filter(|&wake| wake != NEVER),
        }
    }

    fn wake(&self) -> u64 {
        self.memory_wake.min(self.others_wake())
    }

    /// The next hot cycle at which anything but the memory side has something to do.
    #[inline]
    fn others_wake(&self) -> u64 {
        let l2 = self.l2.as_ref().map_or(NEVER, |l2| l2.wake());
        self.arbiter.wake().min(self.replies.next()).min(l2)
    }

    fn has_room(&self) -> bool {
        match &self.l2 {
            None => self.pipeline.len() < self.pipeline_room,
            Some(l2) => l2.has_room(),
        }
    }

    /// The memory side at `now`; the arbiter learns of room that it makes, to be used from hot
    /// cycle `from` on. Returns whether anything has changed for the other parts.
    #[inline]
    fn tick_memory_and_plan(&mut self, now: u64, from: u64) -> bool {
        if self.memory_wake > now {
            return false;
        }
        let full = !self.has_room();
        let changed = self.tick_memory(now);
        if changed {
            if let Some(l2) = &mut self.l2 {
                l2.retry(self.pipeline_room.saturating_sub(self.pipeline.len()), from);
            }
            if full && self.has_room() {
                self.arbiter.plan(from, true);
            }
        }
        changed
    }

    /// Pipeline's end and DRAM, for all command clocks that begin by hot cycle `now`. Returns
    /// whether a request has left the pipeline or the data of a read have been planned.
    #[inline(never)]
    fn tick_memory(&mut self, now: u64) -> bool {
        let mut changed = false;
        while self.memory_wake <= now {
            let clock = self.memory_clock;
            debug_assert!(clock >= self.memory_last, "the DRAM's clock runs backwards");
            self.memory_last = clock;
            changed |= self.enter_dram(clock);
            if let Some(Command::Train { id, write, done, end, .. }) = self.dram.tick(clock) {
                if !write && id != NOBODY && done != 0 {
                    let ready = self.memory.start_of(end) + self.after_dram;
                    match &mut self.l2 {
                        None => self.served(id, done as u8, ready),
                        Some(l2) => l2.fetched(id, ready),
                    }
                    changed = true;
                }
                // The train has left the queue: its place is free in the same clock.
                changed |= self.enter_dram(clock);
            }
            let entry =
                self.pipeline.front().filter(|_| self.dram.can_accept()).map_or(NEVER, |next| next.entry);
            self.wake_memory_at(self.dram.next_event().min(entry));
        }
        changed
    }

    /// The DRAM has read `bursts` bursts for the reply `name`, which is ready for the port at hot
    /// cycle `ready`; with a line of constants, all that have waited for it are.
    #[inline]
    fn served(&mut self, name: u32, bursts: u8, ready: u64) {
        if let Some(cache) = &mut self.constants {
            let late = ready + u64::from(cache.config.miss_cycles);
            if cache.came(name, |name, bursts| self.replies.served(name, bursts, late)) {
                return;
            }
        }
        self.replies.served(name, bursts, ready);
    }

    /// Requests at the pipeline's end go into the DRAM queue while it has free places. Returns
    /// whether any did.
    #[inline]
    fn enter_dram(&mut self, clock: u64) -> bool {
        self.dram.can_accept()
            && self.pipeline.front().is_some_and(|next| next.entry <= clock)
            && self.put_into_dram(clock)
    }

    /// As [`Self::enter_dram`], where there is one that can.
    #[inline(never)]
    fn put_into_dram(&mut self, clock: u64) -> bool {
        while let Some(&Passing { entry, local, name, bursts, write }) = self.pipeline.front()
            && entry <= clock
            && self.dram.can_accept()
        {
            self.dram.push(clock, name, local, bursts.into(), write);
            self.pipeline.pop_front();
        }
        true
    }

    fn wake_memory_at(&mut self, clock: u64) {
        self.memory_clock = clock;
        self.memory_wake = self.memory.start_of(clock);
    }
}
