//! Properties that hold for any combination of concurrent kernels. (Claim PERF-18 has a program of
//! its own.)
//!
//! Tests: `course-texts`.

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use sim_core::config::Chip;
use sim_core::host::timeline::Call;
use sim_core::host::{Arg, DevicePtr, HostError, Launch, Mode, RunOptions, Stream};
use sim_core::stats::Report;
use sim_core::stats::report::Verdict;
use warpsim_check::generate::chip::chip;
use warpsim_tests::device::{CHIPS, Device, chip_with, pointers, timing};
use warpsim_tests::identities;

/// Each thread adds its index `rounds` times and stores the sum; `stray` makes threads store to an
/// invalid address.
const LONG: &str = include_str!("../../../kernels/ptx/book/counting.ptx");

/// Group of given numbers of blocks of 64 threads and of iterations, each with its own array.
struct Group {
    device: Device,
    launches: Vec<(Stream, Launch, DevicePtr, u32, u32)>,
}

const THREADS: u32 = 64;

impl Group {
    fn new(chip: Chip, kernels: &[(u32, u32)]) -> Self {
        let mut device = Device::new(chip, "counting.ptx", LONG).unwrap_or_else(|e| panic!("{e}"));
        let launches = kernels
            .iter()
            .map(|(blocks, rounds)| {
                let out = device.gpu.malloc(u64::from(4 * blocks * THREADS)).expect("the memory has space");
                let args = [Arg::Ptr(out), Arg::U32(*rounds), Arg::U32(0)];
                let launch = device.launch("counting", (*blocks, 1), (THREADS, 1, 1)).args(args);
                (device.gpu.stream(), launch, out, *blocks, *rounds)
            })
            .collect();
        Self { device, launches }
    }

    /// Runs all of them concurrently, and checks their results.
    fn run(&mut self) -> Vec<Report> {
        let launches: Vec<(Stream, &Launch)> = self.launches.iter().map(|(s, l, ..)| (*s, l)).collect();
        let reports = self.device.gpu.launch_together(&launches).expect("the launches are valid");
        for (report, (.., out, blocks, rounds)) in reports.iter().zip(&self.launches) {
            assert!(report.verdict.is_finished(), "{:?}", report.verdict);
            let threads = blocks * THREADS;
            let expected: Vec<u32> = (0..threads).map(|t| t * rounds).collect();
            assert_eq!(self.device.download(*out, threads as usize), expected);
        }
        reports
    }

    /// Nanoseconds from the start of the first kernel to the end of the last.
    fn span(&self) -> u64 {
        let events = &self.device.gpu.timeline().events;
        let kernels = || events.iter().filter(|e| e.what == Call::kernel("counting"));
        let begin = kernels().map(|e| e.start_ns).min().expect("a kernel");
        kernels().map(sim_core::host::timeline::Event::end_ns).max().expect("a kernel") - begin
    }
}

fn span(chip: Chip, kernels: &[(u32, u32)]) -> u64 {
    let mut group = Group::new(chip, kernels);
    for report in group.run() {
        identities::check(&report).unwrap_or_else(|e| panic!("{e}"));
    }
    group.span()
}

/// A kernel that fills the chip leaves no space: the next one starts when its SMs become empty.
/// Both together take less than one after the other, but far more than one.
#[test]
fn a_small_kernel_starts_on_the_sms_that_a_large_one_leaves() {
    let chip = || chip_with("fermi", &[]);
    let large = span(chip(), &[(15 * 8 * 2, 200)]) as f64;
    let small = span(chip(), &[(4, 400)]) as f64;
    let both = span(chip(), &[(15 * 8 * 2, 200), (4, 400)]) as f64;
    assert!(both > large && both < large + small, "{large} and {small} make {both}");
    let first = span(chip(), &[(4, 400), (15 * 8 * 2, 200)]) as f64;
    assert!(first < large + small, "the small one first: {first}");
}

