//! Global and shared memory of all three chips under the matrix products: rows MEM-05 to MEM-07 of the claims ledger.

use kernels::Settings;
use sim_core::host::{Gpu, HostError, LaunchError, Mode};
use sim_core::stats::Report;
use warpsim_tests::device::{CHIPS, chip_with, timing};
use warpsim_tests::matmul::{Method, Product, reference};

/// The report of a built-in workload, its result checked.
fn builtin(chip: &str, name: &str, size: u64) -> Report {
    let mut gpu = Gpu::new(chip_with(chip, &[]));
    let outcome = kernels::run(name, &mut gpu, Settings { size: Some(size), ..Settings::default() });
    let outcome = outcome.unwrap_or_else(|e| panic!("{e}"));
    assert!(outcome.check.passed(), "{}", outcome.summary);
    outcome.reports.into_iter().next().expect("one launch")
}

/// MEM-05: with tiles of 16 x 16 every load of a tile coalesces, and shared memory is read without conflicts: a
/// half-warp reads one word of the left tile, which is broadcast, and 16 words in 16 banks of the right one.
///
/// A row of the tile is 64 bytes: a segment of G80 and GT200, and half a line of Fermi, whose warp takes two rows of
/// the tile and so two lines; the halves that it does not use are another block's, or the next phase's.
#[test]
fn mem_05_tile_loads_coalesce_and_shared_reads_do_not_conflict() {
    const WIDTH: u64 = 64;
    let threads = WIDTH * WIDTH;
    for (chip, line, lanes) in [("g80", 64, 16), ("gt200", 64, 16), ("fermi", 128, 32)] {
        let report = builtin(chip, "matmul-tiled", WIDTH);
        let (global, shared) = (&timing(&report).global, &timing(&report).shared);
        let (loaded, stored) = (2 * WIDTH / 16 * threads, threads);
        assert_eq!((global.load.bytes_asked, global.store.bytes_asked), (4 * loaded, 4 * stored), "{chip}");
        let rows = loaded / 16;
        assert_eq!((global.load.transactions, global.load.bytes_moved), (rows, rows * line), "{chip}: loads");
        assert_eq!(global.store.bytes_moved, 4 * stored, "{chip}: stores");
        if chip == "g80" {
            assert_eq!((global.load.coalesced_groups, global.load.uncoalesced_groups), (rows, 0));
            assert_eq!((global.store.coalesced_groups, global.store.uncoalesced_groups), (stored / 16, 0));
        }
        for (what, counters, words) in
            [("reads", shared.load, 2 * WIDTH * threads), ("writes", shared.store, 2 * WIDTH / 16 * threads)]
        {
            assert_eq!(counters.bytes_asked, 4 * words, "{chip}: {what} by the lanes");
            let passes = (counters.passes, counters.conflict_passes);
            assert_eq!(passes, (words / lanes, 0), "{chip}: {what}, a pass per {lanes} lanes");
        }
        assert_eq!(timing(&report).slots.replay_bank_conflict, 0, "{chip}");
    }
}

/// Small whole numbers that differ from place to place.
fn matrix(width: u32, salt: u32) -> Vec<f32> {
    (0..width * width).map(|i| ((i * 7 + i / width * 3 + salt) % 11) as u16).map(f32::from).collect()
}

/// Global loads of threads, not of warps and not transactions.
fn thread_loads(report: &Report) -> u64 {
    timing(report).global.load.bytes_asked / 4
}

/// MEM-06: without tiles each thread loads 2 x width words; with tiles of N x N exactly N times fewer.
#[test]
fn mem_06_tiles_cut_loads_by_their_side() {
    const WIDTH: u32 = 32;
    let (left, right) = (matrix(WIDTH, 1), matrix(WIDTH, 5));
    let expected = reference(WIDTH, &left, &right);
    for chip in CHIPS {
        let run = |method| {
            let mut product = Product::new(chip_with(chip, &[]), method, Mode::Timed, WIDTH, &left, &right);
            let (report, found) = product.run();
            assert_eq!(found, expected, "{chip}: {method:?}");
            thread_loads(&report)
        };
        let naive = run(Method::Naive(16));
        assert_eq!(naive, u64::from(2 * WIDTH * WIDTH * WIDTH));
        for side in [2, 4, 8, 16] {
            let tiled = run(Method::Tiled(side));
            assert_eq!(tiled * u64::from(side), naive, "{chip}: tiles of {side} x {side}");
        }
        let builtin = builtin(chip, "matmul-tiled", WIDTH.into());
        assert_eq!(thread_loads(&builtin) * 16, naive, "{chip}: the built-in kernel");
    }
}

/// MEM-07: a block with tiles of 16 x 16 does 512 loads per phase for 8,192 additions and multiplications, which are
/// 4,096 multiply-adds; with tiles of 32 x 32 it is 2,048 loads for 65,536.
///
/// A block of 32 x 32 threads needs a chip that takes 1,024: Fermi does, G80 and GT200 refuse it, and run it with their
/// limits raised.
#[test]
fn mem_07_work_per_load_of_a_phase() {
    // One block and one phase: matrices as large as the tile.
    let (left, right) = (matrix(32, 2), matrix(32, 3));
    let raised = [
        ("limits.threads_per_block", "1024"),
        ("sm.max_threads", "1024"),
        ("sm.max_warps", "32"),
        ("sm.registers", "32768"),
    ];
    for name in CHIPS {
        let large = chip_with(name, if name == "fermi" { &[] } else { &raised });
        let sides = [(chip_with(name, &[]), 16, 512, 8_192), (large, 32, 2_048, 65_536)];
        for (chip, side, loads, operations) in sides {
            let count = (side * side) as usize;
            let (left, right) = (&left[..count], &right[..count]);
            let (report, found) =
                Product::new(chip, Method::Tiled(side), Mode::Timed, side, left, right).run();
            assert_eq!(found, reference(side, left, right));
            assert_eq!(thread_loads(&report), loads, "{name}");
            assert_eq!(report.instructions.flops, operations, "{name}");
            let mads = report.instructions.by_class.iter().find(|(class, _)| *class == "fp_mad");
            assert_eq!(mads.map(|(_, warps)| warps * 32), Some(operations / 2), "{name}: as multiply-adds");
        }
    }
    for name in ["g80", "gt200"] {
        let chip = chip_with(name, &[]);
        let refusal = Product::new(chip, Method::Tiled(32), Mode::Timed, 32, &left, &right).refusal();
        let HostError::Launch(LaunchError::Limit { limit, needed: 1024, available: 512, .. }) = &refusal
        else {
            panic!("{refusal}");
        };
        assert_eq!(limit, "threads per block");
    }
}
