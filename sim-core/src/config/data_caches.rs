//! The caches of global and local memory: an L1 in each SM, an L2 in each partition. A chip may lack either. Both have
//! lines of 128 bytes, which is what the coalescing rule of lines makes.

use crate::cache::CacheShape;
use crate::mem::sectors::LINE_BYTES;

/// The L1 of an SM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct L1Config {
    /// Bytes of all lines, beside [`SmConfig::shared_bytes`](super::SmConfig::shared_bytes) of shared memory.
    pub bytes: u32,
    /// Lines of a set.
    pub ways: u32,
    /// How else the memory of both can be divided, for launches that prefer L1.
    pub prefer_l1: Option<Split>,
    /// Hot cycles from the tags of a load that hits until its values are where those of a reply are.
    pub hit_cycles: u32,
    /// Lines that may be on their way at once.
    pub misses: u32,
    /// Loads that may wait for one line.
    pub merges: u32,
    /// It caches loads of global memory that do not say otherwise; if not, only local memory (and `.ca`).
    pub global: bool,
}

impl L1Config {
    /// Its size and shape.
    pub fn shape(&self) -> CacheShape {
        CacheShape { bytes: self.bytes, line_bytes: LINE_BYTES, ways: self.ways }
    }
}

/// How an SM's memory is divided between L1 and shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Split {
    /// Bytes of L1.
    pub bytes: u32,
    /// Lines of a set of it.
    pub ways: u32,
    /// Bytes of shared memory. **Meaning** (a launch may not fit).
    pub shared_bytes: u32,
}

/// The L2 of a partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct L2Config {
    /// Bytes of all lines.
    pub bytes: u32,
    /// Lines of a set.
    pub ways: u32,
    /// Hot cycles from the tags of a request that hits until its sectors are at the reply port.
    pub hit_cycles: u32,
    /// Hot cycles for which a sector of a request keeps the cache busy.
    pub sector_cycles: u32,
    /// Reads of the DRAM that may be under way at once.
    pub misses: u32,
    /// Hot cycles between two atomics on the same word.
    pub atomic_cycles: u32,
}

impl L2Config {
    /// Its size and shape.
    pub fn shape(&self) -> CacheShape {
        CacheShape { bytes: self.bytes, line_bytes: LINE_BYTES, ways: self.ways }
    }
}
