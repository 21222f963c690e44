//! Kernels of different streams in random lists of calls: the results are those of one kernel at a
//! time, the timeline shows what was simulated, and the host changes nothing.

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use sim_core::host::timeline::{Call, Event, Timeline};
use sim_core::host::{Arg, DevicePtr, HostMemory, Launch, Ran, RunOptions, Stream, StreamCall, Waited};
use sim_core::stats::Report;
use warpsim_tests::device::{Device, chip_with, timing};
use warpsim_tests::identities;

/// Each thread replaces its word by the `rounds`-th next number of a sequence, plus the word of the
/// other array.
const MIX: &str = ".version 1.4
.target sm_10
.entry mix (.param .u32 words, .param .u32 other, .param .u32 rounds)
{
	.reg .u32 %t, %b, %n, %i, %k, %v, %w, %at, %from;
	.reg .pred %more;
	mov.u32 %t, %tid.x;
	mov.u32 %b, %ctaid.x;
	mov.u32 %n, %ntid.x;
	mad.lo.u32 %i, %b, %n, %t;
	ld.param.u32 %at, [words];
	mad.lo.u32 %at, %i, 4, %at;
	ld.param.u32 %from, [other];
	mad.lo.u32 %from, %i, 4, %from;
	ld.param.u32 %k, [rounds];
	ld.global.u32 %v, [%at];
AGAIN:
	mad.lo.u32 %v, %v, 1664525, 1013904223;
	sub.u32 %k, %k, 1;
	setp.ne.u32 %more, %k, 0;
	@%more bra AGAIN;
	ld.global.u32 %w, [%from];
	add.u32 %v, %v, %w;
	st.global.u32 [%at], %v;
	exit;
}
";
const STREAMS: usize = 4;
const WORDS: u32 = 512;
const THREADS: u32 = 64;
/// Bytes of the memory of each stream for copies that no kernel accesses.
const OTHER: u32 = 1 << 19;

/// A call, or some calls that belong together. Each stream has an array.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// Copies numbers from a seed to the array of a stream; in pageable memory.
    In(usize, u32, bool),
    /// Copies the array of a stream to the host.
    Out(usize),
    /// Launches a kernel on the array of a stream: iterations, and blocks.
    Kernel(usize, u32, u32),
    /// A kernel of the first stream reads the array of the second, with events before and after.
    Cross(usize, usize, u32),
    /// A copy of so many bytes that no kernel accesses; to the device.
    Beside(usize, u32, bool),
    /// The host waits for a stream, or for all.
    Synchronize(Option<usize>),
    /// A plain copy of the array of a stream to the host.
    Plain(usize),
    /// A plain launch.
    PlainKernel(usize, u32),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let stream = || 0..STREAMS;
    let rounds = || 20..700u32;
    let step = prop_oneof![
        3 => (stream(), any::<u32>(), prop::bool::weighted(0.1)).prop_map(|(s, n, p)| Step::In(s, n, p)),
        2 => stream().prop_map(Step::Out),
        6 => (stream(), rounds(), 1..9u32).prop_map(|(s, n, blocks)| Step::Kernel(s, n, blocks)),
        1 => (stream(), stream(), rounds()).prop_map(|(s, t, n)| Step::Cross(s, t, n)),
        2 => (stream(), 1..=OTHER, any::<bool>()).prop_map(|(s, n, write)| Step::Beside(s, n, write)),
        1 => prop::option::of(stream()).prop_map(Step::Synchronize),
        1 => stream().prop_map(Step::Plain),
        1 => (stream(), rounds()).prop_map(|(s, n)| Step::PlainKernel(s, n)),
    ];
    prop::collection::vec(step, 4..16)
}

/// The bytes that a host copies to the device.
fn numbers(seed: u32) -> Vec<u8> {
    (0..WORDS).flat_map(|i| (i ^ seed).wrapping_mul(2_654_435_769).to_le_bytes()).collect()
}

/// Everything that a list of calls has computed.
#[derive(Debug)]
struct Outcome {
    ran: Ran,
    timeline: Timeline,
    arrays: Vec<Vec<u32>>,
}

