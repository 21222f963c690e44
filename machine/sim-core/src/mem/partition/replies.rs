//! Loads in flight, and the port through which their replies leave.

use crate::config::PartitionConfig;
use crate::mem::sectors::SECTOR_BYTES;
use crate::state::{CloneFrom, Part};
use crate::time::NEVER;
use crate::time::message::Reply;
use std::collections::VecDeque;

/// The reply port. It stores the values of a load at the point of order, and sends them when the
/// DRAM or the L2 has served the load.
#[derive(CloneFrom, Debug, Part)]
pub(super) struct Replies {
    /// Busy shader cycles of the port, by number of bursts.
    #[state(fixed)]
    cycles: Vec<u64>,
    /// Reply bytes, by number of bursts.
    #[state(fixed)]
    bytes: Vec<u16>,
    /// Loads between the point of order and their departure, each as the message that leaves: its
    /// arrival, which is not known before, and the reply.
    in_flight: Vec<(u64, Reply)>,
    /// The cluster of each.
    clusters: Vec<u32>,
    unused: Vec<u32>,
    /// Served loads in the order in which they leave: the shader cycle from which the port may send
    /// the reply, its index in `in_flight`, and its bursts.
    leaving: VecDeque<(u64, u32, u8)>,
    /// Shader cycle from which the port is free, after all replies sent.
    free_at: u64,
    /// Shader cycle at which the next reply has left; [`NEVER`] if there is none.
    next: u64,
    /// Busy shader cycles of the port, for all served loads.
    pub(super) busy: u64,
    /// Reply bytes of all served loads.
    pub(super) sent: u64,
}

impl Replies {
    /// Creates an idle port. A reply consists of DRAM bursts or, behind an L2, of sectors; "bursts"
    /// means either.
    pub(super) fn new(config: &PartitionConfig) -> Self {
        let unit = if config.l2.is_some() { SECTOR_BYTES } else { config.dram.burst_bytes };
        let bytes = |bursts: u64| (bursts * u64::from(unit)).min(u16::MAX.into());
        let rate = u64::from(config.reply_bytes_per_cycle).max(1);
        let header = u64::from(config.reply_header_cycles);
        Self {
            cycles: (0..=u64::from(u8::MAX)).map(|bursts| header + bytes(bursts).div_ceil(rate)).collect(),
            bytes: (0..=u64::from(u8::MAX)).map(|bursts| bytes(bursts) as u16).collect(),
            in_flight: Vec::new(),
            clusters: Vec::new(),
            unused: Vec::new(),
            leaving: VecDeque::new(),
            free_at: 0,
            next: NEVER,
            busy: 0,
            sent: 0,
        }
    }

    /// Returns the bytes for which a reply of `bursts` bursts occupies the links.
    #[inline]
    pub(super) fn wire_bytes(&self, bursts: u8) -> u16 {
        self.bytes[bursts as usize]
    }

    /// Allocates an entry for a reply to `cluster`. Returns its index and the reply, which the
    /// caller fills in.
    #[inline]
    pub(super) fn keep(&mut self, cluster: usize) -> (u32, &mut Reply) {
        let name = self.unused.pop().unwrap_or_else(|| {
            self.in_flight.push((NEVER, Reply::EMPTY));
            self.clusters.push(0);
            self.in_flight.len() as u32 - 1
        });
        self.clusters[name as usize] = cluster as u32;
        (name, &mut self.in_flight[name as usize].1)
    }

    /// Lets load `name` of `bursts` bursts leave from shader cycle `ready`, which must not be in
    /// the past. Of two loads that are ready in the same cycle, the one reported first leaves
    /// first.
    #[inline]
    pub(super) fn served(&mut self, name: u32, bursts: u8, ready: u64) {
        match self.leaving.back() {
            Some((last, ..)) if *last > ready => self.serve_earlier(name, bursts, ready),
            last => {
                let first = last.is_none();
                self.leaving.push_back((ready, name, bursts));
                if first {
                    self.plan();
                }
            }
        }
        self.busy += self.cycles[bursts as usize];
        self.sent += u64::from(self.bytes[bursts as usize]);
    }

    /// Lets load `name` leave before loads that are ready later.
    #[inline(never)]
    fn serve_earlier(&mut self, name: u32, bursts: u8, ready: u64) {
        let later = self.leaving.iter().rev().take_while(|other| other.0 > ready).count();
        self.leaving.insert(self.leaving.len() - later, (ready, name, bursts));
        self.plan();
    }

    /// Returns the shader cycle at which the next reply has left.
    #[inline]
    pub(super) fn next(&self) -> u64 {
        self.next
    }

    /// Computes when the next reply has left.
    #[inline]
    fn plan(&mut self) {
        self.next = match self.leaving.front() {
            Some((ready, _, bursts)) => self.free_at.max(*ready) + self.cycles[*bursts as usize],
            None => NEVER,
        };
    }

    /// Removes the next reply that has left by shader cycle `now` and arrives `latency` later.
    /// Returns its departure, its cluster and the message.
    #[inline]
    pub(super) fn pop(&mut self, now: u64, latency: u64) -> Option<(u64, usize, &(u64, Reply))> {
        let at = self.next;
        if at > now {
            return None;
        }
        let (_, name, _) = self.leaving.pop_front()?;
        self.free_at = at;
        self.plan();
        self.unused.push(name);
        let message = &mut self.in_flight[name as usize];
        message.0 = at + latency;
        Some((at, self.clusters[name as usize] as usize, message))
    }

    /// Returns the number of served loads that have not left.
    pub(super) fn leaving(&self) -> usize {
        self.leaving.len()
    }

    /// Returns the number of loads between the point of order and their departure.
    pub(super) fn in_flight(&self) -> usize {
        self.in_flight.len() - self.unused.len()
    }
}
