//! The rule of cc 2.x (CUDA C Programming Guide 5.5, G.4.2): a warp's access is one request, or two of half-warps for
//! words of 8 bytes, or four of quarter-warps for words of 16; each moves the 128-byte lines that it touches. Of a
//! line that is written, or read past the L1, only the touched sectors of 32 bytes move, with a mask of bytes where they
//! are written.

use super::{Coalesced, LINE, Maker, SEGMENT};
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

/// What a request wants of one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    /// The lanes.
    pub lanes: u32,
    /// The sectors that they touch, as bits.
    pub sectors: u32,
}

/// What the lanes `left` of a request want of the line that holds the lowest one's word.
pub(super) fn next(addr: &Row32, left: u32) -> Part {
    let line = addr[left.trailing_zeros() as usize] / LINE;
    let mut part = Part { lanes: 0, sectors: 0 };
    // No early exit: the loop over all lanes vectorises.
    for (lane, at) in addr.iter().enumerate() {
        let here = u32::from(at / LINE == line) & left >> lane;
        part.lanes |= here << lane;
        part.sectors |= here << (at / SEGMENT % (LINE / SEGMENT));
    }
    part
}

impl Maker<'_> {
    /// The messages of the request `lanes`: one for each line.
    pub(super) fn lines(&mut self, lanes: u32, result: &mut Coalesced) {
        let mut left = lanes;
        let mut count = 0;
        while left != 0 {
            let part = next(&self.access.addr, left);
            left &= !part.lanes;
            count += 1;
            let touched = self.access.store || !self.whole;
            let sectors = if touched { part.sectors } else { (1 << (LINE / SEGMENT)) - 1 };
            result.bytes += sectors.count_ones() * SEGMENT;
            self.push(part.lanes, 1, bursts(sectors, self.by.burst_bytes) as u8, sectors as u8);
        }
        result.group(count, 1);
    }
}
