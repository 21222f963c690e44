//! What a run tells: counters owned by the unit that counts, the two ledgers, and the report made of them.

pub mod build;
mod caches;
pub mod collect;
pub mod counters;
pub(crate) mod extrapolate;
mod leaves;
pub mod ledger;
pub mod races;
pub mod report;
pub mod sampled;
mod scheduler;
pub mod stuck;
pub mod verdict;

pub use collect::Totals;
pub use counters::{ConstCounters, GlobalCounters, InstCounters, LevelCounters, PcCounters, SharedCounters};
pub use ledger::{SlotLedger, WarpLedger, WarpState};
pub use report::Report;
