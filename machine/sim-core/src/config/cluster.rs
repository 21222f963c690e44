//! A cluster of SMs: its port of the crossbar, its level of constant cache, and its TLB.

use super::schema::forms::{IfAny, Or, Part, PartOrNone, Policy};
use super::{ConstLevelConfig, LONG, TextureCacheConfig};
use crate::cache::{CacheShape, Replacement, SetIndex};
use crate::record;

record! {
    /// A cluster: SMs that share one port of the crossbar.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct ClusterConfig {
        /// Number of SMs in the cluster.
        pub sms: u32 = 1..=16, "SMs", timing;
        /// Time of the port for the header of one request.
        pub port_request_cycles: u32 = 1..=LONG, "shader cycles", timing;
        /// Store data that the port sends.
        pub port_bytes_per_cycle: u32 = 1..=4096, "bytes per shader cycle", timing;
        /// Reply data that the cluster receives.
        pub reply_bytes_per_cycle: u32 = 1..=4096, "bytes per shader cycle", timing;
        /// Number of requests with a pending reply (loads and fences) that the cluster has space
        /// for.
        pub reply_room: u32 = 1..=65536, "requests", timing;
        /// Level of cache that the constant and instruction caches of the SMs share. It has an
        /// effect only behind such a cache. Without this level, their misses go to the partitions.
        pub const_cache: Option<ConstLevelConfig> = PartOrNone;
        /// Texture units and their cache. Without them, kernels with texture fetches are refused.
        pub texture_cache: Option<TextureCacheConfig> = IfAny(PartOrNone);
        /// Translation of addresses. Without it, no page misses.
        pub tlb: Option<TlbConfig> = PartOrNone;
    }

    /// Translation of addresses in a cluster: each message for global or local memory looks up its
    /// page. The built-in chips have no TLB, because the sizes were measured, but hardly any cost
    /// of a miss. GT200's sizes (Wong et al.), with guessed costs:
    /// `--set 'cluster.tlb=(page_bytes: 524288, first: (entries: 16, ways: 16, miss_cycles: 50),
    /// second: (entries: 64, ways: 8, miss_cycles: 200))'`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct TlbConfig {
        /// Size of a page: a power of two.
        pub page_bytes: u32 = 256..=1 << 30, "bytes", timing;
        /// Level that every message looks up.
        pub first: TlbLevelConfig = Part;
        /// Level for pages that the first level does not hold.
        pub second: Option<TlbLevelConfig> = PartOrNone;
    }

    /// A level of address translation.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct TlbLevelConfig {
        /// Number of pages that the level holds: whole sets.
        pub entries: u32 = 1..=65536, "pages", timing;
        /// Number of pages in a set.
        pub ways: u32 = 1..=1024, "pages", timing;
        /// Replacement policy: the page of a full set that is evicted.
        pub replacement: Replacement = Or(Policy, Replacement::Lru), timing;
        /// Delay of a message whose page is not in this level. Later messages of the same link do
        /// not overtake it.
        pub miss_cycles: u32 = 0..=LONG, "shader cycles", timing;
    }
}

impl TlbLevelConfig {
    /// Size and shape of the level as a cache whose lines are pages.
    pub fn shape(&self) -> CacheShape {
        let Self { entries, ways, replacement, .. } = *self;
        CacheShape { bytes: entries, line_bytes: 1, ways, replacement, index: SetIndex::Modulo }
    }
}
