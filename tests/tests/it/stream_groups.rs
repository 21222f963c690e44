//! Lists of calls whose kernels run together: what prevents it, which times the reports have, and
//! how such kernels end.

use sim_core::host::timeline::{Call, Event};
use sim_core::host::{Arg, DevicePtr, HostMemory, Launch, RunOptions, Stream, StreamCall, Waited};
use sim_core::observe::{Event as Seen, Launched, Observer, Watch};
use sim_core::stats::Report;
use sim_core::stats::report::Verdict;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};
use warpsim_tests::device::{CHIPS, Device, chip_with, timing};
use warpsim_tests::identities;

/// Kernels `set`, `poll` and `deadlock`.
const PTX: &str = include_str!("../../data/ptx/waits.ptx");

/// A chip with three streams, and a word of memory for each.
struct Host {
    device: Device,
    streams: [Stream; 3],
    words: [DevicePtr; 3],
    options: RunOptions,
}

impl Host {
    fn new(chip: &str, sets: &[(&str, &str)]) -> Self {
        let mut device =
            Device::new(chip_with(chip, sets), "test.ptx", PTX).unwrap_or_else(|e| panic!("{e}"));
        let words = [(); 3].map(|()| device.upload(&[0]));
        let streams = [(); 3].map(|()| device.gpu.stream());
        Self { device, streams, words, options: RunOptions::default() }
    }

    fn fermi() -> Self {
        Self::new("fermi", &[])
    }

    /// A kernel of two blocks that counts to `rounds`, about 100 shader cycles each, and then
    /// sets word `word`.
    fn count(&self, word: usize, rounds: u32) -> Launch {
        let args = [Arg::Ptr(self.words[word]), Arg::U32(rounds)];
        self.device.launch("set", (2, 1), (64, 1, 1)).args(args).options(self.options)
    }

    /// Runs calls that are accepted; checks the reports.
    fn run(&mut self, calls: &[StreamCall<'_>]) -> Vec<Report> {
        let ran = self.device.gpu.run_schedule(calls).expect("the calls are valid");
        for report in &ran.reports {
            identities::check(report).unwrap_or_else(|e| panic!("{e}"));
        }
        ran.reports
    }

    fn kernels(&self) -> Vec<Event> {
        let events = &self.device.gpu.timeline().events;
        events.iter().filter(|event| matches!(event.what, Call::Kernel(_))).cloned().collect()
    }

    /// Whether the first two kernels overlap in the timeline.
    fn overlap(&self) -> bool {
        self.kernels().windows(2).any(|pair| pair[1].start_ns < pair[0].end_ns())
    }

    /// Time of the end of the last kernel.
    fn end(&self) -> u64 {
        self.kernels().iter().map(Event::end_ns).max().expect("a kernel")
    }
}

fn launch(stream: Stream, launch: &Launch) -> StreamCall<'_> {
    StreamCall::Launch { stream: Some(stream), launch }
}

fn cycles(report: &Report) -> u64 {
    timing(report).cycles
}

/// Two small kernels of different streams run together on Fermi only, and then take less time.
///
/// Tests: `kernels-beside-kernels`.
#[test]
fn kernels_of_two_streams_overlap_on_fermi_only() {
    for chip in CHIPS {
        let mut host = Host::new(chip, &[]);
        let kernels = [host.count(0, 1500), host.count(1, 1500)];
        let [a, b, _] = host.streams;
        let reports = host.run(&[launch(a, &kernels[0]), launch(b, &kernels[1])]);
        let fermi = chip == "fermi";
        assert_eq!(host.overlap(), fermi, "{chip}");
        let [first, second] = &host.kernels()[..] else { panic!("two kernels") };
        let launch_ns = host.device.gpu.chip().pcie.launch_ns;
        let start = if fermi { first.start_ns + launch_ns } else { first.end_ns() };
        assert_eq!(second.start_ns, start, "{chip}");
        for (report, event) in reports.iter().zip([first, second]) {
            let khz = u128::from(host.device.gpu.chip().clocks.shader_khz);
            assert_eq!(u128::from(event.duration_ns), u128::from(cycles(report)) * 1_000_000 / khz);
        }
        let mut serial = Host::new(chip, &[("dispatch.concurrent_kernels", "1")]);
        serial.run(&[launch(a, &kernels[0]), launch(b, &kernels[1])]);
        assert_eq!(host.end() < serial.end(), fermi, "{chip}");
        assert_eq!([0, 1].map(|k| host.device.download(host.words[k], 1)[0]), [1, 1]);
    }
}

