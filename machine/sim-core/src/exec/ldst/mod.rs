//! Loads and stores: addresses, checks, and the transfer of values to and from rows.
//!
//! Parameters, constants and shared memory are read and written immediately. A global access is
//! only checked and described; [`write_back`] stores its values when the reply arrives.
//!
//! Invariant `highest-lane-wins`: If several lanes of an instruction store to one word, the value
//! of the highest active lane remains.

#![expect(clippy::inline_always, reason = "only inlined code is compiled for wide vectors")]

mod address;
mod bank;
mod regular;

pub(super) use address::{aligned, allocated, check_bank, describe, in_pages, span};
pub(super) use bank::{read, write};
pub use regular::load_regular;

use super::{Access, Kernel, Warp, mask, rows};
use crate::exec::trap::Checked;
use isa::types::StateSpace;
use isa::uop::{Inst, Memory, MemoryKind, MemorySpace, Op, Width};
use std::array::from_fn;

/// Used instead of a micro-op number: any micro-op, known only at run time.
pub const ANY: u16 = u16::MAX;

/// Returns the memory operation of `inst`. `OP` is the number of the micro-op for which the code is
/// compiled, or [`ANY`].
#[inline(always)]
const fn memory<const OP: u16>(inst: &Inst) -> Option<Memory> {
    if OP == ANY { inst.op.memory() } else { Op::ALL[OP as usize].memory() }
}

/// The small memory that a load from `space` reads.
#[inline(always)]
fn bank_of<'a>(space: MemorySpace, kernel: &'a Kernel, shared: &'a [u8]) -> (&'a [u8], StateSpace) {
    match space {
        MemorySpace::Param => (&kernel.params, StateSpace::Param),
        MemorySpace::Const => (&kernel.constants, StateSpace::Const),
        MemorySpace::Shared | MemorySpace::Local | MemorySpace::Global | MemorySpace::Generic => {
            (shared, StateSpace::Shared)
        }
    }
}

/// Loads from parameters, constants or shared memory into the destination rows of `inst`.
#[inline(always)]
pub fn load<const OP: u16>(
    kernel: &Kernel,
    warp: &mut Warp,
    inst: &Inst,
    access: &mut Access,
    shared: &mut [u8],
) -> Checked {
    let Some(Memory { space, width, .. }) = memory::<OP>(inst) else { return Ok(()) };
    let (bank, space) = bank_of(space, kernel, shared);
    let beyond = describe(kernel, warp, inst, width, false, access);
    check_bank(kernel, warp, inst, beyond, bank.len(), space, access)?;
    if access.mask != 0 {
        read(warp, inst, width, bank, access);
    }
    Ok(())
}

/// Stores to shared memory. If several lanes have one address, the highest lane wins.
#[inline(always)]
pub fn store_shared<const OP: u16>(
    kernel: &Kernel,
    warp: &mut Warp,
    inst: &Inst,
    access: &mut Access,
    shared: &mut [u8],
) -> Checked {
    let Some(Memory { width, .. }) = memory::<OP>(inst) else { return Ok(()) };
    let beyond = describe(kernel, warp, inst, width, true, access);
    check_bank(kernel, warp, inst, beyond, shared.len(), StateSpace::Shared, access)?;
    write(kernel, warp, inst, width, shared, access);
    Ok(())
}

/// Describes and checks a global load or store, for the memory system to perform.
#[inline(always)]
pub fn load_or_store_global<const OP: u16>(
    kernel: &Kernel,
    warp: &mut Warp,
    inst: &Inst,
    access: &mut Access,
    _: &mut [u8],
) -> Checked {
    let Some(Memory { kind, width, .. }) = memory::<OP>(inst) else { return Ok(()) };
    global(kernel, warp, inst, width, kind.writes(), access)
}

