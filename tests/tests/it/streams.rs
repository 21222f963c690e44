//! Copies beside kernels: the traffic that a kernel meets follows from the final timeline, slows
//! the kernel down, and does not depend on the host.

use sim_core::host::timeline::{Call, Event};
use sim_core::host::{Arg, DevicePtr, HostMemory, Launch, Mode, RunOptions, Stream, StreamCall, Waited};
use sim_core::stats::Report;
use warpsim_tests::device::{Device, chip_with, pointers, timing};

const VECADD: &str = include_str!("../../../kernels/ptx/vecadd.ptx");
const ELEMENTS: u32 = 1 << 19;
/// Bytes of the copy in each direction.
const BYTES: usize = 1 << 20;

/// A vector addition in one stream beside copies in two others.
struct Beside {
    device: Device,
    streams: [Stream; 3],
    launch: Launch,
    /// Memory for the copies.
    other: [DevicePtr; 2],
}

impl Beside {
    fn new(chip: &str, engines: &str, options: RunOptions) -> Self {
        let chip = chip_with(chip, &[("pcie.copy_engines", engines)]);
        let mut device = Device::new(chip, "vecadd.ptx", VECADD).unwrap_or_else(|e| panic!("{e}"));
        let malloc = |device: &mut Device, bytes| device.gpu.malloc(bytes).expect("the memory has space");
        let list = [(); 3].map(|()| malloc(&mut device, u64::from(4 * ELEMENTS)));
        let other = [(); 2].map(|()| malloc(&mut device, BYTES as u64));
        let mut args = pointers(&list);
        args.push(Arg::U32(ELEMENTS));
        let launch = device.launch("vecadd", (ELEMENTS / 256, 1), (256, 1, 1)).args(args).options(options);
        let streams = [(); 3].map(|()| device.gpu.stream());
        Self { device, streams, launch, other }
    }

    /// Runs the calls; returns the report of the kernel.
    fn run(&mut self, calls: &[StreamCall<'_>]) -> Report {
        let mut ran = self.device.gpu.run_schedule(calls).expect("the calls are valid");
        assert_eq!(ran.reports.len(), 1);
        let report = ran.reports.remove(0);
        assert!(report.verdict.is_finished());
        report
    }
}

/// Bytes of copies whose time on the link is within the time of the kernel, from the timeline.
fn bytes_beside(events: &[Event], latency_ns: u64) -> f64 {
    let kernel = events.iter().find(|e| e.what == Call::kernel("vecadd")).expect("a kernel");
    let of_one = |event: &Event| {
        let (from, to) = (event.start_ns + latency_ns, event.end_ns());
        let shared = to.min(kernel.end_ns()).saturating_sub(from.max(kernel.start_ns));
        event.bytes as f64 * shared as f64 / (to - from) as f64
    };
    events.iter().filter(|event| event.bytes > 0).map(of_one).sum()
}

fn dram_bytes(report: &Report) -> u64 {
    let dram = &timing(report).dram;
    dram.read_bytes + dram.write_bytes
}

/// Runs the kernel beside `copies` copies to the device, of which the first is called before the
/// kernel, and as many to the host. Returns the kernel's report alone and beside the copies, and
/// the bytes beside the kernel.
fn beside(chip: &str, engines: &str, options: RunOptions) -> (Report, Report, f64) {
    let mut alone = Beside::new(chip, engines, options);
    let (stream, launch) = (Some(alone.streams[0]), alone.launch.clone());
    let calls = [StreamCall::Launch { stream, launch: &launch }];
    let alone = alone.run(&calls);

    let mut set = Beside::new(chip, engines, options);
    let bytes = vec![7; BYTES / 4];
    let (streams, other, launch) = (set.streams, set.other, set.launch.clone());
    let copy_in = |part: u32| StreamCall::CopyIn {
        stream: Some(streams[1]),
        to: other[0].offset(part * BYTES as u32 / 4),
        bytes: &bytes,
        memory: HostMemory::Pinned,
    };
    let copy_out = |part: u32| StreamCall::CopyOut {
        stream: Some(streams[2]),
        from: other[1].offset(part * BYTES as u32 / 4),
        bytes: BYTES / 4,
        memory: HostMemory::Pinned,
    };
    let calls = [
        copy_in(0),
        StreamCall::Launch { stream: Some(streams[0]), launch: &launch },
        copy_in(1),
        copy_out(0),
        copy_in(2),
        copy_out(1),
        StreamCall::Synchronize(Waited::Stream(streams[0])),
        copy_in(3),
        copy_out(2),
    ];
    let report = set.run(&calls);
    let latency_ns = set.device.gpu.chip().pcie.latency_ns;
    (alone, report, bytes_beside(&set.device.gpu.timeline().events, latency_ns))
}

/// Tests: `copies-take-bandwidth`, `copies-beside-kernels`.
#[test]
fn a_kernel_meets_the_copies_that_the_timeline_shows_beside_it() {
    for (chip, engines) in [("gt200", "1"), ("gt200", "2"), ("fermi", "1"), ("fermi", "2")] {
        let (alone, both, bytes) = beside(chip, engines, RunOptions::default());
        let more = dram_bytes(&both) as f64 - dram_bytes(&alone) as f64;
        println!("{chip} {engines}: {} {} {more} {bytes}", timing(&alone).cycles, timing(&both).cycles);
        assert!(bytes > 200_000.0, "{chip} {engines}: {bytes} bytes beside the kernel");
        assert!(
            (more - bytes).abs() < 8192.0,
            "{chip} {engines}: {more} bytes on the bus, {bytes} on the link"
        );
        let (one, two) = (timing(&alone).cycles as f64, timing(&both).cycles as f64);
        // The kernel is limited by bandwidth, so it takes about the time of the bytes longer.
        let expected = one * (1.0 + bytes / dram_bytes(&alone) as f64);
        assert!((two / expected - 1.0).abs() < 0.05, "{chip} {engines}: {one} alone, {two}, {expected}");
    }
}

#[test]
fn a_chip_without_a_copy_engine_copies_before_or_after() {
    let (alone, both, bytes) = beside("g80", "0", RunOptions::default());
    assert!(bytes < 1.0);
    assert_eq!(timing(&alone).cycles, timing(&both).cycles);
    assert_eq!(dram_bytes(&alone), dram_bytes(&both));
}

/// Tests: `the-host-changes-nothing`.
#[test]
fn the_host_changes_nothing_beside_copies() {
    for chip in ["gt200", "fermi"] {
        let text = |options| serde_json::to_string(&beside(chip, "2", options).1).expect("it has text");
        let one = text(RunOptions::default());
        for options in [
            RunOptions { threads: 4, shuffle: Some(3), ..RunOptions::default() },
            RunOptions { window: 1, ..RunOptions::default() },
            RunOptions { skip_idle: false, window: 7, ..RunOptions::default() },
        ] {
            assert!(text(options) == one, "{chip}: {options:?}");
        }
    }
}

/// The functional machine has no time, so nothing is predicted.
#[test]
fn the_functional_machine_runs_the_same_calls() {
    let mut set = Beside::new("fermi", "1", RunOptions::default());
    let launch = Launch { mode: Mode::Functional, ..set.launch.clone() };
    let report = set.run(&[StreamCall::Launch { stream: Some(set.streams[0]), launch: &launch }]);
    assert!(report.timing.is_none());
}