/// The host's settings have no effect, each kernel executes what it executes alone, and kernels of
/// one stream run in order.
///
/// Tests: `concurrent-kernels`.
#[test]
fn concurrent_kernels_do_not_depend_on_the_host() {
    let kernels = [(5, 40), (40, 20), (3, 90), (200, 5)];
    let run = |options: RunOptions| {
        let mut group = Group::new(chip_with("fermi", &[]), &kernels);
        group.launches.iter_mut().for_each(|(_, launch, ..)| launch.options = options);
        let reports = group.run();
        let text: Vec<String> = reports.iter().map(|r| format!("{r:?}")).collect();
        (text, group.device.gpu.timeline().clone(), reports)
    };
    let (expected, timeline, reports) = run(RunOptions::default());
    for (threads, window, skip_idle) in [(2, 0, true), (3, 7, true), (1, 1, false), (4, 33, false)] {
        let (text, time, _) =
            run(RunOptions { threads, shuffle: Some(1), window, skip_idle, ..RunOptions::default() });
        assert!(text == expected && time == timeline, "{threads} threads, window {window}, skip {skip_idle}");
    }
    for (report, kernel) in reports.iter().zip(kernels) {
        let alone = &Group::new(chip_with("fermi", &[]), &[kernel]).run()[0];
        assert_eq!(report.instructions.by_class, alone.instructions.by_class);
        assert_eq!(timing(report).global.store, timing(alone).global.store);
    }
}

/// On chips with random timings, with one or several SMs per cluster, concurrent kernels give
/// correct results.
#[test]
fn concurrent_kernels_are_correct_on_random_chips() {
    let mut runner = TestRunner::deterministic();
    for _ in 0..16 {
        let spec = chip().new_tree(&mut runner).expect("a chip").current();
        let chip = spec.with(&[("dispatch.concurrent_kernels", "3")]).chip();
        let reports = Group::new(chip, &[(5, 4), (40, 3), (1, 20), (7, 2)]).run();
        for report in &reports {
            identities::check(report).unwrap_or_else(|e| panic!("{e}"));
        }
    }
}

/// On every chip and in both modes the kernels of one stream run one after the other, in order.
#[test]
fn kernels_of_one_stream_run_in_order() {
    for chip in CHIPS {
        for mode in [Mode::Functional, Mode::Timed] {
            let mut group = Group::new(chip_with(chip, &[]), &[(3, 9), (7, 3), (2, 30)]);
            let stream = group.launches[0].0;
            for (s, launch, ..) in &mut group.launches {
                (*s, launch.mode) = (stream, mode);
            }
            group.run();
            let events = &group.device.gpu.timeline().events;
            let kernels: Vec<_> = events.iter().filter(|e| e.what == Call::kernel("counting")).collect();
            assert_eq!(kernels.len(), if mode == Mode::Timed { 3 } else { 0 }, "{chip}");
            assert!(kernels.windows(2).all(|pair| pair[0].end_ns() <= pair[1].start_ns), "{chip}");
        }
    }
}

/// A trap ends all kernels that have not ended, and a limit stops them. A kernel that has ended
/// keeps its result. If one launch is refused, none is launched.
///
/// Tests: `concurrent-kernels`.
#[test]
fn a_failing_kernel_ends_the_others() {
    let mut group = Group::new(chip_with("fermi", &[]), &[(2, 5), (2, 100), (2, 4000)]);
    let out = group.launches[1].2;
    group.launches[1].1.args = [Arg::Ptr(out), Arg::U32(100), Arg::U32(1 << 30)].into();
    let launches: Vec<(Stream, &Launch)> = group.launches.iter().map(|(s, l, ..)| (*s, l)).collect();
    let reports = group.device.gpu.launch_together(&launches).expect("the launches are valid");
    assert!(matches!(reports[1].verdict, Verdict::Trapped { .. }), "{:?}", reports[1].verdict);
    assert_eq!(format!("{:?}", reports[2].verdict), format!("{:?}", reports[1].verdict));
    assert_eq!(timing(&reports[1]).cycles, timing(&reports[2]).cycles, "they stop in the same cycle");

    let mut group = Group::new(chip_with("fermi", &[]), &[(2, 5), (2, 4000)]);
    group.launches[0].1.options.max_cycles = 5000;
    let launches: Vec<(Stream, &Launch)> = group.launches.iter().map(|(s, l, ..)| (*s, l)).collect();
    let reports = group.device.gpu.launch_together(&launches).expect("the launches are valid");
    assert!(reports[0].verdict.is_finished(), "{:?}", reports[0].verdict);
    assert!(matches!(reports[1].verdict, Verdict::Limit { limit: 5000, .. }), "{:?}", reports[1].verdict);

    let mut bad = group.launches[1].1.clone();
    bad.args = pointers(&[]);
    let (stream, good) = (group.launches[0].0, group.launches[0].1.clone());
    let other = group.launches[1].0;
    let refused = group.device.gpu.launch_together(&[(stream, &good), (other, &bad)]);
    assert!(matches!(refused, Err(HostError::Launch(_))));
}