/// Runs steps on Fermi with at most `most` kernels at a time.
fn run(steps: &[Step], (most, engines): (&str, &str), options: RunOptions) -> Outcome {
    let sets = [("dispatch.concurrent_kernels", most), ("pcie.copy_engines", engines)];
    let mut device = Device::new(chip_with("fermi", &sets), "mix.ptx", MIX).unwrap_or_else(|e| panic!("{e}"));
    let zeros = device.upload(&[0; WORDS as usize]);
    let arrays: Vec<DevicePtr> = (1..=STREAMS as u32).map(|s| device.upload(&[s; WORDS as usize])).collect();
    let large = device.gpu.malloc(u64::from(OTHER) * STREAMS as u64).expect("the memory has space");
    let streams: Vec<Stream> = (0..STREAMS).map(|_| device.gpu.stream()).collect();
    let launch = |s: usize, other: DevicePtr, rounds, blocks: u32| {
        let args = [Arg::Ptr(arrays[s]), Arg::Ptr(other), Arg::U32(rounds)];
        device.launch("mix", (blocks, 1), (THREADS, 1, 1)).args(args).options(options)
    };
    let launches: Vec<Option<Launch>> = steps
        .iter()
        .map(|step| match *step {
            Step::Kernel(s, rounds, blocks) => Some(launch(s, zeros, rounds, blocks)),
            Step::Cross(s, t, rounds) => Some(launch(s, arrays[t], rounds, WORDS / THREADS)),
            Step::PlainKernel(s, rounds) => Some(launch(s, zeros, rounds, 2)),
            _ => None,
        })
        .collect();
    let data: Vec<Vec<u8>> = steps
        .iter()
        .map(|step| match *step {
            Step::In(_, seed, _) => numbers(seed),
            Step::Beside(_, bytes, true) => vec![1; bytes as usize],
            _ => Vec::new(),
        })
        .collect();
    let mut calls = Vec::new();
    let mut event = 0..;
    for ((step, launch), bytes) in steps.iter().zip(&launches).zip(&data) {
        let launched = |stream| StreamCall::Launch { stream, launch: launch.as_ref().expect("a launch") };
        let out =
            |stream, from, bytes| StreamCall::CopyOut { stream, from, bytes, memory: HostMemory::Pinned };
        match *step {
            Step::In(s, _, pageable) => {
                let memory = if pageable { HostMemory::Pageable } else { HostMemory::Pinned };
                calls.push(StreamCall::CopyIn { stream: Some(streams[s]), to: arrays[s], bytes, memory });
            }
            Step::Out(s) => calls.push(out(Some(streams[s]), arrays[s], 4 * WORDS as usize)),
            Step::Kernel(s, ..) => calls.push(launched(Some(streams[s]))),
            Step::Cross(s, t, _) => {
                let mut order = |from: usize, to: usize| {
                    let event = event.next().expect("a number");
                    [
                        StreamCall::Record { stream: Some(streams[from]), event },
                        StreamCall::Wait { stream: streams[to], event },
                    ]
                };
                calls.extend(order(t, s));
                calls.push(launched(Some(streams[s])));
                calls.extend(order(s, t));
            }
            Step::Beside(s, _, true) => {
                let (to, memory) = (large.offset(s as u32 * OTHER), HostMemory::Pinned);
                calls.push(StreamCall::CopyIn { stream: Some(streams[s]), to, bytes, memory });
            }
            Step::Beside(s, bytes, false) => {
                calls.push(out(Some(streams[s]), large.offset(s as u32 * OTHER), bytes as usize));
            }
            Step::Synchronize(of) => {
                calls.push(StreamCall::Synchronize(of.map_or(Waited::All, |s| Waited::Stream(streams[s]))));
            }
            Step::Plain(s) => calls.push(out(None, arrays[s], 4 * WORDS as usize)),
            Step::PlainKernel(..) => calls.push(launched(None)),
        }
    }
    let ran = device.gpu.run_schedule(&calls).expect("the calls are valid");
    for report in &ran.reports {
        assert!(report.verdict.is_finished(), "{:?}", report.verdict);
        identities::check(report).unwrap_or_else(|e| panic!("{e}"));
    }
    let timeline = device.gpu.timeline().clone();
    let arrays = arrays.iter().map(|ptr| device.download(*ptr, WORDS as usize)).collect();
    Outcome { ran, timeline, arrays }
}

fn kernels(timeline: &Timeline) -> Vec<&Event> {
    timeline.events.iter().filter(|event| matches!(event.what, Call::Kernel(_))).collect()
}

/// Checks the order of the calls, and that no more of them run than the chip can run.
fn check_timeline(timeline: &Timeline, most: usize, engines: u32) {
    let events = &timeline.events;
    let kernels = kernels(timeline);
    assert!(kernels.is_sorted_by_key(|kernel| kernel.start_ns), "kernels begin in order");
    for kernel in &kernels {
        let at = kernel.start_ns;
        let running = kernels.iter().filter(|k| k.start_ns <= at && at < k.end_ns()).count();
        assert!(running <= most, "{running} kernels run at {at} ns");
    }
    for (i, a) in events.iter().enumerate() {
        for b in &events[..i] {
            let copies = match (&a.what, &b.what) {
                (Call::Copy(a), Call::Copy(b)) => engines == 1 || a == b,
                (Call::Copy(_) | Call::Kernel(_), _) => false,
            };
            if a.stream == b.stream || a.stream == 0 || b.stream == 0 || copies {
                assert!(b.end_ns() <= a.start_ns, "{a:?} begins before the end of {b:?}");
            }
        }
    }
}

