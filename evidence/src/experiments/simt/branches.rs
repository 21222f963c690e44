//! SIMT-16: predicated bodies without a branch.

use crate::machines::{CHIPS, Everywhere, Machine};
use crate::probe::Probe;
use crate::{Claim, Experiment, Finding, Runner, Shown};
use kernels::RunError;
use sim_core::stats::Report;

pub static EXPERIMENTS: &[Experiment] = &[Experiment { id: "SIMT-16", show: short_bodies }];

const GUARDS: &str = include_str!("../../../../kernels/ptx/book/guards.ptx");
/// Warps of the block for SIMT-16.
const WARPS: u32 = 2;

/// Result of one block of `entry`.
struct Ran {
    report: Report,
    /// Output of the threads.
    out: Vec<u32>,
}

/// Runs one block of `threads` threads.
fn run_on(
    runner: &Runner,
    machine: Machine,
    file: &'static str,
    text: &str,
    entry: &str,
    threads: u32,
) -> Result<Ran, RunError> {
    let mut probe = Probe::new(runner, runner.chip(machine.chip, &[])?, file, text)?;
    let launch = probe.launch(entry, 1, threads).mode(machine.mode);
    let (report, out) = probe.words(launch, threads as usize)?;
    Ok(Ran { report, out })
}

/// Executed and divergent branches of a launch.
fn branches(ran: &Ran) -> Vec<f64> {
    vec![ran.report.control.branches as f64, ran.report.control.divergent_branches as f64]
}

/// Counts the threads whose word differs from `expected` of their index.
fn wrong(ran: &Ran, expected: impl Fn(u32) -> u32) -> usize {
    ran.out.iter().zip(0..).filter(|(word, thread)| **word != expected(*thread)).count()
}

/// SIMT-16: a short body under a guard. The lowering keeps branches and guards of the PTX, so both
/// forms of the `if` run.
fn short_bodies(runner: &Runner, _: &Claim) -> Result<Shown, RunError> {
    let mut shown =
        Shown::new("a short if, with a branch and with guards, on every chip, timed and functional");
    let results = |thread: u32| if thread % 32 > 15 { 2 * (thread % 32) + 1 } else { thread % 32 };
    let [branched, guarded] = ["branched", "guarded"].map(|entry| {
        Everywhere::run(&CHIPS, |machine| run_on(runner, machine, "guards.ptx", GUARDS, entry, 32 * WARPS))
    });
    let (branched, guarded) = (branched?, guarded?);
    let all = f64::from(WARPS);
    for (what, found, expected) in [("branched", &branched, [all, all]), ("guarded", &guarded, [0.0, 0.0])] {
        shown.find(found.exact(format!("{what}: wrong results"), 0, |ran| wrong(ran, results)));
        shown.find(found.exact_list(format!("{what}: branches, divergent ones"), &expected, branches));
    }
    let issued = |ran: &Ran| ran.report.instructions.warp as f64;
    let slots = |found: &Everywhere<Ran>| found.iter().map(|(_, ran)| issued(ran)).collect::<Vec<_>>();
    let one_less = slots(&branched).iter().map(|issued| issued - all).collect::<Vec<_>>();
    let what = "instructions issued with guards: those with branches minus the branches";
    shown.find(Finding::exact_list(what, &one_less, &slots(&guarded)));
    for ((machine, slow), (_, fast)) in branched.iter().zip(guarded.iter()) {
        if let (Some(slow), Some(fast)) = (&slow.report.timing, &fast.report.timing) {
            shown.because(format!(
                "{machine}: {} slots and {} cycles with a branch around two instructions, {} and {} with guards.",
                slow.slots.outcomes.issued, slow.cycles, fast.slots.outcomes.issued, fast.cycles
            ));
        }
    }
    shown.because(
        "Guards in PTX stay guards of the machine, and branches in PTX stay branches, however short their body is.",
    );
    Ok(shown)
}
