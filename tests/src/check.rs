//! The properties: each takes a case and returns the violation, if any.

use crate::oracle::reference;
use isa::Options;
use sim_core::config::SecondPort;
use sim_core::hooks::{Hooks, Mutant};
use sim_core::host::HostStats;
use sim_core::host::{Mode, RunOptions, StopReason};
use sim_core::stats::WarpState;
use sim_core::stats::report::Verdict;
use sim_core::stats::stuck::StuckClass;
use std::ops::ControlFlow;
use warpsim_check::draw::Checked;
use warpsim_check::generate::Case;
use warpsim_check::properties::{self, LONGEST, ensure, finished};
use warpsim_check::run::{CaseRun, Prepared};

/// Default number of cases for [`timed_is_functional`].
pub const RESULT_CASES: u32 = 256;

/// Options of a run with a mutant of the simulator, if given.
pub fn options(mutant: Option<Mutant>) -> RunOptions {
    RunOptions { max_cycles: LONGEST, hooks: Hooks { mutant, ..Hooks::default() }, ..RunOptions::default() }
}

/// Checks that timed mode leaves the same bytes in memory as functional mode, and that every block
/// runs exactly once.
pub fn timed_is_functional(case: &Case, mutant: Option<Mutant>) -> Checked {
    properties::timed_is_functional(&Prepared::new(case), options(mutant))
}

/// The optimizer changes no byte on either machine, and does not increase the number of executed
/// instructions.
pub fn optimization_changes_no_result(case: &Case) -> Checked {
    let (plain, optimized) = (Prepared::compiled(case, Options::PLAIN), Prepared::new(case));
    let oracle = plain.run(Mode::Functional, options(None));
    finished(&oracle, "functional, not optimized")?;
    for mode in [Mode::Functional, Mode::Timed] {
        let run = optimized.run(mode, options(None));
        finished(&run, &format!("{mode:?}, optimized"))?;
        ensure(run.memory == oracle.memory, || format!("{mode:?}: memory differs from that of -O0"))?;
        let (all, fewer) = (&oracle.report.instructions, &run.report.instructions);
        ensure(fewer.thread <= all.thread, || format!("{mode:?}: {fewer:?}, at -O0 {all:?}"))?;
    }
    Ok(())
}

/// Neither a schedule nor a limit of the registers changes a byte, with and without the other
/// optimizations.
pub fn register_limits_change_no_result(case: &Case) -> Checked {
    let oracle = Prepared::compiled(case, Options::PLAIN).run(Mode::Functional, options(None));
    finished(&oracle, "functional, not optimized")?;
    for (options_of, mode) in [
        (Options { schedule: true, ..Options::default() }, Mode::Functional),
        (Options { schedule: true, ..Options::default() }, Mode::Timed),
        (Options { max_registers: Some(12), ..Options::PLAIN }, Mode::Functional),
        (Options { schedule: true, max_registers: Some(8), ..Options::default() }, Mode::Functional),
        (Options { schedule: true, max_registers: Some(8), ..Options::default() }, Mode::Timed),
    ] {
        let run = Prepared::compiled(case, options_of).run(mode, options(None));
        finished(&run, &format!("{mode:?}, {options_of:?}"))?;
        let same = run.memory == oracle.memory;
        ensure(same, || format!("{mode:?}: memory with {options_of:?} differs from that of -O0"))?;
    }
    Ok(())
}

/// Both machines leave the same bytes as the reference interpreter, which runs one thread at a
/// time. The case must not use [cells of a warp](Case::without_warp_cells).
pub fn machines_are_the_reference(prepared: &Prepared) -> Checked {
    let wanted = reference(prepared).map_err(|e| format!("reference: {e}"))?;
    for mode in [Mode::Functional, Mode::Timed] {
        let run = prepared.run(mode, options(None));
        finished(&run, &format!("{mode:?}"))?;
        for range in wanted.ranges() {
            let mut got = vec![0; range.bytes.len()];
            run.memory.read(range.start as u32, &mut got);
            let wrong = got.iter().zip(&range.bytes).position(|(a, b)| a != b);
            ensure(wrong.is_none(), || {
                let (at, start) = (wrong.unwrap_or_default(), range.start);
                let (got, wanted) = (got[at], range.bytes[at]);
                format!("{mode:?}: byte {at} of {start:#x} is {got:#x}, the reference has {wanted:#x}")
            })?;
        }
    }
    Ok(())
}

