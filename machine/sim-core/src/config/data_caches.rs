//! The caches of global and local memory: an L1 in each SM, an L2 in each partition. Both have
//! lines of 128 bytes, which are the lines of the coalescing rule `lines`.

use super::schema::forms::{Choice, Flag, Or, PartOrNone, Policy};
use super::{Chip, LONG};
use crate::cache::{CacheShape, LINE_BYTES, Replacement, SetIndex};
use crate::components::Registered;
use crate::components::l1::Prefetchers;
use crate::record;
use crate::words::{words, words_with_arguments};
use std::borrow::Cow;

/// Size of the largest L1.
const L1_BYTES: u32 = 1 << 20;
/// Size of the largest L2 of a partition.
const L2_BYTES: u32 = 1 << 22;

record! {
    /// The L1 cache of an SM, for global and local memory. Its lines have 128 bytes, so the
    /// coalescing rule must be `lines`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct L1Config {
        /// Size for launches that do not prefer L1: whole sets of `ways` lines. The
        /// `sm.shared_bytes` of shared memory are not part of it.
        pub bytes: u32 = 128..=L1_BYTES, "bytes", timing;
        /// Number of lines in a set.
        pub ways: u32 = 1..=1024, "lines", timing;
        /// Time from the tag lookup, when a load is first in the load/store queue, until the warp
        /// can use the values of a hit.
        pub hit_cycles: u32 = 0..=LONG, "shader cycles", timing;
        /// Number of MSHRs: lines with an outstanding miss.
        pub misses: u32 = 1..=1024, "lines", timing;
        /// Number of loads that may wait for one line.
        pub merges: u32 = 1..=1024, "loads", timing;
        /// Whether loads of global memory without a cache operator use the L1. `false` is the same
        /// as `-dlcm=cg`: these loads read the sectors that they access from the L2, and only local
        /// memory and `.ca` use the L1.
        pub global: bool = Flag, timing;
        /// Part of its line that a miss requests.
        pub fill: FillPolicy = Or(Choice, FillPolicy::Line), timing;
        /// Effect of a store to global memory on its line, if the line is present. Every store goes
        /// to the L2 (write-through), and none allocates a line (no-write allocate).
        pub stores: StorePolicy = Or(Choice, StorePolicy::Evict), timing;
        /// Lines that are requested before a load needs them.
        pub prefetch: Prefetch = Or(Policy, Prefetch::Off), timing;
        /// Replacement policy: the line of a full set that is evicted.
        pub replacement: Replacement = Or(Policy, Replacement::Lru), timing;
        /// The set of a line.
        pub index: SetIndex = Or(Choice, SetIndex::Modulo), timing;
        /// Division of the memory for launches that prefer L1 (`--cache prefer-l1`). `none`: the
        /// same division as for other launches.
        pub prefer_l1: Option<Split> = PartOrNone;
    }

    /// Division of an SM's memory between L1 and shared memory, for launches that prefer L1. A
    /// launch gets it if the shared memory of its blocks fits.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct Split {
        /// Size of the L1.
        pub bytes: u32 = 128..=L1_BYTES, "bytes", timing;
        /// Number of lines in a set of the L1.
        pub ways: u32 = 1..=1024, "lines", timing;
        /// Size of the shared memory of an SM.
        pub shared_bytes: u32 = 0..=1 << 20, "bytes", meaning;
    }

    /// The L2 cache of a partition, its part of the unified L2: lines of 128 bytes in sectors of
    /// 32, so the coalescing rule must be `lines`. It is behind the arbiter and in front of the
    /// first half of `partition.pipeline_cycles`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct L2Config {
        /// Size: whole sets of `ways` lines.
        pub bytes: u32 = 128..=L2_BYTES, "bytes", timing;
        /// Number of lines in a set.
        pub ways: u32 = 1..=1024, "lines", timing;
        /// Time from the tag lookup until the sectors of a hit are at the reply port.
        pub hit_cycles: u32 = 0..=LONG, "shader cycles", timing;
        /// Time that each sector of a request occupies the cache.
        pub sector_cycles: u32 = 1..=LONG, "shader cycles", timing;
        /// Number of MSHRs: outstanding reads of DRAM.
        pub misses: u32 = 1..=4096, "DRAM reads", timing;
        /// When the DRAM gets the sectors that are written.
        pub writes: WritePolicy = Or(Choice, WritePolicy::WriteBack), timing;
        /// Replacement policy: the line of a full set that is evicted. Lines with an outstanding
        /// read of DRAM are not evicted.
        pub replacement: Replacement = Or(Policy, Replacement::Lru), timing;
        /// The set of a line.
        pub index: SetIndex = Or(Choice, SetIndex::Modulo), timing;
    }
}

