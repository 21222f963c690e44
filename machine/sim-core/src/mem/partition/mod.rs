//! A memory partition: the component that contains the point of order of global memory.
//!
//! ```text
//! links ─► input arbiter ─► pipeline ─► DRAM queue ─► DRAM ─► pipeline ─► reply port ─► clusters
//!          core clock       shader clock  command clock       shader clock  shader clock
//! ```
//!
//! The arbiter accepts one request at a time, from the links in rotation. It is busy for
//! `arbiter_cycles` core cycles per transaction. When it accepts a request, a load reads the image
//! and a store writes it: this defines the order of global memory. Later stages change only the
//! time. In the same cycle the link's credit returns, and a fence is answered without the port.
//!
//! The arbiter accepts a load or store only when the pipeline in front of the DRAM queue has a free
//! entry. Its capacity is the number of requests that the arbiter accepts while one passes through,
//! plus one. A request waits at the end of the pipeline while the DRAM queue is full. The first
//! half of `pipeline_cycles` (rounded down) is in front of the DRAM queue, the rest between the
//! last data beat and the reply port, which is busy for the bytes of the reply.
//!
//! A store ends with its DRAM write. An atomic is a DRAM read and a DRAM write, and its reply waits
//! for the read. Atomics on one word are serialized, `atomic_cycles` apart, and requests behind an
//! atomic in the pipeline wait for it: see `atomics`. An L2, on chips that have one, is between the
//! arbiter and the first half of the pipeline, and most requests end there: see `l2`. Copies
//! between host and device that run beside the kernel enter the DRAM queue too: see `copies`.
//! Requests for mapped host memory leave for the host link after the arbiter: see `mapped`.
//!
//! A message that leaves at shader cycle t arrives at t plus the latency of the crossbar, so
//! arrivals never decrease.
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
mod constants;
mod copies;
mod l2;
mod l2_side;
pub mod lanes;
mod links;
mod mapped;
mod order;
mod replies;
mod report;
mod run;

#[cfg(test)]
mod tests;

pub use copies::CopyTraffic;
pub use l2::L2Counters;
pub use report::PartitionCounters;

use super::dram::{Dram, Served};
use super::image::PartitionImage;
use super::map::AddressMap;
use super::sectors::LINE_BYTES;
use crate::cache::Place;
use crate::config::{Clocks, CrossbarConfig, PartitionConfig};
use crate::events::{MemoryEvent, MemoryRecorder, MemoryWhat, Watch};
use crate::exec::allocations::NOT_MAPPED;
use crate::state::{CloneFrom, Part, Value};
use crate::time::NEVER;
use crate::time::clock::Domain;
use crate::time::message::{Request, RequestKind, ToPartition, Words};
use arbiter::Arbiter;
use atomics::Atomics;
use constants::Constants;
use copies::Copies;
use l2::L2;
use mapped::HostLink;
use replies::Replies;
use std::collections::VecDeque;

/// Reply index that the DRAM gets for accesses without a reply: writes, and the read of a
/// reduction.
const NO_REPLY: u32 = u32::MAX;

/// A request between the arbiter and the DRAM queue.
#[derive(Clone, Copy, Debug, Value)]
struct Passing {
    /// Command cycle from which the DRAM queue may accept it.
    entry: u64,
    local: u32,
    name: u32,
    bursts: u8,
    write: bool,
}

