//! L1 and L2 in the report; all zero on a chip without them.

use crate::counters::Counters;
use crate::mem::partition::{L2Counters, PartitionCounters};
use crate::sm::memory::l1::L1Counters;
use serde::Serialize;

/// All L1s. A count is one line of a request, as in `nvprof`; words are of 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct L1Report {
    /// What was counted.
    #[serde(flatten)]
    pub counters: L1Counters,
    /// Hits of all global loads that were cached, 0 to 1 (`l1_cache_global_hit_rate`); 0 if there
    /// were none.
    pub global_hit_rate: f64,
    /// Hits of all local loads and stores, 0 to 1 (`l1_cache_local_hit_rate`); 0 if there were
    /// none.
    pub local_hit_rate: f64,
    /// Dirty words of local memory that were left when the launch ended: nobody needs them.
    pub local_words_left: u64,
}

/// All parts of the L2. A sector is 32 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct L2Report {
    /// What was counted.
    #[serde(flatten)]
    pub counters: L2Counters,
    /// Sectors of reads that were there, 0 to 1 (`l2_read_hit_rate`); 0 if there were none.
    pub read_hit_rate: f64,
}

/// Of all L1s: their counts, and their dirty words.
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

/// Of the L2s of `partitions`.
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
