//! Threads, warps, divergence and barriers, the same on every chip: rows SIMT-01 to SIMT-07 and SIMT-10 of the claims
//! ledger.

use kernels::Settings;
use sim_core::host::{Arg, BarrierRule, Gpu, Launch, Mode};
use sim_core::stats::Report;
use sim_core::stats::report::Verdict;
use sim_core::stats::stuck::{Doing, StuckClass};
use warpsim_tests::device::{CHIPS, Device, MODES, chip_with, pointers, timing};

const INDICES: &str = include_str!("../../kernels/ptx/book/indices.ptx");
const BARRIERS: &str = include_str!("../ptx/barriers.ptx");
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

/// SIMT-05: where the lanes of a warp make 6, 7 or 8 trips through a loop, the first six trips are one pass of all
/// lanes, the 7th and the 8th one pass each of those that are left, and after the loop all go on together.
#[test]
fn simt_05_loop_trips_by_lane() {
    // The loop's instructions: two additions, the comparison, the branch.
    const BODY: u64 = 4;
    for (chip, mode) in machines() {
        let run = |most: u32| {
            let launch =
                |d: &Device| d.launch("trips_by_lane", (1, 1), (32, 1, 1)).args([Arg::U32(most)]).mode(mode);
            let (report, out) = run_out(chip, DIVERGENCE, launch, 32);
            for (lane, v) in out.iter().enumerate() {
                assert_eq!(*v, 5 * (6 + lane as u32 % 3).min(most), "lane {lane}, at most {most} trips");
            }
            report
        };
        // 11 lanes of 32 have 0 as their number modulo 3, 11 have 1, 10 have 2.
        let lanes_of_trip = |trip| match trip {
            1..=6 => 32,
            7 => 21,
            8 => 10,
            _ => 0,
        };
        let mut before = run(1);
        // What is not the loop runs once and with all lanes, also behind the loop.
        let around = before.instructions.warp - BODY;
        assert_eq!(before.instructions.thread, 32 * (around + BODY));
        for trip in 2..=9 {
            let now = run(trip);
            let passes = u64::from(trip <= 8);
            assert_eq!(now.instructions.warp - before.instructions.warp, BODY * passes, "trip {trip}");
            let lanes = now.instructions.thread - before.instructions.thread;
            assert_eq!(lanes, BODY * lanes_of_trip(trip), "trip {trip}");
            // The branch at the end of trip 6 and that of trip 7 divide the lanes; at the end of the last trip all
            // that are left leave.
            let divergent = now.control.divergent_branches;
            assert_eq!(divergent, u64::from(trip.clamp(6, 8)) - 6, "at most {trip} trips");
            before = now;
        }
    }
}

/// Working lanes and divergent warps of each trip of a reduction of one block of 512 elements.
///
/// The built-in kernel `workload` makes nine trips. Replacing its loop's end, `last`, by `cut(k)` ends it after k of
/// them: the differences between k and k - 1 are what trip k did.
fn reduction_trips(chip: &str, workload: &str, last: &str, cut: impl Fn(u32) -> String) -> Vec<(u64, u64)> {
    let text = kernels::find(workload).expect("a built-in kernel").ptx;
    assert_eq!(text.matches(last).count(), 1, "the end of the loop of {workload}");
    let entry = workload.replace('-', "_");
    let values: Vec<f32> = (0..512u16).map(f32::from).collect();
    let run = |trips: u32| {
        let mut device = Device::on(chip, &text.replace(last, &cut(trips)));
        let input = device.upload_floats(&values);
        let out = device.upload(&[UNTOUCHED]);
        let mut args = pointers(&[input, out]);
        args.push(Arg::U32(512));
        let report = device.run(&device.launch(&entry, (1, 1), (512, 1, 1)).args(args));
        if trips == 9 {
            assert_eq!(device.download_floats(out, 1), [511.0 * 256.0]);
        }
        assert_eq!(timing(&report).shared.load.conflict_passes, 0, "{workload} has no bank conflicts");
        // A working lane loads two words of 4 bytes in each trip; one lane loads one word behind the loop.
        let lanes = (timing(&report).shared.load.bytes_asked - 4) / 8;
        let (executed, divergent) = branch(&report, "@%idle bra");
        assert!(executed == 16 * u64::from(trips) || divergent == 0, "every warp asks in every trip");
        assert_eq!(report.control.divergent_branches, divergent, "no other branch diverges");
        (lanes, divergent)
    };
    let totals: Vec<_> = (1..=9).map(run).collect();
    let mut before = (0, 0);
    totals
        .into_iter()
        .map(|total| {
            let trip = (total.0 - before.0, total.1 - before.1);
            before = total;
            trip
        })
        .collect()
}

