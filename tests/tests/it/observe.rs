//! An observer receives the events that the breakdowns count, independently of the host, and
//! observation changes nothing.

use kernels::Settings;
use sim_core::config::Chip;
use sim_core::host::{Gpu, LaunchSettings, Mode, RunOptions};
use sim_core::observe::{
    DramCommand, Event, Launched, MemoryEvent, MemoryWhat, Observer, Usage, Watch, What,
};
use sim_core::stats::report::{Report, Verdict};
use std::ops::{ControlFlow, Range};
use std::sync::{Arc, Mutex};
use warpsim_check::draw::Checked;
use warpsim_check::draw::{Draw, for_all};
use warpsim_check::generate::Case;
use warpsim_check::generate::case::case;
use warpsim_check::run::{CaseRun, Prepared};
use warpsim_check::watch::{Recording, Seen, Sums};
use warpsim_tests::device::{Device, g80_with};

const CASES: [(&str, u64); 5] = [
    ("vecadd", 5_000),
    ("matmul-naive", 32),
    ("matmul-tiled", 64),
    ("reduce-interleaved", 4_096),
    ("reduce-halving", 4_096),
];

fn ensure(holds: bool, what: impl FnOnce() -> String) -> Checked {
    if holds { Ok(()) } else { Err(what()) }
}

/// Compares the observed events with the report of the launch.
fn agrees(seen: &Seen, report: &Report) -> Checked {
    let timing = report.timing.as_ref().expect("a timed run");
    let sums = Sums::of(&seen.events, timing.slots.issue_period.into(), timing.cycles);
    let counted = timing.warps.states;
    ensure(sums.warps == counted, || format!("warp cycles: seen {:?}, counted {counted:?}", sums.warps))?;
    let executed = (report.instructions.warp, report.instructions.thread);
    ensure((sums.issues, sums.lanes) == executed, || format!("{sums:?}, executed {executed:?}"))?;
    let blocks: u64 = timing.sms.iter().map(|sm| sm.blocks).sum();
    ensure(sums.blocks == blocks, || format!("{} blocks of {blocks}", sums.blocks))?;
    let ordered = seen.events.is_sorted_by_key(|event| (event.cycle, event.sm));
    ensure(ordered, || "events are out of order".to_owned())?;
    ensure(seen.cycles == timing.cycles, || format!("ended at {}", seen.cycles))
}

/// The sums of the events by warp state, instructions and blocks are those of the report, and the
/// report is the same as without an observer.
///
/// Tests: `observation-adds-up`.
#[test]
fn events_add_up_to_the_breakdowns() {
    for (name, size) in CASES {
        let settings = Settings { size: Some(size), ..Settings::default() };
        let unseen = kernels::run(name, &mut Gpu::new(g80_with(&[])), settings).expect("it runs");
        let mut gpu = Gpu::new(g80_with(&[]));
        let recording = Recording::of(&mut gpu, 0..u64::MAX);
        let outcome = kernels::run(name, &mut gpu, settings).expect("it runs");
        let [report] = &outcome.reports[..] else { panic!("{name}: one launch") };
        agrees(&recording.seen(), report).unwrap_or_else(|e| panic!("{name}: {e}"));
        let bytes = |report| serde_json::to_vec(report).expect("a report serializes");
        assert_eq!(bytes(report), bytes(&unseen.reports[0]), "{name}: observation changes nothing");
    }
}

/// Blocks that a limit leaves unstarted are neither observed nor counted, also if they have arrived
/// between two issue cycles.
///
/// Tests: `observation-is-deterministic`.
#[test]
fn blocks_at_a_limit_are_counted_once_they_start() {
    for max_cycles in 400..600 {
        let mut gpu = Gpu::new(g80_with(&[("dispatch.block_cycles", "3")]));
        let recording = Recording::of(&mut gpu, 0..u64::MAX);
        let options = RunOptions { max_cycles, ..RunOptions::default() };
        let launches = LaunchSettings { options, ..LaunchSettings::default() };
        let settings = Settings { size: Some(20_000), launches };
        let outcome = kernels::run("vecadd", &mut gpu, settings).expect("it runs");
        agrees(&recording.seen(), &outcome.reports[0]).unwrap_or_else(|e| panic!("{max_cycles}: {e}"));
    }
}

/// Events are reported in pieces of one window each, so the memory does not grow with the run.
///
/// Tests: `observation-is-deterministic`.
#[test]
fn events_are_reported_window_by_window() {
    let mut gpu = Gpu::new(g80_with(&[]));
    let longest = u64::from(gpu.chip().crossbar.latency) + u64::from(gpu.chip().sm.issue_period);
    let recording = Recording::of(&mut gpu, 0..u64::MAX);
    let settings = Settings { size: Some(64), ..Settings::default() };
    kernels::run("matmul-tiled", &mut gpu, settings).expect("it runs");
    let seen = recording.seen();
    let mut rest = &seen.events[..];
    for piece in &seen.pieces {
        let (now, later) = rest.split_at(*piece);
        let cycles = now[*piece - 1].cycle - now[0].cycle;
        assert!(cycles <= longest, "{cycles} cycles in one piece");
        rest = later;
    }
    assert!(seen.pieces.len() > 50, "{} pieces", seen.pieces.len());
}

