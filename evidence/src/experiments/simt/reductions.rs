//! SIMT-06, SIMT-07: warps that diverge in a sum reduction, iteration by iteration.

use crate::divergent_warps::DivergentWarps;
use crate::machines::CHIPS;
use crate::probe::{Probe, branch};
use crate::tools::{ensure, follows, pointers, timing};
use crate::{Claim, Experiment, Finding, Runner, Shown};
use kernels::RunError;
use sim_core::host::{Arg, Mode};

pub static EXPERIMENTS: &[Experiment] =
    &[Experiment { id: "SIMT-06", show: interleaved }, Experiment { id: "SIMT-07", show: halving }];

/// Elements of the only block.
const ELEMENTS: u32 = 512;
const WARPS: u32 = ELEMENTS / 32;
/// Active lanes and divergent warps of each iteration.
type Trips = Vec<(u64, u64)>;

/// Returns the iterations of a reduction of one block, and the warps that diverge in all of it. The
/// loop end of the built-in kernel `workload`, the line `last`, is replaced by `cut(k)`, which ends
/// the loop after k iterations: iteration k is the difference between k and k - 1.
fn trips(
    runner: &Runner,
    chip: &str,
    workload: &str,
    last: &str,
    cut: impl Fn(u32) -> String,
) -> Result<(Trips, Vec<f64>), RunError> {
    let known = kernels::find(workload).ok_or_else(|| RunError::Unknown(workload.to_owned()))?;
    ensure(
        known.ptx.matches(last).count() == 1,
        format!("the loop of {workload} does not end with `{last}`"),
    )?;
    let values: Vec<u32> = (0..ELEMENTS as u16).map(|i| f32::from(i).to_bits()).collect();
    let all = ELEMENTS.ilog2();
    let (mut before, mut found, mut diverge) = ((0, 0), Trips::new(), Vec::new());
    for trips in 1..=all {
        let text = known.ptx.replace(last, &cut(trips));
        let mut probe = Probe::new(runner, runner.chip(chip, &[])?, known.file, &text)?;
        let (input, out) = (probe.lab.upload(&values)?, probe.lab.allocate(1)?);
        let mut args = pointers(&[input, out]);
        args.push(Arg::U32(ELEMENTS));
        let divergent_warps = DivergentWarps::of(&mut probe.lab.gpu);
        let report = probe.run(&probe.launch(&workload.replace('-', "_"), 1, ELEMENTS).args(args))?;
        if trips == all {
            let sum = (ELEMENTS / 2 * (ELEMENTS - 1)) as f32;
            ensure(probe.lab.download(out, 1)? == [sum.to_bits()], format!("wrong sum of {workload}"))?;
        }
        ensure(timing(&report).shared.load.conflict_passes == 0, format!("{workload} has bank conflicts"))?;
        // An active lane loads two words per iteration; one lane loads one word after the loop.
        let lanes = (timing(&report).shared.load.bytes_asked - 4) / 8;
        let (executed, divergent) = branch(&report, "@%idle bra")?;
        let every = executed == u64::from(WARPS * trips) || divergent == 0;
        ensure(every, "a warp does not test in every iteration whether its lanes are active")?;
        ensure(report.control.divergent_branches == divergent, "another branch diverges")?;
        found.push((lanes - before.0, divergent - before.1));
        before = (lanes, divergent);
        diverge = divergent_warps.warps();
    }
    Ok((found, diverge))
}

/// Returns the divergent branches of the built-in kernel on one block, which must be the same timed
/// and functional.
fn divergent(runner: &Runner, chip: &str, workload: &str) -> Result<u64, RunError> {
    let run = |mode| {
        let chip = runner.chip(chip, &[])?;
        let outcome = runner.workload_on(mode, chip, workload, Some(ELEMENTS.into()))?;
        Ok::<_, RunError>(outcome.reports[0].control.divergent_branches)
    };
    let (timed, functional) = (run(Mode::Timed)?, run(Mode::Functional)?);
    ensure(timed == functional, format!("{timed} divergent branches timed, {functional} functional"))?;
    Ok(timed)
}

fn list(numbers: impl IntoIterator<Item = u64>) -> Vec<f64> {
    numbers.into_iter().map(|n| n as f64).collect()
}

