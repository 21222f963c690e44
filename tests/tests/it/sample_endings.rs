//! Sampled launches that are not estimated: short launches, launches that fail, and launches whose
//! blocks wait for later blocks. Also the state of the device after an estimate.

use sim_core::host::{Mode, RunOptions, Sampling, StopReason};
use sim_core::stats::report::Verdict;
use std::convert::Infallible;
use std::ops::ControlFlow;
use warpsim_tests::device::{Device, g80_with, pointers};
use warpsim_tests::identities;

/// Samples short launches, too.
const QUICK: Sampling = Sampling { waves: 1, unit_cycles: 0, tolerance: 0.1 };

/// Returns a kernel in which each thread runs a loop and stores its block's index. `what` is
/// executed before; `%r1` is the block's index.
fn kernel(what: &str) -> String {
    format!(
        ".version 1.4\n.target sm_10\n.entry k (.param .u32 out)\n{{\n.reg .u32 %r<8>;\n.reg .pred %p<2>;\n\
         mov.u16 %h0, %ctaid.x;\ncvt.u32.u16 %r1, %h0;\nmov.u16 %h1, %tid.x;\ncvt.u32.u16 %r2, %h1;\n\
         ld.param.u32 %r0, [out];\n{what}\nmov.u32 %r3, 50;\nWORK:\nsub.u32 %r3, %r3, 1;\n\
         setp.ne.u32 %p1, %r3, 0;\n@%p1 bra WORK;\nshl.b32 %r4, %r1, 7;\nshl.b32 %r5, %r2, 2;\n\
         add.u32 %r4, %r4, %r5;\nadd.u32 %r4, %r4, %r0;\nadd.u32 %r5, %r1, 1;\nst.global.u32 [%r4], %r5;\nexit;\n}}\n"
    )
    .replace(".reg .pred", ".reg .u16 %h<2>;\n.reg .pred")
}

/// Returns a chip of two SMs, which hold 16 blocks, and an array for the results of `blocks`
/// blocks.
fn device(what: &str, blocks: u32) -> (Device, sim_core::host::DevicePtr) {
    let mut device =
        Device::new(g80_with(&[("clusters", "1")]), "k.ptx", &kernel(what)).expect("it compiles");
    let out = device.upload(&vec![0; 32 * blocks as usize]);
    device.gpu.sample(Some(QUICK));
    (device, out)
}

/// Tests: `sampled-launches`.
#[test]
fn an_estimate_has_exact_breakdowns_and_the_results_of_the_first_blocks() {
    let (mut device, out) = device("", 1000);
    let launch = device.launch("k", (1000, 1), (32, 1, 1)).args(pointers(&[out]));
    let report = device.gpu.launch(&launch).expect("it fits");
    assert!(matches!(report.verdict, Verdict::Estimated) && report.verdict.is_whole());
    assert!(!report.verdict.is_finished(), "some results are missing");
    let sampled = report.sampled.clone().expect("it is an estimate");
    assert_eq!((sampled.blocks, sampled.wave, sampled.unit % 16), (1000, 16, 0));
    assert!(sampled.work <= 500 && sampled.simulated < 300, "{sampled:?}");
    identities::check(&report).expect("its breakdowns are exact");
    let words = device.download(out, 32 * 1000);
    for (block, words) in words.chunks(32).enumerate() {
        let expected = if (block as u64) < sampled.simulated { block as u32 + 1 } else { 0 };
        assert!(words.iter().all(|word| *word == expected), "block {block}");
    }

    device.gpu.sample(None);
    let full = device.run(&launch);
    assert_eq!(
        full.instructions.by_class, report.instructions.by_class,
        "all blocks execute the same instructions"
    );
    let cycles = |report: &sim_core::stats::Report| report.timing.as_ref().expect("timed").cycles as f64;
    assert!((cycles(&report) / cycles(&full) - 1.0).abs() < 0.03, "{} {}", cycles(&report), cycles(&full));
    let events = &device.gpu.timeline().events;
    assert_eq!(events.len(), 4, "two copies and two launches, although one was simulated several times");
}

/// Tests: `sampled-launches`.
#[test]
fn a_launch_of_few_waves_is_run_in_full() {
    let json = |sampled: bool| {
        let (mut device, out) = device("", 100);
        if !sampled {
            device.gpu.sample(None);
        }
        let launch = device.launch("k", (100, 1), (32, 1, 1)).args(pointers(&[out]));
        let report = device.run(&launch);
        assert!(report.sampled.is_none());
        (serde_json::to_string(&report).expect("it serializes"), device.download(out, 3200))
    };
    assert_eq!(json(true), json(false));
}