/// The memory partition.
#[derive(CloneFrom, Debug, Part)]
pub struct Partition {
    #[state(fixed)]
    index: u32,
    #[state(fixed)]
    map: AddressMap,
    #[state(fixed)]
    memory: Domain,
    /// Shader cycles from the arbiter to the DRAM queue.
    #[state(fixed)]
    before_dram: u64,
    /// Shader cycles from the last data beat to the reply port.
    #[state(fixed)]
    after_dram: u64,
    #[state(fixed)]
    crossbar_latency: u64,
    image: PartitionImage,
    #[state(part)]
    arbiter: Arbiter,
    /// Atomic unit of a partition without an L2.
    #[state(part)]
    atomics: Atomics,
    #[state(part)]
    l2: Option<Box<L2>>,
    /// Traffic of copies beside the kernel.
    #[state(part)]
    copies: Option<Box<Copies>>,
    /// First address of mapped host memory.
    #[state(fixed)]
    mapped_from: u32,
    /// Share of the host link, if there is mapped memory.
    #[state(part)]
    host_link: Option<Box<HostLink>>,
    pipeline: VecDeque<Passing>,
    #[state(fixed)]
    pipeline_space: usize,
    #[state(fixed)]
    burst_bytes: u32,
    #[state(fixed)]
    ecc: bool,
    #[state(part)]
    dram: Dram,
    /// The recorder of an observed partition.
    #[state(fixed)]
    observed: Option<Box<MemoryRecorder>>,
    /// Command cycle of the next event in the pipeline or the DRAM.
    memory_clock: u64,
    /// Command cycle of their latest event.
    memory_last: u64,
    #[state(part)]
    replies: Replies,
    #[state(part)]
    constants: Option<Constants>,
    /// Texture cache of a partition without an L2.
    #[state(part)]
    textures: Option<Constants>,
    /// Lines of textures requested.
    texture_lines: u64,
    /// Shader cycle in which `memory_clock` begins.
    memory_wake: u64,
    /// Shader cycle in which the latest store, or the latest atomic that changed a word, was
    /// ordered; 0 if there was none.
    last_write: u64,
    /// Shader cycle in which the latest request was accepted or the latest reply was sent.
    last_message: u64,
    counters: PartitionCounters,
}

