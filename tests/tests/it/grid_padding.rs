//! Padding of grids: claim MEM-20.
//!
//! Tests: `course-texts`.

use sim_core::host::Arg;
use sim_core::stats::Report;
use warpsim_tests::device::{Device, timing};

/// A thread of this kernel writes, for each z, eight points of a row of the grid, 16 apart, so that
/// a half-warp writes 16 adjacent words (the book's section 9.4). It omits points beyond the pitch
/// or the rows.
const GRID_POINTS: &str = include_str!("../../data/ptx/grid_points.ptx");

/// MEM-20: the grid of potentials of 100 × 100 × 100 points, padded to the tile of 128 × 16 × 16
/// points that a block covers, has 128 × 112 × 112 = 1,605,632 points, 60 % more. In return every
/// row begins at a multiple of 64 bytes, so the store of each half-warp is one transaction. Without
/// padding this is not so for three of four rows.
#[test]
fn mem_20_padding_the_grid_of_potentials() {
    const POINTS: u64 = 100 * 100 * 100;
    let padded: u64 = [128u64, 16, 16].iter().map(|tile| 100u64.div_ceil(*tile) * tile).product();
    assert_eq!((padded, padded * 100 / POINTS), (1_605_632, 160));
    let run = |pitch: u32, rows: u32, slices: u32| -> (Report, u64) {
        let mut device = Device::g80(GRID_POINTS);
        let points = (pitch * rows * slices) as usize;
        let grid = device.gpu.malloc(4 * points as u64).expect("the memory has space");
        let args = [Arg::Ptr(grid), Arg::U32(pitch), Arg::U32(rows), Arg::U32(slices)];
        let launch = device.launch("grid_points", (1, 7), (16, 16, 1)).args(args);
        let report = device.run(&launch);
        let written = device.download(grid, points).iter().filter(|word| **word == 1).count();
        (report, written as u64)
    };
    let (whole, written) = run(128, 112, 112);
    assert_eq!(written, padded, "every point of the padded grid is written");
    let store = &timing(&whole).global.store;
    assert_eq!(store.bytes_asked, 4 * padded);
    assert_eq!(
        (store.transactions, store.bytes_moved),
        (padded / 16, 4 * padded),
        "one of 64 bytes for 16 points"
    );
    let (tight, written) = run(100, 100, 100);
    assert_eq!(written, POINTS);
    let store = &timing(&tight).global.store;
    assert!(
        store.bytes_moved > 3 * store.bytes_asked,
        "{} bytes for {}",
        store.bytes_moved,
        store.bytes_asked
    );
    assert!(timing(&tight).cycles > timing(&whole).cycles, "60 % more points take less time");
}
