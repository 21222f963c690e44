//! Most loads of most programs: all lanes read one word for each half-warp, or consecutive words.
//! This path exists because the general one takes twice as many host instructions.

#![expect(clippy::inline_always, reason = "only inlined code is compiled for wide vectors")]

use super::super::stride::Strides;
use super::super::{Access, Kernel, Row32, Warp};
use super::{bank_of, memory};
use isa::uop::{Inst, NO_ROW};
use std::array::from_fn;
use std::hint::black_box;

/// Distances of the lanes of a half-warp from its first lane, in bytes: of one word, and of
/// consecutive words.
static DISTANCES: [[u32; 16]; 2] = [[0; 16], [0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60]];

/// Executes a 32-bit load by all 32 lanes if each half-warp reads one word, or each reads
/// consecutive words, and the words are aligned and in bounds. Otherwise changes nothing that
/// [`load`](super::load) does not set, and returns `false`.
#[inline(always)]
pub fn load_regular<const OP: u16>(
    kernel: &Kernel,
    warp: &mut Warp,
    inst: &Inst,
    access: &mut Access,
    shared: &mut [u8],
) -> bool {
    let Some(memory) = memory::<OP>(inst) else { return false };
    if access.mask != u32::MAX {
        return false;
    }
    let words = bank_of(memory.space, kernel, shared).0.as_chunks::<4>().0;
    let (starts, stride) = if inst.src[0] == NO_ROW {
        access.addr = [inst.imm; 32];
        ([inst.imm; 2], 0)
    } else {
        let Some(base) = warp.w.get(inst.src[0] as usize) else { return false };
        if inst.aux & Inst::ADDR64 != 0 {
            return false;
        }
        let Some(stride) = stride(base) else { return false };
        access.addr = from_fn(|lane| base[lane].wrapping_add(inst.imm));
        ([0, 16].map(|lane: usize| base[lane].wrapping_add(inst.imm)), stride)
    };
    if (starts[0] | starts[1]) % 4 != 0 {
        return false;
    }
    let cells = starts.map(|start| start as usize / 4);
    let row = &mut warp.w[inst.dst as usize];
    let halves = row.as_chunks_mut::<16>().0;
    if stride == 0 {
        let (Some(first), Some(second)) = (words.get(cells[0]), words.get(cells[1])) else { return false };
        halves[0] = [u32::from_le_bytes(*first); 16];
        halves[1] = [u32::from_le_bytes(*second); 16];
    } else {
        let run = |cell: usize| words.get(cell..)?.first_chunk::<16>();
        let (Some(first), Some(second)) = (run(cells[0]), run(cells[1])) else { return false };
        halves[0] = first.map(u32::from_le_bytes);
        halves[1] = second.map(u32::from_le_bytes);
    }
    access.begin(inst, memory.width, false);
    access.strides = Strides([Some(stride); 2]);
    true
}

/// The distance between adjacent lanes of both half-warps, if it is 0 or 4 bytes.
#[inline(always)]
fn stride(base: &Row32) -> Option<u32> {
    let stride = base[1].wrapping_sub(base[0]);
    let distances = match stride {
        0 => &DISTANCES[0],
        4 => &DISTANCES[1],
        _ => return None,
    };
    // Hidden from the compiler, which would otherwise process some lanes one by one because the
    // difference of the first lane is 0.
    let [first, second] = black_box(base).as_chunks::<16>().0 else { return None };
    let mut differ = [0; 8];
    // A plain loop: the compiler would not inline a closure.
    for (lane, differ) in differ.iter_mut().enumerate() {
        let near = distances[lane];
        let far = distances[lane + 8];
        *differ = first[lane].wrapping_sub(base[0]) ^ near
            | first[lane + 8].wrapping_sub(base[0]) ^ far
            | second[lane].wrapping_sub(base[16]) ^ near
            | second[lane + 8].wrapping_sub(base[16]) ^ far;
    }
    (differ == [0; 8]).then_some(stride)
}
