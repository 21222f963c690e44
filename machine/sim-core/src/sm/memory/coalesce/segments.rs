//! The rule of cc 1.2 and 1.3 (CUDA C Programming Guide 5.5, G.3.2.2), for each half-warp. Select
//! the segment that contains the word of the lowest remaining lane; it serves all lanes that touch
//! it. If only one half of the segment is touched, use that half, and likewise half of that half.
//! Repeat with the remaining lanes.

use super::{Coalesced, LINE, Maker, SEGMENT};
use crate::exec::Access;

/// One transaction, aligned to its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Transaction {
    /// Mask of the lanes that it serves.
    pub lanes: u32,
    /// Address of its first byte.
    pub base: u32,
    /// Its size: 32, 64 or 128 bytes.
    pub bytes: u32,
}

/// Next transaction of a half-warp, of whose lanes `left` remain.
pub(super) fn next(access: &Access, left: u32) -> Transaction {
    let (addr, bytes) = (&access.addr, access.bytes);
    let whole = (SEGMENT * bytes).min(LINE);
    let segment = addr[left.trailing_zeros() as usize] & !(whole - 1);
    let (mut lanes, mut rest) = (0, left);
    let (mut low, mut high) = (u32::MAX, 0);
    while rest != 0 {
        let lane = rest.trailing_zeros();
        rest &= rest - 1;
        let at = addr[lane as usize];
        if at & !(whole - 1) == segment {
            lanes |= 1 << lane;
            (low, high) = (low.min(at), high.max(at));
        }
    }
    // A word is aligned, so it is in the half in which it starts.
    let (mut base, mut size) = (segment, whole);
    while size > SEGMENT && (low ^ high) & (size / 2) == 0 {
        size /= 2;
        base |= low & size;
    }
    Transaction { lanes, base, bytes: size }
}

impl Maker<'_> {
    /// Creates the messages of the half-warp `lanes`: one for each transaction. `next` returns the
    /// next transaction of the remaining lanes.
    #[inline(never)]
    pub(super) fn segments(
        &mut self,
        lanes: u32,
        next: impl Fn(&Access, u32) -> Transaction,
        result: &mut Coalesced,
    ) {
        let bytes = self.access.bytes;
        let mut left = lanes;
        let mut count = 0;
        while left != 0 {
            let transaction = next(self.access, left);
            left &= !transaction.lanes;
            count += 1;
            result.bytes += transaction.bytes;
            let bursts = transaction.bytes.div_ceil(self.by.burst_bytes);
            self.push(transaction.lanes, 1, bursts as u8, 0);
        }
        // The 16-byte words of a half-warp fill two segments, shorter words at most one.
        result.group(count, (16 * bytes / LINE).max(1));
    }
}
