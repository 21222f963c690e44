//! Lane masks: the lanes that execute an instruction, and stores of results to those lanes only.

#![expect(clippy::inline_always, reason = "only inlined code is compiled for wide vectors")]

use super::{Kernel, Warp, rows};
use isa::uop::Inst;
use std::hint::select_unpredictable;
use std::ops::Range;

/// The bit of each lane, as a row. Used to test a mask in all lanes together.
pub const BITS: [u32; 32] = {
    let mut bits = [0; 32];
    let mut lane = 0;
    while lane < 32 {
        bits[lane] = 1 << lane;
        lane += 1;
    }
    bits
};

/// The lanes in which `warp` executes `inst`, its next instruction: the lanes of the current path
/// whose guard is true.
#[inline]
pub fn active(kernel: &Kernel, warp: &Warp, inst: &Inst) -> u32 {
    debug_assert_eq!(warp.p.len(), kernel.program.rows.p as usize, "a warp has its program's rows");
    guarded(warp.simt.mask(), warp, inst)
}

/// The lanes of `side` in which the guard of `inst` is true.
#[inline]
pub fn guarded(side: u32, warp: &Warp, inst: &Inst) -> u32 {
    match inst.guard.get() {
        None => side,
        Some((row, false)) => side & rows::p(warp, row),
        Some((row, true)) => side & !rows::p(warp, row),
    }
}

/// Number of lanes in a mask. Most masks are full, and counting bits takes a dozen host
/// instructions.
#[inline]
pub fn count(mask: u32) -> u32 {
    if mask == u32::MAX { 32 } else { count_some(mask) }
}

// Not inlined: the compiler knows the count of a full mask, and would merge both cases into one
// count.
#[inline(never)]
fn count_some(mask: u32) -> u32 {
    mask.count_ones()
}

/// Writes the lanes of `mask` from `new` to `row`.
#[inline(always)]
pub fn store<T: Copy>(row: &mut [T; 32], new: &[T; 32], mask: u32) {
    *row = if mask == u32::MAX { *new } else { select(mask, new, row) };
}

/// Returns the lanes of `mask` from `inside`, the others from `outside`.
#[inline(always)]
fn select<T: Copy>(mask: u32, inside: &[T; 32], outside: &[T; 32]) -> [T; 32] {
    let mut out = *outside;
    for (lane, out) in out.iter_mut().enumerate() {
        // A plain `if` would become a branch per lane.
        *out = select_unpredictable(mask & BITS[lane] == 0, *out, inside[lane]);
    }
    out
}

/// Writes the lanes of `mask` from `new` to a predicate row.
#[inline]
pub fn store_bits(row: &mut u32, new: u32, mask: u32) {
    *row = *row & !mask | new & mask;
}

/// Sets every lane outside `mask` to the value of the lowest lane in it, so that checks and loads
/// need no mask. Does nothing if `mask` is 0.
#[inline(always)]
pub fn fill<T: Copy>(row: &mut [T; 32], mask: u32) {
    if mask != u32::MAX && mask != 0 {
        *row = select(mask, row, &[row[mask.trailing_zeros() as usize]; 32]);
    }
}

/// Bitwise OR of all values of a row.
#[inline(always)]
pub fn combined(row: &[u32; 32]) -> u32 {
    let mut bits = 0;
    for value in row {
        bits |= value;
    }
    bits
}

/// The range of the lanes of a mask, if it is not empty and its lanes are consecutive.
#[inline]
pub fn run(mask: u32) -> Option<Range<usize>> {
    let (first, last) = (mask.trailing_zeros(), 31_u32.wrapping_sub(mask.leading_zeros()));
    let gapless = mask != 0 && (mask >> first).wrapping_add(1) & (mask >> first) == 0;
    gapless.then(|| first as usize..last as usize + 1)
}

/// The first lane of a mask, which is not empty.
pub fn first(mask: u32) -> usize {
    mask.trailing_zeros().min(31) as usize
}

/// The lanes of a mask, ascending.
#[inline]
pub fn lanes(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = mask.trailing_zeros() as usize;
        mask &= mask.wrapping_sub(1);
        (lane < 32).then_some(lane)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::array::from_fn;

    #[test]
    fn only_lanes_of_the_mask_are_written() {
        let new: [u32; 32] = from_fn(|l| l as u32);
        for mask in [0, 1, 0x8000_0000, 0x0f0f_1234, u32::MAX] {
            let mut row = [99; 32];
            store(&mut row, &new, mask);
            for (l, value) in row.iter().enumerate() {
                assert_eq!(*value, if mask >> l & 1 == 1 { l as u32 } else { 99 });
            }
        }
        let mut bits = 0b1100;
        store_bits(&mut bits, 0b1010, 0b0110);
        assert_eq!(bits, 0b1010);
    }

    #[test]
    fn fill_copies_the_lowest_active_lane() {
        let mut row: [u64; 32] = from_fn(|l| l as u64);
        fill(&mut row, 0b1100);
        assert_eq!(row[..5], [2, 2, 2, 3, 2]);
    }

    #[test]
    fn a_run_is_a_range_of_consecutive_lanes() {
        assert_eq!([run(u32::MAX), run(1), run(1 << 31)], [Some(0..32), Some(0..1), Some(31..32)]);
        assert_eq!([run(0xffff_0000), run(0x0ff0), run(0)], [Some(16..32), Some(4..12), None]);
        assert_eq!([run(0b101), run(0x8000_0001), run(u32::MAX - 4)], [None, None, None]);
    }

    #[test]
    fn lanes_are_in_ascending_order() {
        assert_eq!(lanes(0x8000_0011).collect::<Vec<_>>(), [0, 4, 31]);
        assert_eq!(lanes(0).count(), 0);
        assert_eq!(lanes(u32::MAX).count(), 32);
    }
}