/// SIMT-06: a doubling stride. The active lanes are spread over all warps until there are fewer
/// lanes than warps.
fn interleaved(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    let [elements] = claim.numbers(["elements"]);
    let [iterations, first, last] = claim.numbers(["iterations", "first", "last"]);
    let [from] = claim.numbers(["from"]);
    let mut shown = Shown::new(format!("reduce-interleaved on one block of {ELEMENTS} elements, every chip"));
    shown.find(Finding::exact("elements", elements, ELEMENTS.into()));
    for chip in CHIPS {
        let cut = |k: u32| format!("setp.lt.u32\t%more, %stride, {};", 1u32 << k);
        let (trips, diverge) =
            trips(runner, chip, "reduce-interleaved", "setp.lt.u32\t%more, %stride, %threads;", cut)?;
        let working = trips.iter().filter(|(lanes, _)| *lanes > 0).count();
        shown.find(Finding::exact(format!("{chip}: iterations"), iterations, working as f64));
        let every = |(_, trip): &((u64, u64), u32)| (first as u32..=last as u32).contains(trip);
        let numbered: Vec<_> = trips.iter().copied().zip(1..).collect();
        let whole: Vec<f64> = list(numbered.iter().filter(|t| every(t)).map(|((_, warps), _)| *warps));
        let what = format!("{chip}: divergent warps of {WARPS} in iterations {first} to {last}");
        shown.find(Finding::exact_list(what, &vec![f64::from(WARPS); (last - first) as usize + 1], &whole));
        // One active lane in each of the warps that still have one.
        let rest = numbered.iter().filter(|(_, trip)| f64::from(*trip) >= from);
        let (lanes, warps): (Vec<u64>, Vec<u64>) = rest.map(|(trip, _)| *trip).unzip();
        let what = format!("{chip}: from the {from}th on, warps that still hold a working lane");
        let holding: Vec<f64> =
            (from as u32..=iterations as u32).map(|trip| f64::from(ELEMENTS >> trip.min(31))).collect();
        shown.find(Finding::exact_list(what, &holding, &list(lanes)));
        shown.find(Finding::exact_list(format!("{chip}: of which diverge"), &holding, &list(warps)));
        let all = list((0..WARPS).map(u64::from));
        shown.find(Finding::exact_list(format!("{chip}: the warps that diverge"), &all, &diverge));
        let total = trips.iter().map(|(_, warps)| warps).sum::<u64>();
        let what = format!("{chip}: divergent branches of the whole kernel, timed and functional");
        shown.find(follows(what, total, divergent(runner, chip, "reduce-interleaved")?));
    }
    shown.because(format!(
        "The working threads are the multiples of twice the stride: at stride 16 one lane of each of the {WARPS} warps, \
         and \
         from stride 32 on one lane of every second, fourth, … warp; a warp without a working thread skips the addition."
    ));
    Ok(shown)
}

/// SIMT-07: a halving stride. The active lanes are packed.
fn halving(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    let [whole] = claim.numbers(["whole"]);
    let working = claim.list("working");
    let [last, most, least, warp] = claim.numbers(["last", "most", "least", "warp"]);
    let mut shown = Shown::new(format!("reduce-halving on one block of {ELEMENTS} elements, every chip"));
    for chip in CHIPS {
        let cut = |k: u32| format!("setp.gt.u32\t%more, %stride, {};", (ELEMENTS / 2) >> k);
        let (trips, diverge) = trips(runner, chip, "reduce-halving", "setp.ne.u32\t%more, %stride, 0;", cut)?;
        let (begin, end) = trips.split_at((whole as usize).min(trips.len()));
        let (lanes, warps): (Vec<u64>, Vec<u64>) = begin.iter().copied().unzip();
        let what = format!("{chip}: working lanes of the first {whole} iterations");
        shown.find(Finding::exact_list(what, &working, &list(lanes)));
        let none = vec![0.0; whole as usize];
        shown.find(Finding::exact_list(format!("{chip}: divergent warps of these"), &none, &list(warps)));
        shown.find(Finding::exact(format!("{chip}: iterations after these"), last, end.len() as f64));
        let (lanes, warps): (Vec<u64>, Vec<u64>) = end.iter().copied().unzip();
        let halves = std::iter::successors(Some(most), |lanes| (*lanes > least).then_some(lanes / 2.0));
        let what = format!("{chip}: working lanes of these");
        shown.find(Finding::exact_list(what, &halves.collect::<Vec<_>>(), &list(lanes)));
        let one = vec![1.0; end.len()];
        shown.find(Finding::exact_list(
            format!("{chip}: divergent warps of each of these"),
            &one,
            &list(warps),
        ));
        shown.find(Finding::exact_list(format!("{chip}: the warps that diverge"), &[warp], &diverge));
        let total = trips.iter().map(|(_, warps)| warps).sum::<u64>();
        let what = format!("{chip}: divergent branches of the whole kernel, timed and functional");
        shown.find(follows(what, total, divergent(runner, chip, "reduce-halving")?));
    }
    shown.because(
        "The working threads have indices below the stride: whole warps while it is a multiple of 32, then part of warp 0.",
    );
    Ok(shown)
}