/// Runs the case and observes the cycles `cycles`.
fn observed(prepared: &Prepared, options: RunOptions, missing: u32, cycles: Range<u64>) -> (CaseRun, Seen) {
    let mut seen = None;
    let outcome =
        prepared.run_observed(Mode::Timed, options, missing, |gpu| seen = Some(Recording::of(gpu, cycles)));
    let recording = seen.expect("the run was prepared");
    let seen = recording.seen().clone();
    (outcome, seen)
}

/// For a run to its end, one that reaches a limit and one that traps, the events agree with the
/// counters and do not depend on the host.
fn events_are_counted(case: &Case) -> Checked {
    let prepared = Prepared::new(case);
    let latency = prepared.chip.crossbar.latency;
    let usual = RunOptions { max_cycles: 50_000_000, ..RunOptions::default() };
    let whole = prepared.run(Mode::Timed, usual);
    ensure(whole.report.verdict.is_finished(), || format!("{:?}", whole.report.verdict))?;
    let cycles = whole.report.timing.as_ref().expect("a timed run").cycles;
    let limit = 1 + u64::from(case.seed) % cycles;
    let missing = case.extents.out_padding() + 8 + case.seed % (case.extents.out_bytes() / 2);
    for (max_cycles, missing) in [(usual.max_cycles, 0), (limit, 0), (usual.max_cycles, missing)] {
        let run = |threads, window, skip_idle| {
            let options = RunOptions { threads, shuffle: Some(1), window, skip_idle, max_cycles, ..usual };
            observed(&prepared, options, missing, 0..u64::MAX)
        };
        let (outcome, seen) = run(1, 0, true);
        let which = format!("limit {max_cycles}, {missing} bytes short");
        agrees(&seen, &outcome.report).map_err(|e| format!("{which}: {e}"))?;
        for (threads, window, skip_idle) in
            [(1, 1, true), (2, 0, true), (1, 1 + case.windows.1 % latency, false)]
        {
            let (_, other) = run(threads, window, skip_idle);
            ensure(other.events == seen.events, || {
                let first = other.events.iter().zip(&seen.events).find(|(a, b)| a != b);
                format!("{which}, {threads} threads, window {window}, skipping {skip_idle}: {first:#?}")
            })?;
        }
    }
    Ok(())
}

/// Tests: `observation-is-deterministic`.
#[test]
fn the_trace_does_not_depend_on_the_host() {
    for_all(&case(), Draw::Same, 24, events_are_counted);
}

/// The same as [`the_trace_does_not_depend_on_the_host`], with more cases.
#[test]
#[ignore = "minutes"]
fn the_trace_does_not_depend_on_the_host_at_length() {
    for_all(&case(), Draw::New, 1_000, events_are_counted);
}

/// The events of a part of the launch are those of the whole launch in these cycles, after events
/// for the state at its beginning.
fn part_agrees_with_the_whole(case: &Case) -> Checked {
    let prepared = Prepared::new(case);
    let options = RunOptions { max_cycles: 50_000_000, ..RunOptions::default() };
    let (_, whole) = observed(&prepared, options, 0, 0..u64::MAX);
    let from = u64::from(case.seed) % whole.cycles;
    let to = from + 1 + u64::from(case.seed >> 8) % 500;
    let (_, part) = observed(&prepared, options, 0, from..to);
    let first = from.next_multiple_of(prepared.chip.sm.issue_period.into());
    let inside = |events: &[Event]| -> Vec<Event> {
        events.iter().filter(|e| e.cycle > first && e.cycle < to).cloned().collect()
    };
    let (expected, got) = (inside(&whole.events), inside(&part.events));
    let stays = part.events.iter().all(|e| (from..to).contains(&e.cycle));
    ensure(stays, || format!("events beyond {from}..{to}"))?;
    ensure(expected == got, || {
        let first = expected.iter().zip(&got).find(|(a, b)| a != b);
        format!("{from}..{to}: {} events instead of {}, {first:#?}", got.len(), expected.len())
    })
}

/// Tests: `observation-is-deterministic`.
#[test]
fn a_part_of_a_trace_agrees_with_the_whole() {
    for_all(&case(), Draw::Same, 32, part_agrees_with_the_whole);
}