words! {
    /// Parts of a line that a miss of an L1 requests.
    pub enum FillPolicy {
        /// The whole line, as on Fermi.
        Line = "line",
        /// The sectors of 32 bytes that the load accesses, as in a sectored cache (Rhu et al., "A
        /// locality-aware memory hierarchy for energy-efficient GPU architectures", MICRO 2013).
        /// Prefetchers request whole lines.
        Sectors = "sectors",
    }
}

words! {
    /// Write policies of an L1 for a store whose line is present, by the names of Jouppi ("Cache
    /// write policies and performance", ISCA 1993). Atomics evict their line under both.
    pub enum StorePolicy {
        /// The line is evicted (write-invalidate), as on Fermi.
        Evict = "evict",
        /// The line takes the new values and stays.
        Update = "update",
    }
}

words! {
    /// Write policies of an L2.
    pub enum WritePolicy {
        /// When their line is evicted, or at the end of the launch. A write allocates a line
        /// without a read (Jouppi, ISCA 1993: write-validate).
        WriteBack = "write_back",
        /// Immediately. The sectors stay in the cache if their line is present, and a store
        /// allocates none (no-write allocate).
        WriteThrough = "write_through",
    }
}

words_with_arguments! {
    /// Prefetchers of an L1.
    pub enum Prefetch or Registered<Prefetchers> {
        /// No line.
        Off = "off",
        /// After each load that misses, the lines that follow its line (Smith, ACM Computing
        /// Surveys 1982: prefetch on misses).
        NextLines = "next_lines" (
            /// Number of lines.
            lines: u32 in 1..=8
        ),
    }
}

impl L1Config {
    /// Size and shape.
    pub fn shape(&self) -> CacheShape {
        let Self { bytes, ways, replacement, index, .. } = *self;
        CacheShape { bytes, line_bytes: LINE_BYTES, ways, replacement, index }
    }
}

impl L2Config {
    /// Size and shape.
    pub fn shape(&self) -> CacheShape {
        let Self { bytes, ways, replacement, index, .. } = *self;
        CacheShape { bytes, line_bytes: LINE_BYTES, ways, replacement, index }
    }
}

words! {
    /// Preference of a launch for the division of memory between L1 and shared memory:
    /// `cudaFuncSetCacheConfig`.
    #[derive(Default)]
    pub enum CachePreference {
        /// No preference: the default division of the chip.
        #[default]
        None = "prefer_none",
        /// More shared memory: the default division of the chip.
        Shared = "prefer_shared",
        /// More L1, if the shared memory of a block fits into the rest.
        L1 = "prefer_l1",
    }
}

impl Chip {
    /// Returns the chip with the division of memory for a launch with `preference` whose blocks
    /// need `shared` bytes of shared memory each.
    pub fn divided(&self, preference: CachePreference, shared: u64) -> Cow<'_, Self> {
        let split = self.sm.l1.and_then(|l1| l1.prefer_l1).filter(|_| preference == CachePreference::L1);
        let Some(split) = split.filter(|split| shared <= split.shared_bytes.into()) else {
            return Cow::Borrowed(self);
        };
        let mut chip = self.clone();
        chip.sm.shared_bytes = split.shared_bytes;
        if let Some(l1) = &mut chip.sm.l1 {
            (l1.bytes, l1.ways) = (split.bytes, split.ways);
        }
        Cow::Owned(chip)
    }
}
