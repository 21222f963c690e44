//! The rule of cc 2.x (CUDA C Programming Guide 5.5, G.4.2). The access of a warp is one request,
//! or two requests of half-warps for words of 8 bytes, or four requests of quarter-warps for words
//! of 16 bytes. Each request transfers the 128-byte lines that it touches. A store, or a load that
//! bypasses the L1, transfers only the touched 32-byte sectors of a line; a store also has a byte
//! mask.

use super::{Coalesced, LINE, Maker, SEGMENT, in_block};
use crate::exec::Row32;
use crate::mem::sectors::bursts;

/// Number of lanes of one request for words of `bytes` bytes.
pub(super) const fn group(bytes: u32) -> u32 {
    match bytes {
        0..=4 => 32,
        5..=8 => 16,
        _ => 8,
    }
}

/// Bit mask of the sectors touched by the `lanes`, whose words are in one line.
pub(super) fn sectors(addr: &Row32, lanes: u32) -> u32 {
    let sector = |lane: usize| addr[lane] / SEGMENT % (LINE / SEGMENT);
    crate::exec::mask::lanes(lanes).fold(0, |sectors, lane| sectors | 1 << sector(lane))
}

impl Maker<'_> {
    /// Creates the messages of the request `lanes`: one for each line.
    #[inline(never)]
    pub(super) fn lines(&mut self, lanes: u32, result: &mut Coalesced) {
        let mut left = lanes;
        let mut count = 0;
        while left != 0 {
            let lanes = in_block(&self.access.addr, left, LINE);
            left &= !lanes;
            count += 1;
            let touched = self.access.store || !self.whole;
            let sectors =
                if touched { sectors(&self.access.addr, lanes) } else { (1 << (LINE / SEGMENT)) - 1 };
            result.bytes += sectors.count_ones() * SEGMENT;
            self.push(lanes, 1, bursts(sectors, self.by.burst_bytes) as u8, sectors as u8);
        }
        result.group(count, 1);
    }
}
