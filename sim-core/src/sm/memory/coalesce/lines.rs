//! The rule of cc 2.x (CUDA C Programming Guide 5.5, G.4.2): a warp's access is one request, or two
//! of half-warps for words of 8 bytes, or four of quarter-warps for words of 16; each moves the
//! 128-byte lines that it touches. Of a line that is written, or read past the L1, only the touched
//! sectors of 32 bytes move, with a mask of bytes where they are written.

use super::{Coalesced, LINE, Maker, SEGMENT, in_block};
use crate::exec::Row32;
use crate::mem::sectors::bursts;

/// Lanes of one request for words of `bytes` bytes.
pub(super) const fn group(bytes: u32) -> u32 {
    match bytes {
        0..=4 => 32,
        5..=8 => 16,
        _ => 8,
    }
}

/// The sectors that the `lanes`, whose words lie in one line, touch, as bits.
pub(super) fn sectors(addr: &Row32, lanes: u32) -> u32 {
    let sector = |lane: usize| addr[lane] / SEGMENT % (LINE / SEGMENT);
    crate::exec::mask::lanes(lanes).fold(0, |sectors, lane| sectors | 1 << sector(lane))
}

impl Maker<'_> {
    /// The messages of the request `lanes`: one for each line.
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
