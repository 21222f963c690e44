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

/// The reply port: takes a load's values at the point of order, and sends them when the DRAM has
/// served the load.
#[derive(Clone, Debug)]
pub(super) struct Replies {
    /// Hot cycles on the port for so many bursts.
    cycles: Vec<u64>,
    /// Bytes of so many bursts.
    bytes: Vec<u16>,
    in_flight: Vec<InFlight>,
    unused: Vec<u32>,
    /// Served loads, as they take their turn at the port: the hot cycle from which on it may take
    /// them, the place in `in_flight`, and bursts.
    leaving: VecDeque<(u64, u32, u8)>,
    /// The hot cycle from which on the port is free, once it has sent all that has left.
    free_at: u64,
    /// Hot cycles in which the port has been promised to replies.
    pub(super) busy: u64,
    /// Bytes that have left or are promised to.
    pub(super) sent: u64,
}

impl Replies {
    /// An idle port. What it sends has the size of DRAM bursts or, behind an L2, of sectors;
    /// "bursts" are either.
    pub(super) fn new(config: &PartitionConfig) -> Self {
        let unit = if config.l2.is_some() { SECTOR_BYTES } else { config.dram.burst_bytes };
        let bytes = |bursts: u64| (bursts * u64::from(unit)).min(u16::MAX.into());
        let rate = u64::from(config.reply_bytes_per_cycle).max(1);
        let header = u64::from(config.reply_header_cycles);
        Self {
            cycles: (0..=u64::from(u8::MAX)).map(|bursts| header + bytes(bursts).div_ceil(rate)).collect(),
            bytes: (0..=u64::from(u8::MAX)).map(|bursts| bytes(bursts) as u16).collect(),
            in_flight: Vec::new(),
            unused: Vec::new(),
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

    /// A name for a reply to `cluster`, and where the reply is kept until it is served; to be
    /// filled in.
    #[inline]
    pub(super) fn keep(&mut self, cluster: usize) -> (u32, &mut Reply) {
        let name = self.unused.pop().unwrap_or_else(|| {
            self.in_flight.push(InFlight { cluster, reply: Reply::EMPTY });
            self.in_flight.len() as u32 - 1
        });
        let load = &mut self.in_flight[name as usize];
        load.cluster = cluster;
        (name, &mut load.reply)
    }

    /// The load `name` of `bursts` bursts may leave from hot cycle `ready` on, which is not in the
    /// past: nothing that the port has taken is behind it. Of two that are ready in the same cycle
    /// the one told first goes first.
    #[inline]
    pub(super) fn served(&mut self, name: u32, bursts: u8, ready: u64) {
        let later = self.leaving.iter().rev().take_while(|other| other.0 > ready).count();
        self.leaving.insert(self.leaving.len() - later, (ready, name, bursts));
        self.busy += self.cycles[bursts as usize];
        self.sent += u64::from(self.bytes[bursts as usize]);
    }

    /// The hot cycle at which the next reply has left.
    #[inline]
    pub(super) fn next(&self) -> u64 {
        self.leaving
            .front()
            .map_or(NEVER, |(ready, _, bursts)| self.free_at.max(*ready) + self.cycles[*bursts as usize])
    }

    /// The next reply that has left by hot cycle `now`: departure, cluster and reply.
    #[inline]
    pub(super) fn pop(&mut self, now: u64) -> Option<(u64, usize, &Reply)> {
        let at = self.next();
        let (_, name, _) = self.leaving.pop_front_if(|_| at <= now)?;
        self.free_at = at;
        self.unused.push(name);
        let load = &self.in_flight[name as usize];
        Some((at, load.cluster, &load.reply))
    }

    /// Served loads that have not left.
    pub(super) fn leaving(&self) -> usize {
        self.leaving.len()
    }

    /// Loads between the point of order and their departure.
    pub(super) fn in_flight(&self) -> usize {
        self.in_flight.len() - self.unused.len()
    }
}
