//! Coalescing: one warp access to global memory becomes transactions, and transactions become messages.
//!
//! cc 1.0 and 1.1 (CUDA C Programming Guide 5.5, G.3.2): the lanes of a half-warp coalesce only if lane k accesses word
//! k of one aligned segment, idle lanes allowed; otherwise every active lane has a 32-byte transaction of its own.
//!
//! A message carries the transactions of one group that lie in one chunk, hence in one partition and DRAM row.

use crate::config::LsuConfig;
use crate::exec::Access;
use crate::mem::map::AddressMap;
use crate::time::message::{REQUEST_LANES, Request, RequestKind};

/// What the rule made of one access, for the counters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Coalesced {
    /// Transactions.
    pub transactions: u32,
    /// Bytes of the transactions.
    pub bytes: u32,
    /// Groups of lanes that coalesced.
    pub coalesced_groups: u32,
    /// Groups that did not.
    pub uncoalesced_groups: u32,
}

/// Bytes of one uncoalesced transaction.
pub const SEGMENT: u32 = 32;

/// A message with the link it takes.
pub type Addressed = (u16, Request);

/// What turns accesses into messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coalescer {
    /// The rule and its group of lanes.
    pub config: LsuConfig,
    /// Who owns which address.
    pub map: AddressMap,
    /// Bytes that a DRAM burst moves.
    pub burst_bytes: u32,
}

impl Coalescer {
    /// Makes the messages of `access`, appended to `out` in ascending order of their groups.
    pub fn messages(&self, access: &Access, sm: u8, tag: u16, out: &mut Vec<Addressed>) -> Coalesced {
        let mut result = Coalesced::default();
        let group = self.config.group;
        let all = if group >= 32 { u32::MAX } else { (1 << group) - 1 };
        let mut first = 0;
        while first < 32 {
            let lanes = access.mask & all << first;
            if lanes != 0 {
                let maker = Maker { by: self, access, sm, tag };
                if let Some(segment) = maker.strict_segment(lanes, first) {
                    maker.coalesced(lanes, segment, out);
                    result.transactions += segment.transactions;
                    result.bytes += segment.transactions * segment.bytes;
                    result.coalesced_groups += 1;
                } else {
                    maker.scattered(lanes, out);
                    result.transactions += lanes.count_ones();
                    result.bytes += lanes.count_ones() * SEGMENT;
                    result.uncoalesced_groups += 1;
                }
            }
            first += group;
        }
        result
    }

    /// First byte of the chunk that holds `address`, or of the part of a larger chunk that one message can speak
    /// of: its lanes' offsets are bytes.
    fn chunk_of(&self, address: u32) -> u32 {
        address & !(self.map.chunk_bytes().min(256) - 1)
    }
}

/// An aligned segment that a group fills.
#[derive(Clone, Copy)]
struct Segment {
    transactions: u32,
    /// Bytes of each transaction.
    bytes: u32,
}

struct Maker<'a> {
    by: &'a Coalescer,
    access: &'a Access,
    sm: u8,
    tag: u16,
}