const HANG: &str = ".version 1.4
.target sm_10
.entry k ()
{
    .reg .u32 %t;
    .reg .pred %p;
    mov.u32 %t, %tid.x;
    setp.lt.u32 %p, %t, 32;
    @%p bra other;
    bar.sync 0;
    bra end;
other:
    bar.sync 1;
end:
    exit;
}
";

/// Tests: `observed-hangs`.
#[test]
fn a_hang_is_detected_while_it_is_observed() {
    let mut device = Device::g80(HANG);
    let recording = Recording::of(&mut device.gpu, 0..u64::MAX);
    let launch = device.launch("k", (1, 1), (64, 1, 1));
    let report = device.gpu.launch(&launch).expect("it is launched");
    assert!(matches!(report.verdict, Verdict::Hung { .. }), "{:?}", report.verdict);
    let seen = recording.seen();
    agrees(&seen, &report).unwrap_or_else(|e| panic!("{e}"));
    assert!(
        !seen.events.iter().any(|e| matches!(e.what, What::BlockRetired { .. })),
        "the block never retires"
    );
}

/// The events of a launch.
#[derive(Default)]
struct Steps {
    watch: Option<Watch>,
    events: Vec<Event>,
    memory: Vec<MemoryEvent>,
    ended: u32,
}

/// [`Steps`] as the GPU holds them.
struct Shared(Arc<Mutex<Steps>>);

impl Observer for Shared {
    fn begin(&mut self, _: &Launched<'_>) -> Option<Watch> {
        self.0.lock().expect("one thread").watch.clone()
    }

    fn is_functional(&self) -> bool {
        true
    }

    fn events(&mut self, _: u32, events: &[Event]) -> ControlFlow<()> {
        self.0.lock().expect("one thread").events.extend_from_slice(events);
        ControlFlow::Continue(())
    }

    fn memory(&mut self, events: &[MemoryEvent]) -> ControlFlow<()> {
        self.0.lock().expect("one thread").memory.extend_from_slice(events);
        ControlFlow::Continue(())
    }

    fn end(&mut self, _: &Report) {
        self.0.lock().expect("one thread").ended += 1;
    }
}

/// Returns the report of a kernel on the functional machine and its events.
fn stepped(name: &str, size: u64, watch: Option<Watch>) -> (Report, Steps) {
    let settings = Settings {
        size: Some(size),
        launches: LaunchSettings { mode: Mode::Functional, ..LaunchSettings::default() },
    };
    told(name, settings, g80_with(&[]), watch)
}

/// Returns the report of a kernel and its events.
fn told(name: &str, settings: Settings, chip: Chip, watch: Option<Watch>) -> (Report, Steps) {
    let steps = Arc::new(Mutex::new(Steps { watch, ..Steps::default() }));
    let mut gpu = Gpu::new(chip);
    gpu.observe(Some(Box::new(Shared(Arc::clone(&steps)))));
    let mut outcome = kernels::run(name, &mut gpu, settings).expect("it runs");
    drop(gpu);
    let steps = Arc::into_inner(steps).expect("the GPU is gone").into_inner().expect("one thread");
    (outcome.reports.remove(0), steps)
}

/// An observer that asks for it receives the instructions of the functional machine, of which a
/// part is the same as in the whole, and changes nothing.
#[test]
fn the_functional_machine_is_observed() {
    for (name, size) in CASES {
        let (plain, none) = stepped(name, size, None);
        assert!(none.events.is_empty() && none.ended == 0);
        let (report, steps) = stepped(name, size, Some(Watch { values: true, ..Watch::ALL }));
        let bytes = |report| serde_json::to_vec(report).expect("a report serializes");
        assert_eq!(bytes(&report), bytes(&plain), "{name}: observation changes nothing");
        let events = || steps.events.iter();
        assert!(steps.ended == 1 && steps.events.is_sorted_by_key(|event| event.cycle), "{name}");
        let issued: Vec<_> = events()
            .filter_map(|event| match &event.what {
                What::State { why, .. } => why.issued().filter(|issued| issued.origin.cycle == event.cycle),
                _ => None,
            })
            .collect();
        let lanes: u64 = issued.iter().map(|issued| u64::from(issued.lanes.count_ones())).sum();
        let executed = (report.instructions.warp, report.instructions.thread);
        assert_eq!((issued.len() as u64, lanes), executed, "{name}");
        let blocks = events().filter(|event| matches!(event.what, What::BlockStarted { .. })).count();
        assert_eq!(blocks as u64, report.launch.grid.count(), "{name}");
        assert!(events().any(|event| matches!(event.what, What::Written { .. })), "{name}");
        let part = 100..2_000;
        let watch = Watch { cycles: part.clone(), then_stop: true, values: true, ..Watch::ALL };
        let (stopped, some) = stepped(name, size, Some(watch));
        assert!(matches!(stopped.verdict, Verdict::Limit { limit: 2_000, .. }), "{name}");
        let of = |events: &[Event]| -> Vec<Event> {
            let within =
                |event: &&Event| part.contains(&event.cycle) && matches!(event.what, What::Written { .. });
            events.iter().filter(within).cloned().collect()
        };
        assert_eq!(of(&some.events), of(&steps.events), "{name}");
        assert!(some.events.iter().all(|event| part.contains(&event.cycle)), "{name}");
    }
}