/// An event, a plain call, a wait of the host, and the order of a stream keep kernels apart. Each
/// then has the report of a kernel alone.
///
/// Tests: `kernels-beside-kernels`.
#[test]
fn a_launch_that_waits_for_a_kernel_runs_alone() {
    let mut one = Host::fermi();
    let kernel = one.count(0, 900);
    let alone = one.run(&[launch(one.streams[0], &kernel)]);
    for what in ["event", "plain copy", "plain launch", "host", "stream", "late", "in order", "none"] {
        let mut host = Host::fermi();
        let [a, b, c] = host.streams;
        let kernels = [host.count(0, 900), host.count(0, 900)];
        let [first, second] = [launch(a, &kernels[0]), launch(b, &kernels[1])];
        let out = |stream| {
            let (from, memory) = (host.words[0], HostMemory::Pinned);
            StreamCall::CopyOut { stream, from, bytes: 4, memory }
        };
        let large = vec![0; 1 << 20];
        let big = host.device.gpu.malloc(1 << 20).expect("the memory has space");
        let memory = HostMemory::Pinned;
        let copied = StreamCall::CopyIn { stream: Some(b), to: big, bytes: &large, memory };
        let calls = match what {
            "event" => vec![
                first,
                StreamCall::Record { stream: Some(a), event: 0 },
                StreamCall::Wait { stream: b, event: 0 },
                second,
            ],
            "plain copy" => vec![first, out(None), second],
            "plain launch" => vec![first, StreamCall::Launch { stream: None, launch: &kernels[1] }],
            "host" => vec![first, StreamCall::Synchronize(Waited::Stream(a)), second],
            "stream" => vec![first, launch(a, &kernels[1])],
            // The copy before it takes longer than the first kernel.
            "late" => vec![first, copied, second],
            // The third kernel is ready, but waits behind the second.
            "in order" => vec![first, launch(a, &kernels[1]), launch(c, &kernels[1])],
            _ => vec![first, second],
        };
        let reports = host.run(&calls);
        let events = host.kernels();
        let apart = events[0].end_ns() <= events[1].start_ns;
        assert_eq!(apart, what != "none", "{what}");
        if what == "in order" {
            assert!(events[2].start_ns < events[1].end_ns(), "the other two run together");
        } else if apart {
            // The first kernel runs beside the large copy.
            for report in &reports[usize::from(what == "late")..] {
                assert_eq!(format!("{:?}", report.timing), format!("{:?}", alone[0].timing), "{what}");
            }
        }
    }
}

/// A copy to the device that is called between two launches is in memory when the second kernel
/// begins, and a copy to the host has what its kernel has written, while another kernel runs.
///
/// Tests: `kernels-beside-kernels`.
#[test]
fn copies_between_kernels_have_the_right_bytes() {
    let mut host = Host::fermi();
    let [a, b, c] = host.streams;
    let memory = HostMemory::Pinned;
    let poll = host.device.launch("poll", (1, 1), (32, 1, 1)).args([Arg::Ptr(host.words[2])]);
    let kernels = [host.count(0, 3000), host.count(1, 100), host.count(1, 50)];
    let out = StreamCall::CopyOut { stream: Some(b), from: host.words[1], bytes: 4, memory };
    let to = |stream, to, bytes| StreamCall::CopyIn { stream: Some(stream), to, bytes, memory };
    let calls = [
        launch(a, &kernels[0]),
        launch(b, &kernels[1]),
        out,
        to(b, host.words[1], &[5, 0, 0, 0]),
        out,
        launch(b, &kernels[2]),
        out,
        // The flag for which the kernel of the third stream waits.
        to(c, host.words[2], &[1, 0, 0, 0]),
        launch(c, &poll),
    ];
    let ran = host.device.gpu.run_schedule(&calls).expect("the calls are valid");
    assert!(ran.reports.iter().all(|report| report.verdict.is_finished()));
    assert_eq!(ran.copied, [[1, 0, 0, 0], [5, 0, 0, 0], [1, 0, 0, 0]]);
    let events = host.kernels();
    let inside = |event: &Event| events[0].start_ns < event.start_ns && event.end_ns() < events[0].end_ns();
    assert!(events[1..].iter().all(inside), "all others run beside the first: {events:?}");
}

