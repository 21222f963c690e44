//! Every class of launches that do not end, in both modes: the report names the cause, and claims
//! nothing that is not proved.

use sim_core::hooks::{Hooks, Mutant};
use sim_core::host::{Arg, Mode, RunOptions};
use sim_core::stats::Report;
use sim_core::stats::report::Verdict;
use sim_core::stats::stuck::{Doing, StuckClass, StuckReport, WarpStuck};
use warpsim_tests::device::{Device, MODES, g80_with};
use warpsim_tests::identities;

const STUCK: &str = include_str!("../../data/ptx/stuck.ptx");

/// Runs `entry` in blocks of 64 threads. For `lock` the blocks have one warp, because a second one
/// that comes early would find the lock free, and would free it.
fn launch(entry: &str, blocks: u32, sets: &[(&str, &str)], mode: Mode, options: RunOptions) -> Report {
    let mut device = Device::new(g80_with(sets), "stuck.ptx", STUCK).unwrap_or_else(|e| panic!("{e}"));
    let out = device.upload(&[0; 64]);
    let threads = if entry == "lock" { 32 } else { 64 };
    let launch = device.launch(entry, (blocks, 1), (threads, 1, 1)).args([Arg::Ptr(out)]).mode(mode);
    device.gpu.launch(&launch.options(options)).unwrap_or_else(|e| panic!("{e}"))
}

fn limited(max_cycles: u64) -> RunOptions {
    RunOptions { max_cycles, ..RunOptions::default() }
}

/// Number of the last line of the entry that contains `text`, from 1.
fn line_of(entry: &str, text: &str) -> u32 {
    let from = STUCK.lines().position(|l| l.starts_with(&format!(".entry {entry} "))).expect("the entry");
    let lines = STUCK.lines().enumerate().skip(from).take_while(|(_, l)| *l != "}");
    let line = lines.filter(|(_, l)| l.contains(text)).last().expect("the line").0;
    line as u32 + 1
}

fn stuck(report: &Report) -> &StuckReport {
    report.verdict.stuck().unwrap_or_else(|| panic!("{:?}", report.verdict))
}

fn warp(report: &Report, number: u32) -> &WarpStuck {
    stuck(report).warps.iter().find(|w| w.warp == number).expect("the warp")
}

/// Tests: `classes-of-hangs`.
#[test]
fn a_barrier_that_can_never_complete() {
    for mode in MODES {
        let report = launch("two_barriers", 1, &[], mode, limited(50_000));
        assert!(matches!(report.verdict, Verdict::Hung { .. }), "{:?}", report.verdict);
        let stuck = stuck(&report);
        assert_eq!(stuck.class, StuckClass::Barrier);
        let [first, second] = &stuck.barriers[..] else { panic!("{:?}", stuck.barriers) };
        let (line0, line1) = (line_of("two_barriers", "bar.sync 0"), line_of("two_barriers", "bar.sync 1"));
        for (barrier, number, here, line, other, other_line) in
            [(first, 0, 0, line0, 1, line1), (second, 1, 1, line1, 0, line0)]
        {
            assert_eq!(barrier.barrier, number);
            let [arrived] = &barrier.arrived[..] else { panic!("{barrier:?}") };
            assert_eq!((arrived.warp, arrived.lanes, arrived.line), (here, u32::MAX, line));
            let [missing] = &barrier.missing[..] else { panic!("{barrier:?}") };
            assert_eq!((missing.warp, missing.line), (other, other_line));
            assert_eq!(missing.doing, Doing::Barrier { barrier: 1 - number });
            assert!(barrier.exited.is_empty());
        }
    }
}

