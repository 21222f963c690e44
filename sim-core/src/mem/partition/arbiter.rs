//! The input arbiter: takes one request at a time, going round the links, in its own clock. What
//! stores bring takes time on its port beside.

use super::links::Links;
use crate::config::{Clocks, CrossbarConfig, PartitionConfig};
use crate::time::NEVER;
use crate::time::clock::Domain;
use crate::time::message::{Request, RequestKind};

/// The arbiter and the links that it serves. `room` says, wherever it is asked for, whether a load
/// or a store may be taken; fences always may.
#[derive(Clone, Debug)]
pub(super) struct Arbiter {
    core: Domain,
    /// Core cycles for one transaction.
    cycles: u64,
    /// Bytes of data that come in a core cycle; 0: all come with the header.
    rate: u64,
    /// Bytes that a DRAM burst moves.
    burst_bytes: u64,
    pub(super) links: Links,
    /// First core cycle at which it is free.
    free: u64,
    /// The core cycle at which it takes something next; [`NEVER`] if there is nothing that may be
    /// taken.
    clock: u64,
    /// The hot cycle in which `clock` begins.
    wake: u64,
    /// Core cycles in which it has been or is going to be busy with what it has taken.
    pub(super) busy: u64,
}

impl Arbiter {
    /// An idle arbiter of `links` links.
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
            clock: NEVER,
            wake: NEVER,
            busy: 0,
        }
    }

    /// Requests on `link`, by their arrivals.
    #[inline]
    pub(super) fn accept(&mut self, link: usize, requests: &[(u64, Request)], room: bool) {
        let Some((arrival, first)) = requests.first() else { return };
        if self.links.extend(link, requests) && (first.kind == RequestKind::Fence || room) {
            self.wake_from(*arrival);
        }
    }

    /// The hot cycle at which [`Arbiter::take`] gives something, unless `room` changes or mail
    /// comes.
    #[inline]
    pub(super) fn wake(&self) -> u64 {
        self.wake
    }

    /// Chooses the link whose head it takes at hot cycle `now`, if it is time, and works for it.
    /// The head is to be removed, and the arbiter to be planned anew.
    #[inline]
    pub(super) fn take(&mut self, now: u64, room: bool) -> Option<usize> {
        if now < self.wake {
            return None;
        }
        let link = self.links.pick(now, room)?;
        let request = self.links.head(link);
        let mut busy = self.cycles * u64::from(request.transfers.max(1));
        if self.rate > 0 && request.kind.carries_data() {
            busy += (u64::from(request.bursts) * self.burst_bytes).div_ceil(self.rate);
        }
        self.free = self.clock + busy;
        self.busy += busy;
        Some(link)
    }

    /// Chooses the next core cycle at which there is something to take, none that begins before hot
    /// cycle `from`.
    #[inline]
    pub(super) fn plan(&mut self, from: u64, room: bool) {
        (self.clock, self.wake) = (NEVER, NEVER);
        let arrival = self.links.earliest(room);
        if arrival != NEVER {
            self.wake_from(arrival.max(from));
        }
    }

    /// The hot cycle from which on the arbiter is free.
    pub(super) fn free_at(&self) -> u64 {
        self.core.start_of(self.free)
    }

    /// A head that may be taken is there from hot cycle `from` on.
    fn wake_from(&mut self, from: u64) {
        let clock = self.core.cycle_at_or_after(from).max(self.free);
        if clock < self.clock {
            self.clock = clock;
            self.wake = self.core.start_of(clock);
        }
    }
}
