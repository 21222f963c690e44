//! What a run tells: counters owned by the unit that counts, the two ledgers, and the report made of them.

pub mod build;
mod caches;
pub mod collect;
pub mod counters;
pub mod ledger;
pub mod races;
pub mod report;
mod scheduler;
pub mod stuck;
pub mod verdict;

pub use collect::Totals;
pub use counters::{ConstCounters, GlobalCounters, InstCounters, LevelCounters, PcCounters, SharedCounters};
pub use ledger::{SlotLedger, WarpLedger, WarpState};
pub use report::Report;
