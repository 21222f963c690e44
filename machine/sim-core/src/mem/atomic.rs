//! Atomics at the point of order: change the words of a request lane by lane, in ascending order.
//!
//! Invariant `atomics-lose-nothing`: No update by an atomic is lost, for any blocks and on both
//! machines. Within an instruction, old values are returned in the order of the lanes. A lock
//! admits one block at a time.

use super::image::PartitionImage;
use crate::time::message::{REQUEST_LANES, Request, Words};
use isa::sem::atomic::{Operation, apply32, apply64};

/// Whether `operation`, performed for any lane of `request` with its `data` at local address
/// `local`, would change the current value of a word. If not, all lanes together change nothing,
/// in any order.
pub fn changes(
    image: &PartitionImage,
    local: u32,
    request: &Request,
    data: &Words,
    operation: Operation,
) -> bool {
    let words = request.kind.words(request.bytes.into()) as usize;
    let lanes = request.lanes.count_ones() as usize;
    request.offset[..lanes].iter().zip(data.chunks(words)).any(|(offset, operands)| {
        let at = local + u32::from(*offset);
        let second = &operands[words - request.bytes as usize / 4..];
        if request.bytes == 8 {
            let old = u64::from_le_bytes(image.load(at));
            old != apply64(operation, old, long(operands), long(second))
        } else {
            let old = u32::from_le_bytes(image.load(at));
            old != apply32(operation, old, operands[0], second[0])
        }
    })
}

/// Performs `operation` for the lanes of `request` with its `data` at local address `local`.
/// Returns the old value of each lane, in the layout of a reply, and whether a word has changed.
pub fn perform(
    image: &mut PartitionImage,
    local: u32,
    request: &Request,
    data: &Words,
    operation: Operation,
) -> (Words, bool) {
    let words = request.kind.words(request.bytes.into()) as usize;
    let (mut found, mut changed) = ([0; REQUEST_LANES], false);
    let lanes = request.lanes.count_ones() as usize;
    for (k, (offset, operands)) in request.offset[..lanes].iter().zip(data.chunks(words)).enumerate() {
        let at = local + u32::from(*offset);
        // Without a second operand the first is passed twice; the operation ignores it.
        let second = &operands[words - request.bytes as usize / 4..];
        if request.bytes == 8 {
            let old = u64::from_le_bytes(image.load(at));
            let new = apply64(operation, old, long(operands), long(second));
            changed |= new != old;
            image.store(at, new.to_le_bytes());
            (found[2 * k], found[2 * k + 1]) = (old as u32, (old >> 32) as u32);
        } else {
            found[k] = u32::from_le_bytes(image.load(at));
            let new = apply32(operation, found[k], operands[0], second[0]);
            changed |= new != found[k];
            image.store(at, new.to_le_bytes());
        }
    }
    (found, changed)
}

/// Returns two words as a 64-bit value, the low word first.
fn long(words: &[u32]) -> u64 {
    u64::from(words[0]) | u64::from(words[1]) << 32
}
