//! Loads and stores: addresses, the checks made before anything is touched, and the values' way in and out of rows.
//!
//! Parameters, constants and shared memory are read and written here and at once. A global access is only checked
//! and described; its values come back through [`write_back`].

use super::mask::{fill, lanes, store};
use super::stride::Strides;
use super::{Access, Kernel, Row32, Row64, Warp, fault, rows};
use crate::exec::trap::Fault;
use isa::types::StateSpace;
use isa::uop::{Inst, Memory, MemoryKind, NO_ROW, Op, Width};
use std::array::from_fn;

/// Loads from a small memory (`bank`: parameters, constants or shared memory) into the destination row.
pub fn load(
    kernel: &Kernel,
    warp: &mut Warp,
    inst: &Inst,
    width: Width,
    bank: &[u8],
    space: StateSpace,
    access: &mut Access,
) -> Result<(), Fault> {
    let beyond = describe(kernel, warp, inst, width, false, access);
    check_bank(kernel, warp, inst, beyond, bank.len(), space, access)?;
    if access.mask != 0 {
        read(warp, inst, width, bank, access);
    }
    Ok(())
}

/// Performs a checked load of at least one lane.
#[inline]
pub(super) fn read(warp: &mut Warp, inst: &Inst, width: Width, bank: &[u8], access: &Access) {
    let mask = access.mask;
    let (addr, strides) = (&access.addr, access.strides);
    let row = match width {
        Width::B8 => gather(bank, addr, strides, |b: [u8; 1]| u32::from(b[0])),
        Width::S8 => gather(bank, addr, strides, |b: [u8; 1]| i32::from(b[0] as i8) as u32),
        Width::B16 => gather(bank, addr, strides, |b| u32::from(u16::from_le_bytes(b))),
        Width::S16 => gather(bank, addr, strides, |b| i32::from(i16::from_le_bytes(b)) as u32),
        Width::B32 => gather(bank, addr, strides, u32::from_le_bytes),
        Width::B64 => {
            let row: Row64 = gather(bank, addr, strides, u64::from_le_bytes);
            return store(&mut warp.d[inst.dst as usize], &row, mask);
        }
        Width::V2B32 | Width::V4B32 | Width::V2B64 => {
            return load_vector(warp, inst, width, bank, access);
        }
    };
    store(&mut warp.w[inst.dst as usize], &row, mask);
}

/// Loads a vector, whose elements stand one behind the other.
fn load_vector(warp: &mut Warp, inst: &Inst, width: Width, bank: &[u8], access: &Access) {
    let strides = access.strides;
    for (place, row) in (0..).zip(&inst.dst_rows()[..width.rows()]) {
        if width.is_wide() {
            let at = access.addr.map(|at| at + 8 * place);
            let values: Row64 = gather(bank, &at, strides, u64::from_le_bytes);
            store(&mut warp.d[*row as usize], &values, access.mask);
        } else {
            let at = access.addr.map(|at| at + 4 * place);
            let values: Row32 = gather(bank, &at, strides, u32::from_le_bytes);
            store(&mut warp.w[*row as usize], &values, access.mask);
        }
    }
}

/// Reads all 32 lanes' cells of `N` bytes: `addr` is aligned and inside, also in inactive lanes (see `describe`).
#[inline]
fn gather<const N: usize, T: Copy + Default>(
    bank: &[u8],
    addr: &Row32,
    strides: Strides,
    value: impl Fn([u8; N]) -> T,
) -> [T; 32] {
    let cells = bank.as_chunks::<N>().0;
    let read = |at: u32| cells.get(at as usize / N).map_or_else(T::default, |cell| value(*cell));
    // Half-warps whose lanes read one cell, or cells in a row, are the common cases.
    let mut out = [T::default(); 32];
    let halves = addr.as_chunks::<16>().0.iter().zip(out.as_chunks_mut::<16>().0);
    for ((addr, out), stride) in halves.zip(strides.0) {
        if stride == Some(0) {
            *out = [read(addr[0]); 16];
        } else if stride == Some(N as u32)
            && let Some(row) = cells.get(addr[0] as usize / N..).and_then(<[_]>::first_chunk::<16>)
        {
            *out = row.map(&value);
        } else {
            out.iter_mut().zip(addr).for_each(|(out, at)| *out = read(*at));
        }
    }
    out
}