/// The number of threads, and their assignment to components, change at random every few windows.
/// This changes neither report nor memory, whether the launch ends, reaches a limit or traps.
pub fn shuffling_changes_nothing(case: &Case) -> Checked {
    let prepared = Prepared::new(case);
    let limit = 1 + u64::from(case.seed) % 10_000;
    let missing = case.extents.out_padding() + 8 + case.seed % (case.extents.out_bytes() / 2);
    for (max_cycles, missing) in [(LONGEST, 0), (limit, 0), (LONGEST, missing)] {
        let run = |threads, shuffle| {
            let options = RunOptions { threads, shuffle, max_cycles, ..options(None) };
            prepared.run_short(Mode::Timed, options, missing)
        };
        let base = run(1, None);
        for seed in 0..4 {
            let threads = 2 + seed as usize;
            let other = run(threads, Some(u64::from(case.seed) + seed));
            let how = format!("limit {max_cycles}, {missing} bytes short, {threads} threads, seed {seed}");
            ensure(other.bytes == base.bytes && other.memory == base.memory, || how.clone())?;
            let (one, more) = (base.host, other.host);
            ensure(one.shared_windows == 0 && more.shared_windows > 0, || format!("{how}: {more:?}"))?;
            // Windows on several threads are not counted in these.
            let HostStats { longest, single_ticks, .. } = one;
            let alike = HostStats { threads: 1, shared_windows: 0, longest, single_ticks, ..more } == one;
            ensure(alike, || format!("{how}: {more:?}, one thread {one:?}"))?;
        }
    }
    Ok(())
}

/// A launch that hangs, reaches a limit or traps stops in the same state for any number of threads
/// and any window size, with idle cycles skipped or simulated; and its breakdowns are exact.
pub fn stops_are_exact(case: &Case) -> Checked {
    let mut prepared = Prepared::new(case);
    for deadlock in [false, true] {
        if deadlock {
            prepared = prepared.with_text(case.printed().deadlocked(case.seed));
        }
        let latency = prepared.chip.crossbar.latency;
        for Stop { what, max_cycles, missing } in stops(&prepared)? {
            let run = |threads, window, skip_idle| {
                let shuffle = Some(case.seed.into());
                let options = RunOptions { threads, shuffle, window, skip_idle, max_cycles, ..options(None) };
                prepared.run_short(Mode::Timed, options, missing)
            };
            let base = run(1, 0, true);
            stopped(&prepared, &base, what, max_cycles)?;
            for (threads, window, skip_idle) in
                [(1, 1, true), (2, 0, true), (1, 1 + case.windows.1 % latency, false)]
            {
                let other = run(threads, window, skip_idle);
                let how =
                    format!("{what}: {threads} threads, window {window} of {latency}, skipping {skip_idle}");
                ensure(other.bytes == base.bytes, || {
                    let (a, b) =
                        (String::from_utf8_lossy(&base.bytes), String::from_utf8_lossy(&other.bytes));
                    format!("{how}: another report\n{a}\n{b}")
                })?;
                ensure(other.memory == base.memory, || format!("{how}: other memory"))?;
            }
        }
    }
    Ok(())
}

