//! Results of a run: counters owned by the unit that counts, the two breakdowns, and the report
//! made from them.

pub mod build;
mod caches;
mod checks;
mod code;
pub mod collect;
pub(crate) mod ending;
pub(crate) mod extrapolate;
pub mod limits;
mod mapped;
mod output;
pub mod relaxed;
pub mod report;
pub mod sampled;
mod scheduler;
mod timing;
pub mod verdict;

pub use crate::counters::{
    AccessCounters, ByClass, ByState, ConstCounters, Counter, Counters, GlobalCounters, HatchLines,
    InstCounters, LevelCounters, PcCounters, SharedCounters, SlotBreakdown, StateRow, TerminalColor,
    TextureCounters, WarpState,
};
pub use crate::gpu::stuck::report as stuck;
pub use crate::mem::partition::L2Counters;
pub use collect::Totals;
pub use report::Report;

/// An absolute error of a result as text: whole numbers in full, others with three significant
/// digits.
pub fn error_text(error: f64) -> String {
    if error.fract() == 0.0 && error < 1e9 || !error.is_finite() {
        error.to_string()
    } else {
        format!("{error:.2e}")
    }
}
