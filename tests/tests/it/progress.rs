//! A monitor sees the progress of a launch, changes nothing, and gets an exact report of the cycle
//! in which it stops the launch.

use isa::Options;
use isa::types::Dim3;
use kernels::{Check, Settings};
use serde_json::Value;
use sim_core::config::Chip;
use sim_core::host::{Gpu, Launch, LaunchSettings, Mode, Progress, RunOptions, StopReason};
use sim_core::observe::{Event, Launched, Observer, Watch};
use sim_core::stats::Report;
use sim_core::stats::report::Verdict;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};
use warpsim_check::draw::Checked;
use warpsim_check::draw::{Draw, for_all};
use warpsim_check::generate::Case;
use warpsim_check::generate::case::case;
use warpsim_check::run::Prepared;
use warpsim_tests::device::g80_with;
use warpsim_tests::identities;

/// Progress reports that a monitor received: (retired blocks, blocks, cycle, instructions).
type Received = Arc<Mutex<Vec<(u64, u64, u64, u64)>>>;

/// Monitors `gpu` and stops it at call number `stop_at`, counted from 1.
fn follow(gpu: &mut Gpu, stop_at: usize) -> Received {
    let received = Received::default();
    let mine = Arc::clone(&received);
    gpu.monitor(Some(Box::new(move |p: &Progress<'_>| {
        let mut received = mine.lock().expect("no thread panics");
        received.push((p.retired, p.blocks, p.cycle, p.instructions));
        if received.len() == stop_at {
            ControlFlow::Break(StopReason::Interrupted)
        } else {
            ControlFlow::Continue(())
        }
    })));
    received
}

fn json(report: &Report) -> Value {
    serde_json::to_value(report).expect("a report serializes")
}

/// A monitor changes no byte of the reports of random launches, and the progress only grows, up to
/// the values of the report.
fn following_changes_nothing(case: &Case) -> Checked {
    let prepared = Prepared::new(case);
    for (mode, threads) in [(Mode::Timed, 1), (Mode::Timed, 2), (Mode::Functional, 1)] {
        let options =
            RunOptions { max_cycles: 50_000_000, threads, shuffle: Some(1), ..RunOptions::default() };
        let mut received = Received::default();
        let followed = prepared.run_observed(mode, options, 0, |gpu| received = follow(gpu, usize::MAX));
        let alone = prepared.run(mode, options);
        if followed.bytes != alone.bytes || followed.memory != alone.memory {
            return Err(format!("{mode:?}, {threads} threads: another report, or other results"));
        }
        let received = received.lock().expect("no thread panics");
        let grows = received.is_sorted_by(|a, b| a.0 <= b.0 && a.1 == b.1 && a.2 < b.2 && a.3 <= b.3);
        let last = received.last().map_or(0, |last| last.3);
        if mode == Mode::Timed && !grows || last > alone.report.instructions.warp {
            return Err(format!("{mode:?}, {threads} threads: {received:?}"));
        }
    }
    Ok(())
}

/// Tests: `interrupts`.
#[test]
fn a_monitor_changes_no_byte() {
    for_all(&case(), Draw::Same, 24, following_changes_nothing);
}

