//! Concurrent kernels end, stop and can be observed in the same way as a kernel that runs alone.

use isa::types::Dim3;
use sim_core::host::{Arg, DevicePtr, FIRST_LOOK, Launch, Progress, RunOptions, StopReason, Stream};
use sim_core::observe::{Event, Launched, Observer, Watch, What};
use sim_core::stats::Report;
use sim_core::stats::report::Verdict;
use sim_core::stats::stuck::{Doing, StuckClass, StuckReport};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};
use warpsim_tests::device::{Device, chip_with, timing};
use warpsim_tests::identities;

/// Kernels `set`, `poll` and `deadlock`.
const PTX: &str = include_str!("../../data/ptx/waits.ptx");

/// A kernel: its entry, its number of blocks and the iterations of `set`.
type Grid = (&'static str, u32, u32);

/// Returns a chip of two SMs that have loaded [`PTX`], and a flag in its memory.
fn device() -> (Device, DevicePtr) {
    let chip = chip_with("fermi", &[("clusters", "2")]);
    let mut device = Device::new(chip, "test.ptx", PTX).unwrap_or_else(|e| panic!("{e}"));
    let flag = device.upload(&[0]);
    (device, flag)
}

fn launches(
    (device, flag): &mut (Device, DevicePtr),
    grids: &[Grid],
    options: RunOptions,
) -> Vec<(Stream, Launch)> {
    let launch = |(entry, blocks, rounds): &Grid| {
        let args = [Arg::Ptr(*flag), Arg::U32(*rounds)];
        let args = match *entry {
            "deadlock" => &args[..0],
            "poll" => &args[..1],
            _ => &args[..],
        };
        let launch = device.launch(entry, (*blocks, 1), (64, 1, 1));
        (device.gpu.stream(), launch.args(args.iter().cloned()).options(options))
    };
    grids.iter().map(launch).collect()
}

fn run(gpu: &mut (Device, DevicePtr), launches: &[(Stream, Launch)]) -> Vec<Report> {
    let launches: Vec<(Stream, &Launch)> =
        launches.iter().map(|(stream, launch)| (*stream, launch)).collect();
    let reports = gpu.0.gpu.launch_together(&launches).expect("the launches are valid");
    for report in &reports {
        identities::check(report).unwrap_or_else(|e| panic!("{e}"));
    }
    reports
}

/// Returns the reports of concurrent kernels, after a check that they are the same for any number
/// of host threads.
fn reports(grids: &[Grid], max_cycles: u64) -> Vec<Report> {
    let run = |threads| {
        let options =
            RunOptions { threads, max_cycles, shuffle: (threads > 1).then_some(7), ..RunOptions::default() };
        let mut gpu = device();
        let launches = launches(&mut gpu, grids, options);
        run(&mut gpu, &launches)
    };
    let expected = run(1);
    for threads in [2, 4] {
        assert_eq!(format!("{:?}", run(threads)), format!("{expected:?}"), "{threads} threads");
    }
    expected
}

fn hung(report: &Report) -> (u64, &StuckReport) {
    let Verdict::Hung { cycle, stuck } = &report.verdict else { panic!("{:?}", report.verdict) };
    (*cycle, stuck)
}

/// If a kernel waits at its barriers forever, the explanation is the same as if it ran alone, once
/// the other kernel has ended.
///
/// Tests: `concurrent-endings`.
#[test]
fn a_deadlock_next_to_a_kernel_that_ends() {
    let alone = &reports(&[("deadlock", 1, 0)], u64::MAX)[0];
    let both = reports(&[("deadlock", 1, 0), ("set", 1, 500)], u64::MAX);
    assert!(both[1].verdict.is_finished(), "{:?}", both[1].verdict);
    assert_eq!(both[0].launch.kernel, "deadlock");
    let (cycle, stuck) = hung(&both[0]);
    assert_eq!(stuck, hung(alone).1, "block, warps and barriers");
    assert_eq!(stuck.class, StuckClass::Barrier);
    assert_eq!(
        stuck.warps.iter().map(|w| (w.block, w.warp)).collect::<Vec<_>>(),
        [(Dim3::new(0, 0, 0), 0), (Dim3::new(0, 0, 0), 1)]
    );
    assert!(cycle > hung(alone).0 && cycle >= timing(&both[1]).cycles, "the other kernel continues");
}

/// If no running kernel can change what the others wait for, the simulator proves that they never
/// end while they run.
///
/// Tests: `concurrent-endings`.
#[test]
fn a_proof_needs_all_kernels() {
    let hang = reports(&[("poll", 1, 0), ("deadlock", 1, 0)], u64::MAX);
    assert_eq!(hang.iter().map(|r| hung(r).0).collect::<Vec<_>>(), [FIRST_LOOK; 2]);
    assert_eq!(
        hang.iter().map(|r| hung(r).1.class).collect::<Vec<_>>(),
        [StuckClass::EndlessLoop, StuckClass::Barrier]
    );
    assert!(hung(&hang[0]).1.warps.iter().all(|warp| matches!(warp.doing, Doing::Repeats(_))));
    // The second kernel sets the flag after the first check for progress.
    let ends = reports(&[("poll", 1, 0), ("set", 1, 30_000)], u64::MAX);
    assert!(ends.iter().all(|report| report.verdict.is_finished()), "{:?}", ends[0].verdict);
    assert!(timing(&ends[0]).cycles > FIRST_LOOK, "{}", timing(&ends[0]).cycles);
}

/// A kernel that polls on all SMs prevents the start of the kernel that would set the flag.
///
/// Tests: `concurrent-endings`.
#[test]
fn a_kernel_that_does_not_fit() {
    let hang = reports(&[("poll", 2, 0), ("set", 3, 1)], u64::MAX);
    let [poll, set] = [&hang[0], &hang[1]].map(|report| hung(report).1);
    assert_eq!([poll.class, set.class], [StuckClass::NotStarted; 2]);
    let [poll, set] = [poll, set].map(|stuck| stuck.not_started.as_ref().expect("blocks have not started"));
    assert_eq!((poll.kernel.as_deref(), poll.blocks, poll.holders.len()), (Some("set"), 3, 2));
    assert_eq!((set.kernel.as_deref(), set.blocks, set.holders.len()), (None, 3, 0));
    // A kernel that waits at barriers prevents the start, too, and then no event is pending.
    let hang = reports(&[("deadlock", 2, 0), ("set", 3, 1)], u64::MAX);
    let classes = hang.iter().map(|report| hung(report).1.class).collect::<Vec<_>>();
    assert_eq!(classes, [StuckClass::Barrier, StuckClass::NotStarted]);
}

/// The smallest limit applies to all kernels. Each report gives the state of the kernel's blocks.
///
/// Tests: `concurrent-endings`.
#[test]
fn a_limit_stops_all_kernels() {
    for limited in [0, 1] {
        let mut gpu = device();
        let mut launches = launches(&mut gpu, &[("poll", 1, 0), ("set", 1, 1 << 20)], RunOptions::default());
        launches[limited].1.options.max_cycles = 7000;
        for (report, kernel) in run(&mut gpu, &launches).iter().zip(["poll", "set"]) {
            let Verdict::Limit { limit: 7000, stuck } = &report.verdict else {
                panic!("{:?}", report.verdict)
            };
            assert_eq!((report.launch.kernel.as_str(), stuck.class), (kernel, StuckClass::Limit));
            assert_eq!((stuck.warps.len(), stuck.queues[0].what.as_str()), (2, "0 of 1 blocks have retired"));
            assert_eq!(timing(report).cycles, 7000);
        }
    }
    let both = reports(&[("poll", 1, 0), ("set", 1, 1 << 20)], 7000);
    assert!(both.iter().all(|report| matches!(report.verdict, Verdict::Limit { limit: 7000, .. })));
}

/// A trap names the kernel that trapped and ends the other kernel too.
///
/// Tests: `concurrent-endings`.
#[test]
fn a_trap_ends_all_kernels() {
    let mut gpu = device();
    let mut launches = launches(&mut gpu, &[("poll", 1, 0), ("set", 1, 100)], RunOptions::default());
    launches[1].1.args[0] = Arg::U32(4);
    for report in run(&mut gpu, &launches) {
        let Verdict::Trapped { trap } = &report.verdict else { panic!("{:?}", report.verdict) };
        assert_eq!((trap.kernel.as_str(), trap.instruction.as_str()), ("set", "st.global.u32 [%a], 1;"));
    }
}

/// Events that an observer, a monitor and a listener received.
#[derive(Clone, Debug, Default, PartialEq)]
struct Received {
    begun: Vec<u32>,
    events: Vec<(u32, Event)>,
    ended: Vec<String>,
    progress: Vec<(u32, u64)>,
    heard: Vec<String>,
}

struct Recorder(Arc<Mutex<Received>>, u64);

impl Observer for Recorder {
    fn begin(&mut self, launch: &Launched<'_>) -> Option<Watch> {
        self.0.lock().expect("no panic").begun.push(launch.number);
        let cycles = 0..self.1 * u64::from(launch.number);
        Some(Watch {
            sms: 0..2,
            warps: 0..48,
            cycles,
            then_stop: self.1 < FIRST_LOOK,
            values: false,
            memory: false,
        })
    }

    fn events(&mut self, launch: u32, events: &[Event]) -> ControlFlow<()> {
        let events = events.iter().map(|event| (launch, event.clone()));
        self.0.lock().expect("no panic").events.extend(events);
        ControlFlow::Continue(())
    }

    fn end(&mut self, report: &Report) {
        self.0.lock().expect("no panic").ended.push(report.launch.kernel.clone());
    }
}

/// Runs `poll` and `set`, and observes the first `cycles` shader cycles of the first and twice as
/// many of the second.
fn observed(threads: usize, cycles: u64, stop: Option<u32>) -> (Received, Vec<Report>) {
    let received = Arc::new(Mutex::new(Received::default()));
    let mut gpu = device();
    let [shown, heard] = [0; 2].map(|_| Arc::clone(&received));
    gpu.0.gpu.observe(Some(Box::new(Recorder(Arc::clone(&received), cycles))));
    gpu.0.gpu.monitor(Some(Box::new(move |progress: &Progress<'_>| {
        let all = progress.all;
        assert_eq!((all.kernels, all.first, all.blocks), (2, 1, 2));
        assert!(all.retired >= progress.retired && all.instructions >= progress.instructions);
        shown.lock().expect("no panic").progress.push((progress.launch, progress.cycle));
        if stop == Some(progress.launch) {
            ControlFlow::Break(StopReason::Interrupted)
        } else {
            ControlFlow::Continue(())
        }
    })));
    gpu.0.gpu.listen(Some(Box::new(move |report| {
        heard.lock().expect("no panic").heard.push(report.launch.kernel.clone());
    })));
    let options = RunOptions { threads, shuffle: (threads > 1).then_some(7), ..RunOptions::default() };
    let launches = launches(&mut gpu, &[("poll", 1, 0), ("set", 1, 400)], options);
    let reports = run(&mut gpu, &launches);
    let received = received.lock().expect("no panic").clone();
    (received, reports)
}

