//! Caches and TLBs in the report; all counts of L1 and L2 are zero on a chip without them.

use super::collect::Totals;
use crate::counters::{ConstCounters, Counters, LevelCounters, TextureCounters};
use crate::mem::partition::{L2Counters, PartitionCounters};
use crate::sm::memory::l1::L1Counters;
use serde::Serialize;

/// Counters of all L1s. A count is one line of a request, as in `nvprof`; words have 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct L1Report {
    /// Counters.
    #[serde(flatten)]
    pub counters: L1Counters,
    /// Hits per cached global load, 0 to 1 (`l1_cache_global_hit_rate`); 0 if there were none.
    pub global_hit_rate: f64,
    /// Hits per local load or store, 0 to 1 (`l1_cache_local_hit_rate`); 0 if there were none.
    pub local_hit_rate: f64,
    /// Words of local memory that were dirty when the launch ended. They are never written back.
    pub local_words_left: u64,
}

/// Counters of all slices of the L2. A sector has 32 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct L2Report {
    /// Counters.
    #[serde(flatten)]
    pub counters: L2Counters,
    /// Sector hits per sector read, 0 to 1 (`l2_read_hit_rate`); 0 if there were none.
    pub read_hit_rate: f64,
}

/// Constant memory and parameters.
#[derive(Clone, Debug, Serialize)]
pub struct ConstantReport {
    /// Warp loads of constant memory, with any number of active lanes.
    pub const_requests: u64,
    /// Warp loads of parameters.
    pub param_requests: u64,
    /// Counters of the SMs' caches.
    pub l1: ConstCounters,
    /// Counters of the clusters' caches: constants, and code on chips with instruction caches.
    /// Unit: lines.
    pub l2: LevelCounters,
    /// Counters of the partitions' caches: constants, and code on chips with instruction caches.
    /// Unit: lines.
    pub l3: LevelCounters,
    /// Lines that were requested from partitions: constants, and code on chips with instruction
    /// caches.
    pub line_requests: u64,
    /// Replays for further addresses, per executed instruction.
    pub replay_overhead: f64,
}

/// Texture fetches.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TextureReport {
    /// Counters of the clusters' texture units and caches.
    #[serde(flatten)]
    pub counters: TextureCounters,
    /// Hits per look-up in the clusters' caches, 0 to 1 (`tex_cache_hit_rate`); 0 without look-ups.
    pub cache_hit_rate: f64,
    /// Lines requested from partitions.
    pub line_requests: u64,
    /// Look-ups in the partitions' texture caches; all zero on chips without them.
    pub l2: LevelCounters,
}

/// Makes the report of texture fetches, if the kernel uses textures.
pub(super) fn texture_report(used: bool, t: &Totals) -> Option<TextureReport> {
    let counters = t.texture;
    used.then(|| TextureReport {
        counters,
        cache_hit_rate: rate(counters.cache_hits, counters.cache_misses),
        line_requests: t.texture_lines,
        l2: t.texture_l2,
    })
}

/// Makes the report of all L1s from their counters and the number of dirty words left.
pub fn l1_report(counters: L1Counters, left: u64) -> L1Report {
    let c = counters;
    let local = c.local_load_hit + c.local_store_hit;
    L1Report {
        counters,
        global_hit_rate: rate(c.global_load_hit, c.global_load_miss),
        local_hit_rate: rate(local, c.local_load_miss + c.local_store_miss),
        local_words_left: left,
    }
}

/// Makes the report of the L2 slices of `partitions`.
pub fn l2_report(partitions: &[PartitionCounters]) -> L2Report {
    let mut counters = L2Counters::default();
    for partition in partitions {
        counters.merge(&partition.l2);
    }
    let misses = counters.read_sector_misses;
    L2Report { counters, read_hit_rate: rate(counters.read_sector_queries - misses, misses) }
}

fn rate(hits: u64, misses: u64) -> f64 {
    if hits + misses == 0 { 0.0 } else { hits as f64 / (hits + misses) as f64 }
}

/// Look-ups of the clusters' TLBs, one for each message.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct TlbReport {
    /// First level.
    pub first: LevelCounters,
    /// Second level.
    pub second: LevelCounters,
}
