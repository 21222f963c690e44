//! Launches that do not end although they execute atomics all the time: grid-wide barriers and spin
//! locks.

use isa::types::Dim3;
use sim_core::host::{Arg, Mode, RunOptions};
use sim_core::stats::Report;
use sim_core::stats::report::Verdict;
use sim_core::stats::stuck::{Doing, StuckClass, StuckReport};
use warpsim_tests::device::{Device, g80_with};
use warpsim_tests::identities;

const STUCK: &str = include_str!("../../data/ptx/stuck_atomics.ptx");

/// Runs `entry` in `blocks` blocks of `threads` threads on one SM that holds three blocks.
fn launch(entry: &str, blocks: u32, threads: u32, mode: Mode, max_cycles: u64) -> (Report, Vec<u32>) {
    let sets = [("capability", "\"1.1\""), ("clusters", "1"), ("cluster.sms", "1"), ("sm.max_blocks", "3")];
    let mut device = Device::new(g80_with(&sets), "stuck.ptx", STUCK).unwrap_or_else(|e| panic!("{e}"));
    let out = device.upload(&[0; 64]);
    let options = RunOptions { max_cycles, ..RunOptions::default() };
    let launch = device.launch(entry, (blocks, 1), (threads, 1, 1)).args([Arg::Ptr(out)]).mode(mode);
    let report = device.gpu.launch(&launch.options(options)).unwrap_or_else(|e| panic!("{e}"));
    identities::check(&report).unwrap_or_else(|e| panic!("{entry}: {e}"));
    (report, device.download(out, 2))
}

fn hung(report: &Report) -> &StuckReport {
    let Verdict::Hung { stuck, .. } = &report.verdict else { panic!("{:?}", report.verdict) };
    stuck
}

/// Tests: `spin-locks`.
#[test]
fn a_grid_barrier_with_a_block_too_many_names_the_blocks_that_never_start() {
    for entry in ["grid_barrier", "grid_barrier_asked"] {
        for threads in [1, 32, 64] {
            let (fits, _) = launch(entry, 3, threads, Mode::Timed, 1_000_000);
            assert!(fits.verdict.is_finished(), "{:?}", fits.verdict);
            let (report, _) = launch(entry, 5, threads, Mode::Timed, u64::MAX);
            let stuck = hung(&report);
            assert_eq!(stuck.class, StuckClass::NotStarted, "{entry}, {threads} threads");
            let waiting = stuck.not_started.as_ref().expect("two blocks have not started");
            let block = |x| Dim3::new(x, 0, 0);
            assert_eq!((waiting.first, waiting.blocks), (block(3), 2));
            assert_eq!(waiting.holders, [0, 1, 2].map(block));
            // In functional mode the first block runs alone, and nothing is claimed.
            let (report, _) = launch(entry, 5, threads, Mode::Functional, 50_000);
            let stuck = report.verdict.stuck().expect("it is stopped");
            assert_eq!(stuck.class, StuckClass::Limit);
            let waiting = stuck.not_started.as_ref().expect("four blocks have not started");
            assert_eq!((waiting.first, waiting.blocks, &waiting.holders[..]), (block(1), 4, &[block(0)][..]));
        }
    }
}

/// Tests: `spin-locks`.
#[test]
fn a_spin_lock_inside_a_warp_is_proved_with_any_other_warps() {
    for threads in [32, 64, 100, 256] {
        for blocks in [1, 3, 7] {
            let (report, words) = launch("spin_lock", blocks, threads, Mode::Timed, u64::MAX);
            let stuck = hung(&report);
            assert_eq!(stuck.class, StuckClass::DivergedSibling, "{blocks} blocks of {threads} threads");
            assert_eq!(words, [1, 0], "one lane has the lock and waits");
            assert!(stuck.warps.iter().all(|w| matches!(w.doing, Doing::Repeats(_))), "{stuck:?}");
            let waits = |w: &&sim_core::stats::stuck::WarpStuck| !w.others.is_empty();
            assert_eq!(stuck.warps.iter().filter(waits).count(), 1, "{stuck:?}");
        }
        let (report, _) = launch("spin_lock", 1, threads, Mode::Functional, u64::MAX);
        assert_eq!(hung(&report).class, StuckClass::DivergedSibling);
    }
}

/// Warps that spin on a lock that others hold for a while are never proved endless, at any limit.
///
/// Tests: `spin-locks`.
#[test]
fn a_lock_that_is_released_is_never_proved_endless() {
    let (whole, words) = launch("spin_lock_per_warp", 3, 256, Mode::Timed, 10_000_000);
    assert!(whole.verdict.is_finished(), "{:?}", whole.verdict);
    assert_eq!(words, [0, 24]);
    let end = whole.timing.as_ref().expect("a timed run").cycles;
    for limit in (500..end).step_by(307) {
        let (report, _) = launch("spin_lock_per_warp", 3, 256, Mode::Timed, limit);
        let class = report.verdict.stuck().expect("it is stopped").class;
        assert_eq!(class, StuckClass::Limit, "stopped at {limit} of {end}");
    }
}

/// The proof does not depend on the host.
#[test]
fn the_proof_of_a_spin_lock_is_the_same_for_any_window() {
    let run = |threads, window| {
        let chip = g80_with(&[("capability", "\"1.1\"")]);
        let mut device = Device::new(chip, "stuck.ptx", STUCK).unwrap_or_else(|e| panic!("{e}"));
        let out = device.upload(&[0; 64]);
        let options = RunOptions { threads, window, ..RunOptions::default() };
        let launch = device.launch("spin_lock", (4, 1), (64, 1, 1)).args([Arg::Ptr(out)]);
        let report = device.gpu.launch(&launch.options(options)).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(hung(&report).class, StuckClass::DivergedSibling);
        serde_json::to_string(&report).expect("a report is JSON")
    };
    let base = run(1, 0);
    assert_eq!(run(2, 0), base);
    assert_eq!(run(1, 7), base);
}
