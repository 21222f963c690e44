//! Transactions of atomics. On cc 1.x every active lane has a separate transaction of 32 bytes,
//! also if lanes change the same word: the partition executes them one after the other. On cc 2.x a
//! message is for one 128-byte line. Its cost in transactions is the largest number of lanes that
//! change one word, because different words are changed in parallel.

use super::{Coalesced, LINE, Maker, SEGMENT, lines};
use crate::exec::mask::lanes as each;
use crate::mem::sectors::bursts;

impl Maker<'_> {
    /// Creates the messages of a group of lanes: one for each chunk or line, or more if the
    /// operands do not fit into one message. Lanes are in ascending order within a message, and
    /// over all messages for each word.
    #[inline(never)]
    pub(super) fn atomics(&mut self, lanes: u32, result: &mut Coalesced) {
        let by_lines = self.by.config.rule.makes_lines();
        let addr = self.access.addr;
        let place = |lane: usize| if by_lines { addr[lane] / LINE } else { self.by.chunk_of(addr[lane]) };
        let most = self.lanes_per_message() as usize;
        let mut left = lanes;
        let mut count = 0;
        while left != 0 {
            let here = place(left.trailing_zeros() as usize);
            let same = each(left).filter(|lane| place(*lane) == here).take(most);
            let same = same.fold(0u32, |mask, lane| mask | 1 << lane);
            left &= !same;
            let (transactions, bursts, sectors) = if by_lines {
                let sectors = lines::sectors(&addr, same);
                (self.crowd(same), bursts(sectors, self.by.burst_bytes), sectors)
            } else {
                let own = same.count_ones();
                (own, own * SEGMENT.div_ceil(self.by.burst_bytes), 0)
            };
            let bytes = SEGMENT * if by_lines { sectors.count_ones() } else { transactions };
            count += transactions;
            result.bytes += bytes;
            self.push(same, transactions as u8, bursts as u8, sectors as u8);
        }
        result.group(count, 1);
    }

    /// Largest number of `lanes` that change one word.
    fn crowd(&self, lanes: u32) -> u32 {
        let addr = &self.access.addr;
        let of = |lane: usize| each(lanes).filter(|other| addr[*other] == addr[lane]).count() as u32;
        each(lanes).map(of).max().unwrap_or(0)
    }
}