/// The breakdowns are exact for a launch with blocks that never finish, however it ends: by a hang,
/// a limit, a trap of another block, or an interruption; and in any state of the other blocks.
pub fn breakdowns_are_exact_at_any_end(case: &Case) -> Checked {
    let prepared = Prepared::new(case).with_text(case.printed().deadlocked(case.seed));
    for Stop { what, max_cycles, missing } in stops(&prepared)? {
        let run = prepared.run_short(Mode::Timed, RunOptions { max_cycles, ..options(None) }, missing);
        stopped(&prepared, &run, what, max_cycles)?;
    }
    let mut calls = case.seed % 4;
    let interrupted = prepared.run_observed(Mode::Timed, options(None), 0, |gpu| {
        gpu.monitor(Some(Box::new(move |_| {
            calls = calls.saturating_sub(1);
            if calls == 0 { ControlFlow::Break(StopReason::Interrupted) } else { ControlFlow::Continue(()) }
        })));
    });
    breakdowns(&prepared, &interrupted).map_err(|e| format!("interrupted: {e}"))
}

/// An early end of a launch.
struct Stop {
    what: &'static str,
    max_cycles: u64,
    /// Bytes by which the buffer of results is too short.
    missing: u32,
}

/// Returns three ends: the whole launch, a limit during the launch, and a trap.
fn stops(prepared: &Prepared) -> Result<[Stop; 3], String> {
    let case = prepared.case();
    let whole = prepared.run(Mode::Timed, options(None));
    let cycles = whole.report.timing.as_ref().expect("a timed run has times").cycles;
    ensure(cycles < LONGEST, || format!("whole: {:?}", whole.report.verdict))?;
    let limit = 1 + u64::from(case.seed) % cycles.max(1);
    let missing = case.extents.out_padding() + 8 + case.seed % (case.extents.out_bytes() / 2);
    Ok([
        Stop { what: "whole", max_cycles: LONGEST, missing: 0 },
        Stop { what: "limit", max_cycles: limit, missing: 0 },
        Stop { what: "trap", max_cycles: LONGEST, missing },
    ])
}

/// Checks an end: a limit and a trap stop at their cycles, a hang is a barrier hang, and the
/// breakdowns are exact.
fn stopped(prepared: &Prepared, run: &CaseRun, what: &str, max_cycles: u64) -> Checked {
    let cycles = run.report.timing.as_ref().expect("a timed run has times").cycles;
    match &run.report.verdict {
        Verdict::Finished => {}
        Verdict::Limit { limit, .. } => {
            ensure((*limit, cycles) == (max_cycles, max_cycles), || format!("{what} at {limit}, {cycles}"))?;
        }
        Verdict::Trapped { trap } => {
            let end = trap.cycle + u64::from(prepared.chip.crossbar.latency);
            ensure(cycles == end, || format!("trap at {}, stopped at {cycles}", trap.cycle))?;
        }
        Verdict::Hung { cycle, stuck } => {
            ensure(*cycle == cycles && stuck.class == StuckClass::Barrier, || format!("{what}: {stuck:?}"))?;
        }
        verdict => return Err(format!("{what}: {verdict:?}")),
    }
    let exact = crate::identities::check(&run.report).and_then(|()| breakdowns(prepared, run));
    exact.map_err(|e| format!("{what}, at most {max_cycles} cycles: {e}"))
}

/// Both breakdowns satisfy their identities.
pub fn breakdowns_are_exact(case: &Case) -> Checked {
    prepared_breakdowns_are_exact(&Prepared::new(case))
}

/// [`breakdowns_are_exact`] for a prepared case.
pub fn prepared_breakdowns_are_exact(prepared: &Prepared) -> Checked {
    let case = prepared.case();
    let timed = prepared.run(Mode::Timed, options(None));
    finished(&timed, "timed")?;
    let sms = &timed.report.timing.as_ref().expect("a timed run has times").sms;
    let blocks: u64 = sms.iter().map(|sm| sm.blocks).sum();
    ensure(blocks == u64::from(case.extents.blocks), || format!("{blocks} blocks on the SMs"))?;
    breakdowns(prepared, &timed)
}

