//! Ideal coalescing, which no real chip has: an access costs the least that its lanes allow.
//!
//! A group of lanes has no more transactions than with consecutive, aligned words, and a message
//! transfers only the bursts that its lanes access. The messages themselves stay as the rule makes
//! them, one for each chunk: their bytes are in different partitions or DRAM rows, and each
//! partition reads and writes its own bytes at the point of order.

use super::{Coalesced, Maker, SEGMENT};
use crate::config::CoalesceRule;
use crate::time::message::Request;

impl Maker<'_> {
    /// Reduces the cost of the messages of one group of lanes, which begin at index `first`.
    /// `before` is the result without this group.
    #[inline(never)]
    pub(super) fn idealize(&mut self, first: usize, before: Coalesced, result: &mut Coalesced) {
        let (bytes, burst_bytes) = (self.access.bytes, self.by.burst_bytes);
        // The words of a half-warp need two transactions if they have 16 bytes.
        let lines = self.by.config.rule.makes_lines();
        let mut left = if bytes == 16 && !lines { 2 } else { 1 };
        *result = before;
        let mut all = 0;
        for (_, request) in self.out.list.iter_mut().skip(first) {
            let transactions = left.min(u32::from(request.transactions));
            left -= transactions;
            all += transactions;
            request.transactions = transactions as u8;
            request.transfers = 1;
            match self.by.config.rule {
                // The rule already transfers only the accessed sectors, or the line of an L1.
                CoalesceRule::Lines => result.bytes += u32::from(request.sectors).count_ones() * SEGMENT,
                CoalesceRule::Strict | CoalesceRule::Segments | CoalesceRule::Own(_) => {
                    let bursts = accessed(request, bytes, burst_bytes).min(request.bursts.into());
                    request.bursts = bursts as u8;
                    result.bytes += accessed(request, bytes, SEGMENT) * SEGMENT;
                }
            }
        }
        result.group(all, all);
    }
}

/// Number of parts of `part` bytes that the lanes of `request` access with words of `bytes` bytes.
fn accessed(request: &Request, bytes: u32, part: u32) -> u32 {
    // A chunk has at most 256 bytes, and a part at least 4.
    let mut accessed = 0_u64;
    for offset in &request.offset[..request.lanes.count_ones() as usize] {
        let (low, high) = (u32::from(*offset) / part, (u32::from(*offset) + bytes - 1) / part);
        (low..=high).for_each(|at| accessed |= 1 << (at % 64));
    }
    accessed.count_ones()
}
