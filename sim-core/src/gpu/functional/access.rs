//! Accesses to global memory on the functional machine: performed immediately, lanes in ascending
//! order.

use crate::exec::ldst::write_back;
use crate::exec::{Access, Row32, Warp};
use crate::gpu::stuck::round::Bytes;
use crate::mem::image::Memory;
use isa::sem::atomic::{Operation, apply32, apply64};

impl Bytes for Memory {
    fn load(&self, address: u32, bytes: u32) -> u64 {
        match bytes {
            1 => u64::from(self.load::<1>(address)[0]),
            2 => u64::from(u16::from_le_bytes(self.load(address))),
            4 => u64::from(u32::from_le_bytes(self.load(address))),
            _ => u64::from_le_bytes(self.load(address)),
        }
    }
}

/// Performs a checked atomic, lanes in ascending order.
fn perform_atomic(operation: Operation, access: &Access, warp: &mut Warp, memory: &mut Memory) {
    let (mut found, mut k) = ([0; 64], 0);
    let words = &access.words;
    if access.bytes == 8 {
        memory.change_lanes(&access.addr, access.mask, |lane, bytes| {
            let old = u64::from_le_bytes(bytes);
            (found[k], found[k + 1]) = (old as u32, (old >> 32) as u32);
            k += 2;
            let long = |low: u32, high: u32| u64::from(high) << 32 | u64::from(low);
            let (b, c) = (long(words[0][lane], words[1][lane]), long(words[2][lane], words[3][lane]));
            apply64(operation, old, b, c).to_le_bytes()
        });
    } else {
        memory.change_lanes(&access.addr, access.mask, |lane, bytes| {
            found[k] = u32::from_le_bytes(bytes);
            k += 1;
            apply32(operation, found[k - 1], words[0][lane], words[2][lane]).to_le_bytes()
        });
    }
    if access.answered() {
        write_back(warp, access.op, access.dst, access.mask, &found);
    }
}

/// Loads 32-bit words for all lanes.
fn load_all(access: &Access, row: &mut Row32, memory: &Memory) {
    let mut irregular = 0;
    let halves = row.as_chunks_mut::<16>().0.iter_mut().zip(access.addr.as_chunks::<16>().0);
    for (half, ((words, addr), stride)) in halves.zip(access.strides.0).enumerate() {
        match stride {
            Some(4) => {
                let line = memory.load_line(addr[0]);
                let bytes = line.as_chunks::<4>().0;
                words.iter_mut().zip(bytes).for_each(|(word, bytes)| *word = u32::from_le_bytes(*bytes));
            }
            Some(0) => words.fill(u32::from_le_bytes(memory.load(addr[0]))),
            _ => irregular |= 0xffff << (16 * half),
        }
    }
    if irregular != 0 {
        memory.load_lanes(&access.addr, irregular, |lane, bytes| row[lane] = u32::from_le_bytes(bytes));
    }
}

/// Stores 32-bit words of all lanes.
fn store_all(access: &Access, memory: &mut Memory) {
    if access.strides.0 != [Some(4); 2] {
        return store_some(access, memory);
    }
    let halves = access.words[0].as_chunks::<16>().0.iter().zip(access.addr.as_chunks::<16>().0);
    for (words, addr) in halves {
        let mut line = [0; 64];
        let bytes = line.as_chunks_mut::<4>().0;
        words.iter().zip(bytes).for_each(|(word, bytes)| *bytes = word.to_le_bytes());
        memory.store_line(addr[0], line);
    }
}

/// Stores 32-bit words of some lanes.
fn store_some(access: &Access, memory: &mut Memory) {
    let words = &access.words[0];
    memory.change_lanes(&access.addr, access.mask, |lane, _| words[lane].to_le_bytes());
}

/// Performs a checked store.
fn perform_store(access: &Access, memory: &mut Memory) {
    let Access { addr, mask, words, .. } = access;
    match access.bytes {
        1 => memory.change_lanes(addr, *mask, |lane, _| [words[0][lane] as u8]),
        2 => memory.change_lanes(addr, *mask, |lane, _| (words[0][lane] as u16).to_le_bytes()),
        4 if *mask == u32::MAX => store_all(access, memory),
        4 => store_some(access, memory),
        8 => memory.change_lanes(addr, *mask, |lane, _| joined::<8>(words, lane)),
        _ => memory.change_lanes(addr, *mask, |lane, _| joined::<16>(words, lane)),
    }
}

