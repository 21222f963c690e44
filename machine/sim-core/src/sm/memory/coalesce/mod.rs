//! Coalescing: combines a warp access to global memory into transactions, and packs transactions
//! into messages.
//!
//! The rule depends on the compute capability (CUDA C Programming Guide 5.5, G.3.2 and G.4.2):
//! `strict` for cc 1.0 and 1.1, `segments` for 1.2 and 1.3, `lines` for 2.x. Under the strict rule
//! a message contains the transactions of one group of lanes in one chunk, which is in one
//! partition and one DRAM row. Under the other rules it contains one transaction. Atomics have
//! separate rules: `atomics`.
//!
//! Groups, and the lanes within a message, are in ascending order. All lanes of a group that access
//! one word are in one message, so the store of the highest lane is the last.
//!
//! Invariant `every-lane-once`: The messages of an access carry every lane once, and their
//! transactions are those that the coalescing rule counts.
//!
//! Invariant `coalescing-and-banks`: Coalescing and bank conflicts follow NVIDIA's programming
//! guide.

mod atomics;
mod ideal;
mod lines;
mod own;
mod segments;
mod strict;
mod transactions;

#[cfg(test)]
mod tests;

pub use transactions::Transaction;

use crate::config::{CoalesceRule, LsuConfig, SEGMENT};
use crate::exec::mask::{BITS, count};
use crate::exec::{Access, Row32};
use crate::mem::map::AddressMap;
use crate::state::Value;
use crate::time::message::{QUADS, REQUEST_LANES, Request, RequestKind, Words, quad};

/// Result of the rule for one access, for the counters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Coalesced {
    /// Number of transactions of the access.
    pub transactions: u32,
    /// Bytes of the transactions.
    pub bytes: u32,
    /// Coalesced groups of lanes: groups with no more transactions than their words need.
    pub coalesced_groups: u32,
    /// Number of other groups.
    pub uncoalesced_groups: u32,
}

impl Coalesced {
    /// Adds a group with `transactions` transactions; a coalesced group has at most `most`.
    fn group(&mut self, transactions: u32, most: u32) {
        self.transactions += transactions;
        self.coalesced_groups += u32::from(transactions <= most);
        self.uncoalesced_groups += u32::from(transactions > most);
    }
}

/// Bytes of the largest transaction, and of a cache line of cc 2.x.
const LINE: u32 = 128;

/// A message and the link that it uses.
pub type Addressed = (u16, Request);

/// The messages of an access.
#[derive(Clone, Debug, Default, PartialEq, Value)]
pub struct Messages {
    /// The messages.
    pub list: Vec<Addressed>,
    /// The data of those messages that write, in their order.
    pub words: Vec<Words>,
}

/// Converts accesses into messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coalescer {
    /// The rule and its group size.
    pub config: LsuConfig,
    /// Mapping of addresses to partitions.
    pub map: AddressMap,
    /// Bytes per DRAM burst.
    pub burst_bytes: u32,
}

impl Coalescer {
    /// Creates the messages of `access` and appends them to `out` in ascending order of their
    /// groups. Under the rule of lines, a load transfers `whole` lines, or else the sectors that it
    /// touches.
    pub fn messages(&self, access: &Access, whole: bool, sm: u8, tag: u16, out: &mut Messages) -> Coalesced {
        let kind = match access.atomic {
            Some(operation) if access.answered() => RequestKind::Atomic(operation),
            Some(operation) => RequestKind::Reduction(operation),
            None if access.store => RequestKind::Store,
            None => RequestKind::Load,
        };
        self.make(kind, access, whole, sm, tag, out)
    }

    /// Same as [`Self::messages`], for words of local memory: `access` has their addresses in the
    /// local memory area.
    pub fn local_messages(&self, access: &Access, sm: u8, tag: u16, out: &mut Messages) -> Coalesced {
        let kind = if access.store { RequestKind::LocalStore } else { RequestKind::LocalLoad };
        self.make(kind, access, true, sm, tag, out)
    }

    /// Creates messages of kind `kind`.
    #[inline]
    fn make(
        &self,
        kind: RequestKind,
        access: &Access,
        whole: bool,
        sm: u8,
        tag: u16,
        out: &mut Messages,
    ) -> Coalesced {
        let mut result = Coalesced::default();
        let mut maker = Maker { by: self, kind, access, whole, sm, tag, out };
        let group = match self.config.rule {
            CoalesceRule::Lines => lines::group(access.bytes),
            CoalesceRule::Strict | CoalesceRule::Segments | CoalesceRule::Own(_) => self.config.group,
        };
        let all = if group >= 32 { u32::MAX } else { (1 << group) - 1 };
        let mut first = 0;
        while first < 32 {
            let lanes = access.mask & all << first;
            if lanes != 0 {
                let (made, before) = (maker.out.list.len(), result);
                match self.config.rule {
                    _ if access.atomic.is_some() => maker.atomics(lanes, &mut result),
                    CoalesceRule::Strict => maker.strict(lanes, first, &mut result),
                    CoalesceRule::Segments => maker.segments(lanes, segments::next, &mut result),
                    CoalesceRule::Lines => maker.lines(lanes, &mut result),
                    CoalesceRule::Own(own) => {
                        maker.segments(lanes, |access, left| own::next(own, access, left), &mut result);
                    }
                }
                if self.config.ideal_coalescing && access.atomic.is_none() {
                    maker.idealize(made, before, &mut result);
                }
            }
            first += group;
        }
        result
    }

