//! The report's parts about a launch of which not all blocks were simulated with timing.

use serde::Serialize;

/// Basis of the estimate of a sampled launch.
///
/// The launch was simulated with its first *a* blocks only, with *b* = *a* + unit blocks, and with
/// *c* = *b* + unit blocks, each from the same memory contents and to its end. Every counter of the
/// report is extrapolated from *b* or *c* along the line through *a* and *c*.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SampledReport {
    /// Blocks of the grid.
    pub blocks: u64,
    /// *c*: the first blocks, which all ran to their end; their results are in memory.
    pub simulated: u64,
    /// Blocks of a unit: a whole number of waves.
    pub unit: u64,
    /// Number of blocks that all SMs hold at once.
    pub wave: u64,
    /// Number of simulated launches, including those with shorter units.
    pub passes: u32,
    /// Simulated blocks of all these launches; a launch continues the one before it, shortly before
    /// its last blocks.
    pub work: u64,
    /// Cycles of *c*, predicted from *a* and *b*. Unit: shader cycles.
    pub predicted_cycles: u64,
    /// Cycles of *c*, simulated. Unit: shader cycles.
    pub checked_cycles: u64,
    /// Relative error of the prediction for *c*. It checks that the units are alike. It is not a
    /// bound on the error of the estimate, which extrapolates over many more units.
    pub error: f64,
    /// Launches that were both estimated and simulated in full, on G80, GT200 and Fermi: the same
    /// number in every report (docs/MODEL.md describes them).
    pub measured_launches: u32,
    /// Largest error in cycles over these launches. Unit: fraction.
    pub measured_error: f64,
    /// Median of the errors in cycles. Unit: fraction.
    pub measured_median: f64,
}

/// The blocks of a launch that ran on the functional machine before its timed part. Everything else
/// in the report is about the timed part, which began with empty caches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct WarmupReport {
    /// Number of blocks: the first ones of the grid.
    pub blocks: u64,
    /// Warp instructions that they executed.
    pub instructions: u64,
}
