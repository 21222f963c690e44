//! OCC-16: a block can need more registers than an SM has.

use crate::probe::Probe;
use crate::tools::bits;
use crate::{Claim, Experiment, Finding, Runner, Shown};
use kernels::Check;
use kernels::RunError;
use kernels::matmul::Tiled;
use kernels::numbers::wholes;
use sim_core::host::{Arg, HostError, LaunchError};
use sim_core::occupancy::Exceeded;
use sim_core::stats::report::RegistersSource;

pub static EXPERIMENTS: &[Experiment] = &[Experiment { id: "OCC-16", show: too_many_for_one_block }];

/// OCC-16: the product with four elements per thread and prefetching, with more registers than its
/// code needs: one block can request more than an SM has. The text's kernel, which is also
/// unrolled, needed that many; ours does not, and is not padded.
fn too_many_for_one_block(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    let [most] = claim.numbers(["most"]);
    let [available] = claim.numbers(["available"]);
    let [side, height] = claim.numbers(["side", "height"]);
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
    let product = kernels::matmul::multiply(&left, &right, width as usize, width as usize);
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