/// Describes and checks a global access.
#[inline(always)]
pub fn global(
    kernel: &Kernel,
    warp: &Warp,
    inst: &Inst,
    width: Width,
    is_store: bool,
    access: &mut Access,
) -> Checked {
    let beyond = describe(kernel, warp, inst, width, is_store, access);
    if access.mask == 0 {
        return Ok(());
    }
    if beyond != 0 || !aligned(access) || !allocated(kernel, access) {
        address::of_global(kernel, warp, inst, beyond, access)?;
    }
    if is_store {
        capture(kernel, warp, inst, width, access);
    }
    Ok(())
}

/// Captures the values of a store, or the first operands of an atomic.
#[inline(always)]
pub(super) fn capture(kernel: &Kernel, warp: &Warp, inst: &Inst, width: Width, access: &mut Access) {
    for (place, row) in inst.src_rows()[1..=width.rows()].iter().enumerate() {
        if width.is_wide() {
            let values = rows::d(kernel, warp, *row);
            access.words[2 * place] = from_fn(|l| values[l] as u32);
            access.words[2 * place + 1] = from_fn(|l| (values[l] >> 32) as u32);
        } else {
            access.words[place] = *rows::w(kernel, warp, *row);
        }
    }
}

/// The value that a store writes for lane `lane`, the first byte lowest; only the low bits of
/// narrow stores are valid. `None` if the instruction is not a store.
pub fn stored(kernel: &Kernel, warp: &Warp, inst: &Inst, lane: usize) -> Option<u128> {
    let Memory { kind: MemoryKind::Store, width, .. } = inst.op.memory()? else { return None };
    let rows = inst.src_rows();
    Some(rows[1..=width.rows()].iter().rev().fold(0, |value, row| {
        if width.is_wide() {
            value << 64 | u128::from(rows::d(kernel, warp, *row)[lane])
        } else {
            value << 32 | u128::from(rows::w(kernel, warp, *row)[lane])
        }
    }))
}

/// Writes the values of a load to rows `dst`, exactly in the lanes `lanes`. The k-th lowest lane
/// gets word k of `words`; for an 8-byte load words 2k and 2k + 1, for a 16-byte load words 4k to
/// 4k + 3, the low words first.
pub fn write_back(warp: &mut Warp, op: Op, dst: [u16; 4], lanes: u32, words: &[u32]) {
    let Some(Memory { width, .. }) = op.memory() else { return };
    if width.rows() > 1 {
        vector_back(warp, width, dst, lanes, words);
        return;
    }
    if width.is_wide() {
        let row = &mut warp.d[dst[0] as usize];
        for (lane, pair) in mask::lanes(lanes).zip(words.as_chunks::<2>().0) {
            row[lane] = u64::from(pair[1]) << 32 | u64::from(pair[0]);
        }
        return;
    }
    let row = &mut warp.w[dst[0] as usize];
    if width.bytes() < 4 {
        let extend = width.extension();
        mask::lanes(lanes).zip(words).for_each(|(lane, word)| row[lane] = extend(*word));
    } else if let Some(run) = mask::run(lanes) {
        row[run].iter_mut().zip(words).for_each(|(lane, word)| *lane = *word);
    } else {
        mask::lanes(lanes).zip(words).for_each(|(lane, word)| row[lane] = *word);
    }
}

/// Executes [`write_back`] for a vector: each element has a separate row.
fn vector_back(warp: &mut Warp, width: Width, dst: [u16; 4], lanes: u32, words: &[u32]) {
    for (place, row) in dst[..width.rows()].iter().enumerate() {
        let values = mask::lanes(lanes).zip(words.chunks_exact(width.bytes() as usize / 4));
        if width.is_wide() {
            let row = &mut warp.d[*row as usize];
            for (lane, words) in values {
                row[lane] = u64::from(words[2 * place + 1]) << 32 | u64::from(words[2 * place]);
            }
        } else {
            let row = &mut warp.w[*row as usize];
            for (lane, words) in values {
                row[lane] = words[place];
            }
        }
    }
}

#[cfg(test)]
mod tests;
