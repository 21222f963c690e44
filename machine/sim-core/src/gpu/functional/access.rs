//! Accesses to global memory on the functional machine: performed immediately, lanes in ascending
//! order.

use super::cells::Cells;
use crate::exec::mask::store;
use crate::exec::{Access, Row32, Row64, Warp};
use isa::sem::atomic::{Operation, apply32, apply64};
use isa::uop::Width;
use std::array::from_fn;

/// Performs a checked atomic, lanes in ascending order.
fn perform_atomic(operation: Operation, access: &Access, warp: &mut Warp, memory: &mut impl Cells) {
    let words = &access.words;
    if access.bytes == 8 {
        let long =
            |word: usize, lane: usize| u64::from(words[word + 1][lane]) << 32 | u64::from(words[word][lane]);
        let mut found: Row64 = [0; 32];
        memory.change_lanes::<8, true>(&access.addr, access.mask, |lane, cell| {
            found[lane] = u64::from_le_bytes(*cell);
            *cell = apply64(operation, found[lane], long(0, lane), long(2, lane)).to_le_bytes();
        });
        if access.answered() {
            store(&mut warp.d[access.dst[0] as usize], &found, access.mask);
        }
    } else {
        let mut found: Row32 = [0; 32];
        memory.change_lanes::<4, true>(&access.addr, access.mask, |lane, cell| {
            found[lane] = u32::from_le_bytes(*cell);
            *cell = apply32(operation, found[lane], words[0][lane], words[2][lane]).to_le_bytes();
        });
        if access.answered() {
            store(&mut warp.w[access.dst[0] as usize], &found, access.mask);
        }
    }
}

/// The lanes of each half-warp: the first lane and the mask.
const HALVES: [(usize, u32); 2] = [(0, 0xffff), (16, 0xffff_0000)];

/// Whether all lanes of half-warp `half`, of the mask `part`, access consecutive cells.
fn is_line(access: &Access, half: usize, part: u32) -> bool {
    access.mask & part == part && access.strides.0[half] == Some(access.bytes)
}

/// Loads the `N` bytes of each active lane. `HALF` is 16 times `N`.
fn load<const N: usize, const HALF: usize>(access: &Access, memory: &mut impl Cells) -> [[u8; N]; 32] {
    let (mut values, mut irregular) = ([[0; N]; 32], 0);
    for (half, (first, part)) in HALVES.into_iter().enumerate() {
        if is_line(access, half, part) {
            let line: [u8; HALF] = memory.line(access.addr[first]);
            values[first..first + 16].copy_from_slice(line.as_chunks().0);
        } else if access.strides.0[half] == Some(0) {
            values[first..first + 16].fill(memory.line(access.addr[first]));
        } else {
            irregular |= part;
        }
    }
    if access.mask & irregular != 0 {
        memory.load_lanes(&access.addr, access.mask & irregular, |lane, cell| values[lane] = cell);
    }
    values
}

/// Stores the `N` bytes of each active lane. `HALF` is 16 times `N`.
fn save<const N: usize, const HALF: usize>(access: &Access, values: &[[u8; N]; 32], memory: &mut impl Cells) {
    if !(0..2).all(|half| is_line(access, half, HALVES[half].1)) {
        let set = |lane: usize, cell: &mut [u8; N]| *cell = values[lane];
        return memory.change_lanes::<N, false>(&access.addr, access.mask, set);
    }
    for (first, _) in HALVES {
        let mut line = [0; HALF];
        line.as_chunks_mut().0.copy_from_slice(&values[first..first + 16]);
        memory.set_line(access.addr[first], line);
    }
}

/// Stores 32-bit words of all lanes.
fn save_all(access: &Access, memory: &mut impl Cells) {
    let words = &access.words[0];
    if !(0..2).all(|half| is_line(access, half, HALVES[half].1)) {
        let set = |lane: usize, cell: &mut [u8; 4]| *cell = words[lane].to_le_bytes();
        return memory.change_lanes::<4, false>(&access.addr, u32::MAX, set);
    }
    for (first, _) in HALVES {
        let mut line = [0; 64];
        let bytes = words[first..first + 16].iter().zip(line.as_chunks_mut().0);
        bytes.for_each(|(word, bytes)| *bytes = word.to_le_bytes());
        memory.set_line(access.addr[first], line);
    }
}