impl Partition {
    /// Creates partition `index` of `map`, idle at cycle 0, with the bytes of `image`.
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
        let texels = config.texture_cache.filter(|_| config.l2.is_none());
        let before_dram = u64::from(config.pipeline_cycles / 2);
        let arbiter_cycles = u64::from(config.arbiter_cycles).max(1);
        let pipeline_space = (core.cycle_at_or_after(before_dram) / arbiter_cycles + 1) as usize;
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
            l2: config.l2.map(|l2| Box::new(L2::new(l2, config, index))),
            copies: None,
            mapped_from: NOT_MAPPED,
            host_link: None,
            pipeline: VecDeque::new(),
            pipeline_space: pipeline_space.max(if config.l2.is_some() { l2::MOST_ADDED } else { 1 }),
            burst_bytes: config.dram.burst_bytes,
            ecc: config.dram.ecc_bursts > 0,
            dram: Dram::new(&config.dram, index),
            observed: None,
            memory_clock: NEVER,
            memory_last: 0,
            replies: Replies::new(config),
            constants: Constants::of(config.const_cache, &config.dram, Place::PartitionConstants(index)),
            textures: Constants::of(texels, &config.dram, Place::PartitionTextures(index)),
            texture_lines: 0,
            memory_wake: NEVER,
            last_write: 0,
            last_message: 0,
            counters: PartitionCounters::default(),
        }
    }

    /// Adds links of further clusters, so that there are `clusters`.
    pub fn add_links(&mut self, clusters: usize) {
        self.arbiter.links.add(clusters);
    }

    /// Queues requests of cluster `link` with their arrivals, and empties `messages`. Arrivals
    /// never decrease per link, and the number of requests under way never exceeds the credits;
    /// both are asserted. No tick has been at or after one of the arrivals.
    pub fn accept(&mut self, link: usize, messages: &mut ToPartition) {
        let room = self.has_space();
        let lines = messages.requests.iter().filter(|(_, r)| r.kind == RequestKind::Fill { local: false });
        for (_, line) in lines {
            self.image.touch(self.map.locate(line.chunk).1 + u32::from(line.offset[0]), LINE_BYTES);
        }
        self.arbiter.accept(link, messages, room);
    }

    /// Returns the next shader cycle, `now` or later, at which [`Partition::tick`] has an event
    /// unless a message arrives; [`NEVER`] if there is no further event.
    #[inline]
    pub fn next_wake(&self, now: u64) -> u64 {
        self.wake().max(now)
    }

    /// Whether all queues are empty: there is no event until a message arrives.
    pub fn quiet(&self) -> bool {
        self.arbiter.links.waiting() == 0
            && self.pipeline.is_empty()
            && self.dram.queued() == 0
            && self.replies.in_flight() == 0
            && self.l2.as_ref().is_none_or(|l2| l2.quiet())
    }

    /// Returns the counters at shader cycle `now`, which is within the launch or at its end.
    pub fn counters(&mut self, now: u64) -> PartitionCounters {
        self.dram.settle(self.memory.cycle_at_or_after(now));
        let mapped = self.host_link.as_ref().map(|link| link.bytes());
        let (mapped_read, mapped_written) = mapped.unwrap_or_default();
        PartitionCounters {
            mapped_read,
            mapped_written,
            arbiter_busy: self.arbiter.busy,
            reply_busy: self.replies.busy,
            reply_bytes: self.replies.sent,
            atomics_serial: self.atomics.serial + self.l2.as_ref().map_or(0, |l2| l2.atomics_serial()),
            dram: self.dram.counters(),
            l2: self.l2.as_ref().map(|l2| l2.counters()).unwrap_or_default(),
            const_cache: self.constants.as_ref().map(|cache| cache.counters).unwrap_or_default(),
            ..self.counters
        }
    }

    /// Returns the image as the point of order has left it.
    pub fn image(&self) -> &PartitionImage {
        &self.image
    }

    /// Makes this partition equal to `fresh`, which was never used, with the bytes of `image`.
    pub fn renew(&mut self, fresh: &mut Self, image: PartitionImage) {
        let (l2, fresh_l2) = (self.l2.take(), fresh.l2.take());
        self.clone_from(fresh);
        (self.l2, fresh.l2) = (l2, fresh_l2);
        if let (Some(l2), Some(fresh)) = (&mut self.l2, &mut fresh.l2) {
            l2.renew(fresh);
        }
        self.image = image;
    }

    /// Takes the image at the end of a launch.
    pub fn take_image(&mut self) -> PartitionImage {
        std::mem::take(&mut self.image)
    }

    /// Returns the requests that have not reached the point of order, with the data of those that
    /// write.
    pub fn requests(&self) -> impl Iterator<Item = (&Request, Option<&Words>)> {
        self.arbiter.links.requests()
    }

    /// Returns the shader cycle in which the image last changed; 0 if it has not changed.
    pub fn last_write(&self) -> u64 {
        self.last_write
    }

    /// Returns the last shader cycle in which a request was accepted, a reply was sent or the DRAM
    /// worked on a request.
    pub fn last_change(&self) -> u64 {
        self.last_message.max(self.memory.start_of(self.memory_last))
    }

    fn wake(&self) -> u64 {
        self.memory_wake.min(self.inner_wake()).min(self.replies.next())
    }

    /// Returns the next shader cycle at which the arbiter or the L2 has an event.
    #[inline]
    fn inner_wake(&self) -> u64 {
        let l2 = self.l2.as_ref().map_or(NEVER, |l2| l2.wake());
        self.arbiter.wake().min(l2)
    }

    fn has_space(&self) -> bool {
        match &self.l2 {
            None => self.pipeline.len() < self.pipeline_space,
            Some(l2) => l2.has_space(),
        }
    }

    /// Runs the memory side up to `now`. If it frees an entry, the arbiter may use the entry from
    /// shader cycle `from`.
    #[inline]
    fn tick_memory_and_plan(&mut self, now: u64, from: u64) {
        if self.memory_wake <= now {
            let full = !self.has_space();
            if self.tick_memory(now) {
                self.memory_changed(full, from);
            }
        }
    }

    /// Runs the memory side up to shader cycle `last`, or up to its first effect on another part.
    #[inline]
    fn run_memory(&mut self, last: u64) {
        let full = !self.has_space();
        if self.tick_memory_as::<true>(last) {
            self.memory_changed(full, self.memory.start_of(self.memory_last));
        }
    }

    /// The memory side has freed an entry, or its read data have been scheduled: the other parts
    /// may act from shader cycle `from`. `full`: there was no space before.
    #[inline]
    fn memory_changed(&mut self, full: bool, from: u64) {
        if let Some(l2) = &mut self.l2 {
            l2.retry(self.pipeline_space.saturating_sub(self.pipeline.len()), from);
        }
        if full && self.has_space() {
            self.arbiter.plan(from, true);
        }
    }

    /// Starts recording the L2 and the DRAM.
    pub fn watch(&mut self, watch: &Watch) {
        self.observed = Some(Box::new(MemoryRecorder::new(self.index, watch.cycles.clone())));
    }

    /// Whether it has a recorder.
    pub fn is_observed(&self) -> bool {
        self.observed.is_some()
    }

    /// Moves the events before shader cycle `before` to `out`.
    pub fn deliver(&mut self, before: u64, out: &mut Vec<MemoryEvent>) {
        if let Some(observed) = &mut self.observed {
            observed.drain(before, out);
        }
    }

    /// Runs the pipeline's end and the DRAM for all command cycles that begin by shader cycle
    /// `now`. Returns whether a request has left the pipeline or read data have been scheduled.
    fn tick_memory(&mut self, now: u64) -> bool {
        self.tick_memory_as::<false>(now)
    }

    /// Same as [`Self::tick_memory`]. `FIRST`: stops after the first command cycle for which it
    /// returns true.
    #[inline(never)]
    fn tick_memory_as<const FIRST: bool>(&mut self, now: u64) -> bool {
        let mut changed = false;
        let limit = self.memory.cycle_at_or_after(now + 1);
        let mut entry = self.next_entry();
        while self.memory_clock < limit && !(FIRST && changed) {
            let clock = self.memory_clock;
            debug_assert!(clock >= self.memory_last, "the command clock never decreases");
            if entry <= clock {
                (changed, entry) = (true, self.put_into_dram(clock));
            }
            let until = if FIRST && changed { clock + 1 } else { limit.min(entry) };
            let served = if self.observed.is_some() {
                self.serve_observed(until)
            } else {
                self.dram.serve(until, |_, _| ())
            };
            self.memory_last = clock.max(self.dram.latest());
            if let Some(Served { at, id, write, bursts, end }) = served {
                if !write && id != NO_REPLY && bursts != 0 {
                    let ready = self.memory.start_of(end) + self.after_dram;
                    match &mut self.l2 {
                        None => self.served(id, bursts as u8, ready),
                        Some(l2) => l2.fetched(id, ready),
                    }
                    changed = true;
                }
                // The train has left the queue: its entry is free in the same command cycle.
                entry = self.next_entry();
                if entry <= at {
                    (changed, entry) = (true, self.put_into_dram(at));
                }
            }
            self.memory_clock = self.dram.next_event().min(entry);
        }
        self.memory_wake = self.memory.start_of(self.memory_clock);
        changed
    }

    /// Same as [`Dram::serve`], with a recorder.
    #[cold]
    fn serve_observed(&mut self, until: u64) -> Option<Served> {
        let (memory, observed) = (self.memory, &mut self.observed);
        self.dram.serve(until, |at, command| {
            if let Some(observed) = observed {
                let (cycle, command) = (memory.start_of(at), command.told());
                observed.record(cycle, |partition| MemoryWhat::Dram { partition, command });
            }
        })
    }

    /// The DRAM has read `bursts` bursts for reply `name`, which is ready for the port at shader
    /// cycle `ready`. For a line of constants or of a texture, all replies that waited for the line
    /// are ready.
    #[inline]
    fn served(&mut self, name: u32, bursts: u8, ready: u64) {
        for cache in [&mut self.constants, &mut self.textures].into_iter().flatten() {
            let late = ready + u64::from(cache.config.miss_cycles);
            if cache.came(name, |name, bursts| self.replies.served(name, bursts, late)) {
                return;
            }
        }
        self.replies.served(name, bursts, ready);
    }
}
