//! The input arbiter: accepts one request at a time, from the links in rotation, in the core clock.
//! The data of a store keep its port busy for additional cycles.

use super::links::Links;
use crate::config::{Clocks, CrossbarConfig, PartitionConfig};
use crate::state::{CloneFrom, Part};
use crate::time::NEVER;
use crate::time::clock::Domain;
use crate::time::message::{RequestKind, ToPartition};

/// The arbiter and its links. The parameter `room` says whether a load or a store may be accepted;
/// fences always are.
#[derive(CloneFrom, Debug, Part)]
pub(super) struct Arbiter {
    #[state(fixed)]
    core: Domain,
    /// Core cycles per transaction.
    #[state(fixed)]
    cycles: u64,
    /// Data bytes accepted per core cycle; 0 if all data arrive with the header.
    #[state(fixed)]
    rate: u64,
    /// Bytes of a DRAM burst.
    #[state(fixed)]
    burst_bytes: u64,
    #[state(part)]
    pub(super) links: Links,
    /// First core cycle at which the arbiter is free, and the shader cycle in which it begins.
    free: u64,
    free_at: u64,
    /// Core cycle at which it accepts the next request; [`NEVER`] if it may accept none.
    clock: u64,
    /// Shader cycle in which `clock` begins.
    wake: u64,
    /// Busy core cycles for all requests accepted, including cycles in the future.
    pub(super) busy: u64,
}

impl Arbiter {
    /// Creates an idle arbiter with `links` links.
    pub(super) fn new(
        config: &PartitionConfig,
        clocks: Clocks,
        crossbar: CrossbarConfig,
        links: usize,
    ) -> Self {
        Self {
            core: Domain::new(clocks.core_khz, clocks.shader_khz),
            cycles: u64::from(config.arbiter_cycles).max(1),
            rate: config.input_bytes_per_cycle.into(),
            burst_bytes: config.dram.burst_bytes.into(),
            links: Links::new(links, crossbar.depth),
            free: 0,
            free_at: 0,
            clock: NEVER,
            wake: NEVER,
            busy: 0,
        }
    }

    /// Queues requests with their arrivals on `link`, and empties `messages`.
    #[inline]
    pub(super) fn accept(&mut self, link: usize, messages: &mut ToPartition, room: bool) {
        let Some((arrival, first)) = messages.requests.first() else { return };
        let (arrival, fence) = (*arrival, first.kind == RequestKind::Fence);
        if self.links.extend(link, messages) && (fence || room) {
            self.wake_from(arrival);
        }
    }

    /// Returns the shader cycle at which [`Arbiter::take`] returns a link, unless `room` changes or
    /// a message arrives.
    #[inline]
    pub(super) fn wake(&self) -> u64 {
        self.wake
    }

    /// Chooses the link whose first request is accepted at shader cycle `now`, if one is due, and
    /// occupies the arbiter for it. The caller must remove that request and call [`Arbiter::plan`].
    #[inline]
    pub(super) fn take(&mut self, now: u64, room: bool) -> Option<usize> {
        if now < self.wake {
            return None;
        }
        let link = self.links.pick(now, room)?;
        self.occupy(link);
        Some(link)
    }

    /// Chooses and accepts the next request before shader cycle `end`. A load or a store may be
    /// accepted from shader cycle `room` on. Returns the shader cycle and the link, whose request
    /// the caller must remove before the next call. Without such a request, plans the next one.
    #[inline]
    pub(super) fn choose(&mut self, end: u64, room: u64) -> Option<(u64, usize)> {
        if room > self.free_at {
            self.choose_later(end, room)
        } else if let Some(link) = self.links.pick(self.free_at, true).filter(|_| self.free_at < end) {
            (self.clock, self.wake) = (self.free, self.free_at);
            self.occupy(link);
            Some((self.wake, link))
        } else {
            self.choose_later(end, room)
        }
    }

    /// Same as [`Self::choose`], when the arbiter is free before it can accept a request.
    fn choose_later(&mut self, end: u64, room: u64) -> Option<(u64, usize)> {
        (self.clock, self.wake) = (NEVER, NEVER);
        let (fence, any) = self.links.first_arrivals();
        // Fences do not wait for room.
        if fence != NEVER && room > self.free_at {
            self.wake_from(fence);
        }
        if any != NEVER && room != NEVER {
            self.wake_from(any.max(room));
        }
        if self.wake >= end {
            return None;
        }
        let link = self.links.pick(self.wake, room <= self.wake)?;
        let at = self.wake;
        self.occupy(link);
        Some((at, link))
    }

    /// Occupies the arbiter for the first request of `link`, accepted at [`Self::wake`].
    #[inline]
    fn occupy(&mut self, link: usize) {
        let request = self.links.head(link);
        let mut busy = self.cycles * u64::from(request.transfers.max(1));
        if self.rate > 0 && request.kind.carries_data() {
            busy += (u64::from(request.bursts) * self.burst_bytes).div_ceil(self.rate);
        }
        self.free = self.clock + busy;
        self.free_at = self.core.start_of(self.free);
        self.busy += busy;
    }

    /// Computes the next core cycle at which a request can be accepted, beginning at or after
    /// shader cycle `from`.
    #[inline]
    pub(super) fn plan(&mut self, from: u64, room: bool) {
        (self.clock, self.wake) = (NEVER, NEVER);
        let arrival = self.links.earliest(room, from.max(self.free_at));
        if arrival != NEVER {
            self.wake_from(arrival.max(from));
        }
    }

    /// Keeps the arbiter occupied until shader cycle `until`, beyond the latest request. The caller
    /// must call [`Arbiter::plan`] afterwards.
    pub(super) fn hold(&mut self, until: u64) {
        if until > self.free_at {
            self.free = self.core.cycle_at_or_after(until);
            self.free_at = self.core.start_of(self.free);
        }
    }

    /// Returns the shader cycle from which the arbiter is free.
    pub(super) fn free_at(&self) -> u64 {
        self.free_at
    }

    /// An acceptable request is at the head of a link from shader cycle `from`.
    #[inline]
    fn wake_from(&mut self, from: u64) {
        if from >= self.wake {
            return;
        }
        let (clock, wake) = if from <= self.free_at {
            (self.free, self.free_at)
        } else {
            let clock = self.core.cycle_at_or_after(from);
            (clock, self.core.start_of(clock))
        };
        if clock < self.clock {
            (self.clock, self.wake) = (clock, wake);
        }
    }
}