/// Cell `place`, of `CELL` bytes, of the bytes of each lane.
#[inline]
fn cell<const N: usize, const CELL: usize>(values: &[[u8; N]; 32], place: usize) -> [[u8; CELL]; 32] {
    let mut row = [[0; CELL]; 32];
    for (to, value) in row.iter_mut().zip(values) {
        *to = value.as_chunks().0.get(place).copied().unwrap_or([0; CELL]);
    }
    row
}

/// Performs a load or store of `N` bytes per lane. `HALF` is 16 times `N`.
fn of_bytes<const N: usize, const HALF: usize>(access: &Access, warp: &mut Warp, memory: &mut impl Cells) {
    if access.store {
        let mut values = [[0; N]; 32];
        for (place, words) in access.words.iter().enumerate().take(N.div_ceil(4)) {
            for (value, word) in values.iter_mut().zip(words) {
                let bytes = word.to_le_bytes();
                match value.as_chunks_mut().0.get_mut(place) {
                    Some(word) => *word = bytes,
                    None => *value = from_fn(|byte| bytes[byte]),
                }
            }
        }
        return save::<N, HALF>(access, &values, memory);
    }
    let values = load::<N, HALF>(access, memory);
    let Some(isa::uop::Memory { width, .. }) = access.op.memory() else { return };
    let mut put =
        |place: usize, row: Row32| store(&mut warp.w[access.dst[place] as usize], &row, access.mask);
    // The numbers of rows are constants, so that the compiler knows each place.
    match width {
        Width::B8 => put(0, cell::<N, 1>(&values, 0).map(|byte| byte[0].into())),
        Width::S8 => put(0, cell::<N, 1>(&values, 0).map(|byte| byte[0] as i8 as u32)),
        Width::B16 => put(0, cell::<N, 2>(&values, 0).map(|bytes| u16::from_le_bytes(bytes).into())),
        Width::S16 => put(0, cell::<N, 2>(&values, 0).map(|bytes| i16::from_le_bytes(bytes) as u32)),
        Width::B32 | Width::V2B32 | Width::V4B32 => {
            for place in 0..N / 4 {
                put(place, cell::<N, 4>(&values, place).map(u32::from_le_bytes));
            }
        }
        Width::B64 | Width::V2B64 => {
            for place in 0..N / 8 {
                let row = cell::<N, 8>(&values, place).map(u64::from_le_bytes);
                store(&mut warp.d[access.dst[place] as usize], &row, access.mask);
            }
        }
    }
}

/// Loads 32-bit words for all lanes.
fn load_all(access: &Access, row: &mut Row32, memory: &mut impl Cells) {
    let mut irregular = 0;
    for (half, (first, part)) in HALVES.into_iter().enumerate() {
        let words = &mut row[first..first + 16];
        match access.strides.0[half] {
            Some(4) => {
                let line: [u8; 64] = memory.line(access.addr[first]);
                let cells = line.as_chunks().0;
                words.iter_mut().zip(cells).for_each(|(word, cell)| *word = u32::from_le_bytes(*cell));
            }
            Some(0) => words.fill(u32::from_le_bytes(memory.line(access.addr[first]))),
            _ => irregular |= part,
        }
    }
    if irregular != 0 {
        memory.load_lanes(&access.addr, irregular, |lane, cell| row[lane] = u32::from_le_bytes(cell));
    }
}

