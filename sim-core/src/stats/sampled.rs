//! What the report says of a launch of which only the first blocks were simulated.

use serde::Serialize;

/// How the numbers of a sampled launch were estimated.
///
/// The launch was simulated with its first *a* blocks only, with *b* = *a* + unit and with *c* =
/// *b* + unit, each from the same memory and to its end. Every counter of the report lies on the
/// line through *a* and *c*, as far behind *b* or *c* as there are more blocks.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SampledReport {
    /// Blocks of the grid.
    pub blocks: u64,
    /// The first blocks that were simulated: *c*.
    pub simulated: u64,
    /// Blocks of a unit: some whole waves.
    pub unit: u64,
    /// Blocks that all SMs hold at once.
    pub wave: u64,
    /// Runs that were made, those of shorter units among them.
    pub passes: u32,
    /// Blocks simulated in all of them.
    pub work: u64,
    /// Hot cycles of *c*, as *a* and *b* predict them.
    pub predicted_cycles: u64,
    /// Hot cycles of *c*, simulated.
    pub checked_cycles: u64,
    /// Relative error of the prediction for *c*. It checks that the units are alike; it is no bound
    /// on the error of the whole estimate, which continues many more units.
    pub error: f64,
    /// Launches that were measured: estimated, and simulated in full.
    pub measured_launches: u32,
    /// The largest relative error in cycles over these launches.
    pub measured_error: f64,
    /// The median of the relative errors.
    pub measured_median: f64,
}
