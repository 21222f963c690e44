//! The levels at which constants and code are cached: in each SM, in each cluster, in each
//! partition; and translation. A chip may lack any.

use super::{Chip, PolicyKind};
use crate::cache::{CacheShape, Replacement};

impl Chip {
    /// The caches that the chip has, with their paths in a chip file.
    pub fn caches(&self) -> impl Iterator<Item = (&'static str, CacheShape)> {
        let (sm, tlb) = (&self.sm, self.cluster.tlb);
        let all = [
            ("sm.const_cache", sm.const_cache.map(|cache| cache.shape)),
            ("sm.instr_cache", sm.instr_cache.map(|cache| cache.shape)),
            ("sm.l1", sm.l1.map(|l1| l1.shape())),
            ("cluster.const_cache", self.cluster.const_cache.map(|level| level.shape)),
            ("cluster.tlb.first", tlb.map(|tlb| tlb.first.shape())),
            ("cluster.tlb.second", tlb.and_then(|tlb| tlb.second).map(|level| level.shape())),
            ("partition.const_cache", self.partition.const_cache.map(|level| level.shape)),
            ("partition.l2", self.partition.l2.map(|l2| l2.shape())),
        ];
        all.into_iter().filter_map(|(path, shape)| Some((path, shape?)))
    }
}

impl Chip {
    /// Seeds of the random policies of the chip, by the path of the scheduler or cache in a chip
    /// file.
    pub fn seeds(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let scheduler = match self.sm.policy {
            PolicyKind::Random { seed } => Some(("sm.scheduler", seed)),
            PolicyKind::LooseRoundRobin
            | PolicyKind::OldestFirst
            | PolicyKind::GreedyThenOldest
            | PolicyKind::TwoLevel { .. }
            | PolicyKind::Priority => None,
        };
        let caches = self.caches().filter_map(|(path, shape)| match shape.replacement {
            Replacement::Random { seed } => Some((path, seed)),
            Replacement::Lru | Replacement::Fifo | Replacement::PseudoLru => None,
        });
        scheduler.into_iter().chain(caches)
    }
}

/// The constant cache of an SM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConstCacheConfig {
    /// Size and shape.
    pub shape: CacheShape,
    /// Hot cycles of the latency of `ld_const` (and of `ld_param`, where parameters lie in constant
    /// memory) that pass until the cache gives the word; what is left of it follows when a missing
    /// line has come.
    pub hit_cycles: u32,
    /// Lanes whose addresses are told apart together: 16 (half-warp) on cc 1.x, 32 (warp) on cc
    /// 2.x.
    pub group: u32,
    /// Hot cycles for each different address of a group.
    pub pass_cycles: u32,
}

/// A level behind the SMs' constant caches: a cluster's, or a partition's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConstLevelConfig {
    /// Size and shape.
    pub shape: CacheShape,
    /// Hot cycles until a line that it holds is given: of a cluster's, from the access that missed
    /// in the SM to the line's arrival there; of a partition's, from the arbiter to the reply port.
    pub hit_cycles: u32,
    /// Hot cycles more that a line takes which it does not hold: of a cluster's, from the access
    /// that missed in the SM until the request may leave; of a partition's, behind the DRAM.
    pub miss_cycles: u32,
}

/// The instruction cache of an SM; behind it are the levels of the constant caches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InstrCacheConfig {
    /// Size and shape.
    pub shape: CacheShape,
    /// Bytes of an instruction.
    pub instruction_bytes: u32,
}

/// Translation of addresses in a cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TlbConfig {
    /// Bytes of a page: a power of two.
    pub page_bytes: u32,
    /// The level that is looked at first.
    pub first: TlbLevelConfig,
    /// The level that is looked at for a page that the first does not know.
    pub second: Option<TlbLevelConfig>,
}

/// A level of translation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TlbLevelConfig {
    /// Pages that it knows.
    pub entries: u32,
    /// Pages of a set.
    pub ways: u32,
    /// Hot cycles more that a message takes whose page it does not know.
    pub miss_cycles: u32,
    /// Which page of a full set is evicted.
    pub replacement: Replacement,
}

impl TlbLevelConfig {
    /// Its size and shape: lines of one page.
    pub fn shape(&self) -> CacheShape {
        CacheShape { bytes: self.entries, line_bytes: 1, ways: self.ways, replacement: self.replacement }
    }
}
