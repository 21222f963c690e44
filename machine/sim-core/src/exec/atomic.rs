//! Atomics.
//!
//! An atomic on shared memory is executed immediately, in ascending order of lanes. An atomic on
//! global memory is only described; the memory system performs it at the point of order
//! (`mem/atomic.rs`), and a reply returns the old values as for a load.

#![expect(clippy::inline_always, reason = "only inlined code is compiled for wide vectors")]

use super::ldst::{check_bank, describe, global};
use super::mask::{lanes, store};
use super::{Access, Kernel, Row32, Row64, Warp, rows};
use crate::exec::trap::Checked;
use isa::sem::atomic::{apply32, apply64};
use isa::types::StateSpace;
use isa::uop::{Inst, Memory, MemoryKind};
use std::array::from_fn;

/// Describes and checks an atomic on global memory, with its operands.
#[inline(always)]
pub fn of_global(
    kernel: &Kernel,
    warp: &mut Warp,
    inst: &Inst,
    access: &mut Access,
    _: &mut [u8],
) -> Checked {
    let Some(memory) = inst.op.memory() else { return Ok(()) };
    // The first operand is captured like the value of a store.
    global(kernel, warp, inst, memory.width, true, access)?;
    access.atomic = inst.operation();
    capture_third(kernel, warp, inst, memory, access);
    Ok(())
}

/// Captures the third operand of `cas`, the new value.
pub(super) fn capture_third(kernel: &Kernel, warp: &Warp, inst: &Inst, memory: Memory, access: &mut Access) {
    if memory.kind != MemoryKind::Cas {
        return;
    }
    if memory.width.is_wide() {
        let values = rows::d(kernel, warp, inst.src[2]);
        access.words[2] = from_fn(|l| values[l] as u32);
        access.words[3] = from_fn(|l| (values[l] >> 32) as u32);
    } else {
        access.words[2] = *rows::w(kernel, warp, inst.src[2]);
    }
}

/// Checks and performs an atomic on the block's shared memory.
#[inline(always)]
pub fn of_shared(
    kernel: &Kernel,
    warp: &mut Warp,
    inst: &Inst,
    access: &mut Access,
    shared: &mut [u8],
) -> Checked {
    let Some(memory) = inst.op.memory() else { return Ok(()) };
    let beyond = describe(kernel, warp, inst, memory.width, true, access);
    access.atomic = inst.operation();
    check_bank(kernel, warp, inst, beyond, shared.len(), StateSpace::Shared, access)?;
    perform(kernel, warp, inst, memory, shared, access);
    Ok(())
}

/// Performs a checked atomic on shared memory.
pub(super) fn perform(
    kernel: &Kernel,
    warp: &mut Warp,
    inst: &Inst,
    memory: Memory,
    shared: &mut [u8],
    access: &Access,
) {
    let Some(operation) = access.atomic.filter(|_| access.mask != 0) else { return };
    // Without a third operand the second is passed instead, and its value is not used.
    let third = inst.src[if memory.kind == MemoryKind::Cas { 2 } else { 1 }];
    let returns = memory.kind.returns();
    if memory.width.is_wide() {
        let (b, c) = (rows::d(kernel, warp, inst.src[1]), rows::d(kernel, warp, third));
        let change = |l: usize, old| apply64(operation, old, b[l], c[l]);
        let old: Row64 = update(shared, access, u64::from_le_bytes, u64::to_le_bytes, change);
        if returns {
            store(&mut warp.d[inst.dst as usize], &old, access.mask);
        }
    } else {
        let (b, c) = (rows::w(kernel, warp, inst.src[1]), rows::w(kernel, warp, third));
        let change = |l: usize, old| apply32(operation, old, b[l], c[l]);
        let old: Row32 = update(shared, access, u32::from_le_bytes, u32::to_le_bytes, change);
        if returns {
            store(&mut warp.w[inst.dst as usize], &old, access.mask);
        }
    }
}

/// Updates the cells of the active lanes one after the other, lanes ascending. Returns the old
/// value for each lane.
fn update<const N: usize, T: Copy + Default>(
    bank: &mut [u8],
    access: &Access,
    from: impl Fn([u8; N]) -> T,
    to: impl Fn(T) -> [u8; N],
    change: impl Fn(usize, T) -> T,
) -> [T; 32] {
    let cells = bank.as_chunks_mut::<N>().0;
    let mut found = [T::default(); 32];
    for lane in lanes(access.mask) {
        if let Some(cell) = cells.get_mut(access.addr[lane] as usize / N) {
            found[lane] = from(*cell);
            *cell = to(change(lane, found[lane]));
        }
    }
    found
}
