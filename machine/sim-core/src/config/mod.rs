//! A checked chip: plain numbers, with a struct for each unit.
//!
//! Each field of a chip file is defined once, by a row of a record in the files of this folder:
//! name, form, range, unit, effect and explanation ([`schema`]). [`tree`] parses RON text into
//! nodes with places, [`base`] applies a chip on top of its base, [`set`] applies `--set` arguments
//! on top of both, [`read`] returns typed values of nodes, and [`check`] has the rules over several
//! values. [`source::Complaints`] collects all complaints, each with its place.
//!
//! A **meaning** field can change what a kernel computes or whether it may run. All others are
//! **timing** fields: for an ordered launch they change cycles and nothing else (see
//! `docs/MODEL.md`). A shader cycle is one period of the shader clock, the simulator's unit of
//! time.
//!
//! Invariant `occupancy-only-chips`: A chip with numbers for occupancy only runs no kernel.

pub mod base;
pub mod builtin;
pub mod caches;
pub mod check;
mod chip;
mod cluster;
pub mod codes;
pub mod data_caches;
pub mod execution;
mod file;
pub mod launch;
mod lsu;
mod partition;
mod policy;
pub mod read;
pub mod schema;
pub mod set;
mod sm;
pub mod source;
pub mod tree;
mod units;

pub use crate::cache::CacheShape;
pub use crate::words::{Argument, Named, Word, Worded};
pub use caches::{ConstCacheConfig, ConstLevelConfig, InstrCacheConfig, TextureCacheConfig};
pub use chip::{Chip, Clocks, CrossbarConfig, DispatchConfig, PcieConfig};
pub use cluster::{ClusterConfig, TlbConfig, TlbLevelConfig};
pub use data_caches::{
    CachePreference, FillPolicy, L1Config, L2Config, Prefetch, Split, StorePolicy, WritePolicy,
};
pub use execution::{FirstPath, OperandConfig, OperandsConfig};
pub use launch::{Allocation, Limits, RegisterScope};
pub use lsu::{CoalesceRule, LsuConfig, SameWord};
pub use partition::{DramConfig, DramScheduler, DramTiming, MapKind, PagePolicy, PartitionConfig};
pub use policy::{PolicyKind, Throttle};
pub use sm::{BankRule, SharedConfig, SmConfig};
pub use units::{ClassCost, MAX_SCHEDULERS, MAX_UNITS, SecondCost, SecondPort, UnitConfig};

/// Number of threads in a warp. Every chip of the era has 32, and masks are 32 bits wide.
pub const WARP_SIZE: u32 = 32;

/// Size of the smallest transaction of global memory, in bytes.
pub const SEGMENT: u32 = 32;

/// Size of the longest message in bytes, all its transactions together: an uncoalesced half-warp on
/// capability 1.0.
pub const LONGEST_TRAIN: u32 = 16 * SEGMENT;

/// Largest request queue and largest number of banks of a DRAM channel.
pub const MAX_QUEUE: u32 = 64;

/// Longest time that a chip file can give, in cycles of its unit.
const LONG: u32 = 1_000_000;

#[cfg(test)]
mod tests;