/// The report of an interrupted launch is that of the same launch with a limit at that cycle.
///
/// Tests: `interrupts`.
#[test]
fn an_interrupted_launch_has_the_report_of_its_cycle() {
    for threads in [1, 3] {
        let run = |stop_at: Option<usize>, max_cycles| {
            let mut gpu = Gpu::new(g80_with(&[]));
            let received = stop_at.map(|stop_at| follow(&mut gpu, stop_at));
            let options = RunOptions { threads, shuffle: Some(1), max_cycles, ..RunOptions::default() };
            let settings = Settings {
                size: Some(128),
                launches: LaunchSettings { options, ..LaunchSettings::default() },
            };
            let outcome = kernels::run("matmul-tiled", &mut gpu, settings).expect("it runs");
            assert_eq!(outcome.check, Check::NotRun);
            (outcome.reports[0].clone(), received)
        };
        let (interrupted, received) = run(Some(3), u64::MAX);
        let Verdict::Interrupted { cycle, .. } = interrupted.verdict else {
            panic!("{:?}", interrupted.verdict)
        };
        let received = received.expect("it was followed");
        let received = received.lock().expect("no thread panics");
        assert_eq!(received.len(), 3, "the monitor is not called after it has stopped the launch");
        assert_eq!((received[2].2, received[2].3), (cycle, interrupted.instructions.warp));
        identities::check(&interrupted).expect("its breakdowns are exact");
        let (mut limited, mut interrupted) = (json(&run(None, cycle).0), json(&interrupted));
        assert_eq!(interrupted["verdict"]["kind"], "interrupted");
        assert_eq!(interrupted["verdict"]["stuck"]["class"], "interrupted");
        assert_eq!(limited["verdict"]["stuck"]["class"], "limit");
        for what in ["warps", "barriers", "queues"] {
            assert_eq!(interrupted["verdict"]["stuck"][what], limited["verdict"]["stuck"][what], "{what}");
        }
        for report in [&mut limited, &mut interrupted] {
            report["verdict"] = Value::Null;
        }
        assert_eq!(interrupted, limited);
    }
}

/// A launch in functional mode can be interrupted at an instruction, too.
#[test]
fn a_functional_launch_can_be_followed_and_stopped() {
    let mut gpu = Gpu::new(g80_with(&[]));
    let received = follow(&mut gpu, 2);
    let settings = Settings {
        size: Some(192),
        launches: LaunchSettings { mode: Mode::Functional, ..LaunchSettings::default() },
    };
    let outcome = kernels::run("matmul-tiled", &mut gpu, settings).expect("it runs");
    let report = &outcome.reports[0];
    let Verdict::Interrupted { cycle, .. } = report.verdict else { panic!("{:?}", report.verdict) };
    let received = received.lock().expect("no thread panics");
    assert_eq!((received.len(), received[1].1), (2, 144));
    assert!(
        received[0].0 < received[1].0 && received[1].0 < 144 && received[0].3 < received[1].3,
        "{received:?}"
    );
    assert_eq!((cycle, report.instructions.warp), (received[1].3, received[1].3));
}

/// Returns a function that makes launches of two blocks with a kernel of `n` iterations of a loop.
fn rounds(gpu: &mut Gpu) -> impl Fn(u32) -> Launch + use<> {
    let ptx = ".version 2.3\n.target sm_20\n.entry k (.param .u32 n)\n{\n\t.reg .u32 %r<2>;\n\t.reg .pred %p;\n\
               \tld.param.u32 %r0, [n];\nAGAIN:\n\tsub.u32 %r0, %r0, 1;\n\tsetp.ne.u32 %p, %r0, 0;\n\
               \t@%p bra AGAIN;\n\texit;\n}\n";
    let module = gpu.load(isa::compile("k.ptx", ptx).0.expect("it compiles")).expect("it loads");
    move |n| {
        Launch::new(module, "k", Dim3::new(2, 1, 1), Dim3::new(32, 1, 1)).args([sim_core::host::Arg::U32(n)])
    }
}

/// A monitor gets the progress of each concurrent kernel that has not ended, and an interrupt stops
/// all of these.
#[test]
fn concurrent_kernels_are_interrupted_together() {
    let mut gpu = Gpu::new(Chip::builtin("fermi").expect("it is built in"));
    let launch = rounds(&mut gpu);
    let (short, long) = (launch(1), launch(1_000_000));
    let streams = [gpu.stream(), gpu.stream()];
    let received = follow(&mut gpu, 4);
    let reports = gpu.launch_together(&[(streams[0], &short), (streams[1], &long)]).expect("they fit");
    assert!(reports[0].verdict.is_finished());
    assert!(matches!(reports[1].verdict, Verdict::Interrupted { .. }), "{:?}", reports[1].verdict);
    assert_eq!(received.lock().expect("no thread panics").last().map(|last| (last.0, last.1)), Some((0, 2)));
}

