//! OCC-11, OCC-16: registers as a limit. One more register per thread costs a block, and a block
//! can need more registers than an SM has.

use crate::RunError;
use crate::book::experiments::perf::products::{self, Widths};
use crate::book::finding::significant;
use crate::book::probe::Probe;
use crate::book::residents::{limits_in_words, resident_with};
use crate::book::tools::bits;
use crate::book::{Claim, Experiment, Finding, Runner, Shown};
use crate::check::Check;
use crate::matmul::Tiled;
use crate::measure::programs::matmul::Variant;
use crate::numbers::wholes;
use sim_core::host::{Arg, HostError, LaunchError};
use sim_core::occupancy::{Exceeded, Limiter};
use sim_core::stats::report::RegistersSource;

pub static EXPERIMENTS: &[Experiment] = &[
    Experiment { id: "OCC-11", show: the_cliff },
    Experiment { id: "OCC-16", show: too_many_for_one_block },
];

/// Products with tiles of 16 x 16, both published with ten registers per thread.
const PRODUCTS: [(&str, Tiled); 2] = [("plain", Tiled::new(16)), ("unrolled", Tiled::new(16).unrolled())];
const WIDTHS: Widths = Widths::UNNAMED;

/// OCC-11: the performance cliff, in resident blocks and in the rates of products with blocks of
/// the same size.
fn the_cliff(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    let chip = runner.chip("g80", &[])?;
    let [threads, few, more] = claim.read("{} threads/block at {} and at {} registers/thread")?;
    let [three, taken, of, two, taken_by_two] =
        claim.read("{} blocks ({} of {} registers) and {} blocks ({})")?;
    claim.says("the performance cliff")?;
    let mut shown = Shown::new(format!(
        "on g80 a kernel whose blocks record when they are resident, and the 16 x 16 tiled product, plain and \
         unrolled ({}), with set registers",
        products::in_words(runner, WIDTHS)
    ));
    let (mut warps, mut rates) = (Vec::new(), [Vec::new(), Vec::new()]);
    for (registers, blocks, taken) in [(few, three, taken), (more, two, taken_by_two)] {
        let change = |launch: &mut sim_core::host::Launch| launch.registers = Some(registers as u32);
        let found = resident_with(runner, &chip, threads as u32, change)?;
        let in_all = u64::from(found.blocks) * found.registers_per_block;
        let what = format!("{registers} registers per thread: blocks, registers of all blocks");
        let simulated = [f64::from(found.blocks), in_all as f64];
        shown.find(Finding::exact_list(what, &[blocks, taken], &simulated));
        shown.find(Finding::shape(
            format!("{registers} registers per thread: limiter"),
            "registers",
            limits_in_words(&found),
            found.limiters.contains(&Limiter::Registers),
        ));
        shown.because(format!(
            "{threads} threads x {registers} registers = {} per block: {} blocks in {}; {}.",
            found.registers_per_block,
            found.blocks,
            chip.sm.registers,
            limits_in_words(&found)
        ));
        warps.push(f64::from(found.warps));
        for (rates, (name, tiled)) in rates.iter_mut().zip(PRODUCTS) {
            let variant = Variant { tiled: Some(tiled), registers: Some(registers as u32) };
            let (gflops, report) = products::product(runner, &chip, variant, WIDTHS)?;
            let what = format!("the {name} product at {registers} registers: blocks");
            shown.find(Finding::exact(what, blocks, report.launch.occupancy.blocks.into()));
            rates.push(gflops);
        }
    }
    shown.find(Finding::exact("registers of an SM", of, chip.sm.registers.into()));
    let change = |pair: &[f64]| format!("{:+.0} %", 100.0 * (pair[1] / pair[0] - 1.0));
    for (rates, (name, _)) in rates.iter().zip(PRODUCTS) {
        let what = format!("the {name} product at {few} and at {more} registers, GFLOP/s");
        let found = format!("{}, {}: {}", significant(rates[0]), significant(rates[1]), change(rates));
        shown.find(Finding::reported(what, "a cliff", found));
    }
    shown.because(format!(
        "With one more register per thread an SM holds {} warps instead of {} ({}). The cost depends on how much latency the \
         remaining warps can hide: the rate of the {} product changes by {}, that of the {} one by {}.",
        warps[1],
        warps[0],
        change(&warps),
        PRODUCTS[0].0,
        change(&rates[0]),
        PRODUCTS[1].0,
        change(&rates[1])
    ));
    Ok(shown)
}

