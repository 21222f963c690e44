//! Kernels under way together: what must hold whatever runs beside what. (Row PERF-18 of the claims
//! ledger is a program.)
//!
//! Tests: `course-texts`.

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use sim_core::config::Chip;
use sim_core::host::timeline::Call;
use sim_core::host::{Arg, DevicePtr, HostError, Launch, Mode, RunOptions, Stream};
use sim_core::stats::Report;
use sim_core::stats::report::Verdict;
use warpsim_tests::device::{CHIPS, Device, chip_with, pointers, timing};
use warpsim_tests::generate::chip::chip;
use warpsim_tests::identities;

/// Each thread adds its number up so many times and writes the sum; `stray` makes threads write to
/// nowhere.
const LONG: &str = include_str!("../../kernels/ptx/book/counting.ptx");

/// Kernels of so many blocks of 64 threads and so many rounds, each with an array of its own.
struct Together {
    device: Device,
    launches: Vec<(Stream, Launch, DevicePtr, u32, u32)>,
}

const THREADS: u32 = 64;

impl Together {
    fn new(chip: Chip, kernels: &[(u32, u32)]) -> Self {
        let mut device = Device::new(chip, "counting.ptx", LONG).unwrap_or_else(|e| panic!("{e}"));
        let launches = kernels
            .iter()
            .map(|(blocks, rounds)| {
                let out = device.gpu.malloc(u64::from(4 * blocks * THREADS)).expect("room");
                let args = [Arg::Ptr(out), Arg::U32(*rounds), Arg::U32(0)];
                let launch = device.launch("counting", (*blocks, 1), (THREADS, 1, 1)).args(args);
                (device.gpu.stream(), launch, out, *blocks, *rounds)
            })
            .collect();
        Self { device, launches }
    }

    /// Runs all of them at once, and checks values and books.
    fn run(&mut self) -> Vec<Report> {
        let launches: Vec<(Stream, &Launch)> = self.launches.iter().map(|(s, l, ..)| (*s, l)).collect();
        let reports = self.device.gpu.launch_together(&launches).expect("the launches are sound");
        for (report, (.., out, blocks, rounds)) in reports.iter().zip(&self.launches) {
            assert!(report.verdict.is_finished(), "{:?}", report.verdict);
            let threads = blocks * THREADS;
            let expected: Vec<u32> = (0..threads).map(|t| t * rounds).collect();
            assert_eq!(self.device.download(*out, threads as usize), expected);
        }
        reports
    }

    /// Nanoseconds from the first kernel's start to the last one's end.
    fn span(&self) -> u64 {
        let events = &self.device.gpu.timeline().events;
        let kernels = || events.iter().filter(|e| e.what == Call::kernel("counting"));
        let begin = kernels().map(|e| e.start_ns).min().expect("a kernel");
        kernels().map(sim_core::host::timeline::Event::end_ns).max().expect("a kernel") - begin
    }
}

fn span(chip: Chip, kernels: &[(u32, u32)]) -> u64 {
    let mut together = Together::new(chip, kernels);
    for report in together.run() {
        identities::check(&report).unwrap_or_else(|e| panic!("{e}"));
    }
    together.span()
}

/// A kernel that fills the chip leaves no room: the next one begins as its SMs become empty, and
/// the two take less than one after the other, but far more than one.
#[test]
fn a_large_kernel_leaves_what_it_does_not_need() {
    let chip = || chip_with("fermi", &[]);
    let large = span(chip(), &[(15 * 8 * 2, 200)]) as f64;
    let small = span(chip(), &[(4, 400)]) as f64;
    let both = span(chip(), &[(15 * 8 * 2, 200), (4, 400)]) as f64;
    assert!(both > large && both < large + small, "{large} and {small} make {both}");
    let first = span(chip(), &[(4, 400), (15 * 8 * 2, 200)]) as f64;
    assert!(first < large + small, "the small one first: {first}");
}