/// Checks the identities that hold for any timed run, however it ended.
fn breakdowns(prepared: &Prepared, timed: &CaseRun) -> Checked {
    let report = &timed.report;
    let t = report.timing.as_ref().expect("a timed run has times");
    let (chip, s) = (&prepared.chip, &t.slots);
    let sms = u64::from(chip.clusters * chip.cluster.sms);
    let equal = |name: &str, a: u64, b: u64| ensure(a == b, || format!("{name}: {a} and {b}"));

    let (by, empty) = (&s.outcomes, s.outcomes.empty.total());
    let schedulers = u64::from(chip.sm.schedulers);
    equal("issue cycles", s.issue_cycles, t.cycles.div_ceil(chip.sm.issue_period.into()))?;
    equal("slots by time", s.total, schedulers * u64::from(s.ports) * s.issue_cycles * sms)?;
    let of_second = by.as_first_port + by.not_pairable;
    let slots = by.issued + by.held + by.replay_bank_conflict + by.replay_constant;
    equal("slots by use", s.total, slots + by.shut_by_other + of_second + by.no_warp + empty)?;
    ensure(by.paired <= by.issued && (s.ports == 2 || by.paired + of_second == 0), || format!("{s:?}"))?;
    equal("issued", by.issued, report.instructions.warp)?;
    // A user's scheduling policy may leave a slot empty while a warp is eligible.
    let conserving = prepared.scheduler.is_none();
    let never = |state| state == WarpState::Issuing || conserving && state == WarpState::NotSelected;
    ensure(by.empty.occurring().all(|(state, _)| !never(state)), || format!("empty: {:?}", by.empty))?;
    let parts = [by.issued, by.held, by.replay_bank_conflict, by.replay_constant, by.no_warp];
    let sane = parts.into_iter().chain(by.empty.occurring().map(|(_, n)| n)).all(|n| n <= s.total);
    ensure(sane, || format!("a part is larger than the whole: {s:?}"))?;

    let w = &t.warps;
    equal("warp states", w.resident, w.states.total())?;
    ensure(w.states.occurring().all(|(_, n)| n <= w.resident), || format!("{w:?}"))?;
    // A warp is in state "issuing" during the slots of its instructions. During the later slots of
    // an exit the warp, and perhaps its block, no longer exists.
    let exits_in_a_slot = chip.sm.classes[isa::uop::Class::Exit as usize].slots == 1;
    let issuing = w.states[WarpState::Issuing];
    // Two instructions of one warp may issue together.
    let at_once = if chip.sm.second_port == SecondPort::SameWarp { by.paired } else { 0 };
    ensure(issuing <= slots, || format!("{issuing} issuing warp cycles in {slots} slots"))?;
    if exits_in_a_slot && at_once == 0 {
        equal("issuing warp cycles", issuing, slots)?;
    }

    let sum = |f: fn(&sim_core::stats::report::SmReport) -> u64| t.sms.iter().map(f).sum::<u64>();
    equal("SMs", t.sms.len() as u64, sms)?;
    equal("instructions of SMs", sum(|sm| sm.instructions), report.instructions.warp)?;
    equal("resident of SMs", sum(|sm| sm.resident_warp_cycles), w.resident)?;
    ensure(t.sms.iter().all(|sm| sm.active_issue_cycles <= s.issue_cycles), || format!("{:?}", t.sms))?;
    let idle = sms * s.issue_cycles - sum(|sm| sm.active_issue_cycles);
    let idle_slots = schedulers * idle;
    let bounds = (by.no_warp <= idle_slots || schedulers > 1, by.no_warp >= idle_slots || !exits_in_a_slot);
    ensure(bounds == (true, true), || {
        format!("{} slots without a warp, {idle_slots} without a block", by.no_warp)
    })?;
    let moved = t.dram.utilization;
    ensure(moved <= 1.0 || !report.verdict.is_finished(), || format!("{moved} of the DRAM's peak"))?;
    equal("DRAM bytes", t.dram.partition_bytes.iter().sum(), t.dram.read_bytes + t.dram.write_bytes)?;
    equal("instructions by class", report.instructions.by_class.total(), report.instructions.warp)
}