/// The events of the memory system add up to the counters, are the same for any number of host
/// threads and any window, and change nothing.
///
/// Tests: `observation-adds-up`.
#[test]
fn the_memory_system_is_observed() {
    let both = CASES.into_iter().flat_map(|case| ["g80", "fermi"].map(|base| (case, base)));
    let mut totals = [0; 11];
    for ((name, size), base) in both.chain([(("histogram-bytes", 4_096), "fermi")]) {
        let chip = || Chip::builtin(base).expect("a chip");
        let options = |threads, window| RunOptions { threads, window, ..RunOptions::default() };
        let run = |options, watch| {
            told(
                name,
                Settings {
                    size: Some(size),
                    launches: LaunchSettings { options, ..LaunchSettings::default() },
                },
                chip(),
                watch,
            )
        };
        let watch = Watch { memory: true, ..Watch::ALL };
        let (plain, none) = run(options(1, 0), None);
        let (report, seen) = run(options(1, 0), Some(watch.clone()));
        let (_, again) = run(options(3, 7), Some(watch.clone()));
        assert!(none.memory.is_empty(), "{name} on {base}");
        let bytes = |report| serde_json::to_vec(report).expect("a report serializes");
        assert_eq!(bytes(&report), bytes(&plain), "{name} on {base}: observation changes nothing");
        assert!(seen.memory == again.memory, "{name} on {base}");
        let part = 500..1500;
        let (_, some) = run(options(1, 0), Some(Watch { cycles: part.clone(), ..watch }));
        let within = seen.memory.iter().filter(|event| part.contains(&event.cycle));
        assert!(some.memory.iter().eq(within), "{name} on {base}: a part is the part of the whole");
        let burst = chip().partition.dram.burst_bytes;
        let sums = agrees_with_counters(&report, &seen.memory, burst, &format!("{name} on {base}"));
        totals.iter_mut().zip(sums).for_each(|(total, sum)| *total += sum);
    }
    assert!(totals.iter().all(|total| *total > 0), "every kind of event occurs: {totals:?}");
}

/// Compares the events of the memory system with the counters of the report. Returns their sums.
fn agrees_with_counters(report: &Report, events: &[MemoryEvent], burst: u32, name: &str) -> Vec<u64> {
    let timing = report.timing.as_ref().expect("a timed run");
    let (mut l1, mut l2, mut dram) = ([0, 0], [0; 5], [0; 4]);
    let count = |sectors: &u8| u64::from(sectors.count_ones());
    for event in events {
        match &event.what {
            MemoryWhat::L1 { hit, .. } => l1[usize::from(*hit)] += 1,
            MemoryWhat::L2 { usage: Usage::Read, sectors, missing, .. } => {
                l2[0] += count(sectors);
                l2[1] += count(missing);
            }
            MemoryWhat::L2 { usage: Usage::Write, sectors, .. } => l2[2] += count(sectors),
            MemoryWhat::L2 { usage: Usage::Atomic, sectors, missing, .. } => {
                l2[3] += count(sectors);
                l2[4] += count(missing);
            }
            MemoryWhat::Dram { command, .. } => match command {
                DramCommand::Activate { .. } => dram[0] += 1,
                DramCommand::Read { bursts, .. } => dram[1] += u64::from(*bursts),
                DramCommand::Write { bursts, .. } => dram[2] += u64::from(*bursts),
                DramCommand::Refresh => dram[3] += 1,
                DramCommand::Precharge { .. } | DramCommand::PrechargeAll => {}
            },
        }
    }
    let counted = &timing.l1.counters;
    assert_eq!(l1, [counted.global_load_miss, counted.global_load_hit], "{name}");
    let c = &timing.l2.counters;
    let loads = [c.read_sector_queries, c.read_sector_misses, c.write_sector_queries];
    let atomics = [c.atomic_sector_queries, c.atomic_sector_misses];
    assert_eq!((&l2[..3], &l2[3..]), (&loads[..], &atomics[..]), "{name}");
    let burst = u64::from(burst);
    let counted = (timing.dram.read_bytes, timing.dram.write_bytes);
    assert_eq!((dram[1] * burst, dram[2] * burst), counted, "{name}");
    let rows = timing.dram.row_misses + timing.dram.row_conflicts;
    assert!(dram[0] >= rows && dram[3] <= timing.dram.refreshes, "{name}: {dram:?}");
    [&l1[..], &l2, &dram].concat()
}
