//! The rule of cc 1.0 and 1.1 (CUDA C Programming Guide 5.5, G.3.2.1): the lanes of a half-warp
//! coalesce only if lane k accesses word k of one aligned segment; lanes may be inactive. Otherwise
//! every active lane has a separate 32-byte transaction.

use super::{Coalesced, LINE, Maker, SEGMENT, in_block};
use crate::config::SameWord;
use crate::time::message::REQUEST_LANES;

/// Lanes of a half-warp.
const HALF: u32 = 16;

impl Maker<'_> {
    /// Creates the messages of the half-warp `lanes`, whose first lane is `first`.
    pub(super) fn strict(&mut self, lanes: u32, first: u32, result: &mut Coalesced) {
        let (group, bytes) = (self.by.config.group, self.access.bytes);
        // The stride of a whole half-warp decides without a look at each lane.
        let whole = group == HALF && lanes >> first == 0xffff;
        let stride = if whole { self.access.strides.0[first as usize / 16 % 2] } else { None };
        let base = self.access.addr[first as usize % 32];
        let ordered = match stride {
            Some(0) if bytes == 4 && !self.kind.writes() => {
                let [transfers, bursts] = self.shared(HALF, 1);
                self.push_words(lanes, 0, [HALF, transfers, bursts]);
                result.group(HALF, 0);
                result.bytes += HALF * SEGMENT;
                return;
            }
            Some(4) if bytes == 4 && !self.kind.writes() && base.is_multiple_of(4 * HALF) => {
                self.push_words(lanes, 4, [1, 1, (4 * HALF).div_ceil(self.by.burst_bytes)]);
                result.group(1, 1);
                result.bytes += 4 * HALF;
                return;
            }
            _ => self.in_order(lanes, first),
        };
        if ordered {
            let transactions = self.coalesced(lanes, first, result);
            result.group(transactions, transactions);
        } else {
            self.scattered(lanes);
            result.group(lanes.count_ones(), 0);
            result.bytes += lanes.count_ones() * SEGMENT;
        }
    }

    /// Appends the message of a load by all `lanes` of a half-warp, whose words are `stride` bytes
    /// apart, 0 or 4, with this number of transactions, transfers and bursts.
    #[inline]
    fn push_words(&mut self, lanes: u32, stride: u8, [transactions, transfers, bursts]: [u32; 3]) {
        let base = self.access.addr[lanes.trailing_zeros() as usize % 32];
        let mut request = self.request(lanes, transactions as u8, bursts as u8, 0);
        let first = (base - request.chunk) as u8;
        request.transfers = transfers as u8;
        let offset: [u8; HALF as usize] = match stride {
            0 => [first; _],
            _ => std::array::from_fn(|lane| first.wrapping_add(4 * lane as u8)),
        };
        request.offset[..HALF as usize].copy_from_slice(&offset);
        self.out.list.push((self.by.map.locate(request.chunk).0 as u16, request));
    }

    /// Whether lane k of the group accesses word k of an aligned segment, for all `lanes`. The
    /// group starts at lane `first`.
    #[inline(never)]
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
    #[inline(never)]
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
    #[inline(never)]
    fn scattered(&mut self, lanes: u32) {
        let part = if self.access.bytes == 16 { LINE } else { self.by.chunk_bytes() };
        let mut left = lanes;
        while left != 0 {
            let same = in_block(&self.access.addr, left, part);
            let words = match self.by.config.same_word {
                SameWord::Apart => 0,
                SameWord::OneBurst | SameWord::OneTransfer => self.distinct_words(same),
            };
            self.one_chunk(same, words);
            left &= !same;
        }
    }

    /// Returns the transfers and bursts of `lanes` lanes that access `words` different words. The
    /// load/store unit processes each lane; equal words are merged only after it.
    #[inline]
    fn shared(&self, lanes: u32, words: u32) -> [u32; 2] {
        let [transfers, read] = match self.by.config.same_word {
            SameWord::Apart => [lanes, lanes],
            SameWord::OneBurst => [lanes, words],
            SameWord::OneTransfer => [words, words],
        };
        [transfers, read * SEGMENT.div_ceil(self.by.burst_bytes)]
    }

    /// Creates the message of the `lanes`, which are in one chunk and access `words` different
    /// words, with one transaction per lane.
    fn one_chunk(&mut self, lanes: u32, words: u32) {
        let [transfers, bursts] = self.shared(lanes.count_ones(), words);
        self.push(lanes, lanes.count_ones() as u8, bursts as u8, 0);
        if let Some((_, request)) = self.out.list.last_mut() {
            request.transfers = transfers as u8;
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
