//! Latencies of memories, by chases whose footprint fits into one level and not into the previous
//! one.

use super::chains;
use super::chase::{Space, latency};
use crate::RunError;
use crate::measure::{Experiment, Measured, Scale};
use sim_core::config::Chip;

/// The experiments.
pub static EXPERIMENTS: &[Experiment] = &[
    // Emergent: the sum of load/store unit, port, crossbar in both directions, arbiter, pipeline
    // and DRAM.
    Experiment { rows: &["V317", "V345"], run: global },
    // The result is the latency in the chip file.
    Experiment { rows: &["V344"], run: shared },
    // The chip file sets the hit latency of the first two levels. Beyond them crossbar, partition
    // and DRAM add up: emergent.
    Experiment { rows: &["V346", "V347", "V348", "V349"], run: constant },
];

/// Uncached global loads, each in a different partition or row, within the reach of the first TLB.
fn global(chip: &Chip, _: &str, _: Scale) -> Result<Measured, RunError> {
    latency(chip, Space::Global, 1 << 18, 1 << 10).map(Measured::emergent)
}

fn shared(chip: &Chip, _: &str, _: Scale) -> Result<Measured, RunError> {
    latency(chip, Space::Shared, 4096, 4).map(Measured::set)
}

/// Constant memory: each footprint exceeds the level above and fits into its own level.
///
/// The published numbers are the latency that a constant operand adds to an instruction: 8 for a
/// hit in a pipeline with a latency of 24. Therefore the latency of an addition, measured
/// separately, is subtracted.
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
