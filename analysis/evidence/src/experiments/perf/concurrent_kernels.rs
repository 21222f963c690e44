//! PERF-18: two small kernels run concurrently on Fermi, and in sequence on older chips.

use crate::tools::ensure;
use crate::{Claim, Experiment, Finding, Runner, Shown};
use kernels::RunError;
use kernels::identities;
use sim_core::config::Chip;
use sim_core::host::timeline::{Call, Event};
use sim_core::host::{Arg, Launch, Stream};

pub static EXPERIMENTS: &[Experiment] = &[Experiment { id: "PERF-18", show: two_kernels }];

const COUNTING: &str = include_str!("../../../../../kernels/ptx/book/counting.ptx");
/// Blocks of a kernel, threads per block, and iterations of the loop.
const BLOCKS: u32 = 4;
const THREADS: u32 = 64;
const ROUNDS: u32 = 500;
/// Tolerance for the rounding of times and the overhead of host calls.
const SLACK: f64 = 0.05;

/// Returns the nanoseconds from the first kernel's start to the last one's end, for `kernels`
/// kernels in separate streams.
fn span(runner: &Runner, chip: Chip, kernels: usize) -> Result<f64, RunError> {
    let mut lab = runner.lab(chip, "counting.ptx", COUNTING)?;
    let threads = BLOCKS * THREADS;
    let mut launches = Vec::new();
    for _ in 0..kernels {
        let out = lab.allocate(threads.into())?;
        let args = [Arg::Ptr(out), Arg::U32(ROUNDS), Arg::U32(0)];
        let launch =
            Launch::new(lab.module, "counting", BLOCKS, THREADS).args(args).options(runner.options());
        launches.push((lab.gpu.stream(), launch, out));
    }
    let list: Vec<(Stream, &Launch)> = launches.iter().map(|(stream, launch, _)| (*stream, launch)).collect();
    for report in lab.gpu.launch_together(&list)? {
        ensure(report.verdict.is_finished(), "a kernel does not finish")?;
        identities::check(&report).map_err(RunError::Wrong)?;
    }
    let expected: Vec<u32> = (0..threads).map(|t| t * ROUNDS).collect();
    for (.., out) in &launches {
        ensure(lab.download(*out, threads as usize)? == expected, "wrong sums of concurrent kernels")?;
    }
    let counting = Call::kernel("counting");
    let events: Vec<&Event> = lab.gpu.timeline().events.iter().filter(|e| e.what == counting).collect();
    let begin = events.iter().map(|event| event.start_ns).min().unwrap_or(0);
    let end = events.iter().map(|event| event.end_ns()).max().unwrap_or(0);
    Ok((end - begin) as f64)
}

/// Tests: `concurrent-kernels`.
fn two_kernels(runner: &Runner, _: &Claim) -> Result<Shown, RunError> {
    let mut shown = Shown::new(format!(
        "kernels of {BLOCKS} blocks of {THREADS} threads in streams, one and two of them"
    ));
    for (name, expected) in [("g80", 2.0), ("gt200", 2.0), ("fermi", 1.0), ("c2050", 1.0)] {
        let one = span(runner, runner.chip(name, &[])?, 1)?;
        let two = span(runner, runner.chip(name, &[])?, 2)?;
        shown.find(Finding::shape(
            format!("{name}: time of two kernels relative to one"),
            expected.to_string(),
            format!("{:.3}", two / one),
            (two / one - expected).abs() < SLACK,
        ));
        shown.because(format!("{name}: one kernel takes {one} ns, two take {two} ns."));
    }
    let serial = span(runner, runner.chip("fermi", &[("dispatch.concurrent_kernels", "1")])?, 2)?;
    let both = span(runner, runner.chip("fermi", &[])?, 2)?;
    shown.find(Finding::shape(
        "a Fermi that runs one kernel at a time takes longer",
        "more than 1.5 times",
        format!("{:.3}", serial / both),
        serial > 1.5 * both,
    ));
    shown.because(format!(
        "{BLOCKS} blocks leave SMs free, and Fermi's dispatcher gives them to the second kernel; with \
         `dispatch.concurrent_kernels` \
         set to 1 it waits, and the two take {serial} ns instead of {both}."
    ));
    Ok(shown)
}