/// Performs a checked global access, lanes in ascending order.
pub(in crate::gpu) fn perform(access: &Access, warp: &mut Warp, memory: &mut impl Cells) {
    if let Some(operation) = access.atomic {
        return perform_atomic(operation, access, warp, memory);
    }
    match access.bytes {
        1 => of_bytes::<1, 16>(access, warp, memory),
        2 => of_bytes::<2, 32>(access, warp, memory),
        // The most frequent accesses need no copies of the values.
        4 if access.mask == u32::MAX && access.store => save_all(access, memory),
        4 if access.mask == u32::MAX => load_all(access, &mut warp.w[access.dst[0] as usize], memory),
        4 => of_bytes::<4, 64>(access, warp, memory),
        8 => of_bytes::<8, 128>(access, warp, memory),
        _ => of_bytes::<16, 256>(access, warp, memory),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::build::Builder;
    use crate::exec::ldst::write_back;
    use crate::exec::mask::lanes;
    use crate::exec::stride::Strides;
    use crate::mem::image::Memory;
    use crate::mem::map::AddressMap;
    use isa::uop::Op;

    /// Patterns of cells whose halves are consecutive or not; some lines cross chunks.
    const PATTERNS: [fn(u32) -> u32; 6] = [
        |lane| lane,
        |lane| lane % 16 + 250 * (lane / 16),
        |_| 2,
        |lane| if lane < 16 { lane } else { 3 * lane },
        |lane| if lane < 16 { 100 } else { lane },
        |lane| lane * lane % 23,
    ];

    /// A load and a store of each width.
    const ACCESSES: [(Op, Op); 9] = [
        (Op::LdGlobalB8, Op::StGlobalB8),
        (Op::LdGlobalS8, Op::StGlobalB8),
        (Op::LdGlobalB16, Op::StGlobalB16),
        (Op::LdGlobalS16, Op::StGlobalB16),
        (Op::LdGlobalB32, Op::StGlobalB32),
        (Op::LdGlobalB64, Op::StGlobalB64),
        (Op::LdGlobalV2B32, Op::StGlobalV2B32),
        (Op::LdGlobalV4B32, Op::StGlobalV4B32),
        (Op::LdGlobalV2B64, Op::StGlobalV2B64),
    ];

    /// Stores and loads all lanes of `mask`, and compares with accesses to the bytes of one lane
    /// after the other.
    fn compare(memory: &mut Memory, (load, store): (Op, Op), addr: Row32, mask: u32) {
        let mut single = memory.clone();
        let bytes = load.memory().map_or(0, |memory| memory.width.bytes());
        let mut access = Access::new();
        (access.addr, access.strides, access.mask) = (addr, Strides::of(&addr), mask);
        (access.bytes, access.op, access.store) = (bytes, store, true);
        access.words =
            from_fn(|word| from_fn(|lane| 0x81a3_b5c7_u32.wrapping_mul(lane as u32 + 7 * word as u32 + 1)));
        let (_, mut warp) = Builder::new().rows(5, 5, 0).started();
        perform(&access, &mut warp, memory);
        for lane in lanes(mask) {
            let value: Vec<u8> = access.words.iter().flat_map(|row| row[lane].to_le_bytes()).collect();
            single.write(addr[lane], &value[..bytes as usize]);
        }
        assert_eq!(*memory, single, "{store:?} {addr:?} {mask:#x}");
        (access.op, access.store, access.dst) = (load, false, [1, 2, 3, 4]);
        warp.w[1] = [9; 32];
        let mut other = warp.clone();
        perform(&access, &mut warp, memory);
        let mut words = Vec::new();
        for lane in lanes(mask) {
            let mut value = [0; 16];
            single.read(addr[lane], &mut value[..bytes as usize]);
            words.extend(
                value.as_chunks().0[..bytes.div_ceil(4) as usize]
                    .iter()
                    .map(|word| u32::from_le_bytes(*word)),
            );
        }
        write_back(&mut other, load, access.dst, mask, &words);
        assert_eq!(warp, other, "{load:?} {addr:?} {mask:#x}");
    }

    #[test]
    fn rows_are_moved_like_single_lanes() {
        for (chunk, partitions) in [(256, 6), (64, 3)] {
            let mut memory = Memory::new(AddressMap::new(chunk, partitions));
            for access in ACCESSES {
                let bytes = access.0.memory().map_or(0, |memory| memory.width.bytes());
                for (start, pattern) in
                    [0, 1, 57, 4095].into_iter().flat_map(|start| PATTERNS.map(|p| (start, p)))
                {
                    let addr: Row32 = from_fn(|lane| bytes * (start + pattern(lane as u32)));
                    for mask in [u32::MAX, 0xffff_0000, 0x1234_8001] {
                        compare(&mut memory, access, addr, mask);
                    }
                }
            }
        }
    }
}
