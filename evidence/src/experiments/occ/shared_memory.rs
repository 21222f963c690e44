//! OCC-13: shared memory of the tiled product.

use crate::residents::{limits_in_words, resident_with};
use crate::{Claim, Experiment, Finding, Runner, Shown};
use kernels::RunError;
use sim_core::occupancy::{BlockNeeds, Limiter};

pub static EXPERIMENTS: &[Experiment] = &[Experiment { id: "OCC-13", show: the_tiled_product }];

/// Text of the needs: `256 threads of 10 registers, 2080 B of shared memory`.
fn needs_in_words(needs: BlockNeeds) -> String {
    let BlockNeeds { threads, registers, shared_bytes } = needs;
    format!("{threads} threads of {registers} registers, {shared_bytes} B of shared memory")
}

/// OCC-13: the matrix product with tiles of 16 x 16, and a kernel with the same needs whose blocks
/// record when they are resident.
fn the_tiled_product(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    let chip = runner.chip("g80", &[])?;
    let [tile, own, threads] = claim.numbers(["tile", "own", "threads"]);
    let [blocks] = claim.numbers(["blocks"]);
    let [arrays, of, allocated] = claim.numbers(["arrays", "kb", "allocated"]);
    let mut shown = Shown::new(
        "on g80 matmul-tiled at 64 x 64, and a kernel with the same needs whose blocks record when they are resident",
    );

    let outcome = runner.workload(chip.clone(), "matmul-tiled", 64)?;
    let launch = &outcome.reports[0].launch;
    let found = &launch.occupancy;
    let kb = |bytes: u64| bytes as f64 / 1024.0;
    let block = [
        launch.block.x.into(),
        launch.block.y.into(),
        kb(launch.shared_bytes.into()),
        found.needs.threads.into(),
    ];
    shown.find(Finding::exact_list(
        "block: sides, kB of its tiles, threads",
        &[tile, tile, own, threads],
        &block,
    ));
    shown.find(Finding::exact("blocks", blocks, found.blocks.into()));
    let by_threads = found.limiters.contains(&Limiter::Warps) && !found.limiters.contains(&Limiter::Shared);
    shown.find(Finding::shape("threads limit, not shared memory", "yes", limits_in_words(found), by_threads));
    let all = u64::from(found.blocks);
    let used = [
        kb(all * u64::from(launch.shared_bytes)),
        kb(chip.sm.shared_bytes.into()),
        kb(all * found.shared_per_block),
    ];
    shown.find(Finding::exact_list(
        "kB of the arrays, of the SM, as allocated",
        &[arrays, of, allocated],
        &used,
    ));

    let registers = launch.registers;
    let change = |other: &mut sim_core::host::Launch| {
        (other.dynamic_shared, other.registers) = (launch.shared_bytes, Some(registers));
    };
    let same = resident_with(runner, &chip, launch.block, change)?;
    let alike = same.needs == found.needs;
    let (own, other) = (needs_in_words(found.needs), needs_in_words(same.needs));
    shown.find(Finding::shape("needs of a block of the other kernel, the same", own, other, alike));
    shown.find(Finding::exact("resident blocks on every SM", blocks, same.blocks.into()));
    shown.because(format!(
        "{} threads, {registers} registers, {} B with launch state and arguments: {}.",
        found.needs.threads,
        found.needs.shared_bytes,
        limits_in_words(found)
    ));
    Ok(shown)
}
