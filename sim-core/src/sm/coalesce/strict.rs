//! The rule of cc 1.0 and 1.1 (CUDA C Programming Guide 5.5, G.3.2.1): the lanes of a half-warp coalesce only if lane k
//! accesses word k of one aligned segment, idle lanes allowed; otherwise every active lane has a 32-byte transaction of
//! its own.

use super::{Coalesced, Maker, SEGMENT};
use crate::time::message::REQUEST_LANES;

/// An aligned segment that a group fills.
#[derive(Clone, Copy)]
struct Segment {
    transactions: u32,
    /// Bytes of each transaction.
    bytes: u32,
}

impl Maker<'_> {
    /// The messages of the half-warp `lanes`, whose first lane is `first`.
    pub(super) fn strict(&mut self, lanes: u32, first: u32, result: &mut Coalesced) {
        if let Some(segment) = self.strict_segment(lanes, first) {
            self.coalesced(lanes, segment);
            result.group(segment.transactions, segment.transactions);
            result.bytes += segment.transactions * segment.bytes;
        } else {
            self.scattered(lanes);
            result.group(lanes.count_ones(), 0);
            result.bytes += lanes.count_ones() * SEGMENT;
        }
    }

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

    /// The message of a coalesced group.
    fn coalesced(&mut self, lanes: u32, segment: Segment) {
        let bursts = segment.transactions * segment.bytes.div_ceil(self.by.burst_bytes);
        self.push(lanes, segment.transactions as u8, bursts as u8);
    }

    /// Messages of a group that does not coalesce: the lanes of each chunk, each with its own transaction.
    fn scattered(&mut self, lanes: u32) {
        let mut left = lanes;
        while left != 0 {
            let chunk = self.by.chunk_of(self.access.addr[left.trailing_zeros() as usize]);
            let mut same = 0u32;
            let mut rest = left;
            while rest != 0 {
                let lane = rest.trailing_zeros();
                rest &= rest - 1;
                if self.by.chunk_of(self.access.addr[lane as usize]) == chunk {
                    same |= 1 << lane;
                }
            }
            // What travels and is charged; the rule's own count of transactions is the caller's.
            let once = self.by.config.same_word_once;
            let transfers = if once { self.distinct_words(same) } else { same.count_ones() };
            let bursts = transfers * SEGMENT.div_ceil(self.by.burst_bytes);
            self.push(same, transfers as u8, bursts as u8);
            left &= !same;
        }
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
}
