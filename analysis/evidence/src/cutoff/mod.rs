//! PERF-15: potential maps with a cutoff compared with direct summation, over the volume of the
//! map.
//!
//! This claim is no row of runs and comparisons: its times follow from a model of samples
//! (`times`), and its volumes from a search over the sides of the maps.

mod times;

use crate::finding::significant;
use crate::why::Used;
use crate::{Claim, Finding, Runner, Shown, Size, why};
use kernels::RunError;
use kernels::coulomb::atoms::SPACING;
use kernels::cutoff::{Bins, Problem};
use sim_core::config::Chip;
use sim_core::stats::Report;
use times::{Sample, Sweep, large_samples, small_sample, whole_large, whole_small};

/// Sides in points of the two maps between which growth is measured: 80 and 160 Å.
const GROWTH: [u32; 2] = [160, 320];
/// The same for direct summation, 128 and 256 Å: a slice of these, padded or not, fills all SMs, in
/// one round of two blocks of the third version or in several rounds. Direct summation works slice
/// by slice, and smaller slices leave SMs idle.
const FILLED: [u32; 2] = [256, 512];
/// Speedups of small bins over the host's own cutoff code: "runs 12 to 20 times faster than
/// optimized CPU-only code", on a G80 (Rodrigues, Hardy, Stone, Schulten, Hwu: GPU acceleration of
/// cutoff pair potentials for molecular modeling applications, Computing Frontiers 2008, abstract).
const FASTER: [f64; 2] = [12.0, 20.0];
/// Points along each axis of the maps that are simulated completely for comparison, for the
/// binnings and for direct summation.
const WHOLE: u32 = 80;
const DIRECT_WHOLE: u32 = 24;
/// Tolerance of the times from samples there. Samples are from the middle of a large map; these
/// maps are almost all border, with fewer atoms around a large bin and more of them near it.
const BORDER: f64 = 0.2;
/// Factor for "slightly ahead".
const SLIGHTLY: f64 = 1.5;
/// Factor for "about": the volumes are powers of ten, read off a logarithmic axis, and the host is
/// not simulated.
const ABOUT: f64 = 10.0;

/// Volume in cubic Å of a cube with `side` points along each axis.
fn volume(side: u32) -> f64 {
    (f64::from(side) * f64::from(SPACING)).powi(3)
}

/// Points along each axis of a cube of this volume.
fn side(volume: f64) -> u32 {
    (volume.cbrt() / f64::from(SPACING)).round() as u32
}

/// Sides of the maps for the comparison of the host with direct summation: in steps of about 5 %,
/// at least 2 points.
fn sides() -> Vec<u32> {
    std::iter::successors(Some(6u32), |n| Some((f64::from(*n) * 1.05) as u32 / 2 * 2 + 2))
        .take_while(|n| *n <= GROWTH[1])
        .collect()
}

/// Runs the experiment.
///
/// # Errors
/// A launch failed, or the claim's volume is not that of a map.
pub fn over_the_volume(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    let [near] = claim.numbers(["near"]);
    let about = claim.numbers(["below", "above"]);
    if (volume(side(near)) - near).abs() > 0.5 {
        let why = format!("{near} cubic angstrom is not a cube of whole grid steps");
        return Err(RunError::Unfinished(why));
    }
    let chip = runner.chip("g80", &[])?;
    let mut shown = Shown::new(format!(
        "coulomb-v1 to -v3, the fastest for each size, cutoff-large-bin, cutoff-small-bin on G80: cubes of water, \
         points {SPACING} angstrom apart, cutoff 12 angstrom; at \
         {near} cubic angstrom complete maps with both binnings, all other times from samples of the kernels"
    ));
    let sweep = samples(runner, &chip, &mut shown)?;
    both_binnings(runner, &chip, near, &mut shown)?;
    let fastest = growth(&sweep, &mut shown);
    host(&sweep, fastest, about, &mut shown);
    if runner.size == Size::Full {
        samples_against_the_whole(runner, &chip, &sweep, &mut shown)?;
    }
    Ok(shown)
}

/// Takes the samples and determines the limiters of the kernels.
fn samples<'b>(runner: &'b Runner, chip: &Chip, shown: &mut Shown) -> Result<Sweep<'b>, RunError> {
    let unit = "G tested pairs/s";
    let rate = |sample: &Sample| sample.pairs / sample.ns;
    let [few, many] = large_samples(runner, chip)?;
    why::explain(shown, "large bin", unit, (rate(&many), &Used::of(&many.report)), |twice| {
        Ok(rate(&large_samples(runner, &why::twice(chip, twice))?[1]))
    })?;
    let small = small_sample(runner, chip)?;
    why::explain(shown, "small bin", unit, (rate(&small), &Used::of(&small.report)), |twice| {
        Ok(rate(&small_sample(runner, &why::twice(chip, twice))?))
    })?;
    Sweep::new(runner, chip, [few, many], &small)
}

/// Compares both binnings near the volume where large bins are ahead, with complete maps.
fn both_binnings(runner: &Runner, chip: &Chip, near: f64, shown: &mut Shown) -> Result<(), RunError> {
    let problem = Problem::cube(side(near));
    let bins = Bins::of(&problem);
    let (large, large_report) = whole_large(runner, chip, &problem)?;
    let (small, small_report) = whole_small(runner, chip, &problem, &bins)?;
    shown.find(Finding::shape(
        format!("{near} cubic angstrom: time of small bins to large bins"),
        format!("above 1, below {SLIGHTLY}"),
        significant(small / large),
        small > large && small < SLIGHTLY * large,
    ));
    let million = |report: &Report| significant(report.instructions.warp as f64 / 1e6);
    shown.because(format!(
        "At {near} cubic angstrom a large bin holds all {} atoms: {} us and {} million warp instructions; small bins, with {} \
         overflow atoms left to the host: {} us and {} million.",
        problem.atoms.len(),
        significant(large / 1e3),
        million(&large_report),
        bins.overflow.len(),
        significant(small / 1e3),
        million(&small_report)
    ));
    Ok(())
}