/// Returns the first `N` bytes of the words of a lane.
#[inline]
fn joined<const N: usize>(words: &[Row32], lane: usize) -> [u8; N] {
    let mut bytes = [0; N];
    for (bytes, row) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(words) {
        *bytes = row[lane].to_le_bytes();
    }
    bytes
}

/// Performs a checked global access, lanes in ascending order.
pub(super) fn perform(access: &Access, warp: &mut Warp, memory: &mut Memory) {
    if let Some(operation) = access.atomic {
        return perform_atomic(operation, access, warp, memory);
    }
    if access.store {
        return perform_store(access, memory);
    }
    if access.bytes == 4 && access.mask == u32::MAX {
        return load_all(access, &mut warp.w[access.dst[0] as usize], memory);
    }
    let Access { addr, mask, .. } = access;
    let (mut words, mut k) = ([0; 128], 0);
    match access.bytes {
        1 => memory.load_lanes::<1>(addr, *mask, |_, [byte]| {
            words[k] = byte.into();
            k += 1;
        }),
        2 => memory.load_lanes(addr, *mask, |_, bytes| {
            words[k] = u16::from_le_bytes(bytes).into();
            k += 1;
        }),
        4 => memory.load_lanes(addr, *mask, |_, bytes| {
            words[k] = u32::from_le_bytes(bytes);
            k += 1;
        }),
        8 => memory.load_lanes::<8>(addr, *mask, |_, bytes| k = split(&bytes, &mut words, k)),
        _ => memory.load_lanes::<16>(addr, *mask, |_, bytes| k = split(&bytes, &mut words, k)),
    }
    write_back(warp, access.op, access.dst, access.mask, &words);
}

/// Writes `bytes` to `words` from index `k`. Returns the index after them.
#[inline]
fn split(bytes: &[u8], words: &mut [u32], k: usize) -> usize {
    let parts = bytes.as_chunks().0;
    words[k..].iter_mut().zip(parts).for_each(|(word, bytes)| *word = u32::from_le_bytes(*bytes));
    k + parts.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::build::Builder;
    use crate::exec::stride::Strides;
    use crate::mem::map::AddressMap;
    use isa::uop::Op;
    use std::array::from_fn;

    /// Patterns of addresses whose halves are consecutive or not; some lines cross chunks.
    #[test]
    fn rows_are_moved_like_single_words() {
        let patterns: [fn(u32) -> u32; 6] = [
            |lane| 4 * lane,
            |lane| 4 * (lane % 16) + 1000 * (lane / 16),
            |_| 8,
            |lane| if lane < 16 { 4 * lane } else { 12 * lane },
            |lane| if lane < 16 { 400 } else { 4 * lane },
            |lane| 4 * (lane * lane % 23),
        ];
        let (_, mut warp) = Builder::new().rows(2, 0, 0).started();
        for (chunk, partitions) in [(256, 6), (64, 3)] {
            for (start, pattern) in
                [0, 4, 228, 4080].into_iter().flat_map(|start| patterns.map(|p| (start, p)))
            {
                let addr: Row32 = from_fn(|lane| start + pattern(lane as u32));
                let mut memory = Memory::new(AddressMap::new(chunk, partitions));
                let mut single = memory.clone();
                let mut access = Access::new();
                (access.addr, access.strides, access.mask) = (addr, Strides::of(&addr), u32::MAX);
                (access.op, access.store) = (Op::StGlobalB32, true);
                access.words[0] = from_fn(|lane| 100 + lane as u32);
                perform(&access, &mut warp, &mut memory);
                for (at, word) in addr.iter().zip(access.words[0]) {
                    single.store(*at, word.to_le_bytes());
                }
                assert_eq!(memory, single, "{addr:?}");
                (access.op, access.store, access.dst[0]) = (Op::LdGlobalB32, false, 1);
                perform(&access, &mut warp, &mut memory);
                assert_eq!(warp.w[1], addr.map(|at| u32::from_le_bytes(single.load(at))), "{addr:?}");
            }
        }
    }
}
