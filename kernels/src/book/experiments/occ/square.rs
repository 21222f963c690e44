//! OCC-05, OCC-06, OCC-10: square blocks of 8 x 8, 16 x 16 and 32 x 32 threads on each generation.

use crate::RunError;
use crate::book::residents::{limits_in_words, resident, too_many_threads};
use crate::book::{Claim, Experiment, Finding, Runner, Shown};
use sim_core::config::Chip;
use sim_core::occupancy::{Limiter, Occupancy};

pub static EXPERIMENTS: &[Experiment] = &[
    Experiment { id: "OCC-05", show: on_g80 },
    Experiment { id: "OCC-06", show: on_fermi },
    Experiment { id: "OCC-10", show: on_gt200 },
];

/// Returns width and height of the claim's three blocks.
fn blocks(claim: &Claim) -> Result<[(u32, u32); 3], RunError> {
    let sides = claim.read::<6>("{}x{}, {}x{}, {}x{}")?.map(|side| side as u32);
    Ok([(sides[0], sides[1]), (sides[2], sides[3]), (sides[4], sides[5])])
}

/// Launches blocks of this shape, returns the occupancy of every SM, and adds a sentence on the
/// limits.
fn launch(
    runner: &Runner,
    shown: &mut Shown,
    chip: &Chip,
    (x, y): (u32, u32),
) -> Result<Occupancy, RunError> {
    let occupancy = resident(runner, chip, (x, y, 1))?;
    shown.because(format!(
        "{x}x{y}: {} threads per block; {}; {} of {} threads are resident.",
        x * y,
        limits_in_words(&occupancy),
        occupancy.threads,
        chip.sm.max_threads
    ));
    Ok(occupancy)
}

/// Checks that a block of this shape is refused for its number of threads, and that the message
/// contains both numbers.
fn refused(
    runner: &Runner,
    shown: &mut Shown,
    chip: &Chip,
    (x, y): (u32, u32),
    expected: [f64; 2],
) -> Result<(), RunError> {
    let (sentence, needed, available) = too_many_threads(runner, chip, (x, y, 1))?;
    let found = [needed as f64, available as f64];
    shown.find(Finding::exact_list(
        format!("{x}x{y}, refused: threads per block needed, allowed"),
        &expected,
        &found,
    ));
    shown.because(format!("{x}x{y}: {sentence}."));
    Ok(())
}

fn numbers<const N: usize>(numbers: [u32; N]) -> [f64; N] {
    numbers.map(f64::from)
}

/// OCC-05.
fn on_g80(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    let chip = runner.chip("g80", &[])?;
    let [small, large, huge] = blocks(claim)?;
    let by_slots = claim.read::<2>("{} blocks/{} threads (block slots limit)")?;
    let [blocks, threads, needed, allowed] =
        claim.read("{} blocks/{}; rejected: {} > {} threads per block")?;
    let mut shown = Shown::new("on g80 a kernel whose blocks record when they are resident");

    let found = launch(runner, &mut shown, &chip, small)?;
    shown.find(Finding::exact_list(
        "8x8: blocks, threads",
        &by_slots,
        &numbers([found.blocks, found.threads]),
    ));
    let limiters: Vec<_> = found.limiters.iter().map(|limiter| limiter.name()).collect();
    shown.find(Finding::shape(
        "8x8: limiter",
        "block slots alone",
        limiters.join(", "),
        found.limiters == [Limiter::BlockSlots],
    ));
    let found = launch(runner, &mut shown, &chip, large)?;
    let holds = found.limiters.contains(&Limiter::Warps);
    let resident = numbers([found.blocks, found.threads]);
    shown.find(Finding::exact_list("16x16: blocks, threads", &[blocks, threads], &resident));
    shown.find(Finding::shape("16x16: threads limit", "yes", limits_in_words(&found), holds));
    refused(runner, &mut shown, &chip, huge, [needed, allowed])?;
    Ok(shown)
}

/// OCC-06: also checks the warps, and that blocks of 32 x 32 keep two thirds of the chip busy.
fn on_fermi(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    let chip = runner.chip("fermi", &[])?;
    let [small, large, huge] = blocks(claim)?;
    let slots = claim.read::<2>("({} threads, {} blocks)")?;
    let eights = claim.read::<3>("{} blocks/{} threads/{} warps;")?;
    let sixteens = claim.read::<2>("; {} blocks/{} warps;")?;
    let [one, warps, percent] = claim.read("{} block/{} warps = {} %")?;
    let mut shown = Shown::new("on fermi a kernel whose blocks record when they are resident");

    let of_chip = numbers([chip.sm.max_threads, chip.sm.max_blocks]);
    shown.find(Finding::exact_list("slots of an SM: threads, blocks", &slots, &of_chip));
    let found = launch(runner, &mut shown, &chip, small)?;
    let resident = numbers([found.blocks, found.threads, found.warps]);
    shown.find(Finding::exact_list("8x8: blocks, threads, warps", &eights, &resident));
    let found = launch(runner, &mut shown, &chip, large)?;
    shown.find(Finding::exact_list("16x16: blocks, warps", &sixteens, &numbers([found.blocks, found.warps])));
    let full = f64::from(found.threads);
    shown.find(Finding::exact("16x16: threads, all slots", slots[0], full));
    let found = launch(runner, &mut shown, &chip, huge)?;
    let resident = [f64::from(found.blocks), f64::from(found.warps), (found.occupancy * 100.0).round()];
    shown.find(Finding::exact_list("32x32: blocks, warps, %", &[one, warps, percent], &resident));
    Ok(shown)
}

/// OCC-10, with the claim's correction of the text.
fn on_gt200(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    let chip = runner.chip("gt200", &[])?;
    let [small, large, huge] = blocks(claim)?;
    let [threads] = claim.read("{} threads;")?;
    let [blocks, all] = claim.read("{} blocks = {};")?;
    let [slots, per_block, printed, right] = claim.read("divides {} by {} and prints {}; it is {}")?;
    let [cap] = claim.read("cap of {}")?;
    claim.says("rejected")?;
    let mut shown = Shown::new("on gt200 a kernel whose blocks record when they are resident");

    let found = launch(runner, &mut shown, &chip, small)?;
    shown.find(Finding::exact("8x8: threads", threads, found.threads.into()));
    let limits = numbers([found.needs.threads, found.limits.warps, found.limits.block_slots]);
    let expected = [per_block, right, cap];
    shown.find(Finding::exact_list(
        "8x8: threads per block, blocks by threads, by block slots",
        &expected,
        &limits,
    ));
    let alone = found.limiters == [Limiter::BlockSlots];
    shown.find(Finding::shape("8x8: limiter", "block slots alone", limits_in_words(&found), alone));
    shown.because(format!(
        "The text divides {slots} by {per_block} and prints {printed}: an error without consequences."
    ));
    let found = launch(runner, &mut shown, &chip, large)?;
    let resident = numbers([found.blocks, found.threads]);
    shown.find(Finding::exact_list("16x16: blocks, threads", &[blocks, all], &resident));
    shown.find(Finding::exact("threads that an SM holds", slots, chip.sm.max_threads.into()));
    // The claim only says that the block is rejected; the numbers come from the block and the chip.
    let expected = [f64::from(huge.0 * huge.1), f64::from(chip.limits.threads_per_block)];
    refused(runner, &mut shown, &chip, huge, expected)?;
    Ok(shown)
}
