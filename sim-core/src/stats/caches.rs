//! L1, L2 and TLBs in the report; all counts of an L1 or L2 are zero on a chip without them.

use crate::counters::{Counters, LevelCounters};
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
