//! PERF-01 to PERF-03: the roofline bound that its loads set for a matrix product.

use super::products::{Widths, in_words, product};
use crate::RunError;
use crate::book::finding::significant;
use crate::book::tools::timing;
use crate::book::why::Shares;
use crate::book::{Claim, Experiment, Finding, Runner, Shown};
use crate::matmul::Tiled;
use crate::measure::programs::matmul::{ELEMENTWISE, Variant};
use sim_core::stats::Report;
use sim_core::stats::build::chip_report;

pub static EXPERIMENTS: &[Experiment] = &[
    Experiment { id: "PERF-01", show: naive },
    Experiment { id: "PERF-02", show: tiled },
    Experiment { id: "PERF-03", show: on_fermi },
];

/// The bound is the same at any width.
const WIDTHS: Widths = Widths::UNNAMED;
const TILED: Variant = Variant { tiled: Some(Tiled::new(16)), registers: None };

/// Rounds a number as the report prints it.
fn tenth(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

fn rooflines(shown: &mut Shown, what: &str, report: &Report, cgma: f64, bound: f64) {
    let global = &timing(report).global;
    shown.find(Finding::exact(format!("{what}: operations per word loaded (CGMA)"), cgma, global.cgma));
    shown.find(Finding::exact(
        format!("{what}: roofline bound of the loads, GFLOP/s"),
        bound,
        tenth(global.load_roof_gflops),
    ));
}

fn naive(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    let [bound, cgma] = claim.read("roof = {} GFLOP/s at CGMA {} (exact)")?;
    let [peak] = claim.read("MAD peak of {} (the text")?;
    let [bandwidth] = claim.read("{} GB/s")?;
    let chip = runner.chip("g80", &[])?;
    let mut shown = Shown::new(format!("matmul-naive on G80: {}", in_words(runner, WIDTHS)));
    let (gflops, report) = product(runner, &chip, ELEMENTWISE, WIDTHS)?;
    shown.find(Finding::exact("peak bandwidth, GB/s", bandwidth, tenth(report.chip.peak_gbps)));
    shown.find(Finding::exact("peak of multiply-adds, GFLOP/s", peak, tenth(report.chip.peak_gflops)));
    rooflines(&mut shown, "no tiles", &report, cgma, bound);
    shown.find(Finding::reported("simulated rate, GFLOP/s", "", significant(gflops)));
    let global = &timing(&report).global;
    shown.because(format!(
        "Each multiply-add, 2 operations, loads 2 words: {bandwidth} GB/s / 4 B x {cgma} = {bound} GFLOP/s, {:.0} % of the peak. \
         The rate is below this bound because the half-warps' loads of one word of M do not coalesce: {} bytes are moved for \
         each requested byte, which leaves {} GFLOP/s; {}.",
        100.0 * bound / peak,
        significant(1.0 / global.load_efficiency),
        significant(bound * global.load_efficiency),
        Shares::of(&report).dram_in_words()
    ));
    Ok(shown)
}

fn tiled(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    let [bound] = claim.read("bandwidth roof {} GFLOP/s")?;
    let [side] = claim.read("{}x16 tiled")?;
    let chip = runner.chip("g80", &[])?;
    let mut shown = Shown::new(format!("the 16 x 16 tiled product on G80: {}", in_words(runner, WIDTHS)));
    let (gflops, report) = product(runner, &chip, TILED, WIDTHS)?;
    rooflines(&mut shown, "tiled", &report, side, bound);
    shown.find(Finding::reported("simulated rate, GFLOP/s", "", significant(gflops)));
    shown.because(format!(
        "Each word is used {side} times, so the roofline bound is {side} times that of the product without tiles and equals the \
         peak of the multiply-adds, {} GFLOP/s: the instructions limit, not the DRAM.",
        tenth(report.chip.peak_gflops)
    ));
    Ok(shown)
}

/// The slide's chip has 150 GB/s.
fn on_fermi(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    let [bandwidth] = claim.read("{} GB/s")?;
    let [bound] = claim.read("roof {} GFLOP/s (exact)")?;
    let [lifted] = claim.read("lifts it to {}")?;
    let [about] = claim.read("'about {}'")?;
    let mut chip = runner.chip("fermi", &[])?;
    let own = chip_report(&chip).peak_gbps;
    chip.clocks.memory_khz = (chip.clocks.memory_khz as f64 * bandwidth / own).round() as u64;
    let (cached, report) = product(runner, &chip, ELEMENTWISE, WIDTHS)?;
    let mut shown = Shown::new(format!(
        "matmul-naive and the 16 x 16 tiled product on Fermi whose DRAM clock is set so that it has {} GB/s: {}",
        tenth(report.chip.peak_gbps),
        in_words(runner, WIDTHS)
    ));
    rooflines(&mut shown, "no tiles", &report, 4.0 * bound / bandwidth, bound);
    let (_, with_tiles) = product(runner, &chip, TILED, WIDTHS)?;
    rooflines(&mut shown, "tiled", &with_tiles, lifted / bound, lifted);

    let mut bare = chip.clone();
    bare.sm.l1 = None;
    bare.partition.l2 = None;
    let (uncached, _) = product(runner, &bare, ELEMENTWISE, WIDTHS)?;
    let mut second = chip.clone();
    second.sm.l1 = None;
    let (behind_l2, _) = product(runner, &second, ELEMENTWISE, WIDTHS)?;
    for (what, value) in [("L1 and L2", cached), ("L2 alone", behind_l2), ("no cache", uncached)] {
        shown.find(Finding::reported(
            format!("no tiles, {what}: GFLOP/s"),
            format!("about {about}"),
            significant(value),
        ));
    }
    shown.because(format!(
        "The roofline bound assumes that every word comes from the DRAM. But a warp's lanes share the word of M and the line of \
         N, and the caches keep data that other warps use again: with caches the product runs at {} GFLOP/s, without them at \
         {}.",
        significant(cached),
        significant(uncached)
    ));
    Ok(shown)
}