/// A kernel joins after more than one machine's limit of cycles: each limit counts from the
/// arrival of its kernel. After a kernel that does not end, the list ends.
///
/// Tests: `kernels-beside-kernels`.
#[test]
fn limits_count_from_the_arrival() {
    let mut host = Host::fermi();
    host.options.max_cycles = 60_000;
    let [a, b, _] = host.streams;
    let kernels = [host.count(0, 300), host.count(1, 1 << 20), host.count(0, 1)];
    let calls = [launch(a, &kernels[0]), launch(b, &kernels[1]), launch(a, &kernels[2])];
    let reports = host.run(&calls);
    assert_eq!(reports.len(), 2);
    assert!(reports[0].verdict.is_finished(), "{:?}", reports[0].verdict);
    assert!(matches!(reports[1].verdict, Verdict::Limit { limit: 60_000, .. }), "{:?}", reports[1].verdict);
    assert_eq!(cycles(&reports[1]), 60_000);
    assert_eq!(host.kernels().len(), 2);
}

/// A trap of a kernel ends the kernels beside it, and names the kernel that trapped.
///
/// Tests: `kernels-beside-kernels`.
#[test]
fn a_trap_ends_the_kernels_beside_it() {
    let mut host = Host::fermi();
    let [a, b, _] = host.streams;
    let mut kernels = [host.count(0, 3000), host.count(1, 10)];
    kernels[1].args[0] = Arg::U32(4);
    let reports = host.run(&[launch(a, &kernels[0]), launch(b, &kernels[1])]);
    let [Report { verdict: Verdict::Trapped { trap }, .. }] = &reports[..] else { panic!("{reports:?}") };
    assert_eq!((trap.kernel.as_str(), trap.instruction.as_str()), ("set", "st.global.u32 [%a], 1;"));
    let latency = u64::from(host.device.gpu.chip().crossbar.latency);
    assert!(trap.cycle + latency < cycles(&reports[0]), "from the arrival of the second kernel on");
    // The second kernel has ended before the first one traps.
    let mut host = Host::fermi();
    let mut kernels = [host.count(0, 3000), host.count(1, 10)];
    kernels[0].args[0] = Arg::U32(4);
    let reports = host.run(&[launch(a, &kernels[0]), launch(b, &kernels[1])]);
    assert!(matches!(reports[..], [Report { verdict: Verdict::Trapped { .. }, .. }]), "{reports:?}");
}

/// A kernel that waits for a later kernel ends on Fermi, also if no event is due in the meantime,
/// and hangs where kernels run one at a time.
///
/// Tests: `kernels-beside-kernels`, `concurrent-endings`.
#[test]
fn a_later_kernel_can_end_a_wait() {
    for (most, ends) in [("16", true), ("1", false)] {
        let mut host = Host::new("fermi", &[("dispatch.concurrent_kernels", most)]);
        let [a, b, _] = host.streams;
        let poll = host.device.launch("poll", (1, 1), (32, 1, 1)).args([Arg::Ptr(host.words[1])]);
        let set = host.count(1, 10);
        let reports = host.run(&[launch(a, &poll), launch(b, &set)]);
        assert_eq!(reports.iter().all(|report| report.verdict.is_finished()), ends, "{most}");
        assert_eq!(reports.len(), if ends { 2 } else { 1 });
    }
    let mut host = Host::fermi();
    let [a, b, _] = host.streams;
    let deadlock = host.device.launch("deadlock", (1, 1), (64, 1, 1));
    let count = host.count(1, 10);
    let reports = host.run(&[launch(a, &deadlock), launch(b, &count)]);
    assert!(matches!(reports[..], [Report { verdict: Verdict::Hung { .. }, .. }]), "{reports:?}");
    assert_eq!(host.device.download(host.words[1], 1), [1], "the second kernel has run");
}

