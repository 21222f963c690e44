//! The rule of cc 2.x (CUDA C Programming Guide 5.5, G.4.2). The access of a warp is one request,
//! or two requests of half-warps for words of 8 bytes, or four requests of quarter-warps for words
//! of 16 bytes. Each request transfers the 128-byte lines that it touches. A store, or a load that
//! bypasses the L1, transfers only the touched 32-byte sectors of a line; a store also has a byte
//! mask.

use super::{Coalesced, LINE, Maker, SEGMENT, in_block};
use crate::exec::Row32;
use crate::exec::mask::{self, BITS};
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
    mask::lanes(lanes).fold(0, |sectors, lane| sectors | 1 << sector(lane))
}

/// Returns the first lane of each line, if the lines of `lanes`, which are consecutive, ascend or
/// descend from lane to lane. Then each line has consecutive lanes.
#[inline]
fn first_lanes(addr: &Row32, lanes: u32) -> Option<u32> {
    mask::run(lanes)?;
    let (mut up, mut down) = (0, 0);
    // No early exit, so that the loop is vectorized.
    for ((lower, upper), bit) in addr.iter().zip(&addr[1..]).zip(&BITS[1..]) {
        let (lower, upper) = (lower / LINE, upper / LINE);
        up |= if lower < upper { *bit } else { 0 };
        down |= if lower > upper { *bit } else { 0 };
    }
    let first = lanes & lanes.wrapping_neg();
    let (up, down) = (up & lanes & !first, down & lanes & !first);
    (up == 0 || down == 0).then_some(up | down | first)
}

impl Maker<'_> {
    /// Creates the messages of the request `lanes`: one for each line.
    #[inline(never)]
    pub(super) fn lines(&mut self, lanes: u32, result: &mut Coalesced) {
        let first = in_block(&self.access.addr, lanes, LINE);
        self.line(first, result);
        let mut left = lanes & !first;
        let mut count = 1;
        // With few lanes in a line there are many lines.
        if left.trailing_zeros() < lanes.trailing_zeros() + 4
            && let Some(firsts) = first_lanes(&self.access.addr, lanes)
        {
            let mut firsts = firsts & left;
            left = 0;
            count += firsts.count_ones();
            while firsts != 0 {
                let (lane, later) = (firsts.trailing_zeros(), firsts & (firsts - 1));
                // From the first lane of this line to before that of the next one.
                let before_next = (later & later.wrapping_neg()).wrapping_sub(1);
                self.line(lanes & before_next & u32::MAX << lane, result);
                firsts = later;
            }
        }
        while left != 0 {
            let here = in_block(&self.access.addr, left, LINE);
            left &= !here;
            count += 1;
            self.line(here, result);
        }
        result.group(count, 1);
    }

    /// Creates the message of `lanes`, which access one line.
    #[inline]
    fn line(&mut self, lanes: u32, result: &mut Coalesced) {
        let touched = self.access.store || !self.whole;
        let sectors = if touched { sectors(&self.access.addr, lanes) } else { (1 << (LINE / SEGMENT)) - 1 };
        result.bytes += sectors.count_ones() * SEGMENT;
        self.push(lanes, 1, bursts(sectors, self.by.burst_bytes) as u8, sectors as u8);
    }
}
