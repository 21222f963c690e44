//! Accesses to global memory on the functional machine: performed immediately, lanes in ascending
//! order.

use crate::exec::ldst::write_back;
use crate::exec::mask::lanes;
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
    let mut found = [0; 64];
    for (k, lane) in lanes(access.mask).enumerate() {
        let at = access.addr[lane];
        if access.bytes == 8 {
            let long = |low: u32, high: u32| u64::from(high) << 32 | u64::from(low);
            let (b, c) = (
                long(access.words[0][lane], access.words[1][lane]),
                long(access.words[2][lane], access.words[3][lane]),
            );
            let old = u64::from_le_bytes(memory.load(at));
            memory.store(at, apply64(operation, old, b, c).to_le_bytes());
            (found[2 * k], found[2 * k + 1]) = (old as u32, (old >> 32) as u32);
        } else {
            found[k] = u32::from_le_bytes(memory.load(at));
            memory.store(
                at,
                apply32(operation, found[k], access.words[0][lane], access.words[2][lane]).to_le_bytes(),
            );
        }
    }
    if access.answered() {
        write_back(warp, access.op, access.dst, access.mask, &found);
    }
}

/// Loads 32-bit words for all lanes.
fn load_all(access: &Access, row: &mut Row32, memory: &Memory) {
    let halves = row.as_chunks_mut::<16>().0.iter_mut().zip(access.addr.as_chunks::<16>().0);
    for ((words, addr), stride) in halves.zip(access.strides.0) {
        if stride == Some(4) {
            let line = memory.load_line(addr[0]);
            let bytes = line.as_chunks::<4>().0;
            words.iter_mut().zip(bytes).for_each(|(word, bytes)| *word = u32::from_le_bytes(*bytes));
        } else {
            memory.load_words(addr.iter().copied().zip(words));
        }
    }
}

/// Stores 32-bit words of all lanes.
fn store_all(access: &Access, memory: &mut Memory) {
    let halves = access.words[0].as_chunks::<16>().0.iter().zip(access.addr.as_chunks::<16>().0);
    for ((words, addr), stride) in halves.zip(access.strides.0) {
        if stride == Some(4) {
            let mut line = [0; 64];
            let bytes = line.as_chunks_mut::<4>().0;
            words.iter().zip(bytes).for_each(|(word, bytes)| *bytes = word.to_le_bytes());
            memory.store_line(addr[0], line);
        } else {
            memory.store_words(addr.iter().copied().zip(words.iter().copied()));
        }
    }
}

/// Performs a checked global access, lanes in ascending order.
pub(super) fn perform(access: &Access, warp: &mut Warp, memory: &mut Memory) {
    if let Some(operation) = access.atomic {
        perform_atomic(operation, access, warp, memory);
        return;
    }
    if access.store {
        if access.bytes == 4 && access.mask == u32::MAX {
            return store_all(access, memory);
        }
        if access.bytes == 4 {
            memory.store_words(lanes(access.mask).map(|lane| (access.addr[lane], access.words[0][lane])));
            return;
        }
        for lane in lanes(access.mask) {
            let (at, low) = (access.addr[lane], access.words[0][lane]);
            match access.bytes {
                1 => memory.store(at, [low as u8]),
                2 => memory.store(at, (low as u16).to_le_bytes()),
                bytes => {
                    for (place, row) in (0..bytes / 4).zip(&access.words) {
                        memory.store(at + 4 * place, row[lane].to_le_bytes());
                    }
                }
            }
        }
        return;
    }
    if access.bytes == 4 && access.mask == u32::MAX {
        return load_all(access, &mut warp.w[access.dst[0] as usize], memory);
    }
    let mut words = [0; 128];
    if access.bytes == 4 {
        memory.load_words(lanes(access.mask).map(|lane| access.addr[lane]).zip(&mut words));
        return write_back(warp, access.op, access.dst, access.mask, &words);
    }
    let each = access.bytes.div_ceil(4) as usize;
    for (lane, words) in lanes(access.mask).zip(words.chunks_exact_mut(each)) {
        let at = access.addr[lane];
        match access.bytes {
            1 => words[0] = u32::from(memory.load::<1>(at)[0]),
            2 => words[0] = u32::from(u16::from_le_bytes(memory.load(at))),
            _ => {
                for (place, word) in (0..).zip(words) {
                    *word = u32::from_le_bytes(memory.load(at + 4 * place));
                }
            }
        }
    }
    write_back(warp, access.op, access.dst, access.mask, &words);
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
