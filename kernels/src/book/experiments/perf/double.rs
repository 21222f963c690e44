//! PERF-12: double precision compared with single precision.

use crate::RunError;
use crate::book::chain::Chain;
use crate::book::finding::significant;
use crate::book::{Claim, Experiment, Finding, Runner, Shown};

pub static EXPERIMENTS: &[Experiment] = &[Experiment { id: "PERF-12", show: rates }];

/// Tolerance of "about", in percent.
const ABOUT: f64 = 5.0;

/// Returns single- and double-precision multiply-adds per clock and SM, with 16 warps.
fn rate(runner: &Runner, name: &str) -> Result<(f64, f64), RunError> {
    let chip = runner.chip(name, &[])?;
    let single = if chip.capability.major == 1 { "mad.f32" } else { "fma.rn.f32" };
    let chain = Chain::on(chip).warps(16);
    // Four chains in each warp hide the latency.
    let four = ["%v", "%a", "%b", "%c"].map(|r| format!("{single} {r}, {r}, %w, %w;")).join(" ");
    let single = 4.0 * chain.rate(&four, 24)?;
    let double = chain.rate("fma.rn.f64 %x, %x, %y, %y;", 48)?;
    Ok((single, double))
}

fn rates(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    let [one, gt200, half_one, fermi] = claim.read("GT200 about {}/{}; Fermi (Tesla) {}/{}")?;
    let mut shown =
        Shown::new("chains of multiply-adds in 16 warps of one SM, in single and in double precision");
    for (name, expected) in [
        ("gt200", one / gt200),
        ("c1060", one / gt200),
        ("c2050", half_one / fermi),
        ("m2090", half_one / fermi),
        ("fermi", half_one / fermi / 4.0),
    ] {
        let (single, double) = rate(runner, name)?;
        let found = double / single;
        let error = 100.0 * (found / expected - 1.0);
        shown.find(Finding::shape(
            format!("{name}: ratio of double to single"),
            format!("{expected}, within {ABOUT} %"),
            significant(found),
            error.abs() < ABOUT,
        ));
        let chip = runner.chip(name, &[])?;
        let lanes = chip.sm.units.iter().find(|unit| unit.name == "dp").map_or(0, |unit| unit.lanes);
        shown.because(format!(
            "{name}: {} multiply-adds per clock and SM in single precision, {} in double, from a unit of \
             {lanes} lanes, which is a parameter of the chip file.",
            significant(single),
            significant(double)
        ));
    }
    shown.because(format!(
        "The claim's {half_one}/{fermi} is the ratio of Fermi's Tesla boards, c2050 and m2090. `fermi` is a GeForce, which has a \
         quarter of their double precision rate: {half_one}/{}.",
        4.0 * fermi
    ));
    Ok(shown)
}