/// Nothing that the host does shows; each kernel executes what it executes alone; those of one
/// stream follow each other.
///
/// Tests: `concurrent-kernels`.
#[test]
fn kernels_together_are_the_same_whatever_the_host_does() {
    let kernels = [(5, 40), (40, 20), (3, 90), (200, 5)];
    let run = |options: RunOptions| {
        let mut together = Together::new(chip_with("fermi", &[]), &kernels);
        together.launches.iter_mut().for_each(|(_, launch, ..)| launch.options = options);
        let reports = together.run();
        let text: Vec<String> = reports.iter().map(|r| format!("{r:?}")).collect();
        (text, together.device.gpu.timeline().clone(), reports)
    };
    let (expected, timeline, reports) = run(RunOptions::default());
    for (threads, window, skip_idle) in [(2, 0, true), (3, 7, true), (1, 1, false), (4, 33, false)] {
        let (text, time, _) =
            run(RunOptions { threads, shuffle: Some(1), window, skip_idle, ..RunOptions::default() });
        assert!(text == expected && time == timeline, "{threads} threads, window {window}, skip {skip_idle}");
    }
    for (report, kernel) in reports.iter().zip(kernels) {
        let alone = &Together::new(chip_with("fermi", &[]), &[kernel]).run()[0];
        assert_eq!(report.instructions.by_class, alone.instructions.by_class);
        assert_eq!(timing(report).global.store, timing(alone).global.store);
    }
}

/// On chips of whatever timing, with several SMs to a cluster or one, kernels together leave what
/// they are to leave.
#[test]
fn kernels_together_are_right_on_random_chips() {
    let mut runner = TestRunner::deterministic();
    for _ in 0..16 {
        let spec = chip().new_tree(&mut runner).expect("a chip").current();
        let chip = spec.with(&[("dispatch.concurrent_kernels", "3")]).chip();
        let reports = Together::new(chip, &[(5, 4), (40, 3), (1, 20), (7, 2)]).run();
        for report in &reports {
            identities::check(report).unwrap_or_else(|e| panic!("{e}"));
        }
    }
}

/// On every chip and machine together is what one after the other is; a stream's own kernels keep
/// their order.
#[test]
fn what_does_not_run_together_runs_in_order() {
    for chip in CHIPS {
        for mode in [Mode::Functional, Mode::Timed] {
            let mut together = Together::new(chip_with(chip, &[]), &[(3, 9), (7, 3), (2, 30)]);
            let stream = together.launches[0].0;
            for (s, launch, ..) in &mut together.launches {
                (*s, launch.mode) = (stream, mode);
            }
            together.run();
            let events = &together.device.gpu.timeline().events;
            let kernels: Vec<_> = events.iter().filter(|e| e.what == Call::kernel("counting")).collect();
            assert_eq!(kernels.len(), if mode == Mode::Timed { 3 } else { 0 }, "{chip}");
            assert!(kernels.windows(2).all(|pair| pair[0].end_ns() <= pair[1].start_ns), "{chip}");
        }
    }
}

/// A trap ends all that have not ended, and a limit stops them; what had ended has its result. A
/// launch that is refused keeps all from being launched.
///
/// Tests: `concurrent-kernels`.
#[test]
fn one_bad_kernel_ends_the_others() {
    let mut together = Together::new(chip_with("fermi", &[]), &[(2, 5), (2, 100), (2, 4000)]);
    let out = together.launches[1].2;
    together.launches[1].1.args = [Arg::Ptr(out), Arg::U32(100), Arg::U32(1 << 30)].into();
    let launches: Vec<(Stream, &Launch)> = together.launches.iter().map(|(s, l, ..)| (*s, l)).collect();
    let reports = together.device.gpu.launch_together(&launches).expect("sound launches");
    assert!(matches!(reports[1].verdict, Verdict::Trapped { .. }), "{:?}", reports[1].verdict);
    assert_eq!(format!("{:?}", reports[2].verdict), format!("{:?}", reports[1].verdict));
    assert_eq!(timing(&reports[1]).cycles, timing(&reports[2]).cycles, "they stop in the same cycle");

    let mut together = Together::new(chip_with("fermi", &[]), &[(2, 5), (2, 4000)]);
    together.launches[0].1.options.max_cycles = 5000;
    let launches: Vec<(Stream, &Launch)> = together.launches.iter().map(|(s, l, ..)| (*s, l)).collect();
    let reports = together.device.gpu.launch_together(&launches).expect("sound launches");
    assert!(reports[0].verdict.is_finished(), "{:?}", reports[0].verdict);
    assert!(matches!(reports[1].verdict, Verdict::Limit { limit: 5000, .. }), "{:?}", reports[1].verdict);

    let mut bad = together.launches[1].1.clone();
    bad.args = pointers(&[]);
    let (stream, good) = (together.launches[0].0, together.launches[0].1.clone());
    let other = together.launches[1].0;
    let refused = together.device.gpu.launch_together(&[(stream, &good), (other, &bad)]);
    assert!(matches!(refused, Err(HostError::Launch(_))));
}
