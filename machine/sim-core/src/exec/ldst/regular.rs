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

#[cfg(test)]
mod tests {
    use super::super::{ANY, load};
    use super::*;
    use crate::exec::build::{Builder, memory};
    use isa::uop::Op;

    /// Loads with both paths from 256 bytes of shared memory. Returns whether the access was
    /// regular; then both have done the same.
    fn regular(base: Row32, source: u16, imm: u32, dst: u16) -> bool {
        let inst = memory(Op::LdSharedB32, dst, source, imm);
        let (kernel, mut warp) = Builder::new().rows(2, 0, 0).const32(0).inst(inst).exit().started();
        warp.w[1] = base;
        let before = warp.clone();
        let mut shared: Vec<u8> = (0..=255).collect();
        let mut access = Access { mask: u32::MAX, ..Access::new() };
        let mut other = (warp.clone(), access.clone());
        let outcome = load::<ANY>(&kernel, &mut other.0, &inst, &mut other.1, &mut shared);
        if load_regular::<{ Op::LdSharedB32 as u16 }>(&kernel, &mut warp, &inst, &mut access, &mut shared) {
            assert!(outcome.is_ok(), "{outcome:?}");
            assert_eq!((&warp, format!("{access:?}")), (&other.0, format!("{:?}", other.1)));
            return true;
        }
        assert_eq!(warp, before, "nothing has been written");
        false
    }

    /// Addresses with the distances `strides` within the half-warps, which begin at `starts`.
    fn halves(starts: [u32; 2], strides: [u32; 2]) -> Row32 {
        from_fn(|lane| starts[lane / 16].wrapping_add(strides[lane / 16].wrapping_mul(lane as u32 % 16)))
    }

    #[test]
    fn a_regular_load_is_the_same_as_any_load() {
        for (starts, strides, expected) in [
            ([0, 64], [4, 4], true),
            ([64, 0], [4, 4], true),
            ([192, 192], [4, 4], true),
            ([8, 252], [0, 0], true),
            ([0, 64], [0, 4], false),
            ([0, 64], [8, 8], false),
            ([2, 64], [4, 4], false),
            ([0, 66], [0, 0], false),
        ] {
            let base = halves(starts, strides);
            assert_eq!(regular(base, 1, 0, 0), expected, "{starts:?} {strides:?}");
            assert_eq!(regular(base.map(|at| at.wrapping_sub(12)), 1, 12, 1), expected, "an offset");
        }
        assert!(regular([0; 32], NO_ROW, 252, 0), "without a row the offset is the address");
        assert!(!regular([0; 32], 2, 0, 0), "a constant row");
    }

    #[test]
    fn one_different_lane_is_not_regular() {
        for stride in [0, 4] {
            for lane in 0..32 {
                let mut base = halves([64, 128], [stride; 2]);
                base[lane] += 4;
                assert!(!regular(base, 1, 0, 0), "lane {lane}");
            }
        }
    }

    #[test]
    fn a_load_out_of_bounds_is_left_to_the_general_path() {
        for (starts, strides, imm) in [
            ([0, 196], [4, 4], 0),
            ([196, 0], [4, 4], 0),
            ([0, 256], [0, 0], 0),
            ([u32::MAX - 3, 0], [0, 0], 0),
            ([u32::MAX - 7, 0], [4, 4], 0),
            ([0, 0], [0, 0], 256),
        ] {
            assert!(!regular(halves(starts, strides), 1, imm, 0), "{starts:?}");
        }
        assert!(!regular([0; 32], NO_ROW, 256, 0));
        assert!(!regular([0; 32], NO_ROW, 2, 0));
    }
}
