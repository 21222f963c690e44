//! FP-05: the same numbers summed in ascending order, in descending order, and as a tree.

use crate::finding::significant;
use crate::machines::{CHIPS, Everywhere, Machine};
use crate::probe::Probe;
use crate::{Claim, Experiment, Finding, Runner, Shown};
use kernels::RunError;
use kernels::numbers::whole;
use sim_core::host::Arg;

pub static EXPERIMENTS: &[Experiment] = &[Experiment { id: "FP-05", show: order_of_a_sum }];

const IN_ORDER: &str = include_str!("../../../../../kernels/ptx/book/in_order.ptx");
/// Terms of a series, as many as a block of the tree reduction sums.
const TERMS: usize = 512;
/// Number of series: the harmonic series and random ones.
const SERIES: usize = 64;

/// Returns the series in ascending order: 1 / 512 to 1, and random numbers with exponents from -12
/// to 0.
fn series() -> Vec<Vec<f32>> {
    let random = |which: usize, term: usize| {
        let index = (which * TERMS + term) as u64;
        let mantissa = whole(81, index, 0, (1 << 23) - 1) as u32;
        f32::from_bits(((127 + whole(82, index, -12, 0)) as u32) << 23 | mantissa)
    };
    let mut all: Vec<Vec<f32>> = (0..SERIES)
        .map(|which| {
            let term = |term| if which == 0 { 1.0 / (term as f32 + 1.0) } else { random(which, term) };
            (0..TERMS).map(term).collect()
        })
        .collect();
    for terms in &mut all {
        terms.sort_by(f32::total_cmp);
    }
    all
}

/// Returns the sums of all series, in ascending order, in descending order and as a tree.
fn sums(runner: &Runner, machine: Machine, series: &[Vec<f32>]) -> Result<[Vec<f32>; 3], RunError> {
    let floats = |words: Vec<u32>| words.into_iter().map(f32::from_bits).collect::<Vec<_>>();
    let in_order = |terms: &mut dyn Iterator<Item = usize>| {
        let values: Vec<u32> = terms.flat_map(|term| series.iter().map(move |s| s[term].to_bits())).collect();
        let mut probe = Probe::new(runner, runner.chip(machine.chip, &[])?, "in_order.ptx", IN_ORDER)?;
        let values = probe.lab.upload(&values)?;
        let args = [Arg::Ptr(values), Arg::U32(TERMS as u32), Arg::U32(SERIES as u32)];
        let launch = probe.launch("in_order", SERIES as u32 / 64, 64).mode(machine.mode).args(args);
        Ok::<_, RunError>(floats(probe.words(launch, SERIES)?.1))
    };
    let (ascending, descending) = (in_order(&mut (0..TERMS))?, in_order(&mut (0..TERMS).rev())?);

    let kernel =
        kernels::find("reduce-halving").ok_or_else(|| RunError::Unknown("reduce-halving".to_owned()))?;
    let mut probe = Probe::new(runner, runner.chip(machine.chip, &[])?, kernel.file, kernel.ptx)?;
    let values: Vec<u32> = series.iter().flatten().map(|term| term.to_bits()).collect();
    let (input, out) = (probe.lab.upload(&values)?, probe.lab.allocate(SERIES as u64)?);
    let args = [Arg::Ptr(input), Arg::Ptr(out), Arg::U32(values.len() as u32)];
    let launch = probe.launch("reduce_halving", SERIES as u32, TERMS as u32).mode(machine.mode).args(args);
    probe.run(&launch)?;
    Ok([ascending, descending, floats(probe.lab.download(out, SERIES)?)])
}

/// Returns the distance of each sum from the sum in double precision, in ulp of single precision.
fn errors(sums: &[f32], series: &[Vec<f32>]) -> Vec<f64> {
    let one = |(sum, terms): (&f32, &Vec<f32>)| {
        let exact: f64 = terms.iter().map(|term| f64::from(*term)).sum();
        let unit = 2.0_f64.powi((exact.to_bits() >> 52) as i32 - 1023 - 23);
        (f64::from(*sum) - exact).abs() / unit
    };
    sums.iter().zip(series).map(one).collect()
}

fn order_of_a_sum(runner: &Runner, _: &Claim) -> Result<Shown, RunError> {
    let series = series();
    let found = Everywhere::run(&CHIPS, |machine| sums(runner, machine, &series))?;
    let mut shown = Shown::new(format!(
        "1 + 1/2 + … + 1/{TERMS} and {} random series of as many terms, on every chip, timed and functional",
        SERIES - 1
    ));
    let Some((_, [ascending, descending, tree])) = found.iter().next() else { return Ok(shown) };
    let same = found.iter().all(|(_, other)| *other == [ascending.clone(), descending.clone(), tree.clone()]);
    let words = if same { "the same bits" } else { "different bits" };
    shown.find(Finding::shape("every chip and both machines", "the same bits", words, same));

    let bits = [ascending, descending, tree].map(|sums| sums[0].to_bits());
    let differ = bits[0] != bits[1] && bits[0] != bits[2] && bits[1] != bits[2];
    let [up, down, by_tree] = [ascending, descending, tree].map(|sums| errors(sums, &series));
    let text = format!("{} ascending, {} descending, {} as a tree", ascending[0], descending[0], tree[0]);
    shown.find(Finding::shape("harmonic sum: roundings", "different", text, differ));
    let text = format!("{} and {} ulp", significant(up[0]), significant(down[0]));
    let what = "harmonic sum: error ascending, descending";
    shown.find(Finding::shape(what, "ascending is smaller", text, up[0] < down[0]));
    let mean = |errors: &[f64]| errors.iter().sum::<f64>() / errors.len() as f64;
    let text = format!("{} and {} ulp", significant(mean(&up)), significant(mean(&down)));
    let what = format!("mean error of {SERIES} series ascending, descending");
    shown.find(Finding::shape(what, "ascending is smaller", text, mean(&up) < mean(&down)));
    let unlike = ascending.iter().zip(tree).filter(|(a, b)| a.to_bits() != b.to_bits()).count();
    let text = format!("{unlike} of {SERIES}");
    shown.find(Finding::shape("sums that differ in order and as a tree", "some", text, unlike > 0));
    shown.because(format!(
        "In ascending order, small terms are summed before they are added to a large sum; in descending order, each term loses \
         the bits below the last place of a sum that is large from the first term on. The tree adds numbers of similar \
         size; its mean error is {} ulp.",
        significant(mean(&by_tree))
    ));
    Ok(shown)
}
