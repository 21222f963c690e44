//! Counters: groups of numbers that can be added, and the two exact breakdowns of issue slots and
//! of warp cycles. A unit owns the counters that it updates; reports are made from their sums.

pub mod breakdown;
pub mod by;
mod group;
pub mod units;

pub use breakdown::{HatchLines, SlotBreakdown, StateRow, TerminalColor, WarpState};
pub use by::{ByClass, ByState};
pub(crate) use group::counters;
pub use group::{Counter, Counters};
pub use units::{
    AccessCounters, ClusterCounters, ConstCounters, Flops, GlobalCounters, InstCounters, LevelCounters,
    PcCounters, SharedCounters, TextureCounters,
};
