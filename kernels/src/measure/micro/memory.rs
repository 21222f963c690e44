//! Latencies of memories, by chases whose footprint fits one level and not the one before.

use super::chains;
use super::chase::{Space, latency};
use crate::RunError;
use crate::measure::{Experiment, Measured, Scale};
use sim_core::config::Chip;

/// The experiments.
pub static EXPERIMENTS: &[Experiment] = &[
    // Emergent: the sum of load/store unit, port, crossbar both ways, arbiter, pipeline and DRAM.
    Experiment { rows: &["V317", "V345"], run: global },
    // The latency of the class is read back.
    Experiment { rows: &["V344"], run: shared },
    // What a hit takes in the first two levels stands in the chip file. Behind them lie the
    // crossbar, the partition and the DRAM, whose times add up: emergent.
    Experiment { rows: &["V346", "V347", "V348", "V349"], run: constant },
];

/// Uncached global loads, each of another partition or row, within what the first TLB reaches.
fn global(chip: &Chip, _: &str, _: Scale) -> Result<Measured, RunError> {
    latency(chip, Space::Global, 1 << 18, 1 << 10).map(Measured::emergent)
}

fn shared(chip: &Chip, _: &str, _: Scale) -> Result<Measured, RunError> {
    latency(chip, Space::Shared, 4096, 4).map(Measured::set)
}

/// Constant memory: footprints of which each is more than the level above holds, and no more than
/// its own.
///
/// The published numbers are what a constant operand adds to an instruction: 8 for a hit in a
/// pipeline whose every result takes 24. So the latency of an addition, measured beside it, is
/// taken off.
fn constant(chip: &Chip, row: &str, _: Scale) -> Result<Measured, RunError> {
    let (footprint, stride) = match row {
        "V346" => (1 << 10, 64),
        "V347" => (6 << 10, 64),
        "V348" => (24 << 10, 256),
        _ => (64 << 10, 256),
    };
    let load = latency(chip, Space::Constant, footprint, stride)?;
    let pipeline = chains::latency(chip, "u32", "add.u32 %x, %x, %a;")?;
    let added = load - pipeline;
    Ok(if ["V346", "V347"].contains(&row) { Measured::set(added) } else { Measured::emergent(added) })
}