/// A block hangs immediately while other blocks continue, on its SM or on others: the launch ends
/// with the last of them.
///
/// Tests: `identities-at-any-end`.
#[test]
fn a_hang_ends_when_the_last_of_the_other_blocks_has_ended() {
    for blocks in [2, 40, 300] {
        let run = |threads, window| {
            let options = RunOptions { threads, window, ..limited(1_000_000) };
            let report = launch("early", blocks, &[], Mode::Timed, options);
            (serde_json::to_string(&report).expect("a report is JSON"), report)
        };
        let (text, report) = run(1, 0);
        let Verdict::Hung { cycle, stuck } = &report.verdict else { panic!("{:?}", report.verdict) };
        assert_eq!(stuck.class, StuckClass::Barrier);
        assert!(*cycle > 10_000, "the others loop for longer: {cycle}");
        identities::check(&report).unwrap_or_else(|e| panic!("{blocks} blocks: {e}"));
        let timing = report.timing.as_ref().expect("a timed run");
        assert_eq!(timing.cycles, *cycle);
        assert!(timing.ipc <= 1.0 && timing.slots.outcomes.issued <= timing.slots.total, "{}", timing.ipc);
        assert_eq!(run(2, 7).0, text);
    }
}

/// Checks one of the kernels in which lanes wait for a diverged sibling, with several limits and
/// without one.
fn diverged(entry: &str, loop_text: [&str; 2]) {
    for mode in MODES {
        // Limits in different phases of an iteration.
        for limit in (0..40).map(|k| 20_000 + 37 * k).chain([u64::MAX]) {
            let report = launch(entry, 1, &[], mode, limited(limit));
            let hung = matches!(report.verdict, Verdict::Hung { .. });
            assert_eq!(hung, limit == u64::MAX, "{entry} {mode:?}: {:?}", report.verdict);
            let stuck = stuck(&report);
            assert_eq!(stuck.class, StuckClass::DivergedSibling, "{entry} {mode:?} {limit}: {stuck:?}");
            let w = warp(&report, 0);
            assert_eq!((w.lanes, w.live), (u32::MAX - 1, u32::MAX), "lane 0 waits for the other 31");
            assert!(w.since > 0 && w.since < 10_000, "since {}", w.since);
            let Doing::Repeats(cycle) = &w.doing else { panic!("{entry}: {w:?}") };
            let [first, last] = loop_text.map(|text| line_of(entry, text));
            assert_eq!((cycle.first_line, cycle.last_line), (first, last), "{entry}");
            assert!(!cycle.reads.is_empty());
            let [other] = &w.others[..] else { panic!("{w:?}") };
            assert_eq!(other.lanes, 1);
        }
    }
}

/// Tests: `classes-of-hangs`.
#[test]
fn lanes_that_wait_for_a_diverged_sibling() {
    diverged("flag_shared", ["ld.volatile", "@%again bra"]);
    diverged("flag_global", ["ld.volatile", "@%again bra"]);
    diverged("lock", ["@!%again bra", "bra.uni TRY"]);
}

#[test]
fn the_place_of_the_diverged_sibling_is_reported() {
    for mode in MODES {
        // The sibling has not run yet: the other side of the branch runs first.
        let report = launch("flag_shared", 1, &[], mode, limited(20_000));
        let other = &warp(&report, 0).others[0];
        assert_eq!((other.line, other.arrived), (line_of("flag_shared", "mov.u32 %flag, 1"), false));
        // The sibling has left the loop and waits where the lanes reconverge.
        let report = launch("lock", 1, &[], mode, limited(20_000));
        let other = &warp(&report, 0).others[0];
        assert_eq!((other.line, other.arrived), (line_of("lock", "st.volatile"), true));
    }
}

#[test]
fn with_the_other_order_of_the_sides_the_launch_ends() {
    for entry in ["flag_shared", "flag_global"] {
        for mode in MODES {
            let report = launch(entry, 1, &[("sm.first_path", "not_taken")], mode, limited(50_000));
            assert!(report.verdict.is_finished(), "{entry}: {:?}", report.verdict);
        }
    }
}