/// Stores to shared memory; of several lanes with one address the highest wins.
pub fn store_shared(
    kernel: &Kernel,
    warp: &Warp,
    inst: &Inst,
    width: Width,
    shared: &mut [u8],
    access: &mut Access,
) -> Result<(), Fault> {
    let beyond = describe(kernel, warp, inst, width, true, access);
    check_bank(kernel, warp, inst, beyond, shared.len(), StateSpace::Shared, access)?;
    write(kernel, warp, inst, width, shared, access);
    Ok(())
}

/// Performs a checked store to shared memory.
#[inline]
pub(super) fn write(
    kernel: &Kernel,
    warp: &Warp,
    inst: &Inst,
    width: Width,
    shared: &mut [u8],
    access: &Access,
) {
    for (place, row) in (0..).zip(&inst.src_rows()[1..=width.rows()]) {
        if width.is_wide() {
            let values = rows::d(kernel, warp, *row);
            scatter(shared, access, 8 * place, |l| values[l].to_le_bytes());
            continue;
        }
        let values = rows::w(kernel, warp, *row);
        match width.bytes() {
            1 => scatter(shared, access, 0, |l| [values[l] as u8]),
            2 => scatter(shared, access, 0, |l| (values[l] as u16).to_le_bytes()),
            _ => scatter(shared, access, 4 * place, |l| values[l].to_le_bytes()),
        }
    }
}

/// What a store puts into memory for lane `lane`, the first byte lowest; of narrow stores the low bits count. `None` if
/// the instruction is not a store.
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

/// Writes the active lanes' cells, `place` bytes behind their addresses, in ascending order of lanes.
fn scatter<const N: usize>(bank: &mut [u8], access: &Access, place: u32, cell: impl Fn(usize) -> [u8; N]) {
    let cells = bank.as_chunks_mut::<N>().0;
    let mut put = |lane: usize| {
        if let Some(to) = cells.get_mut((access.addr[lane] + place) as usize / N) {
            *to = cell(lane);
        }
    };
    if access.mask == u32::MAX {
        (0..32).for_each(&mut put);
    } else {
        lanes(access.mask).for_each(&mut put);
    }
}

/// Describes and checks a global load or store, for the memory system to perform.
pub fn global(
    kernel: &Kernel,
    warp: &Warp,
    inst: &Inst,
    width: Width,
    is_store: bool,
    access: &mut Access,
) -> Result<(), Fault> {
    let beyond = describe(kernel, warp, inst, width, is_store, access);
    if access.mask == 0 {
        return Ok(());
    }
    if beyond != 0 || !aligned(access) || !allocated(kernel, access) {
        let table = &kernel.allocations;
        let covers = |at: u64| u32::try_from(at).is_ok_and(|at| table.covers(at, width.bytes()));
        let hint = |at| table.hint(at, u64::from(width.bytes()));
        return Err(fault::of_access(kernel, warp, inst, StateSpace::Global, access, covers, hint));
    }
    if is_store {
        capture(kernel, warp, inst, width, access);
    }
    Ok(())
}

/// Takes the values of a store, or the first operands of an atomic, along.
#[inline]
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

/// Whether every lane's bytes are allocated: at once if one allocation holds all of them, else lane by lane.
#[inline]
pub(super) fn allocated(kernel: &Kernel, access: &Access) -> bool {
    let low = access.addr.iter().fold(u32::MAX, |low, at| low.min(*at));
    let high = access.addr.iter().fold(0, |high, at| high.max(*at));
    let span = u64::from(high - low) + u64::from(access.bytes);
    let table = &kernel.allocations;
    u32::try_from(span).is_ok_and(|span| table.covers(low, span))
        || access.addr.iter().all(|at| table.covers(*at, access.bytes))
}

/// Whether every lane's address is a multiple of the access size.
pub(super) fn aligned(access: &Access) -> bool {
    access.addr.iter().fold(0, |bits, at| bits | at) & (access.bytes - 1) == 0
}