/// Tests: `sampled-launches`.
#[test]
fn a_block_that_waits_for_a_later_one_does_not_hang() {
    // Block 0 waits until the last block has stored its result.
    let wait = "setp.ne.u32 %p0, %r1, 0;\n@%p0 bra GO;\nWAIT:\nld.volatile.global.u32 %r6, [%r0+127872];\n\
                setp.eq.u32 %p0, %r6, 0;\n@%p0 bra WAIT;\nGO:";
    let (mut device, out) = device(wait, 1000);
    let launch = device.launch("k", (1000, 1), (32, 1, 1)).args(pointers(&[out]));
    let report = device.run(&launch);
    assert!(report.sampled.is_none(), "no part of it ends");
    assert!(
        device.download(out, 32 * 1000).chunks(32).zip(1..).all(|(words, n)| words.iter().all(|w| *w == n))
    );
}

#[test]
fn a_block_that_polls_a_later_one_with_atomics_does_not_hang() {
    let wait = "setp.ne.u32 %p0, %r1, 0;\n@%p0 bra GO;\nWAIT:\nld.param.u32 %r7, [out];\nadd.u32 %r7, %r7, 127872;\n\
                atom.global.add.u32 %r6, [%r7], 0;\nsetp.eq.u32 %p0, %r6, 0;\n@%p0 bra WAIT;\nGO:";
    let sets = [("clusters", "1"), ("capability", "\"1.1\"")];
    let text = kernel(wait).replace("sm_10", "sm_11");
    let mut device = Device::new(g80_with(&sets), "k.ptx", &text).expect("it compiles");
    let out = device.upload(&vec![0; 32 * 1000]);
    device.gpu.sample(Some(QUICK));
    // No part of the grid ends: the first part is abandoned at the limit.
    let options = RunOptions { max_cycles: 1_000_000, ..RunOptions::default() };
    let launch = device.launch("k", (1000, 1), (32, 1, 1)).args(pointers(&[out])).options(options);
    let report = device.run(&launch);
    assert!(report.verdict.is_finished() && report.sampled.is_none(), "{:?}", report.verdict);
}

/// Tests: `sampled-launches`.
#[test]
fn failures_in_the_first_blocks_are_reported() {
    // Block 5 stores to an invalid address.
    let trap = "setp.ne.u32 %p0, %r1, 5;\n@%p0 bra GO;\nmov.u32 %r6, 0;\nst.global.u32 [%r6], %r6;\nGO:";
    let (mut traps, out) = device(trap, 1000);
    let launch = traps.launch("k", (1000, 1), (32, 1, 1)).args(pointers(&[out]));
    let report = traps.gpu.launch(&launch).expect("it fits");
    let Verdict::Trapped { trap } = &report.verdict else { panic!("{:?}", report.verdict) };
    assert_eq!((trap.block.x, report.sampled.is_none()), (5, true));

    let (mut device, out) = device("", 1000);
    let launch = device.launch("k", (1000, 1), (32, 1, 1)).args(pointers(&[out]));
    let limited = launch.clone().options(RunOptions { max_cycles: 3000, ..RunOptions::default() });
    let report = device.gpu.launch(&limited).expect("it fits");
    assert!(matches!(report.verdict, Verdict::Limit { limit: 3000, .. }), "{:?}", report.verdict);
    assert!(report.sampled.is_none());

    let mut passes = Vec::new();
    device.gpu.monitor(Some(Box::new(move |progress| {
        let pass = progress.pass.expect("it is sampled");
        assert_eq!(pass.of_blocks, 1000);
        passes.push(pass.number);
        assert!(passes.is_sorted() && progress.blocks < 1000);
        if pass.number == 2 { ControlFlow::Break(StopReason::Interrupted) } else { ControlFlow::Continue(()) }
    })));
    let report = device.gpu.launch(&launch).expect("it fits");
    assert!(matches!(report.verdict, Verdict::Interrupted { .. }), "{:?}", report.verdict);
    assert!(report.sampled.is_none());

    // Functional mode has no time to estimate, so it runs all blocks.
    device.gpu.monitor(None);
    let report = device.gpu.launch(&launch.mode(Mode::Functional)).expect("it fits");
    assert!(report.verdict.is_finished() && report.sampled.is_none());
    assert_eq!(report.instructions.warp % 1000, 0, "every block has run");
}

/// With sampling only a few of several equal launches are simulated, without it all.
#[test]
fn equal_launches_are_repeated_until_two_agree() {
    let (mut device, out) = device("", 64);
    let launch = device.launch("k", (64, 1), (32, 1, 1)).args(pointers(&[out]));
    let mut run = |sampled| {
        let of = kernels::repeat::repeat(sampled, 20, |_| Ok::<_, Infallible>(device.run(&launch)));
        of.expect("it cannot fail")
    };
    let (some, all) = (run(true), run(false));
    assert_eq!(
        (some.simulated(), all.simulated(), some.is_sampled(), all.is_sampled()),
        (3, 20, true, false)
    );
    assert!((some.cycles() / all.cycles() - 1.0).abs() < 0.005);
    assert_eq!(some.summary(), "estimated from 3 of 20 equal launches");
    assert_eq!(all.summary(), "20 of 20 launches simulated");
}