/// Tests: `classes-of-hangs`.
#[test]
fn an_endless_loop_is_proved_and_stopped() {
    for mode in MODES {
        for limit in [20_000, u64::MAX] {
            let report = launch("endless", 1, &[], mode, limited(limit));
            assert_eq!(matches!(report.verdict, Verdict::Hung { .. }), limit == u64::MAX);
            let stuck = stuck(&report);
            assert_eq!(stuck.class, StuckClass::EndlessLoop);
            let line = line_of("endless", "bra AGAIN");
            let Doing::Repeats(round) = &warp(&report, 0).doing else { panic!("{stuck:?}") };
            assert_eq!((round.first_line, round.last_line, round.instructions), (line, line, 1));
            let [barrier] = &stuck.barriers[..] else { panic!("{stuck:?}") };
            assert_eq!((barrier.arrived[0].warp, barrier.missing[0].warp), (1, 0));
        }
    }
}

/// Tests: `spin-locks`.
#[test]
fn a_waiting_loop_with_a_counter_is_proved_endless() {
    for mode in MODES {
        let report = launch("counts_and_waits", 1, &[], mode, limited(u64::MAX));
        assert!(matches!(report.verdict, Verdict::Hung { .. }), "{:?}", report.verdict);
        assert_eq!(stuck(&report).class, StuckClass::EndlessLoop);
        let Doing::Repeats(round) = &warp(&report, 0).doing else { panic!("{:?}", stuck(&report)) };
        let (first, last) = ("add.u32 %n", "@%again bra AGAIN");
        let lines = (line_of("counts_and_waits", first), line_of("counts_and_waits", last));
        assert_eq!((round.first_line, round.last_line, round.reads.len()), (lines.0, lines.1, 1));
    }
}

/// Tests: `proofs-of-hangs`.
#[test]
fn a_launch_that_may_end_is_only_at_its_limit() {
    for mode in MODES {
        for entry in ["counts", "clock", "patient"] {
            let report = launch(entry, 1, &[], mode, limited(30_000));
            assert!(matches!(report.verdict, Verdict::Limit { limit: 30_000, .. }), "{:?}", report.verdict);
            let stuck = stuck(&report);
            assert_eq!(stuck.class, StuckClass::Limit, "{entry}");
            // The report names the place nevertheless.
            let first = if entry == "clock" { "mov.u32 %now" } else { "add.u32 %n" };
            let range = (line_of(entry, first), line_of(entry, first) + 2);
            let last = stuck.warps.last().expect("a warp");
            assert_eq!(last.doing, Doing::Runs { within: Some(range) }, "{entry}");
        }
        assert!(launch("patient", 1, &[], mode, limited(u64::MAX)).verdict.is_finished());
    }
}

/// Two blocks fit and three are launched. In functional mode, which runs one block after the other,
/// nothing is claimed about a loop that reads global memory while the third block can still start.
/// In timed mode the third block can never start.
///
/// Tests: `proofs-of-hangs`.
#[test]
fn a_block_that_has_not_started_could_write() {
    let sets = [("clusters", "1"), ("cluster.sms", "1"), ("sm.max_blocks", "2")];
    let class = |mode| stuck(&launch("flag_global", 3, &sets, mode, limited(50_000))).class;
    assert_eq!(class(Mode::Timed), StuckClass::DivergedSibling);
    assert_eq!(class(Mode::Functional), StuckClass::Limit);
}

/// Tests: `classes-of-hangs`.
#[test]
fn a_lost_reply_is_a_bug_of_the_simulator() {
    let hooks = Hooks { mutant: Some(Mutant::LoseReplies), ..Hooks::default() };
    let options = RunOptions { hooks, ..limited(50_000) };
    let report = launch("loads", 1, &[], Mode::Timed, options);
    assert!(matches!(report.verdict, Verdict::Hung { .. }), "{:?}", report.verdict);
    let stuck = stuck(&report);
    assert_eq!(stuck.class, StuckClass::LostReply);
    assert!(stuck.hint.contains("bug of the simulator") && stuck.hint.contains("report"), "{}", stuck.hint);
    assert_eq!(warp(&report, 0).doing, Doing::Memory { lines: vec![line_of("loads", "ld.global")] });
    assert_eq!(warp(&report, 0).line, line_of("loads", "add.u32"));
    assert_eq!(warp(&report, 1).doing, Doing::Barrier { barrier: 0 });
    // A load whose result is never used: all warps have exited, and the block remains.
    let options = RunOptions { hooks: Hooks::default(), ..options };
    assert!(launch("loads", 1, &[], Mode::Timed, options).verdict.is_finished());
}

