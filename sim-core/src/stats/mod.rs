//! What a run tells: counters owned by the unit that counts, the two ledgers, and the report made of them.

pub mod build;
pub mod by;
mod caches;
pub mod collect;
pub mod counters;
pub(crate) mod extrapolate;
mod group;
pub mod ledger;
pub mod races;
pub mod report;
pub mod sampled;
mod scheduler;
pub mod stuck;
pub mod verdict;

pub use by::{ByClass, ByState};
pub use collect::Totals;
pub use counters::{ConstCounters, GlobalCounters, InstCounters, LevelCounters, PcCounters, SharedCounters};
pub(crate) use group::{Counters, counters};
pub use ledger::{SlotLedger, WarpState};
pub use report::Report;