/// SIMT-06: the sum with a doubling stride (figure 6.2) makes nine trips for 512 elements. In trips 1 to 5 all 16
/// warps diverge; from the 6th on only those that still hold a working lane: 8, 4, 2, 1.
#[test]
fn simt_06_interleaved_reduction() {
    for chip in CHIPS {
        let last = "setp.lt.u32\t%more, %stride, %threads;";
        let cut = |k| format!("setp.lt.u32\t%more, %stride, {};", 1u32 << k);
        let (lanes, divergent): (Vec<_>, Vec<_>) =
            reduction_trips(chip, "reduce-interleaved", last, cut).into_iter().unzip();
        assert_eq!(lanes, [256, 128, 64, 32, 16, 8, 4, 2, 1]);
        assert_eq!(divergent, [16, 16, 16, 16, 16, 8, 4, 2, 1]);
        assert_eq!(builtin_divergence(chip, "reduce-interleaved"), 95);
    }
}

/// SIMT-07: the sum with a halving stride (figure 6.4). No warp diverges in the first four trips, of 256, 128, 64
/// and 32 working lanes; in the last five, of 16 to 1, one does: the working lanes are the first ones, so it is
/// warp 0.
#[test]
fn simt_07_halving_reduction() {
    for chip in CHIPS {
        let last = "setp.ne.u32\t%more, %stride, 0;";
        let cut = |k| format!("setp.gt.u32\t%more, %stride, {};", 256u32 >> k);
        let (lanes, divergent): (Vec<_>, Vec<_>) =
            reduction_trips(chip, "reduce-halving", last, cut).into_iter().unzip();
        assert_eq!(lanes, [256, 128, 64, 32, 16, 8, 4, 2, 1]);
        assert_eq!(divergent, [0, 0, 0, 0, 1, 1, 1, 1, 1]);
        assert_eq!(builtin_divergence(chip, "reduce-halving"), 5);
    }
}

/// Divergent branches of a built-in reduction of 512 elements: the same on both machines.
fn builtin_divergence(chip: &str, workload: &str) -> u64 {
    let [functional, timed] = MODES.map(|mode: Mode| {
        let mut gpu = Gpu::new(chip_with(chip, &[]));
        let outcome =
            kernels::run(workload, &mut gpu, Settings { size: Some(512), mode, ..Settings::default() });
        let outcome = outcome.unwrap_or_else(|e| panic!("{e}"));
        assert!(outcome.check.passed(), "{}", outcome.summary);
        outcome.reports[0].control.divergent_branches
    });
    assert_eq!(functional, timed);
    timed
}

/// Line, from 1, of the `nth` line of the barrier kernels, from `entry` on, that holds `text`.
fn barrier_line(entry: &str, text: &str, nth: usize) -> u32 {
    let from = BARRIERS.lines().position(|l| l.contains(&format!("entry {entry} "))).expect("the entry");
    let mut lines = BARRIERS.lines().enumerate().skip(from).filter(|(_, l)| l.contains(text));
    lines.nth(nth).expect("the line").0 as u32 + 1
}

/// Runs a kernel with barriers in the arms of a branch, by either rule.
fn run_arms(chip: &str, entry: &str, rule: BarrierRule, mode: Mode) -> (Report, Vec<u32>) {
    let mut device = Device::on(chip, BARRIERS);
    let out = device.upload(&[UNTOUCHED; 64]);
    let launch = device.launch(entry, (1, 1), (64, 1, 1)).args([Arg::Ptr(out)]).mode(mode).barriers(rule);
    let report = device.gpu.launch(&launch).unwrap_or_else(|e| panic!("{e}"));
    (report, device.download(out, 64))
}