/// An observer gets the events of all kernels in one order, each with its launch. A monitor and a
/// listener get the events of all kernels.
///
/// Tests: `concurrent-endings`.
#[test]
fn observers_receive_the_events_of_each_kernel() {
    let (received, reports) = observed(1, u64::from(u32::MAX), None);
    assert!(reports.iter().all(|report| report.verdict.is_finished()));
    assert_eq!(received.begun, [1, 2]);
    assert_eq!(
        (&received.ended, &received.heard),
        (&vec!["poll".to_owned(), "set".to_owned()], &received.ended)
    );
    assert!(received.events.is_sorted_by_key(|(launch, event)| (event.cycle, event.sm, *launch)));
    for (launch, report) in [1, 2].into_iter().zip(&reports) {
        let events = || received.events.iter().filter(|event| event.0 == launch).map(|event| &event.1);
        let started: Vec<u32> =
            events().filter(|e| matches!(e.what, What::BlockStarted { .. })).map(|e| e.sm).collect();
        let retired = events().filter(|e| matches!(e.what, What::BlockRetired { .. })).count();
        assert_eq!((started.len(), retired), (1, 1));
        assert!(events().all(|e| e.sm == started[0] && e.cycle <= timing(report).cycles));
        assert!(received.progress.iter().any(|(of, _)| *of == launch), "{:?}", received.progress);
    }
    for threads in [2, 4] {
        let (other, others) = observed(threads, u64::from(u32::MAX), None);
        assert_eq!((&other.events, &other.ended), (&received.events, &received.ended), "{threads} threads");
        assert_eq!(format!("{others:?}"), format!("{reports:?}"), "{threads} threads");
    }
}

/// An observer that wants no more events of any kernel stops all kernels. A monitor stops all
/// kernels when it stops one.
///
/// Tests: `concurrent-endings`.
#[test]
fn observers_can_stop_all_kernels() {
    for threads in [1, 2, 4] {
        let (_, reports) = observed(threads, 2000, None);
        for report in &reports {
            assert!(matches!(report.verdict, Verdict::Limit { limit: 4000, .. }), "{:?}", report.verdict);
        }
        let (received, reports) = observed(threads, u64::from(u32::MAX), Some(2));
        assert_eq!(received.progress, [(1, 1024), (2, 1024)]);
        for report in &reports {
            let Verdict::Interrupted { cycle: 1024, stuck } = &report.verdict else {
                panic!("{:?}", report.verdict)
            };
            assert_eq!(stuck.class, StuckClass::Interrupted);
        }
    }
}