impl Maker<'_> {
    /// The segment, if the strict rule coalesces `lanes` of the group that begins at lane `first`.
    fn strict_segment(&self, lanes: u32, first: u32) -> Option<Segment> {
        let bytes = self.access.bytes;
        if bytes < 4 {
            return None;
        }
        let lead = lanes.trailing_zeros();
        let base = self.access.addr[lead as usize].wrapping_sub((lead - first) * bytes);
        let group = self.by.config.group;
        if !base.is_multiple_of(bytes * group) {
            return None;
        }
        // No early exit: the loop over all lanes of the group vectorises.
        let window = &self.access.addr[first as usize..(first + group) as usize];
        let mut astray = 0;
        for (k, addr) in window.iter().enumerate() {
            astray |= u32::from(*addr != base.wrapping_add(k as u32 * bytes)) << k;
        }
        if astray << first & lanes != 0 {
            return None;
        }
        // 16-byte words: two 128-byte transactions. Shorter ones: one of 64 or 128 bytes.
        let whole = bytes * group;
        Some(Segment { transactions: whole.div_ceil(128), bytes: whole.min(128) })
    }

    /// Messages of a coalesced group: one, or two of eight lanes each for words of 8 bytes.
    fn coalesced(&self, lanes: u32, segment: Segment, out: &mut Vec<Addressed>) {
        let per_message = self.lanes_per_message();
        let bursts = segment.transactions * segment.bytes.div_ceil(self.by.burst_bytes);
        let lead = lanes.trailing_zeros() / per_message * per_message;
        let window = ((1u32 << per_message) - 1) << lead;
        let (low, high) = (lanes & window, lanes & !window);
        if high == 0 {
            self.push(low, 1, bursts as u8, out);
        } else {
            let half = bursts.div_ceil(2) as u8;
            self.push(low, 1, half, out);
            self.push(high, 1, half, out);
        }
    }

    /// Messages of a group that does not coalesce: the lanes of each chunk, each with its own transaction.
    fn scattered(&self, lanes: u32, out: &mut Vec<Addressed>) {
        let mut left = lanes;
        while left != 0 {
            let chunk = self.by.chunk_of(self.access.addr[left.trailing_zeros() as usize]);
            let mut same = 0u32;
            let mut rest = left;
            let mut room = self.lanes_per_message();
            while rest != 0 && room != 0 {
                let lane = rest.trailing_zeros();
                rest &= rest - 1;
                if self.by.chunk_of(self.access.addr[lane as usize]) == chunk {
                    same |= 1 << lane;
                    room -= 1;
                }
            }
            // What travels and is charged; the rule's own count of transactions is the caller's.
            let once = self.by.config.same_word_once;
            let transfers = if once { self.distinct_words(same) } else { same.count_ones() };
            let bursts = transfers * SEGMENT.div_ceil(self.by.burst_bytes);
            self.push(same, transfers as u8, bursts as u8, out);
            left &= !same;
        }
    }

    fn lanes_per_message(&self) -> u32 {
        REQUEST_LANES as u32 * 4 / self.access.bytes.max(4)
    }

    /// How many different words the lanes access.
    fn distinct_words(&self, lanes: u32) -> u32 {
        let mut seen = [0; REQUEST_LANES];
        let mut count = 0;
        for lane in crate::sm::scheduler::bits(u64::from(lanes)) {
            let word = self.access.addr[lane as usize] / 4;
            if !seen[..count].contains(&word) {
                seen[count] = word;
                count += 1;
            }
        }
        count as u32
    }

    fn push(&self, lanes: u32, transactions: u8, bursts: u8, out: &mut Vec<Addressed>) {
        let access = self.access;
        let chunk = self.by.chunk_of(access.addr[lanes.trailing_zeros() as usize]);
        let mut request = Request {
            kind: if access.store { RequestKind::Store } else { RequestKind::Load },
            sm: self.sm,
            tag: self.tag,
            bytes: access.bytes as u8,
            transactions,
            bursts,
            lanes,
            chunk,
            offset: [0; REQUEST_LANES],
            data: [0; REQUEST_LANES],
        };
        let mut left = lanes;
        let mut k = 0;
        while left != 0 {
            let lane = left.trailing_zeros() as usize;
            left &= left - 1;
            debug_assert_eq!(self.by.chunk_of(access.addr[lane]), chunk, "an access crosses a chunk");
            request.offset[k] = (access.addr[lane] - chunk) as u8;
            if access.store {
                if access.bytes == 8 {
                    request.data[2 * k] = access.lo[lane];
                    request.data[2 * k + 1] = access.hi[lane];
                } else {
                    request.data[k] = access.lo[lane];
                }
            }
            k += 1;
        }
        out.push((self.by.map.locate(chunk).0 as u16, request));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::CoalesceRule;
    use isa::uop::Op;

    const STRICT: LsuConfig = LsuConfig {
        queue: 4,
        latency: 0,
        transaction_cycles: 1,
        group: 16,
        rule: CoalesceRule::Strict,
        same_word_once: false,
    };

    fn run(config: &LsuConfig, bytes: u32, mask: u32, f: impl Fn(u32) -> u32) -> (Coalesced, Vec<Addressed>) {
        let op = if bytes == 8 { Op::LdGlobalB64 } else { Op::LdGlobalB32 };
        let addr = std::array::from_fn(|lane| f(lane as u32));
        let access = Access { op, bytes, mask, addr, ..Access::new() };
        let mut out = Vec::new();
        let by = Coalescer { config: *config, map: AddressMap::new(256, 6), burst_bytes: 32 };
        (by.messages(&access, 0, 0, &mut out), out)
    }

    #[test]
    fn aligned_words_in_order_are_one_transaction_per_half_warp() {
        let (c, out) = run(&STRICT, 4, u32::MAX, |l| 0x1000 + 4 * l);
        assert_eq!((c.transactions, c.bytes, c.coalesced_groups), (2, 128, 2));
        assert_eq!(out.iter().map(|(_, r)| (r.transactions, r.bursts)).collect::<Vec<_>>(), [(1, 2), (1, 2)]);
    }

    #[test]
    fn idle_lanes_do_not_matter() {
        let (c, _) = run(&STRICT, 4, 0x0000_7ffe, |l| 0x1000 + 4 * l);
        assert_eq!((c.transactions, c.bytes), (1, 64));
    }

    #[test]
    fn swapped_or_misaligned_lanes_have_a_transaction_each() {
        let swapped = |l: u32| 0x1000 + 4 * (l ^ u32::from(l < 2));
        assert_eq!(run(&STRICT, 4, 0xffff, swapped).0.transactions, 16);
        let (c, out) = run(&STRICT, 4, 0xffff, |l| 0x1004 + 4 * l);
        assert_eq!((c.transactions, c.bytes, c.uncoalesced_groups), (16, 512, 1));
        assert_eq!(out.len(), 1, "one chunk, one message");
        assert_eq!((out[0].1.transactions, out[0].1.bursts), (16, 16));
    }

    #[test]
    fn a_column_walk_spreads_over_partitions() {
        let (c, out) = run(&STRICT, 4, 0xffff, |l| 0x1000 + 1024 * l);
        assert_eq!(c.transactions, 16);
        assert_eq!(out.len(), 16);
        assert!(out.iter().all(|(link, r)| u32::from(*link) == r.chunk / 256 % 6));
    }

    #[test]
    fn double_words_are_one_128_byte_transaction() {
        let (c, out) = run(&STRICT, 8, 0xffff, |l| 0x1000 + 8 * l);
        assert_eq!((c.transactions, c.bytes), (1, 128));
        assert_eq!(out.iter().map(|(_, r)| r.bursts).collect::<Vec<_>>(), [2, 2]);
        let (c, out) = run(&STRICT, 8, 0x00f0, |l| 0x1000 + 8 * l);
        assert_eq!((c.transactions, c.bytes, out.len(), out[0].1.bursts), (1, 128, 1, 4));
        assert_eq!(run(&STRICT, 8, 0xffff, |l| 0x1040 + 8 * l).0.transactions, 16, "aligned to 64 only");
    }

    #[test]
    fn bytes_never_coalesce() {
        assert_eq!(run(&STRICT, 1, 0xffff, |l| 0x1000 + l).0.transactions, 16);
    }

    #[test]
    fn the_same_word_for_all_moves_once_only_if_switched_on() {
        let (c, out) = run(&STRICT, 4, 0xffff, |_| 0x1008);
        assert_eq!((c.transactions, out[0].1.bursts), (16, 16));
        let once = LsuConfig { same_word_once: true, ..STRICT };
        let (c, out) = run(&once, 4, 0xffff, |_| 0x1008);
        let sent = (out[0].1.transactions, out[0].1.bursts);
        assert_eq!((c.transactions, sent), (16, (1, 1)), "requests by the rule, the word on the way once");
    }
}
