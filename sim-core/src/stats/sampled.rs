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
    /// The largest number of first blocks that was simulated: *c*.
    pub simulated: u64,
    /// Blocks of a unit: a whole number of waves.
    pub unit: u64,
    /// Blocks that all SMs hold together.
    pub wave: u64,
    /// Number of runs, including those with shorter units.
    pub passes: u32,
    /// Number of blocks simulated in all runs.
    pub work: u64,
    /// Shader cycles of *c*, predicted from *a* and *b*.
    pub predicted_cycles: u64,
    /// Shader cycles of *c*, simulated.
    pub checked_cycles: u64,
    /// Relative error of the prediction for *c*. It checks that the units are alike. It is not a
    /// bound on the error of the estimate, which extrapolates over many more units.
    pub error: f64,
    /// Number of launches in the error measurement: each was estimated and simulated in full.
    pub measured_launches: u32,
    /// The largest relative error in cycles over these launches.
    pub measured_error: f64,
    /// The median of the relative errors.
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