    /// First byte of the chunk that contains `address`. Of a larger chunk, one message covers only
    /// a part, because its lane offsets are bytes.
    fn chunk_of(&self, address: u32) -> u32 {
        address & !(self.chunk_bytes() - 1)
    }

    /// Bytes of a chunk, or of the part of a larger chunk that one message covers.
    fn chunk_bytes(&self) -> u32 {
        self.map.chunk_bytes().min(256)
    }
}

/// Returns the `lanes` whose address is in the same aligned block of `bytes` bytes as the address
/// of the lowest lane.
#[inline]
fn in_block(addr: &Row32, lanes: u32, bytes: u32) -> u32 {
    let block = addr[lanes.trailing_zeros() as usize] & !(bytes - 1);
    let mut here = 0;
    // No early exit, so that the loop over all lanes is vectorized.
    for (at, bit) in addr.iter().zip(BITS) {
        here |= if at & !(bytes - 1) == block { bit } else { 0 };
    }
    here & lanes
}

/// Creates the messages of one access.
struct Maker<'a> {
    by: &'a Coalescer,
    /// Kind of the messages.
    kind: RequestKind,
    access: &'a Access,
    /// Whether loads transfer whole lines, under the rule of lines.
    whole: bool,
    sm: u8,
    tag: u16,
    out: &'a mut Messages,
}

impl Maker<'_> {
    /// Largest number of lanes in one message.
    fn lanes_per_message(&self) -> u32 {
        // A reply is as wide as the request; lanes share the words of 16-byte vectors.
        let words = self.kind.words(self.access.bytes).max(self.access.bytes.div_ceil(4));
        REQUEST_LANES as u32 / if self.access.atomic.is_some() { words } else { words.min(2) }
    }

    /// Appends a message of `lanes`, which are in one chunk and fit, with the cost `transactions`
    /// and `bursts`. Under the rule of lines it transfers `sectors`.
    #[inline(never)]
    fn push(&mut self, lanes: u32, transactions: u8, bursts: u8, sectors: u8) {
        debug_assert!(lanes.count_ones() <= self.lanes_per_message(), "the lanes fit into one message");
        let access = self.access;
        let mut request = self.request(lanes, transactions, bursts, sectors);
        let chunk = request.chunk;
        let link = self.by.map.locate(chunk).0 as u16;
        if access.bytes == 16 {
            request.quads = self.quads(lanes);
        }
        let first = lanes.trailing_zeros();
        if !self.kind.writes() && lanes.is_power_of_two() {
            request.offset[0] = (access.addr[first as usize % 32] - chunk) as u8;
            self.out.list.push((link, request));
            return;
        }
        if !self.kind.writes() && lanes.wrapping_add(1 << first) & lanes == 0 {
            // Consecutive lanes: this loop is vectorized.
            let run = &access.addr[first as usize..][..count(lanes) as usize];
            debug_assert!(run.iter().all(|at| self.by.chunk_of(*at) == chunk), "an access crosses a chunk");
            for (offset, at) in request.offset.iter_mut().zip(run) {
                *offset = (at - chunk) as u8;
            }
            self.out.list.push((link, request));
            return;
        }
        let words = request.kind.words(access.bytes);
        let mut data = [0; REQUEST_LANES];
        let mut left = lanes;
        let mut k = 0;
        while left != 0 {
            let lane = left.trailing_zeros() as usize;
            left &= left - 1;
            debug_assert_eq!(self.by.chunk_of(access.addr[lane]), chunk, "an access crosses a chunk");
            request.offset[k] = (access.addr[lane] - chunk) as u8;
            if self.kind.writes() {
                let all = access.words.each_ref().map(|row| row[lane]);
                match (access.bytes, words) {
                    (16, _) => data[quad(request.quads, k)..][..4].copy_from_slice(&all),
                    (8, 4) => data[4 * k..][..4].copy_from_slice(&all),
                    (8, _) => data[2 * k..][..2].copy_from_slice(&all[..2]),
                    (_, 2) => data[2 * k..][..2].copy_from_slice(&[all[0], all[2]]),
                    _ => data[k] = all[0],
                }
            }
            k += 1;
        }
        if self.kind.writes() {
            self.out.words.push(data);
        }
        self.out.list.push((link, request));
    }

    /// Returns the message of `lanes`, without their offsets.
    #[inline]
    fn request(&self, lanes: u32, transactions: u8, bursts: u8, sectors: u8) -> Request {
        Request {
            kind: self.kind,
            sm: self.sm,
            tag: self.tag,
            bytes: self.access.bytes as u8,
            transactions,
            transfers: transactions,
            bursts,
            sectors,
            lanes,
            chunk: self.by.chunk_of(self.access.addr[lanes.trailing_zeros() as usize % 32]),
            offset: [0; REQUEST_LANES],
            quads: 0,
        }
    }

    /// Positions of the 16-byte words of `lanes` in a message, as in [`Request::quads`]. Lanes with
    /// one address share a position; the data of the highest lane remain there.
    fn quads(&self, lanes: u32) -> u64 {
        let mut known = [0; QUADS];
        let (mut count, mut quads) = (0, 0);
        for (k, lane) in crate::exec::mask::lanes(lanes).enumerate() {
            let at = self.access.addr[lane];
            let place = known[..count].iter().position(|other| *other == at).unwrap_or(count);
            if place == count {
                debug_assert!(count < QUADS, "the words of 16 bytes fit into one message");
                known[place % QUADS] = at;
                count = (count + 1).min(QUADS);
            }
            quads |= (place as u64 & 0xf) << (4 * k);
        }
        quads
    }
}