/// The report of a kernel that joins and hangs counts cycles from its arrival.
#[test]
fn a_hang_has_the_cycles_of_its_kernel() {
    let mut host = Host::fermi();
    let [a, b, _] = host.streams;
    let deadlock = host.device.launch("deadlock", (1, 1), (64, 1, 1));
    let count = host.count(1, 3000);
    let reports = host.run(&[launch(a, &count), launch(b, &deadlock)]);
    assert!(host.overlap());
    let since = |report: &Report| -> Vec<u64> {
        let stuck = report.verdict.stuck().unwrap_or_else(|| panic!("{report:?}"));
        stuck.warps.iter().map(|warp| warp.since).collect()
    };
    let alone = host.run(&[launch(b, &deadlock)]);
    let alone = since(&alone[0]);
    assert!(!alone.is_empty() && alone.iter().all(|cycle| *cycle > 0), "{alone:?}");
    assert_eq!(since(&reports[1]), alone);
}

/// A wrong call is an error at its place: no kernel joins behind it.
#[test]
fn wrong_calls_are_errors_beside_kernels() {
    let mut host = Host::fermi();
    let [a, b, c] = host.streams;
    let kernels = [host.count(0, 3000), host.count(1, 10)];
    let (from, memory) = (host.words[0].offset(1 << 28), HostMemory::Pinned);
    let wrong = StreamCall::CopyOut { stream: Some(c), from, bytes: 4, memory };
    assert!(host.device.gpu.run_schedule(&[launch(a, &kernels[0]), wrong, launch(b, &kernels[1])]).is_err());
    assert_eq!(host.kernels().len(), 1);
    let mut refused = kernels[1].clone();
    refused.args.clear();
    assert!(host.device.gpu.run_schedule(&[launch(a, &kernels[0]), launch(b, &refused)]).is_err());
    assert_eq!(host.kernels().len(), 2);
}

/// Data that an observer received: the number of the launch, and the cycle of an event.
type Received = Vec<(u32, Option<u64>)>;

struct Recorder(Arc<Mutex<Received>>);

impl Observer for Recorder {
    fn begin(&mut self, launch: &Launched<'_>) -> Option<Watch> {
        self.0.lock().expect("no panic").push((launch.number, None));
        Some(Watch {
            sms: 0..16,
            warps: 0..48,
            cycles: 0..5000,
            then_stop: false,
            values: false,
            memory: false,
        })
    }

    fn events(&mut self, launch: u32, events: &[Seen]) -> ControlFlow<()> {
        self.0.lock().expect("no panic").extend(events.iter().map(|event| (launch, Some(event.cycle))));
        ControlFlow::Continue(())
    }

    fn end(&mut self, _: &Report) {}
}

/// The observer of a kernel that joins sees its first cycles, counted from its arrival.
#[test]
fn an_observer_sees_the_kernels_that_join() {
    let run = |observed: bool| {
        let mut host = Host::fermi();
        let [a, b, _] = host.streams;
        let seen = Arc::default();
        if observed {
            host.device.gpu.observe(Some(Box::new(Recorder(Arc::clone(&seen)))));
        }
        let kernels = [host.count(0, 1500), host.count(1, 300)];
        let reports = host.run(&[launch(a, &kernels[0]), launch(b, &kernels[1])]);
        let seen = seen.lock().expect("no panic").clone();
        assert!(host.overlap());
        (format!("{reports:?}"), seen)
    };
    let (reports, seen) = run(true);
    assert_eq!(seen.iter().filter(|(_, cycle)| cycle.is_none()).count(), 2);
    let cycles = || seen.iter().filter(|(number, _)| *number == 2).filter_map(|(_, cycle)| *cycle);
    assert!(cycles().count() > 100);
    assert!(cycles().all(|cycle| cycle < 5000), "{:?}", cycles().max());
    assert!(cycles().min().is_some_and(|first| first < 1000), "{:?}", cycles().min());
    assert_eq!(reports, run(false).0);
}
