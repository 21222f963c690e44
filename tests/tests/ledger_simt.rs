//! Threads, warps and divergence, the same on every chip: rows SIMT-01 to SIMT-04 of the claims ledger.

use sim_core::host::{Arg, Launch, Mode};
use sim_core::stats::Report;
use warpsim_tests::device::{CHIPS, Device, MODES};

const INDICES: &str = include_str!("../../kernels/ptx/book/indices.ptx");
const DIVERGENCE: &str = include_str!("../../kernels/ptx/book/divergence.ptx");
/// What no kernel here writes.
const UNTOUCHED: u32 = u32::MAX;

/// Every chip on both machines.
fn machines() -> impl Iterator<Item = (&'static str, Mode)> {
    CHIPS.into_iter().flat_map(|chip| MODES.map(|mode| (chip, mode)))
}

/// Runs a kernel that takes one buffer of `words` words, and returns the buffer.
fn run_out(chip: &str, ptx: &str, launch: impl Fn(&Device) -> Launch, words: usize) -> (Report, Vec<u32>) {
    let mut device = Device::on(chip, ptx);
    let out = device.upload(&vec![UNTOUCHED; words]);
    let mut launch = launch(&device);
    launch.args.insert(0, Arg::Ptr(out));
    let report = device.run(&launch);
    (report, device.download(out, words))
}

/// Of the branch on the source line that holds `text`: how often warps executed it (if it ever diverged), and how
/// often it diverged.
fn branch(report: &Report, text: &str) -> (u64, u64) {
    let mut lines = report.control.divergent_lines.iter().filter(|l| l.source.contains(text));
    let counts = lines.next().map_or((0, 0), |l| (l.executed, l.divergent));
    assert!(lines.next().is_none(), "one line only holds `{text}`");
    counts
}

/// SIMT-01: with 32 threads per block, thread t of block b is thread 32 b + t of the grid: 3 for (0, 3), 163 for
/// (5, 3), 3279 for (102, 15). 128 blocks have 4,096 threads, all with numbers of their own.
#[test]
fn simt_01_global_ids() {
    for (chip, mode) in machines() {
        let (_, who) =
            run_out(chip, INDICES, |d| d.launch("global_id", (128, 1), (32, 1, 1)).mode(mode), 128 * 32 + 1);
        let place = |block: u32, thread: u32| who.iter().position(|w| *w == block << 16 | thread);
        assert_eq!(place(0, 3), Some(3));
        assert_eq!(place(5, 3), Some(163));
        assert_eq!(place(102, 15), Some(3279));
        for (id, who) in who[..4096].iter().enumerate() {
            assert_eq!(*who, ((id as u32 / 32) << 16) | (id as u32 % 32), "thread {id} of the grid");
        }
        assert_eq!(who[4096], UNTOUCHED, "4,096 threads and no more");
    }
}

/// SIMT-02: a block of 48 threads takes two warps, and 16 lanes of the second hold no thread.
#[test]
fn simt_02_padded_lanes() {
    for (chip, mode) in machines() {
        let (report, who) =
            run_out(chip, INDICES, |d| d.launch("warp_and_lane", (1, 1), (48, 1, 1)).mode(mode), 64);
        assert_eq!((report.launch.warps_per_block, report.launch.padded_lanes), (2, 16));
        // Straight code: every warp executes all of it, the second one with half its lanes.
        assert_eq!(report.instructions.warp % 2, 0);
        assert_eq!(report.instructions.thread, report.instructions.warp / 2 * 48);
        // Warp 0 is threads 0 to 31, warp 1 threads 32 to 47; nobody writes behind them.
        for (thread, who) in who.iter().enumerate() {
            assert_eq!(*who, if thread < 48 { thread as u32 } else { UNTOUCHED }, "thread {thread}");
        }
    }
}

/// SIMT-03: threads fill warps in the order of x, then y, then z. A block of 4 x 8 x 2 threads has two warps, the
/// first from (0,0,0) to (3,7,0); one of 8 x 8 has two, the first with rows 0 to 3, that is (0,0) to (7,3): the end
/// points that the text prints for 8 x 8 are a slip.
#[test]
fn simt_03_linear_order() {
    for (block, last_of_warp_0, first_of_warp_1) in
        [((4, 8, 2), (3, 7, 0), (0, 0, 1)), ((8, 8, 1), (7, 3, 0), (0, 4, 0))]
    {
        for (chip, mode) in machines() {
            let (report, who) =
                run_out(chip, INDICES, |d| d.launch("warp_and_lane", (1, 1), block).mode(mode), 512);
            let at = |(x, y, z): (u32, u32, u32)| who[(z * 256 + y * 16 + x) as usize];
            assert_eq!((report.launch.warps_per_block, report.launch.padded_lanes), (2, 0));
            assert_eq!(at((0, 0, 0)), 0, "warp 0, lane 0");
            assert_eq!(at(last_of_warp_0), 31, "warp 0, lane 31");
            assert_eq!(at(first_of_warp_1), 32, "warp 1, lane 0");
            let mut next = 0;
            for z in 0..block.2 {
                for y in 0..block.1 {
                    for x in 0..block.0 {
                        assert_eq!(at((x, y, z)), next, "thread ({x},{y},{z})");
                        next += 1;
                    }
                }
            }
        }
    }
}

/// SIMT-04: `if (tid > 2)` divides the threads of warp 0 and of no other; `if (tid / 32 > 2)` divides the warps and
/// no warp's threads.
#[test]
fn simt_04_divergence_within_and_between_warps() {
    for (chip, mode) in machines() {
        // One warp more at a time: that the count stays 1 from the first on says which warp it is.
        for warps in 1..=6 {
            let threads = warps * 32;
            let run = |entry: &str| {
                run_out(
                    chip,
                    DIVERGENCE,
                    |d| d.launch(entry, (1, 1), (threads, 1, 1)).mode(mode),
                    threads as usize,
                )
            };
            let (report, out) = run("above_two");
            assert_eq!(branch(&report, "@%p bra"), (warps.into(), 1), "{warps} warps");
            assert_eq!((report.control.branches, report.control.divergent_branches), (warps.into(), 1));
            assert!(out.iter().enumerate().all(|(t, v)| *v == if t > 2 { 1 } else { 2 }));

            let (report, out) = run("warp_above_two");
            assert_eq!((report.control.branches, report.control.divergent_branches), (warps.into(), 0));
            assert!(report.control.divergent_lines.is_empty());
            assert!((report.control.branch_efficiency - 1.0).abs() < f64::EPSILON);
            assert!(out.iter().enumerate().all(|(t, v)| *v == if t / 32 > 2 { 1 } else { 2 }));
        }
    }
}
