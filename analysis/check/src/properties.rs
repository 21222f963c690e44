//! Properties of every case: each returns the violation, if any.

use crate::draw::Checked;
use crate::run::{CaseRun, Prepared};
use isa::uop::{Class, Inst};
use sim_core::host::{FIRST_LOOK, Mode, RunOptions};
use std::ops::RangeInclusive;

/// Limit in shader cycles; a case that takes longer counts as a hang.
pub const LONGEST: u64 = 50_000_000;

fn limited() -> RunOptions {
    RunOptions { max_cycles: LONGEST, ..RunOptions::default() }
}

/// `Ok` if `holds`, otherwise the description.
pub fn ensure(holds: bool, what: impl FnOnce() -> String) -> Checked {
    if holds { Ok(()) } else { Err(what()) }
}

/// The run has finished, otherwise its verdict; `which` names the run.
pub fn finished(run: &CaseRun, which: &str) -> Checked {
    ensure(run.report.verdict.is_finished(), || format!("{which}: {:?}", run.report.verdict))
}

/// Timed mode with `options` leaves the same bytes in memory as functional mode, and every block
/// runs exactly once.
pub fn timed_is_functional(prepared: &Prepared, options: RunOptions) -> Checked {
    let oracle = prepared.run(Mode::Functional, limited());
    finished(&oracle, "functional")?;
    let timed = prepared.run(Mode::Timed, RunOptions { max_cycles: LONGEST, ..options });
    finished(&timed, "timed")?;
    for run in [&oracle, &timed] {
        ensure(run.counts.iter().all(|n| *n == 1), || format!("blocks ran {:?} times", run.counts))?;
    }
    ensure(timed.memory == oracle.memory, || "memory differs from the functional machine's".to_owned())?;
    let (a, b) = (&timed.report.instructions, &oracle.report.instructions);
    ensure((a.warp, a.thread, a.flops) == (b.warp, b.thread, b.flops), || {
        format!("instructions: timed {a:?}, functional {b:?}")
    })
}

/// Host threads, window size and skipping of idle cycles change neither report nor memory, although
/// the host does work differently.
pub fn host_changes_nothing(prepared: &Prepared) -> Checked {
    let case = prepared.case();
    let latency = prepared.chip.crossbar.latency;
    let shuffle = Some(case.seed.into());
    let run = |threads, window, skip_idle| {
        prepared.run(Mode::Timed, RunOptions { threads, shuffle, window, skip_idle, ..limited() })
    };
    let base = run(1, latency, true);
    finished(&base, "timed")?;
    let components = u64::from(prepared.chip.clusters + prepared.chip.partitions) + 1;
    // Launches whose warps wait for replies of atomics are checked many times in a row.
    let answered = |inst: &Inst| inst.op.class() == Class::AtomGlobal && inst.op.shape().dst().is_some();
    let close_looks = if prepared.program().code.iter().any(answered) { 64 } else { 0 };
    let most_threads = (prepared.chip.clusters + prepared.chip.partitions) as usize;
    ensure(base.host.skipped_cycles >= latency.into(), || format!("nothing was skipped: {:?}", base.host))?;
    // Threads synchronize twice per window, which is slow on a busy host, so their windows are not
    // the shortest.
    let (w0, w1) = (latency - case.windows.0 % latency.div_ceil(2), 1 + case.windows.1 % latency);
    for (threads, window, skip_idle) in [(1, 1, true), (2, w0, true), (4, 0, true), (1, w1, false)] {
        let other = run(threads, window, skip_idle);
        let how = format!("{threads} threads, window {window} of {latency}, skipping {skip_idle}");
        ensure(other.bytes == base.bytes, || {
            let (a, b) = (String::from_utf8_lossy(&base.bytes), String::from_utf8_lossy(&other.bytes));
            format!("{how}: another report\n{a}\n{b}")
        })?;
        ensure(other.memory == base.memory, || format!("{how}: other memory"))?;
        let host = other.host;
        // The first batch uses all threads, the others a random number.
        ensure(host.threads == threads.min(most_threads), || format!("{how}: {host:?}"))?;
        let cycles = base.report.timing.as_ref().expect("a timed run has times").cycles;
        if skip_idle {
            let window = if window == 0 { latency } else { window };
            let (least, windows) = (base.host.windows, host.windows);
            let more = if window == latency { windows == least } else { windows >= least };
            let more = more && (windows > least || 2 * window > latency);
            ensure(more, || format!("{how}: {host:?}, base {:?}", base.host))?;
        } else {
            // A stop is a message: every component runs until one crossbar latency after the end.
            let end = cycles + u64::from(latency);
            let exact = host.ticks == components * end
                && host.skipped_cycles == 0
                && windows_until(end, window.into(), close_looks).contains(&host.windows);
            ensure(exact, || format!("{how}: {host:?}, {components} components, end {end}"))?;
        }
    }
    Ok(())
}

/// Returns the possible numbers of windows of `window` cycles from 0 to `end`. A window ends early
/// when the launch is checked, and each check may be followed by up to `close_looks` further ones.
fn windows_until(end: u64, window: u64, close_looks: u64) -> RangeInclusive<u64> {
    let (mut from, mut look, mut windows, mut most) = (0, FIRST_LOOK, 0, 0);
    while from < end {
        windows += (look.min(end) - from).div_ceil(window);
        most += if from == 0 { 0 } else { close_looks };
        (from, look) = (look, 2 * look);
    }
    windows..=windows + most
}
