//! Loads in flight, and the port through which their values leave.

use crate::config::PartitionConfig;
use crate::mem::sectors::SECTOR_BYTES;
use crate::time::NEVER;
use crate::time::message::Reply;
use std::collections::VecDeque;

/// A load between the point of order and its departure.
#[derive(Clone, Copy, Debug)]
struct InFlight {
    cluster: usize,
    reply: Reply,
}

/// The reply port: takes a load's values at the point of order, and sends them when the DRAM has served the load.
#[derive(Clone, Debug)]
pub(super) struct Replies {
    /// Hot cycles on the port for so many bursts.
    cycles: Vec<u64>,
    /// Bytes of so many bursts.
    bytes: Vec<u16>,
    in_flight: Vec<InFlight>,
    unused: Vec<u32>,
    /// Served loads that have not come to the port: the first hot cycle in which they may, the place in `in_flight` and
    /// the units. Ordered by cycle; only an L2 serves loads out of order.
    waiting: VecDeque<(u64, u32, u8)>,
    /// Served loads: the hot cycle at which the last byte leaves, and the place in `in_flight`.
    leaving: VecDeque<(u64, u32)>,
    /// The hot cycle from which on the port is free.
    free_at: u64,
    /// Hot cycles in which the port has been promised to replies.
    pub(super) busy: u64,
    /// Bytes that have left or are promised to.
    pub(super) sent: u64,
}

impl Replies {
    /// An idle port. What it sends has the size of DRAM bursts or, behind an L2, of sectors; "bursts" are either.
    pub(super) fn new(config: &PartitionConfig) -> Self {
        let unit = if config.l2.is_some() { SECTOR_BYTES } else { config.dram.burst_bytes };
        let bytes = |bursts: u64| (bursts * u64::from(unit)).min(u16::MAX.into());
        let rate = u64::from(config.reply_bytes_per_cycle).max(1);
        Self {
            cycles: (0..=u64::from(u8::MAX)).map(|bursts| bytes(bursts).div_ceil(rate)).collect(),
            bytes: (0..=u64::from(u8::MAX)).map(|bursts| bytes(bursts) as u16).collect(),
            in_flight: Vec::new(),
            unused: Vec::new(),
            waiting: VecDeque::new(),
            leaving: VecDeque::new(),
            free_at: 0,
            busy: 0,
            sent: 0,
        }
    }

    /// Bytes that a reply of `bursts` bursts occupies the links for.
    #[inline]
    pub(super) fn wire_bytes(&self, bursts: u8) -> u16 {
        self.bytes[bursts as usize]
    }

    /// Keeps a load's reply until it is served, and names it.
    #[inline]
    pub(super) fn keep(&mut self, cluster: usize, reply: Reply) -> u32 {
        let load = InFlight { cluster, reply };
        if let Some(name) = self.unused.pop() {
            self.in_flight[name as usize] = load;
            return name;
        }
        self.in_flight.push(load);
        self.in_flight.len() as u32 - 1
    }

    /// The load `name` of `bursts` bursts may leave from hot cycle `ready` on. Calls come in the order of `ready`.
    #[inline]
    pub(super) fn served(&mut self, name: u32, bursts: u8, ready: u64) {
        let cycles = self.cycles[bursts as usize];
        self.free_at = self.free_at.max(ready) + cycles;
        self.leaving.push_back((self.free_at, name));
        self.busy += cycles;
        self.sent += u64::from(self.bytes[bursts as usize]);
    }

    /// As [`Self::served`], with calls in any order; of those with one `ready` the first goes first.
    pub(super) fn served_any(&mut self, name: u32, bursts: u8, ready: u64) {
        let place = self.waiting.partition_point(|other| other.0 <= ready);
        self.waiting.insert(place, (ready, name, bursts));
    }

    /// Those that may come to the port by hot cycle `now` do.
    #[inline]
    pub(super) fn settle(&mut self, now: u64) {
        while let Some((ready, name, bursts)) = self.waiting.pop_front_if(|reply| reply.0 <= now) {
            self.served(name, bursts, ready);
        }
    }

    /// The hot cycle at which the next reply has left, or the next one comes to the port.
    #[inline]
    pub(super) fn next(&self) -> u64 {
        let coming = self.waiting.front().map_or(NEVER, |reply| reply.0);
        self.leaving.front().map_or(NEVER, |reply| reply.0).min(coming)
    }

    /// The next reply that has left by hot cycle `now`: departure, cluster and reply.
    #[inline]
    pub(super) fn pop(&mut self, now: u64) -> Option<(u64, usize, &Reply)> {
        let (at, name) = *self.leaving.front().filter(|reply| reply.0 <= now)?;
        self.leaving.pop_front();
        self.unused.push(name);
        let load = &self.in_flight[name as usize];
        Some((at, load.cluster, &load.reply))
    }

    /// Served loads that have not left.
    pub(super) fn leaving(&self) -> usize {
        self.waiting.len() + self.leaving.len()
    }

    /// Loads between the point of order and their departure.
    pub(super) fn in_flight(&self) -> usize {
        self.in_flight.len() - self.unused.len()
    }
}
