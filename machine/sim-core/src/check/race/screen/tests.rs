//! Tests of the screen with accesses made by hand.

use super::entry::{Met, Now, READ};
use super::pages::Pages;
use super::*;
use crate::exec::stride::Strides;

/// Accesses by lanes 0 to 3 of warps: block, warp, barriers, kind, addresses and size.
type Row = (u32, u32, u32, Kind, [u32; 4], u32);

/// Returns whether some accesses are unordered, for shared and for global memory.
fn unordered(rows: &[Row]) -> [bool; 2] {
    [Parts { shared: 0xf, ..Parts::default() }, Parts { global: 0xf, ..Parts::default() }].map(|parts| {
        let mut screen = Screen::default();
        for (block, warp, barriers, kind, first, bytes) in rows {
            let mut access = exec::Access { bytes: *bytes, ..exec::Access::new() };
            access.addr = [first[0]; 32];
            access.addr[..4].copy_from_slice(first);
            let (block, warp, barriers, kind) = (*block, *warp, *barriers, *kind);
            let strides = Strides::of(&access.addr);
            let by = WarpAccess { block, warp, barriers, kind, access: &access, strides, parts };
            screen.access(&by, false);
        }
        screen.unordered()
    })
}

const WORDS: [u32; 4] = [0, 4, 8, 12];

#[test]
fn barriers_and_blocks_are_known() {
    use Kind::{Read, Reduction, Write};
    let row = |warp, barriers, kind| (0, warp, barriers, kind, WORDS, 4);
    assert_eq!(unordered(&[row(0, 0, Write), row(1, 0, Read)]), [true; 2]);
    assert_eq!(unordered(&[row(0, 0, Write), row(1, 1, Read)]), [false; 2]);
    assert_eq!(unordered(&[row(0, 0, Write), row(0, 0, Read)]), [false; 2]);
    assert_eq!(unordered(&[row(0, 0, Read), row(1, 0, Read)]), [false; 2]);
    assert_eq!(unordered(&[row(0, 0, Reduction(1)), row(1, 0, Reduction(1))]), [false; 2]);
    assert_eq!(unordered(&[row(0, 0, Reduction(1)), row(1, 0, Reduction(2))]), [true; 2]);
    // One thread has used both operations.
    let mixed = [row(0, 0, Reduction(1)), row(0, 0, Reduction(2)), row(1, 0, Reduction(2))];
    assert_eq!(unordered(&mixed), [true; 2]);
    let blocks = |second| [(0, 0, 0, Reduction(1), WORDS, 4), (1, 0, 0, Reduction(second), WORDS, 4)];
    assert_eq!([unordered(&blocks(1)), unordered(&blocks(2))], [[false; 2], [false, true]]);
    let other_block = (1, 0, 0, Write, WORDS, 4);
    assert_eq!(unordered(&[row(0, 0, Read), other_block]), [false, true]);
}

#[test]
fn parts_of_words_are_separate() {
    use Kind::{Read, Write};
    let bytes = |warp, from: u32, kind| (0, warp, 0, kind, [from, from + 1, from + 2, from + 3], 1);
    assert_eq!(unordered(&[bytes(0, 0, Write), bytes(1, 4, Write)]), [false; 2]);
    assert_eq!(unordered(&[bytes(0, 0, Write), bytes(1, 3, Read)]), [true; 2]);
    // The page has entries of words before its first byte is accessed.
    let words = (0, 0, 0, Write, WORDS, 4);
    assert_eq!(unordered(&[words, bytes(1, 16, Write)]), [false; 2]);
    assert_eq!(unordered(&[words, bytes(1, 14, Read)]), [true; 2]);
}

#[test]
fn bytes_beyond_the_maximum_count_as_unordered() {
    let mut pages = Pages::with_capacity(512);
    let now = Now { block: 1, interval: 1, global: true, operation: 0, settle: true };
    let met = |pages: &mut Pages, at| {
        let mut met = Met::default();
        pages.touch::<READ>(&now, at, 0, &mut met);
        (met.unordered, met.ordered)
    };
    assert_eq!(met(&mut pages, (0, 4)), (false, false));
    assert_eq!(met(&mut pages, (2048, 4)), (true, true));
    assert_eq!(met(&mut pages, (4, 1)), (true, true), "the page cannot be divided");
    assert_eq!(met(&mut pages, (4, 4)), (false, false));
}

#[test]
fn lanes_of_one_instruction_conflict() {
    let same = |kind| unordered(&[(0, 0, 0, kind, [8; 4], 4)]);
    assert_eq!([same(Kind::Write), same(Kind::Read)], [[true; 2], [false; 2]]);
    assert_eq!(unordered(&[(0, 0, 0, Kind::Write, [8, 0, 8, 4], 4)]), [true; 2]);
}