/// SIMT-10: a barrier in both arms of a divergent branch is stopped, and told with its warps, both barriers and the
/// lanes at each.
#[test]
fn simt_10_divergent_barrier_is_named() {
    let (above, low) = (barrier_line("both_arms", "bar.sync", 0), barrier_line("both_arms", "bar.sync", 1));
    for (chip, mode) in machines() {
        let (report, out) = run_arms(chip, "both_arms", BarrierRule::Strict, mode);
        let Verdict::Trapped { trap } = &report.verdict else { panic!("{:?}", report.verdict) };
        assert_eq!((trap.lanes, trap.line), (0xffff, low), "the later side runs first");
        assert!(trap.message.contains("bar.sync 0"), "{}", trap.message);
        let divergent = trap.divergent.as_ref().expect("a divergent barrier");
        assert_eq!(divergent.barrier, 0);
        let warps: &[u32] = if mode == Mode::Timed { &[0, 1] } else { &[0] };
        assert_eq!(divergent.warps, warps);
        assert!(warps.contains(&trap.warp));
        let [other] = &divergent.elsewhere[..] else { panic!("{divergent:?}") };
        assert_eq!((other.lanes, other.line, other.guarded), (0xffff_0000, above, false));
        assert_eq!(other.ahead, [(Some(0), above)]);
        assert!(out.iter().all(|v| *v == UNTOUCHED));
    }
}

/// SIMT-10, the hardware's own rule: barriers count warps, whatever lanes are active. With a barrier in both arms the
/// halves meet those of the other warp one after the other. Where warp 0 diverges and each half reaches a barrier
/// once, while warp 1 reaches two, the halves pair with warp 1's two, and see different stages.
#[test]
fn simt_10_hardware_barriers_count_warps() {
    for (chip, mode) in machines() {
        let (report, out) = run_arms(chip, "both_arms", BarrierRule::Hardware, mode);
        assert!(report.verdict.is_finished(), "{:?}", report.verdict);
        assert_eq!(report.launch.barriers, BarrierRule::Hardware);
        assert!(out.iter().enumerate().all(|(t, v)| *v == if t % 32 < 16 { 2 } else { 1 }), "{out:?}");
        assert_eq!(report.control.barriers, 4, "two of each warp");

        let (report, out) = run_arms(chip, "halves", BarrierRule::Hardware, mode);
        assert!(report.verdict.is_finished(), "{:?}", report.verdict);
        assert_eq!(out[..5], [1, 1, 0, 1, 1]);
        assert_eq!(report.control.barriers, 4);
    }
}

/// SIMT-10: never a silent hang. Where the barriers of the halves and of the other warp differ nobody can go on, and
/// it is said who waits where.
#[test]
fn simt_10_hardware_barriers_that_never_meet() {
    let lines = [0, 1, 2].map(|nth| barrier_line("apart", "bar.sync", nth));
    for (chip, mode) in machines() {
        let (report, _) = run_arms(chip, "apart", BarrierRule::Hardware, mode);
        let Verdict::Hung { stuck, .. } = &report.verdict else { panic!("{:?}", report.verdict) };
        assert_eq!(stuck.class, StuckClass::Barrier);
        let [first, second] = &stuck.warps[..] else { panic!("{stuck:?}") };
        assert_eq!((first.lanes, first.line), (0xffff, lines[1]));
        assert_eq!(first.doing, Doing::Barrier { barrier: 1 });
        let [other] = &first.others[..] else { panic!("{first:?}") };
        assert_eq!((other.lanes, other.line, other.arrived), (0xffff_0000, lines[0], false));
        assert_eq!((second.lanes, second.line), (u32::MAX, lines[2]));
        assert_eq!(stuck.barriers.iter().map(|b| b.barrier).collect::<Vec<_>>(), [1, 2]);
        let (strict, _) = run_arms(chip, "apart", BarrierRule::Strict, mode);
        assert!(matches!(strict.verdict, Verdict::Trapped { .. }), "{:?}", strict.verdict);
    }
}
