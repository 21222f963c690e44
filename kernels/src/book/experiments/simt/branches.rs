//! SIMT-04, SIMT-16: branches that diverge within warps, branches that do not, and predicated
//! bodies without a branch.

use crate::RunError;
use crate::book::machines::{CHIPS, Everywhere, Machine};
use crate::book::probe::{Probe, branch};
use crate::book::{Claim, Experiment, Finding, Runner, Shown};
use sim_core::stats::Report;

pub static EXPERIMENTS: &[Experiment] = &[
    Experiment { id: "SIMT-04", show: within_and_between_warps },
    Experiment { id: "SIMT-16", show: short_bodies },
];

const DIVERGENCE: &str = include_str!("../../../../ptx/book/divergence.ptx");
const GUARDS: &str = include_str!("../../../../ptx/book/guards.ptx");
/// SIMT-04 runs blocks of 1 to this number of warps.
const MOST_WARPS: u32 = 6;
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

/// SIMT-04: `tid > 2` diverges in warp 0 only; `tid / 32 > 2` separates warps but no warp's
/// threads. The blocks grow by one warp at a time: a count that stays 1 from the first block on
/// identifies warp 0.
fn within_and_between_warps(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    let [bound] = claim.read("`if (tid > {})`")?;
    let [warp_size, warp_bound] = claim.read("`if (tid / {} > {})`")?;
    let [bound, size, warp_bound] = [bound, warp_size, warp_bound].map(|n| n as u32);
    claim.says("first diverges in warp 0 only")?;
    claim.says("second never diverges")?;
    let mut shown =
        Shown::new(format!("blocks of 1 to {MOST_WARPS} warps on every chip, timed and functional"));
    let within = format!("tid > {bound}");
    let between = format!("tid / {size} > {warp_bound}");
    let in_warp_0 = |thread: u32| if thread > bound { 1 } else { 2 };
    let by_warp = |thread: u32| if thread / size > warp_bound { 1 } else { 2 };
    let kinds: [(_, _, &dyn Fn(u32) -> u32, f64); 2] =
        [(&within, "above_two", &in_warp_0, 1.0), (&between, "warp_above_two", &by_warp, 0.0)];
    for (what, entry, value, divergent) in kinds {
        // For each machine: executed branches, divergent branches and wrong results, by the number
        // of warps.
        let found = Everywhere::run(&CHIPS, |machine| {
            let mut counts = [Vec::new(), Vec::new(), Vec::new()];
            for warps in 1..=MOST_WARPS {
                let ran = run_on(runner, machine, "divergence.ptx", DIVERGENCE, entry, warps * size)?;
                let control = &ran.report.control;
                let of_line = branch(&ran.report, "@%p bra")?.1;
                if of_line != control.divergent_branches {
                    return Err(RunError::Wrong(format!("{machine}: a line other than the branch diverges")));
                }
                let found = [control.branches, of_line, wrong(&ran, value) as u64];
                counts.iter_mut().zip(found).for_each(|(list, count)| list.push(count as f64));
            }
            Ok(counts)
        })?;
        let all: Vec<f64> = (1..=MOST_WARPS).map(f64::from).collect();
        let expected = [all, vec![divergent; MOST_WARPS as usize], vec![0.0; MOST_WARPS as usize]];
        let names = ["branches", "divergent ones", "wrong results"];
        for (i, (name, expected)) in names.into_iter().zip(&expected).enumerate() {
            shown.find(found.exact_list(format!("{what}: {name}, by warps"), expected, |c| c[i].clone()));
        }
    }
    shown.because(format!(
        "Threads 0 to {bound} and {} to {} are in warp 0 and take different paths, and no added warp diverges; `tid / {size}` is \
         the same for all threads of a warp.",
        bound + 1,
        size - 1
    ));
    Ok(shown)
}

/// SIMT-16: a short body under a guard. The lowering keeps branches and guards of the PTX, so both
/// forms of the `if` run.
fn short_bodies(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    claim.says("predicated instead of branched where the lowering does so")?;
    claim.says("no divergence, fewer branch slots")?;
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
