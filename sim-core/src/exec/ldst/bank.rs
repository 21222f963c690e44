//! Transfers values between rows and a small memory (`bank`: parameters, constants or shared
//! memory).
//!
//! The lanes of a half-warp usually access one cell, or consecutive cells. These two cases transfer
//! all values together.
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
    for (place, row) in (0..).zip(&inst.dst_rows()[..width.rows()]) {
        let row = *row as usize;
        match width {
            Width::B8 => read_row(&mut warp.w[row], bank, access, 0, |b: [u8; 1]| u32::from(b[0])),
            Width::S8 => read_row(&mut warp.w[row], bank, access, 0, |b: [u8; 1]| b[0] as i8 as u32),
            Width::B16 => read_row(&mut warp.w[row], bank, access, 0, |b| u16::from_le_bytes(b).into()),
            Width::S16 => read_row(&mut warp.w[row], bank, access, 0, |b| i16::from_le_bytes(b) as u32),
            Width::B32 | Width::V2B32 | Width::V4B32 => {
                read_row(&mut warp.w[row], bank, access, 4 * place, u32::from_le_bytes);
            }
            Width::B64 | Width::V2B64 => {
                read_row(&mut warp.d[row], bank, access, 8 * place, u64::from_le_bytes);
            }
        }
    }
}

/// Reads into `row` the cells of `N` bytes at the addresses of the active lanes plus `place` bytes.
#[inline(always)]
fn read_row<const N: usize, T: Copy + Default>(
    row: &mut [T; 32],
    bank: &[u8],
    access: &Access,
    place: u32,
    value: impl Fn([u8; N]) -> T,
) {
    let mut some;
    let out = if access.mask == u32::MAX {
        &mut *row
    } else {
        some = [T::default(); 32];
        &mut some
    };
    gather(out, bank, access, place, value);
    if access.mask != u32::MAX {
        let values = *out;
        store(row, &values, access.mask);
    }
}

/// Reads the cells of `N` bytes of all 32 lanes. The addresses are aligned and in bounds, also in
/// inactive lanes (see `describe`).
#[inline(always)]
fn gather<const N: usize, T: Copy + Default>(
    out: &mut [T; 32],
    bank: &[u8],
    access: &Access,
    place: u32,
    value: impl Fn([u8; N]) -> T,
) {
    let cells = bank.as_chunks::<N>().0;
    let cell = |at: u32| (at + place) as usize / N;
    let read = |at: u32| cells.get(cell(at)).map_or_else(T::default, |cell| value(*cell));
    let halves = access.addr.as_chunks::<16>().0.iter().zip(out.as_chunks_mut::<16>().0);
    for ((addr, out), stride) in halves.zip(access.strides.0) {
        if stride == Some(0) {
            *out = [read(addr[0]); 16];
        } else if stride == Some(N as u32)
            && let Some(row) = cells.get(cell(addr[0])..).and_then(<[_]>::first_chunk::<16>)
        {
            // The values are copied through a buffer, because the compiler cannot know that `bank`
            // and `out` are disjoint.
            let mut values = [T::default(); 16];
            for (to, cell) in values.iter_mut().zip(row) {
                *to = value(*cell);
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

/// Writes the cells at the addresses of the active lanes plus `place` bytes, in ascending order of
/// lanes.
#[inline(always)]
fn scatter<const N: usize>(bank: &mut [u8], access: &Access, place: u32, value: impl Fn(usize) -> [u8; N]) {
    let cells = bank.as_chunks_mut::<N>().0;
    let cell = |lane: usize| (access.addr[lane] + place) as usize / N;
    for (first, stride) in [0, 16].into_iter().zip(access.strides.0) {
        let part = access.mask & 0xffff << first;
        if part == 0xffff << first
            && stride == Some(N as u32)
            && let Some(row) = cells.get_mut(cell(first)..).and_then(<[_]>::first_chunk_mut::<16>)
        {
            let mut cells = [[0; N]; 16];
            for (lane, cell) in (first..).zip(&mut cells) {
                *cell = value(lane);
            }
            *row = cells;
            continue;
        }
        for lane in lanes(part) {
            if let Some(to) = cells.get_mut(cell(lane)) {
                *to = value(lane);
            }
        }
    }
}
