//! The rule of cc 1.2 and 1.3 (CUDA C Programming Guide 5.5, G.3.2.2), by half-warps: take the
//! segment that holds the lowest lane's word; it serves all lanes that touch it; use only its half,
//! and of that only its half again, if the rest is not touched; go on with the lanes that are left.

use super::{Coalesced, LINE, Maker, SEGMENT};
use crate::exec::Row32;

/// One transaction, aligned to its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Transaction {
    /// The lanes that it serves.
    pub lanes: u32,
    /// Its first byte.
    pub base: u32,
    /// Its size: 32, 64 or 128 bytes.
    pub bytes: u32,
}

/// The next transaction of a half-warp, of which the lanes `left` want `bytes` bytes each at
/// `addr`.
pub(super) fn next(addr: &Row32, bytes: u32, left: u32) -> Transaction {
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
    // A word is aligned: it lies in the half in which it begins.
    let (mut base, mut size) = (segment, whole);
    while size > SEGMENT && (low ^ high) & (size / 2) == 0 {
        size /= 2;
        base |= low & size;
    }
    Transaction { lanes, base, bytes: size }
}

impl Maker<'_> {
    /// The messages of the half-warp `lanes`: one for each transaction.
    pub(super) fn segments(&mut self, lanes: u32, result: &mut Coalesced) {
        let bytes = self.access.bytes;
        let mut left = lanes;
        let mut count = 0;
        while left != 0 {
            let transaction = next(&self.access.addr, bytes, left);
            left &= !transaction.lanes;
            count += 1;
            result.bytes += transaction.bytes;
            let bursts = transaction.bytes.div_ceil(self.by.burst_bytes);
            self.push(transaction.lanes, 1, bursts as u8, 0);
        }
        // A half-warp's words of 16 bytes fill two segments, shorter ones at most one.
        result.group(count, (16 * bytes / LINE).max(1));
    }
}
