//! How many blocks a machine really holds at once: a kernel whose blocks note when and where they
//! were resident.
//!
//! What the occupancy calculator says of a launch must be what the machine holds, on every SM.

use super::probe::{Probe, UNTOUCHED};
use super::runner::Runner;
use super::tools;
use crate::RunError;
use isa::types::Dim3;
use sim_core::config::Chip;
use sim_core::host::{Arg, HostError, Launch, LaunchError, LaunchLimit};
use sim_core::occupancy::Occupancy;
use std::collections::BTreeMap;

const RESIDENTS: &str = include_str!("../../ptx/book/residents.ptx");
/// Trips of each block's loop: longer than it takes to hand out as many blocks as any chip holds.
const TRIPS: u32 = 400;

/// What a machine held.
#[derive(Clone, Debug)]
pub struct Held {
    /// Blocks at once on an SM, the same number on every one.
    pub per_sm: u32,
    /// Blocks at once on the whole chip.
    pub chip: u32,
    /// What the calculator said of the launch.
    pub occupancy: Occupancy,
}

/// The kernel on `chip` and its launch of `blocks` blocks, with the buffer that they write.
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

/// Launches blocks of this shape, twice as many as fit, and counts those that are there at once.
/// `change` may ask for registers or shared memory.
///
/// # Errors
/// If the launch is refused, or if the SMs hold different numbers of blocks.
pub fn held(
    runner: &Runner,
    chip: &Chip,
    block: impl Into<Dim3>,
    change: impl FnOnce(&mut Launch),
) -> Result<Held, RunError> {
    let sms = tools::sms(chip);
    let blocks = 2 * sms * chip.sm.max_blocks;
    let (mut probe, mut launch, out) = prepare(runner, chip, blocks, block.into())?;
    change(&mut launch);
    let report = probe.run(&launch)?;
    let words = probe.lab.download(out, 3 * blocks as usize)?;

    // For each SM and for the chip: +1 where a block begins, -1 where it has ended, by time.
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
            Ok(Held { per_sm: first, chip: whole, occupancy: report.launch.occupancy })
        }
        _ => Err(RunError::Wrong(format!("{}: SMs hold different numbers of blocks: {per_sm:?}", chip.name))),
    }
}

/// The most blocks at once by their beginnings (+1) and ends (-1).
fn peak(mut changes: Vec<(u32, i32)>) -> u32 {
    changes.sort_unstable();
    let mut there = 0;
    let counts = changes.iter().map(|(_, change)| {
        there += change;
        there
    });
    counts.max().unwrap_or(0) as u32
}

/// [`held`], which must be what the calculator says, on every SM and on the whole chip.
///
/// # Errors
/// If it is not.
pub fn resident(runner: &Runner, chip: &Chip, block: impl Into<Dim3>) -> Result<Occupancy, RunError> {
    resident_with(runner, chip, block, |_| ())
}

/// [`resident`] of a launch that `change` has changed.
///
/// # Errors
/// If calculator and machine differ.
pub fn resident_with(
    runner: &Runner,
    chip: &Chip,
    block: impl Into<Dim3>,
    change: impl FnOnce(&mut Launch),
) -> Result<Occupancy, RunError> {
    let Held { per_sm, chip: whole, occupancy } = held(runner, chip, block, change)?;
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

/// Why a block of this shape is refused for the number of its threads: the sentence, the threads,
/// and the most.
///
/// # Errors
/// If it is launched, or refused for something else.
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

/// What each resource allows: `limits: threads 3, registers 3, shared memory 6, block slots 8`.
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
