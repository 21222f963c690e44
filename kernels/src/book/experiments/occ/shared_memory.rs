//! OCC-12, OCC-13, OCC-15: number of blocks that fit by their shared memory.

use crate::RunError;
use crate::book::residents::{limits_in_words, resident_with};
use crate::book::{Claim, Experiment, Finding, Runner, Shown};
use sim_core::config::{CachePreference, Chip};
use sim_core::occupancy::{BlockNeeds, Limiter, Occupancy, SmResources};

pub static EXPERIMENTS: &[Experiment] = &[
    Experiment { id: "OCC-12", show: by_shared_memory },
    Experiment { id: "OCC-13", show: the_tiled_product },
    Experiment { id: "OCC-15", show: both_sizes_of_fermi },
];

/// Threads per block for launches that only shared memory limits.
const THREADS: u32 = 64;

/// Runs the calculator for bare blocks with this amount of shared memory.
fn bare(chip: &Chip, threads: u32, shared_bytes: u32) -> Occupancy {
    SmResources::of(chip).occupancy(BlockNeeds { threads, registers: 0, shared_bytes })
}

/// Launches blocks of [`THREADS`] threads with this amount of dynamic shared memory and returns the
/// occupancy that every SM reached.
fn launched(runner: &Runner, chip: &Chip, shared_bytes: u32) -> Result<Occupancy, RunError> {
    resident_with(runner, chip, THREADS, |launch| launch.dynamic_shared = shared_bytes)
}

/// OCC-12: bare blocks by the calculator, and launched blocks, whose launch state and arguments are
/// also in shared memory.
fn by_shared_memory(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    let chip = runner.chip("g80", &[])?;
    let kilobytes = claim.read::<2>("{} kB and {} kB shared per block")?;
    let blocks = claim.read::<2>("{} and {} blocks by shared memory alone")?;
    let [alone] = claim.read("bare {} B")?;
    let [state] = claim.read("adds {} B and its arguments")?;
    let [asked, rounded, fit] = claim.read("({}, rounded to {}): {} blocks")?;

    let what = "the occupancy calculator on G80, and a launch of blocks of 64 threads that record when they are resident";
    let mut shown = Shown::new(what);
    for (kilobytes, expected) in kilobytes.into_iter().zip(blocks) {
        let found = bare(&chip, THREADS, 1024 * kilobytes as u32);
        let both = [f64::from(found.limits.shared), f64::from(found.blocks)];
        let what = format!("bare {} B: blocks by shared memory, by all limits", found.needs.shared_bytes);
        shown.find(Finding::exact_list(what, &[expected, expected], &both));
    }
    let found = launched(runner, &chip, alone as u32)?;
    let arguments = asked - alone - state;
    let held = f64::from(found.needs.shared_bytes) - alone - arguments;
    shown.find(Finding::exact(
        format!("launched: bytes of launch state, without {arguments} of arguments"),
        state,
        held,
    ));
    let numbers =
        [f64::from(found.needs.shared_bytes), found.shared_per_block as f64, f64::from(found.limits.shared)];
    shown.find(Finding::exact_list(
        "launched: bytes needed, bytes allocated, blocks",
        &[asked, rounded, fit],
        &numbers,
    ));
    shown.find(Finding::exact("launched: resident blocks", fit, found.blocks.into()));
    let by_shared = found.limiters == [Limiter::Shared];
    shown.find(Finding::shape(
        "launched: limiter",
        "shared memory alone",
        limits_in_words(&found),
        by_shared,
    ));
    // Not in the claim: the larger blocks lose one, too.
    let large = launched(runner, &chip, 1024 * kilobytes[1] as u32)?;
    let of = chip.sm.shared_bytes;
    for (occupancy, before) in [(&found, blocks[0]), (&large, blocks[1])] {
        shown.because(format!(
            "A launched block holds {} B of launch state and arguments in addition to its own {}: {} B, allocated as {}. \
             {of} B hold {} blocks instead of {before}.",
            occupancy.needs.shared_bytes - dynamic(occupancy, arguments, state),
            dynamic(occupancy, arguments, state),
            occupancy.needs.shared_bytes,
            occupancy.shared_per_block,
            occupancy.blocks
        ));
    }
    Ok(shown)
}

/// Returns the dynamic shared memory that the launch requested, in bytes.
fn dynamic(occupancy: &Occupancy, arguments: f64, state: f64) -> u32 {
    occupancy.needs.shared_bytes.saturating_sub((arguments + state) as u32)
}

/// Text of the needs: `256 threads of 10 registers, 2080 B of shared memory`.
fn needs_in_words(needs: BlockNeeds) -> String {
    let BlockNeeds { threads, registers, shared_bytes } = needs;
    format!("{threads} threads of {registers} registers, {shared_bytes} B of shared memory")
}

/// OCC-13: the matrix product with tiles of 16 x 16, and a kernel with the same needs whose blocks
/// record when they are resident.
fn the_tiled_product(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    let chip = runner.chip("g80", &[])?;
    let [tile, own, threads] = claim.read("TILE {} matmul, {} kB shared, {} threads")?;
    let [blocks] = claim.read("threads limit: {} blocks")?;
    let [arrays, of, allocated] = claim.read("{} kB of {} kB used by the arrays ({} kB as allocated)")?;
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

/// OCC-15: Fermi divides its memory between L1 and shared memory by the preference of the launch. A
/// block of a 32 x 32 tile has 1,024 threads, so only one fits; the launched blocks have 64
/// threads, so that only shared memory limits.
fn both_sizes_of_fermi(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    let [tile, own, small, large] =
        claim.read("TILE {} ({} kB shared) with {} kB and {} kB shared memory")?;
    let expected = claim.read::<2>("{} and {} blocks by shared memory alone")?;
    let mut shown = Shown::new(
        "the occupancy calculator on Fermi, and a launch of blocks that record when they are resident",
    );
    let chip = runner.chip("fermi", &[])?;
    let (threads, shared_bytes) = ((tile * tile) as u32, 1024 * own as u32);
    let tiles = 2.0 * 4.0 * tile * tile / 1024.0;
    shown.find(Finding::exact("kB of two tiles of single-precision numbers", own, tiles));
    let preferences =
        [(CachePreference::L1, "prefers L1"), (CachePreference::Shared, "prefers shared memory")];
    for ((kilobytes, blocks), (cache, words)) in [small, large].into_iter().zip(expected).zip(preferences) {
        let divided = chip.divided(cache, shared_bytes.into());
        let found = bare(&divided, threads, shared_bytes);
        let numbers = [f64::from(divided.sm.shared_bytes) / 1024.0, found.limits.shared.into()];
        let what = format!("a launch that {words}: kB of shared memory, blocks limited by it alone");
        shown.find(Finding::exact_list(what, &[kilobytes, blocks], &numbers));
        let held = resident_with(runner, &chip, THREADS, |launch| {
            (launch.dynamic_shared, launch.cache) = (shared_bytes, cache);
        })?;
        let both = [f64::from(held.limits.shared), f64::from(held.blocks)];
        let what =
            format!("a launch that {words}, of {THREADS} threads: blocks by shared memory, resident blocks");
        shown.find(Finding::exact_list(what, &[blocks, blocks], &both));
        shown.because(format!("{kilobytes} kB, {threads} threads: {}.", limits_in_words(&found)));
    }
    Ok(shown)
}