/// Checks an access to a memory of `size` bytes, one past whose end nothing is.
#[inline]
pub(super) fn check_bank(
    kernel: &Kernel,
    warp: &Warp,
    inst: &Inst,
    beyond: u32,
    size: usize,
    space: StateSpace,
    access: &Access,
) -> Result<(), Fault> {
    let bytes = u64::from(access.bytes);
    let inside = |at: u32| u64::from(at) + bytes <= size as u64;
    // All addresses combined bit by bit are at least the highest one, and cheaper to find.
    let bits = if access.strides == Strides::UNIFORM {
        access.addr[0] | access.addr[16]
    } else {
        access.addr.iter().fold(0, |bits, at| bits | at)
    };
    let sound = bits & (access.bytes - 1) == 0 && beyond == 0;
    if access.mask == 0 || sound && (inside(bits) || access.addr.iter().all(|at| inside(*at))) {
        return Ok(());
    }
    let fits = |at: u64| at.checked_add(bytes).is_some_and(|end| end <= size as u64);
    let hint = |_| match space {
        StateSpace::Param => format!("the kernel's parameters are {size} bytes"),
        StateSpace::Const => format!("constant memory is {size} bytes"),
        StateSpace::Local => format!("a thread of this kernel has {size} bytes of local memory"),
        _ => format!("the block has {size} bytes of shared memory"),
    };
    Err(fault::of_access(kernel, warp, inst, space, access, fits, hint))
}

/// Fills in all of `access` but the store's values, whose mask the caller has set. Inactive lanes get the address
/// of the lowest active one. Returns the address bits above 32 of the active lanes, combined: 0 if there are none.
#[inline]
pub(super) fn describe(
    kernel: &Kernel,
    warp: &Warp,
    inst: &Inst,
    width: Width,
    is_store: bool,
    access: &mut Access,
) -> u32 {
    access.op = inst.op;
    access.dst = inst.dst_rows();
    access.bytes = width.bytes();
    (access.store, access.atomic) = (is_store, None);
    let mut beyond = 0;
    if inst.src[0] == NO_ROW {
        access.addr = [inst.imm; 32];
        access.strides = Strides::UNIFORM;
        return beyond;
    } else if inst.aux & Inst::ADDR64 == 0 {
        let base = rows::w(kernel, warp, inst.src[0]);
        access.addr = from_fn(|l| base[l].wrapping_add(inst.imm));
    } else {
        let base = rows::d(kernel, warp, inst.src[0]);
        let offset = i64::from(inst.imm as i32) as u64;
        access.addr = from_fn(|l| base[l].wrapping_add(offset) as u32);
        let mut high: Row32 = from_fn(|l| (base[l].wrapping_add(offset) >> 32) as u32);
        fill(&mut high, access.mask);
        beyond = high.iter().fold(0, |bits, h| bits | h);
    }
    fill(&mut access.addr, access.mask);
    access.strides = Strides::of(&access.addr);
    beyond
}

/// Brings a load's values home: writes exactly `lanes` of rows `dst`. The k-th lowest of them gets word k of `words`,
/// or words 2k and 2k + 1 of an 8-byte load, or 4k to 4k + 3 of one of 16 bytes, the low ones first.
pub fn write_back(warp: &mut Warp, op: Op, dst: [u16; 4], lanes: u32, words: &[u32]) {
    let Some(Memory { width, .. }) = op.memory() else { return };
    if width.rows() > 1 {
        vector_back(warp, width, dst, lanes, words);
        return;
    }
    if width.is_wide() {
        let row = &mut warp.d[dst[0] as usize];
        for (lane, pair) in self::lanes(lanes).zip(words.as_chunks::<2>().0) {
            row[lane] = u64::from(pair[1]) << 32 | u64::from(pair[0]);
        }
        return;
    }
    let row = &mut warp.w[dst[0] as usize];
    let values = self::lanes(lanes).zip(words);
    if width.bytes() < 4 {
        let extend = width.extension();
        values.for_each(|(lane, word)| row[lane] = extend(*word));
    } else {
        values.for_each(|(lane, word)| row[lane] = *word);
    }
}

/// [`write_back`] of a vector: each of its elements to a row of its own.
fn vector_back(warp: &mut Warp, width: Width, dst: [u16; 4], lanes: u32, words: &[u32]) {
    for (place, row) in dst[..width.rows()].iter().enumerate() {
        let values = self::lanes(lanes).zip(words.chunks_exact(width.bytes() as usize / 4));
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
