//! The rule of cc 1.0 and 1.1 (CUDA C Programming Guide 5.5, G.3.2.1): the lanes of a half-warp
//! coalesce only if lane k accesses word k of one aligned segment; lanes may be inactive. Otherwise
//! every active lane has a separate 32-byte transaction.

use super::{Coalesced, LINE, Maker, SEGMENT, in_block};
use crate::time::message::REQUEST_LANES;

impl Maker<'_> {
    /// Creates the messages of the half-warp `lanes`, whose first lane is `first`.
    pub(super) fn strict(&mut self, lanes: u32, first: u32, result: &mut Coalesced) {
        if self.in_order(lanes, first) {
            let transactions = self.coalesced(lanes, first, result);
            result.group(transactions, transactions);
        } else {
            self.scattered(lanes);
            result.group(lanes.count_ones(), 0);
            result.bytes += lanes.count_ones() * SEGMENT;
        }
    }

    /// Whether lane k of the group accesses word k of an aligned segment, for all `lanes`. The
    /// group starts at lane `first`.
    fn in_order(&self, lanes: u32, first: u32) -> bool {
        let bytes = self.access.bytes;
        if bytes < 4 {
            return false;
        }
        let lead = lanes.trailing_zeros();
        let base = self.access.addr[lead as usize].wrapping_sub((lead - first) * bytes);
        let group = self.by.config.group;
        if !base.is_multiple_of(bytes * group) {
            return false;
        }
        // No early exit, so that the loop over all lanes of the group is vectorized.
        let window = &self.access.addr[first as usize..(first + group) as usize];
        let mut astray = 0;
        for (k, addr) in window.iter().enumerate() {
            astray |= u32::from(*addr != base.wrapping_add(k as u32 * bytes)) << k;
        }
        astray << first & lanes == 0
    }

    /// Creates the messages of a coalesced group, one for each transaction: one of 64 bytes, or one
    /// of 128 for words of 8 bytes, or two of 128 for words of 16. A transaction without active
    /// lanes is omitted. Returns the number of transactions.
    fn coalesced(&mut self, lanes: u32, first: u32, result: &mut Coalesced) -> u32 {
        let (bytes, group) = (self.access.bytes, self.by.config.group);
        let whole = (bytes * group).min(LINE);
        let window = (1 << (whole / bytes)) - 1;
        let mut transactions = 0;
        for begin in (first..first + group).step_by((whole / bytes) as usize) {
            let asking = lanes & window << begin;
            if asking != 0 {
                self.push(asking, 1, whole.div_ceil(self.by.burst_bytes) as u8, 0);
                transactions += 1;
            }
        }
        result.bytes += transactions * whole;
        transactions
    }

    /// Creates the messages of a group that does not coalesce: one for the lanes of each chunk,
    /// with one transaction per lane. For words of 16 bytes a message covers half a chunk.
    fn scattered(&mut self, lanes: u32) {
        let part = if self.access.bytes == 16 { LINE } else { self.by.chunk_bytes() };
        let mut left = lanes;
        while left != 0 {
            let same = in_block(&self.access.addr, left, part);
            // The load/store unit processes each lane; equal words are merged only after it.
            let once = self.by.config.same_word_once;
            let transfers = if once { self.distinct_words(same) } else { same.count_ones() };
            let bursts = transfers * SEGMENT.div_ceil(self.by.burst_bytes);
            self.push(same, same.count_ones() as u8, bursts as u8, 0);
            if let Some((_, request)) = self.out.last_mut() {
                request.transfers = transfers as u8;
            }
            left &= !same;
        }
    }

    /// Number of different words that the lanes access.
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
