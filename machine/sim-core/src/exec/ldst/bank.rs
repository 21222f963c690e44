//! Transfers values between rows and a small memory (`bank`: parameters, constants or shared
//! memory).
//!
//! The lanes of a half-warp usually access one cell, or consecutive cells or vectors of cells.
//! These cases transfer all values together.
//!
//! Invariant `vector-accesses`: Vector loads and stores do the same as in the reference
//! interpreter, for all patterns of addresses of a warp, on every chip.

#![expect(clippy::inline_always, reason = "only inlined code is compiled for wide vectors")]

use super::super::mask::{lanes, store};
use super::super::{Access, Kernel, Warp, rows};
use isa::uop::{Inst, Width};

/// Executes a checked load of at least one lane.
#[inline(always)]
pub(in crate::exec) fn read(warp: &mut Warp, inst: &Inst, width: Width, bank: &[u8], access: &Access) {
    for (place, row) in inst.dst_rows()[..width.rows()].iter().enumerate() {
        let row = *row as usize;
        match width {
            Width::B8 => {
                read_row::<1, 1, _>(&mut warp.w[row], bank, access, place, |byte| u32::from(byte[0]));
            }
            Width::S8 => {
                read_row::<1, 1, _>(&mut warp.w[row], bank, access, place, |byte| byte[0] as i8 as u32);
            }
            Width::B16 => {
                let value = |bytes| u16::from_le_bytes(bytes).into();
                read_row::<2, 1, _>(&mut warp.w[row], bank, access, place, value);
            }
            Width::S16 => {
                let value = |bytes| i16::from_le_bytes(bytes) as u32;
                read_row::<2, 1, _>(&mut warp.w[row], bank, access, place, value);
            }
            Width::B32 => read_row::<4, 1, _>(&mut warp.w[row], bank, access, place, u32::from_le_bytes),
            Width::V2B32 => read_row::<4, 2, _>(&mut warp.w[row], bank, access, place, u32::from_le_bytes),
            Width::V4B32 => read_row::<4, 4, _>(&mut warp.w[row], bank, access, place, u32::from_le_bytes),
            Width::B64 => read_row::<8, 1, _>(&mut warp.d[row], bank, access, place, u64::from_le_bytes),
            Width::V2B64 => read_row::<8, 2, _>(&mut warp.d[row], bank, access, place, u64::from_le_bytes),
        }
    }
}

/// Reads into `row` cell `place` of the vectors of `COUNT` cells of `N` bytes at the addresses of
/// the active lanes.
#[inline(always)]
fn read_row<const N: usize, const COUNT: usize, T: Copy + Default>(
    row: &mut [T; 32],
    bank: &[u8],
    access: &Access,
    place: usize,
    value: impl Fn([u8; N]) -> T,
) {
    let mut some;
    let out = if access.mask == u32::MAX {
        &mut *row
    } else {
        some = [T::default(); 32];
        &mut some
    };
    gather::<N, COUNT, T>(out, bank, access, place, value);
    if access.mask != u32::MAX {
        let values = *out;
        store(row, &values, access.mask);
    }
}

/// Reads the cells of all 32 lanes. The addresses are aligned and in bounds, also in inactive lanes
/// (see `describe`).
#[inline(always)]
fn gather<const N: usize, const COUNT: usize, T: Copy + Default>(
    out: &mut [T; 32],
    bank: &[u8],
    access: &Access,
    place: usize,
    value: impl Fn([u8; N]) -> T,
) {
    let cells = bank.as_chunks::<N>().0;
    let cell = |at: u32| at as usize / N + place;
    let read = |at: u32| cells.get(cell(at)).map_or_else(T::default, |cell| value(*cell));
    let halves = access.addr.as_chunks::<16>().0.iter().zip(out.as_chunks_mut::<16>().0);
    for ((addr, out), stride) in halves.zip(access.strides.0) {
        if stride == Some(0) {
            *out = [read(addr[0]); 16];
        } else if stride == Some((N * COUNT) as u32)
            && let Some(row) = cells
                .get(addr[0] as usize / N..)
                .and_then(|cells| cells.as_chunks::<COUNT>().0.first_chunk::<16>())
        {
            // The values are copied through a buffer, because the compiler cannot know that `bank`
            // and `out` are disjoint.
            let mut values = [T::default(); 16];
            for (to, vector) in values.iter_mut().zip(row) {
                *to = value(vector[place % COUNT]);
            }
            *out = values;
        } else {
            for (out, at) in out.iter_mut().zip(addr) {
                *out = read(*at);
            }
        }
    }
}

/// Executes a checked store to shared memory. If several lanes have one address, the highest lane
/// wins.
#[inline(always)]
pub(in crate::exec) fn write(
    kernel: &Kernel,
    warp: &Warp,
    inst: &Inst,
    width: Width,
    shared: &mut [u8],
    access: &Access,
) {
    for (place, row) in inst.src_rows()[1..=width.rows()].iter().enumerate() {
        if width.is_wide() {
            let values = rows::d(kernel, warp, *row);
            match width.rows() {
                1 => scatter::<8, 1>(shared, access, place, |l| values[l].to_le_bytes()),
                _ => scatter::<8, 2>(shared, access, place, |l| values[l].to_le_bytes()),
            }
            continue;
        }
        let values = rows::w(kernel, warp, *row);
        match (width.bytes(), width.rows()) {
            (1, _) => scatter::<1, 1>(shared, access, place, |l| [values[l] as u8]),
            (2, _) => scatter::<2, 1>(shared, access, place, |l| (values[l] as u16).to_le_bytes()),
            (_, 1) => scatter::<4, 1>(shared, access, place, |l| values[l].to_le_bytes()),
            (_, 2) => scatter::<4, 2>(shared, access, place, |l| values[l].to_le_bytes()),
            _ => scatter::<4, 4>(shared, access, place, |l| values[l].to_le_bytes()),
        }
    }
}

/// Writes cell `place` of the vectors of `COUNT` cells of `N` bytes at the addresses of the active
/// lanes, in ascending order of lanes.
#[inline(always)]
fn scatter<const N: usize, const COUNT: usize>(
    bank: &mut [u8],
    access: &Access,
    place: usize,
    value: impl Fn(usize) -> [u8; N],
) {
    let cells = bank.as_chunks_mut::<N>().0;
    let cell = |lane: usize| access.addr[lane] as usize / N;
    for (first, stride) in [0, 16].into_iter().zip(access.strides.0) {
        let part = access.mask & 0xffff << first;
        if part == 0xffff << first
            && stride == Some((N * COUNT) as u32)
            && let Some(row) = cells
                .get_mut(cell(first)..)
                .and_then(|cells| cells.as_chunks_mut::<COUNT>().0.first_chunk_mut::<16>())
        {
            let mut values = [[0; N]; 16];
            for (lane, cell) in (first..).zip(&mut values) {
                *cell = value(lane);
            }
            for (vector, cell) in row.iter_mut().zip(values) {
                vector[place % COUNT] = cell;
            }
            continue;
        }
        for lane in lanes(part) {
            if let Some(to) = cells.get_mut(cell(lane) + place) {
                *to = value(lane);
            }
        }
    }
}