/// Records the numbers of the launches that begin.
struct Begun(Arc<Mutex<Vec<u32>>>);

impl Observer for Begun {
    fn begin(&mut self, launch: &Launched<'_>) -> Option<Watch> {
        self.0.lock().expect("no thread panics").push(launch.number);
        None
    }

    fn events(&mut self, _: u32, _: &[Event]) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn end(&mut self, _: &Report) {}
}

/// Each launch is reported with its own number, even if several are checked before the first
/// begins. A refused launch gets no number.
#[test]
fn launches_are_reported_with_their_numbers() {
    // Two concurrent launches, then the third alone; or one after the other.
    for most in [2, 1] {
        let mut chip = Chip::builtin("fermi").expect("it is built in");
        chip.dispatch.concurrent_kernels = most;
        let mut gpu = Gpu::new(chip);
        let launch = rounds(&mut gpu);
        let (received, begun) = (Arc::new(Mutex::new(Vec::new())), Arc::new(Mutex::new(Vec::new())));
        let mine = Arc::clone(&received);
        gpu.monitor(Some(Box::new(move |p: &Progress<'_>| {
            mine.lock().expect("no thread panics").push(p.launch);
            ControlFlow::Continue(())
        })));
        gpu.observe(Some(Box::new(Begun(Arc::clone(&begun)))));
        let (streams, some) = ([gpu.stream(), gpu.stream(), gpu.stream()], launch(3_000));
        let refused = Launch { args: Vec::new(), ..some.clone() };
        assert!(gpu.launch_together(&[(streams[0], &some), (streams[1], &refused)]).is_err());
        gpu.launch_together(&streams.map(|stream| (stream, &some))).expect("they fit");
        gpu.launch(&some).expect("it fits");
        let mut received = received.lock().expect("no thread panics").clone();
        received.sort_unstable();
        received.dedup();
        assert_eq!(received, [1, 2, 3, 4], "{most} concurrent");
        assert_eq!(*begun.lock().expect("no thread panics"), [1, 2, 3, 4], "{most} concurrent");
    }
}

/// The progress names the source line that the warps execute next.
#[test]
fn the_progress_has_the_line_of_the_warps() {
    let text = ".version 1.4\n.target sm_10\n.entry k {\n.reg .u32 %i;\nmov.u32 %i, 0;\n\
                again:\nadd.u32 %i, %i, 1;\nbra again;\n}\n";
    for mode in [Mode::Timed, Mode::Functional] {
        let (module, _) = isa::compile_with("loop.ptx", text, Options::default());
        let mut gpu = Gpu::new(g80_with(&[]));
        let module = gpu.load(module.expect("it compiles")).expect("it fits");
        let lines = Arc::new(Mutex::new(Vec::new()));
        let mine = Arc::clone(&lines);
        gpu.monitor(Some(Box::new(move |p: &Progress<'_>| {
            let mut lines = mine.lock().expect("no thread panics");
            lines.push(p.line.map(|line| p.files.place(line).to_string()));
            if lines.len() < 3 {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(StopReason::Interrupted)
            }
        })));
        let report = gpu.launch(&Launch::new(module, "k", 2, 64).mode(mode)).expect("it starts");
        assert!(matches!(report.verdict, Verdict::Interrupted { .. }), "{:?}", report.verdict);
        let lines = lines.lock().expect("no thread panics");
        let is_in_loop =
            |line: &Option<String>| line.as_deref().is_some_and(|line| ["7", "8"].contains(&line));
        assert!(lines.len() == 3 && lines.iter().all(is_in_loop), "{mode:?}: {lines:?}");
    }
}