/// Checks the growth of the times with the volume, and the fastest method. Returns the rate of
/// small bins at the larger map, in pairs within the cutoff per nanosecond.
fn growth(sweep: &Sweep<'_>, shown: &mut Shown) -> f64 {
    let mut times = Vec::new();
    let mut rate = 0.0;
    for side in GROWTH {
        let problem = Problem::cube(side);
        let bins = Bins::of(&problem);
        let small = sweep.small(&problem, &bins);
        rate = problem.pairs(500) / small;
        times.push([sweep.direct(side), sweep.large(&problem), small]);
    }
    let growing = [
        ("direct summation", 2.0, FILLED, FILLED.map(|side| sweep.direct(side))),
        ("large bin", 1.0, GROWTH, [times[0][1], times[1][1]]),
        ("small bin", 1.0, GROWTH, [times[0][2], times[1][2]]),
    ];
    for (name, power, sides, [first, second]) in growing {
        let exponent = (second / first).ln() / (volume(sides[1]) / volume(sides[0])).ln();
        shown.find(Finding::shape(
            format!(
                "{name}, {} to {} cubic angstrom: grows with the volume to the power of",
                volume(sides[0]),
                volume(sides[1])
            ),
            format!("{power}, within 0.15"),
            significant(exponent),
            (exponent - power).abs() < 0.15,
        ));
    }
    for (side, [direct, large, small]) in GROWTH.into_iter().zip(&times) {
        shown.find(Finding::shape(
            format!("{} cubic angstrom: fastest", volume(side)),
            "small bin",
            format!(
                "seconds: small bin {}, large bin {}, direct {}",
                significant(small / 1e9),
                significant(large / 1e9),
                significant(direct / 1e9)
            ),
            small < large && small < direct,
        ));
    }
    rate
}

/// Finds the volumes at which the host's own cutoff code is faster than direct summation. `fastest`
/// is the rate of small bins in pairs per nanosecond.
fn host(sweep: &Sweep<'_>, fastest: f64, about: [f64; 2], shown: &mut Shown) {
    let times: Vec<(u32, f64, f64)> =
        sides().into_iter().map(|side| (side, Problem::cube(side).pairs(100), sweep.direct(side))).collect();
    let rates = FASTER.map(|times| fastest / times);
    let crossings = rates.map(|rate| {
        let ahead = |(_, pairs, direct): &&(u32, f64, f64)| pairs / rate < *direct;
        let last = times.iter().take_while(ahead).last();
        let again = times.iter().rev().take_while(ahead).last();
        [last, again].map(|found| found.map_or(f64::NAN, |(side, ..)| volume(*side)))
    });
    for (i, (which, expected)) in ["below", "above"].into_iter().zip(about).enumerate() {
        let found = [crossings[0][i], crossings[1][i]];
        shown.find(Finding::shape(
            format!("the host's code beats direct summation {which} a volume of"),
            format!("about {expected}: within a factor of {ABOUT} for both hosts"),
            format!(
                "{} (host {} times slower than small bins) to {} ({} times)",
                significant(found[0]),
                FASTER[0],
                significant(found[1]),
                FASTER[1]
            ),
            found.iter().all(|volume| (expected / ABOUT..=expected * ABOUT).contains(volume)),
        ));
    }
    if let Some((side, pairs, direct)) = times.iter().find(|(side, ..)| volume(*side) >= about[1]) {
        shown.because(format!(
            "At {} cubic angstrom direct summation takes {} s and the host {} to {} s. Padded slices, and SMs that are idle in \
             the last round, make direct summation lose at a smaller volume than its operations alone would.",
            volume(*side),
            significant(direct / 1e9),
            significant(pairs / rates[0] / 1e9),
            significant(pairs / rates[1] / 1e9)
        ));
    }
    shown.because(format!(
        "The host is not simulated. Its assumed rate is {} to {} million pairs within the cutoff per second: {} to {} times \
         less than that of small bins here, as published (Rodrigues et al. 2008).",
        significant(rates[1] * 1e3),
        significant(rates[0] * 1e3),
        FASTER[0],
        FASTER[1]
    ));
}

/// Compares times from samples with complete maps.
fn samples_against_the_whole(
    runner: &Runner,
    chip: &Chip,
    sweep: &Sweep<'_>,
    shown: &mut Shown,
) -> Result<(), RunError> {
    let problem = Problem::cube(WHOLE);
    let bins = Bins::of(&problem);
    let few = Problem::cube(DIRECT_WHOLE);
    let compared = [
        ("large bin", WHOLE, sweep.large(&problem), whole_large(runner, chip, &problem)?.0),
        ("small bin", WHOLE, sweep.small(&problem, &bins), whole_small(runner, chip, &problem, &bins)?.0),
        ("direct summation", DIRECT_WHOLE, sweep.direct(DIRECT_WHOLE), sweep.whole_direct(&few)?),
    ];
    for (name, side, sampled, whole) in compared {
        shown.find(Finding::shape(
            format!(
                "{name}, {} cubic angstrom: time from samples relative to the complete map",
                volume(side)
            ),
            format!("1, within {BORDER}"),
            significant(sampled / whole),
            (sampled / whole - 1.0).abs() < BORDER,
        ));
    }
    Ok(())
}
