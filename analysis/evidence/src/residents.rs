//! Number of resident blocks, measured by a kernel whose blocks record where and from when to when
//! they were resident.
//!
//! The machine must hold as many blocks on every SM as the occupancy calculator computes.

use super::probe::{Probe, UNTOUCHED};
use super::runner::Runner;
use super::tools;
use isa::types::Dim3;
use kernels::RunError;
use sim_core::config::Chip;
use sim_core::host::{Arg, HostError, Launch, LaunchError, LaunchLimit};
use sim_core::occupancy::Occupancy;
use std::collections::BTreeMap;

const RESIDENTS: &str = include_str!("../../../kernels/ptx/book/residents.ptx");
/// Loop iterations of each block: they last longer than the dispatch of all blocks that any chip
/// can hold.
const TRIPS: u32 = 400;

/// Resident blocks of a launch.
#[derive(Clone, Debug)]
pub struct ResidentBlocks {
    /// Blocks that were resident at the same time on an SM; the same number on every SM.
    pub per_sm: u32,
    /// Blocks that were resident at the same time on the whole chip.
    pub chip: u32,
    /// Result of the occupancy calculator for the launch.
    pub occupancy: Occupancy,
}

/// Loads the kernel on `chip` and prepares its launch of `blocks` blocks and their output buffer.
fn prepare(
    runner: &Runner,
    chip: &Chip,
    blocks: u32,
    block: Dim3,
) -> Result<(Probe, Launch, sim_core::host::DevicePtr), RunError> {
    let mut probe = Probe::new(runner, chip.clone(), "residents.ptx", RESIDENTS)?;
    let out = probe.lab.upload(&vec![UNTOUCHED; 3 * blocks as usize])?;
    let args = [Arg::Ptr(out), Arg::U32(TRIPS), Arg::U32(0), Arg::U32(0)];
    let launch = probe.launch("residents", blocks, block).args(args);
    Ok((probe, launch, out))
}

/// Launches twice as many blocks of this shape as fit and counts those that are resident together.
/// `change` may request registers or shared memory.
///
/// # Errors
/// The launch is refused, or the SMs hold different numbers of blocks.
pub fn resident_blocks(
    runner: &Runner,
    chip: &Chip,
    block: impl Into<Dim3>,
    change: impl FnOnce(&mut Launch),
) -> Result<ResidentBlocks, RunError> {
    let sms = tools::sms(chip);
    let blocks = 2 * sms * chip.sm.max_blocks;
    let (mut probe, mut launch, out) = prepare(runner, chip, blocks, block.into())?;
    change(&mut launch);
    let report = probe.run(&launch)?;
    let words = probe.lab.download(out, 3 * blocks as usize)?;

    // For each SM and for the chip: +1 when a block begins, -1 when it has ended, sorted by time.
    let mut changes: BTreeMap<Option<u32>, Vec<(u32, i32)>> = BTreeMap::new();
    for [sm, begin, end] in words.as_chunks().0 {
        if begin >= end || *sm >= sms {
            return Err(RunError::Wrong(format!("a block on SM {sm} from cycle {begin} to {end}")));
        }
        for place in [Some(*sm), None] {
            changes.entry(place).or_default().extend([(*begin, 1), (*end, -1)]);
        }
    }
    let mut most: BTreeMap<Option<u32>, u32> =
        changes.into_iter().map(|(place, list)| (place, peak(list))).collect();
    let whole = most.remove(&None).unwrap_or(0);
    let per_sm: Vec<u32> = most.into_values().collect();
    match per_sm[..] {
        [first, ..] if per_sm == vec![first; sms as usize] => {
            Ok(ResidentBlocks { per_sm: first, chip: whole, occupancy: report.launch.occupancy })
        }
        _ => Err(RunError::Wrong(format!("{}: SMs hold different numbers of blocks: {per_sm:?}", chip.name))),
    }
}

/// Largest number of resident blocks, from the times of their beginnings (+1) and ends (-1).
fn peak(mut changes: Vec<(u32, i32)>) -> u32 {
    changes.sort_unstable();
    let mut there = 0;
    let counts = changes.iter().map(|(_, change)| {
        there += change;
        there
    });
    counts.max().unwrap_or(0) as u32
}

/// Runs [`resident_blocks`] and checks it against the occupancy calculator, per SM and for the
/// whole chip.
///
/// # Errors
/// The numbers differ.
pub fn resident_with(
    runner: &Runner,
    chip: &Chip,
    block: impl Into<Dim3>,
    change: impl FnOnce(&mut Launch),
) -> Result<Occupancy, RunError> {
    let ResidentBlocks { per_sm, chip: whole, occupancy } = resident_blocks(runner, chip, block, change)?;
    let sms = tools::sms(chip);
    if (per_sm, whole) != (occupancy.blocks, occupancy.blocks * sms) {
        let said = occupancy.blocks;
        let what = format!(
            "{}: {per_sm} blocks on an SM and {whole} on {sms}; the calculator says {said}",
            chip.name
        );
        return Err(RunError::Wrong(what));
    }
    Ok(occupancy)
}

/// Launches a block with too many threads. Returns the error message, the number of threads and the
/// limit.
///
/// # Errors
/// The launch succeeds, or is refused for another reason.
pub fn too_many_threads(
    runner: &Runner,
    chip: &Chip,
    block: impl Into<Dim3>,
) -> Result<(String, u64, u64), RunError> {
    let (mut probe, launch, _) = prepare(runner, chip, 1, block.into())?;
    let refusal = probe.refusal(&launch)?;
    match &refusal {
        HostError::Launch(LaunchError::Limit { limit, needed, available, .. })
            if *limit == LaunchLimit::Threads =>
        {
            Ok((refusal.to_string(), *needed, *available))
        }
        _ => Err(refusal.into()),
    }
}

/// Limits by resource: `limits: threads 3, registers 3, shared memory 6, block slots 8`.
pub fn limits_in_words(occupancy: &Occupancy) -> String {
    let limits = &occupancy.limits;
    format!(
        "limits: threads {}, registers {}, shared memory {}, block slots {}",
        limits.warps, limits.registers, limits.shared, limits.block_slots
    )
}

/// `1 block`, `3 blocks`.
pub fn blocks_in_words(blocks: u32) -> String {
    format!("{blocks} block{}", if blocks == 1 { "" } else { "s" })
}
