//! SIMT-05: a loop with different trip counts per lane.

use crate::machines::{CHIPS, Everywhere, Machine};
use crate::probe::Probe;
use crate::tools::ensure;
use crate::{Claim, Experiment, Runner, Shown};
use kernels::RunError;
use sim_core::host::Arg;
use sim_core::stats::Report;

pub static EXPERIMENTS: &[Experiment] = &[Experiment { id: "SIMT-05", show: trips_by_lane }];

const DIVERGENCE: &str = include_str!("../../../../kernels/ptx/book/divergence.ptx");
/// Instructions of the loop: two additions, the comparison, the branch.
const BODY: u64 = 4;
/// Trips are limited to 1 up to this number.
const MOST: u32 = 9;
const LANES: u32 = 32;

/// Runs one warp with at most `most` iterations.
fn run(runner: &Runner, machine: Machine, most: u32) -> Result<Report, RunError> {
    let mut probe = Probe::new(runner, runner.chip(machine.chip, &[])?, "divergence.ptx", DIVERGENCE)?;
    let launch = probe.launch("trips_by_lane", 1, LANES).args([Arg::U32(most)]).mode(machine.mode);
    let (report, out) = probe.words(launch, LANES as usize)?;
    let right = (0..LANES).zip(&out).all(|(lane, word)| *word == 5 * (6 + lane % 3).min(most));
    ensure(right, format!("{machine}: wrong counts in at most {most} iterations"))?;
    Ok(report)
}

/// Result of a machine.
struct Found {
    /// Passes of each trip, and their active lanes.
    passes: Vec<u64>,
    lanes: Vec<u64>,
    /// Branches that diverged.
    divergent: u64,
    /// Whether all lanes were active before and after the loop.
    whole_around: bool,
}

impl Found {
    /// Computes each trip as the difference between launches with limits 1, 2, …
    fn of(reports: &[Report]) -> Result<Self, RunError> {
        let (first, last) = (&reports[0], &reports[reports.len() - 1]);
        let (mut passes, mut lanes) = (vec![1], vec![u64::from(LANES)]);
        for pair in reports.windows(2) {
            let [before, now] = [&pair[0].instructions, &pair[1].instructions];
            let more = (now.warp - before.warp, now.thread - before.thread);
            ensure(more.0 % BODY == 0 && more.1 % BODY == 0, "a trip is not a whole number of loop bodies")?;
            passes.push(more.0 / BODY);
            lanes.push(more.1 / BODY);
        }
        let around = first.instructions.warp - BODY;
        let whole = first.instructions.thread == u64::from(LANES) * first.instructions.warp;
        let rest = last.instructions.thread - BODY * lanes.iter().sum::<u64>();
        let whole_around = whole && rest == u64::from(LANES) * around;
        Ok(Self { passes, lanes, divergent: last.control.divergent_branches, whole_around })
    }
}

/// Compares the iterations of each machine with the claim.
fn trips_by_lane(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    let trips = claim.numbers(["trips1", "trips2", "trips3"]).map(|n| n as u32);
    let [first, together] = claim.numbers(["first", "together"]).map(|n| n as u32);
    let reduced = claim.numbers(["reduced1", "reduced2"]).map(|n| n as u32);
    let mut shown =
        Shown::new("one warp whose lane l makes 6 + l mod 3 iterations, on every chip, timed and functional");
    let found = Everywhere::run(&CHIPS, |machine| {
        let reports = (1..=MOST).map(|most| run(runner, machine, most)).collect::<Result<Vec<_>, _>>()?;
        Found::of(&reports)
    })?;
    let lanes_of = |trip: u32| (0..LANES).filter(|lane| trips[(lane % 3) as usize] >= trip).count() as u64;
    let floats = |list: &[u64]| list.iter().map(|n| *n as f64).collect::<Vec<_>>();
    let lanes: Vec<u64> = (1..=MOST).map(lanes_of).collect();
    let passes: Vec<u64> = lanes.iter().map(|lanes| u64::from(*lanes > 0)).collect();
    shown.find(found.exact_list("passes of iterations 1 to 9", &floats(&passes), |f| floats(&f.passes)));
    shown.find(found.exact_list("lanes of iterations 1 to 9", &floats(&lanes), |f| floats(&f.lanes)));
    let whole = |f: &Found| f.lanes.iter().filter(|lanes| **lanes == u64::from(LANES)).count();
    shown.find(found.exact("iterations with all lanes", (first..=together).count(), whole));
    let fewer = |f: &Found| {
        let some = f.lanes.iter().zip(1..).filter(|(lanes, _)| (1..u64::from(LANES)).contains(*lanes));
        some.map(|(_, trip)| f64::from(trip)).collect()
    };
    shown.find(found.exact_list("iterations with a reduced mask", &reduced.map(f64::from), fewer));
    shown.find(found.exact("instructions around the loop have all lanes", true, |f| f.whole_around));
    shown.find(found.exact("branches that diverge", reduced.len() as u64, |f| f.divergent));
    shown.because(format!(
        "The branch at the end of a trip separates the lanes that have finished from the others, which make another trip; the \
         finished lanes wait at the loop's exit. Active lanes: {} of {LANES} in trip {}, {} in trip {}.",
        lanes_of(reduced[0]),
        reduced[0],
        lanes_of(reduced[1]),
        reduced[1]
    ));
    Ok(shown)
}