/// OCC-16: the product with four elements per thread and prefetching, with more registers than its
/// code needs: one block can request more than an SM has. The text's kernel, which is also
/// unrolled, needed that many; ours does not, and is not padded.
fn too_many_for_one_block(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    let [most] = claim.read("more than {} registers per thread: refused")?;
    let [available] = claim.read("more than {})")?;
    let [side, height] = claim.read("{}x{} tile")?;
    claim.says("1x4 granularity + prefetch")?;
    let mut shown =
        Shown::new("on g80 the 64 x 64 product with 1x4 tiles and prefetching, with set registers");

    let width = 64;
    let tiled = Tiled::new(side as u32).merged(4).prefetching();
    let (left, right) = (wholes(1, width * width, -8, 8), wholes(2, width * width, -8, 8));
    let mut probe =
        Probe::new(runner, runner.chip("g80", &[])?, "matmul_16x16_1x4_prefetch.ptx", &tiled.text())?;
    let (m, n) = (probe.lab.upload(&bits(&left))?, probe.lab.upload(&bits(&right))?);
    let p = probe.lab.allocate(width * width)?;
    let block = (side as u32, height as u32, 1);
    let grid = (width as u32 / 4 / block.0, width as u32 / block.1);
    let args = [Arg::Ptr(m), Arg::Ptr(n), Arg::Ptr(p), Arg::U32(width as u32)];
    let mut launch = probe.launch(&tiled.entry(), grid, block).args(args);

    // With the registers that its code needs, the kernel runs and its product is correct.
    let report = probe.run(&launch)?.launch;
    let found: Vec<f32> = probe.lab.download(p, left.len())?.into_iter().map(f32::from_bits).collect();
    let product = crate::matmul::multiply(&left, &right, width as usize, width as usize);
    let check = Check::compare(product.into_iter().map(f64::from), &found, 0.0);
    let right = check.passed();
    shown.find(Finding::shape(
        "result with the registers that its code needs",
        "correct",
        check.describe("elements"),
        right,
    ));
    let own = format!("{} registers by {}", report.registers, report.registers_source);
    let fits = f64::from(report.registers) <= most && report.registers_source == RegistersSource::Liveness;
    shown.find(Finding::shape(
        "registers that its code needs per thread, not padded",
        format!("at most {most}"),
        own,
        fits,
    ));

    launch.registers = Some(most as u32);
    let full = probe.run(&launch)?.launch.occupancy;
    let at_most = [f64::from(full.blocks), full.registers_per_block as f64];
    shown.find(Finding::exact_list(
        format!("set to {most}: blocks, registers of all blocks"),
        &[1.0, available],
        &at_most,
    ));
    for registers in [most as u32 + 1, most as u32 + 8] {
        launch.registers = Some(registers);
        let refusal = probe.refusal(&launch)?;
        let HostError::Launch(LaunchError::Refused { refusal: found, .. }) = &refusal else {
            return Err(refusal.into());
        };
        let holds = found.limit == Exceeded::Registers && found.needed == u64::from(registers) * 256;
        let sentence = refusal.to_string();
        shown.find(Finding::shape(
            format!("set to {registers}: refused, with the limit"),
            format!("a block's registers, more than {available}"),
            sentence.clone(),
            holds && found.available == available as u64 && sentence.contains("registers"),
        ));
    }
    shown.because(format!(
        "{} threads x {most} registers are all {available} of an SM; with one more register per thread no block fits.",
        block.0 * block.1
    ));
    Ok(shown)
}