/// Bytes of copies whose time on the link is within the time `from..to`.
fn bytes_beside(events: &[Event], (begin, end): (u64, u64)) -> f64 {
    let latency_ns = chip_with("fermi", &[]).pcie.latency_ns;
    let of_one = |event: &Event| {
        let (from, to) = (event.start_ns + latency_ns, event.end_ns());
        let shared = to.min(end).saturating_sub(from.max(begin));
        event.bytes as f64 * shared as f64 / (to - from) as f64
    };
    events.iter().filter(|event| event.bytes > 0 && event.stream > 0).map(of_one).sum()
}

fn dram_bytes(report: &Report) -> f64 {
    let dram = &timing(report).dram;
    (dram.read_bytes + dram.write_bytes) as f64
}

/// Checks that kernels that overlap were simulated together, and that they met the copies beside
/// them. `alone` has the bytes of each kernel without copies. Returns the number of kernels that
/// overlap another one.
fn check_groups(outcome: &Outcome, alone: &[f64]) -> usize {
    let kernels = kernels(&outcome.timeline);
    let reports = &outcome.ran.reports;
    let (mut first, mut overlapping) = (0, 0);
    while first < kernels.len() {
        let (mut last, mut end) = (first, kernels[first].end_ns());
        while kernels.get(last + 1).is_some_and(|next| next.start_ns < end) {
            last += 1;
            end = end.max(kernels[last].end_ns());
        }
        for report in &reports[first..=last] {
            let [dram, other] = [report, &reports[first]].map(|report| format!("{:?}", timing(report).dram));
            assert_eq!(dram, other, "one machine has one DRAM");
        }
        let bytes = bytes_beside(&outcome.timeline.events, (kernels[first].start_ns, end));
        let expected = alone[first..=last].iter().sum::<f64>() + bytes;
        let found = dram_bytes(&reports[first]);
        let tolerance = 8192.0 * (last - first + 1) as f64;
        assert!((found - expected).abs() < tolerance, "{found} bytes on the bus, {expected} expected");
        overlapping += if last > first { last - first + 1 } else { 0 };
        first = last + 1;
    }
    overlapping
}

fn check(steps: &[Step], engines: u32, most: usize) -> usize {
    let copy_engines = engines.to_string();
    let serial = run(steps, ("1", &copy_engines), RunOptions::default());
    check_timeline(&serial.timeline, 1, engines);
    let with = |event: &&Event| bytes_beside(&serial.timeline.events, (event.start_ns, event.end_ns()));
    let beside = kernels(&serial.timeline);
    let alone: Vec<f64> =
        serial.ran.reports.iter().zip(&beside).map(|(r, event)| dram_bytes(r) - with(event)).collect();
    check_groups(&serial, &alone);

    let chip = (most.to_string(), copy_engines.clone());
    let chip = (chip.0.as_str(), chip.1.as_str());
    let both = run(steps, chip, RunOptions::default());
    check_timeline(&both.timeline, most, engines);
    assert_eq!(both.ran.copied, serial.ran.copied, "bytes of the copies to the host");
    assert_eq!(both.arrays, serial.arrays, "bytes in memory");
    assert_eq!(both.ran.reports.len(), serial.ran.reports.len());
    for (a, b) in both.ran.reports.iter().zip(&serial.ran.reports) {
        assert_eq!(a.instructions.by_class, b.instructions.by_class);
    }
    let overlapping = check_groups(&both, &alone);
    for options in [
        RunOptions { threads: 2, window: 7, ..RunOptions::default() },
        RunOptions { threads: 4, shuffle: Some(3), skip_idle: false, ..RunOptions::default() },
    ] {
        let other = run(steps, chip, options);
        assert_eq!(other.timeline, both.timeline, "{options:?}");
        assert_eq!(format!("{:?}", other.ran), format!("{:?}", both.ran), "{options:?}");
    }
    overlapping
}

/// Tests: `kernels-beside-kernels`, `copies-beside-kernels`, `concurrent-kernels`,
/// `streams-and-copies`, `the-host-changes-nothing`.
#[test]
fn random_lists_compute_what_one_kernel_at_a_time_computes() {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(24);
    let config = Config { failure_persistence: None, ..Config::with_cases(cases) };
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(config, rng);
    let overlapping = std::cell::Cell::new(0);
    runner
        .run(&(steps(), 1..3u32, prop_oneof![Just(2usize), Just(16)]), |(steps, engines, most)| {
            overlapping.set(overlapping.get() + check(&steps, engines, most));
            Ok(())
        })
        .unwrap_or_else(|e| panic!("{e}"));
    assert!(overlapping.get() > 10, "{} kernels overlap", overlapping.get());
}