/// The checks for progress do not depend on the host.
#[test]
fn the_proof_is_the_same_for_any_number_of_threads() {
    let text = |threads, window, skip_idle| {
        let options = RunOptions { threads, shuffle: Some(1), window, skip_idle, ..RunOptions::default() };
        let report = launch("flag_global", 2, &[], Mode::Timed, options);
        serde_json::to_string(&report).expect("a report is JSON")
    };
    let base = text(1, 0, true);
    assert!(base.contains("\"kind\":\"hung\"") && base.contains("\"class\":\"diverged_sibling\""), "{base}");
    assert_eq!(text(2, 0, true), base);
    assert_eq!(text(1, 7, true), base);
}

/// A pending load may have read a value that memory no longer contains: the flag was set when it
/// was read, and has been cleared since. Such a launch ends, so it must never be proved endless, at
/// any limit.
#[test]
fn a_pending_load_may_have_an_older_value() {
    never_proved_while_a_load_is_pending(STUCK, "1.0");
}

/// The same if atomics set and clear the flag.
#[test]
fn a_pending_load_may_have_a_value_that_an_atomic_has_changed() {
    // All stores are replaced, so that no store hides the effect of the atomics.
    let text = STUCK
        .replace(".target sm_10", ".target sm_11")
        .replace("st.volatile.global.u32 [%at], %one;", "red.global.or.b32 [%at], %one;")
        .replace("st.volatile.global.u32 [%at], %zero;", "red.global.and.b32 [%at], %zero;")
        .replace("st.volatile.global.u32 [%at+12], %one;", "red.global.or.b32 [%at+12], %one;");
    assert_eq!(text.matches("red.global").count(), 3, "the flag is set, cleared, and that is signaled");
    never_proved_while_a_load_is_pending(&text, "1.1");
}

/// Stops the kernel `glimpse` of `text` at all times at which block 0 may have seen a flag that has
/// been cleared since.
fn never_proved_while_a_load_is_pending(text: &str, capability: &str) {
    let mut stopped_while_clear = 0;
    for up in (0..24).map(|k| 4 * k) {
        let run = |max_cycles| {
            let chip = g80_with(&[("capability", capability)]);
            let mut device = Device::new(chip, "stuck.ptx", text).unwrap_or_else(|e| panic!("{e}"));
            let out = device.upload(&[0, 20, up, 0]);
            let launch = device.launch("glimpse", (2, 1), (32, 1, 1)).args([Arg::Ptr(out)]);
            let report = device.gpu.launch(&launch.options(limited(max_cycles)));
            (report.unwrap_or_else(|e| panic!("{e}")), device.download(out, 4))
        };
        // If the flag was not seen, the launch does not end.
        let (whole, _) = run(30_000);
        if !whole.verdict.is_finished() {
            continue;
        }
        let end = whole.timing.as_ref().expect("a timed run").cycles;
        for limit in (end - 1_500..end).step_by(4) {
            let (report, words) = run(limit);
            assert!(matches!(report.verdict, Verdict::Limit { .. }), "{up} {limit}: {:?}", report.verdict);
            assert_eq!(
                stuck(&report).class,
                StuckClass::Limit,
                "set for {up} iterations, stopped at {limit} of {end}"
            );
            stopped_while_clear += u32::from(words[0] == 0 && words[3] == 1 && warp_is_inside(&report));
        }
    }
    assert!(stopped_while_clear > 20, "only {stopped_while_clear} stops while the load was pending");
}

/// Whether block 0, which waits for the flag, has not retired, and block 1, which sets and clears
/// it, has.
fn warp_is_inside(report: &Report) -> bool {
    let blocks: Vec<u32> = stuck(report).warps.iter().map(|w| w.block.x).collect();
    blocks == [0]
}
