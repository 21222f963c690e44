//! The caches of global and local memory: an L1 in each SM, an L2 in each partition. A chip may
//! lack either. Both have lines of 128 bytes, which is what the coalescing rule of lines makes.

use super::Chip;
use crate::cache::LINE_BYTES;
use crate::cache::{CacheShape, Replacement};
use std::borrow::Cow;

/// The L1 of an SM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct L1Config {
    /// Bytes of all lines, beside [`SmConfig::shared_bytes`](super::SmConfig::shared_bytes) of
    /// shared memory.
    pub bytes: u32,
    /// Lines of a set.
    pub ways: u32,
    /// How else the memory of both can be divided, for launches that prefer L1.
    pub prefer_l1: Option<Split>,
    /// Hot cycles from the tags of a load that hits until its values are where those of a reply
    /// are.
    pub hit_cycles: u32,
    /// Lines that may be on their way at once.
    pub misses: u32,
    /// Loads that may wait for one line.
    pub merges: u32,
    /// It caches loads of global memory that do not say otherwise; if not, only local memory (and
    /// `.ca`).
    pub global: bool,
    /// Which line of a full set is evicted.
    pub replacement: Replacement,
}

impl L1Config {
    /// Its size and shape.
    pub fn shape(&self) -> CacheShape {
        let Self { bytes, ways, replacement, .. } = *self;
        CacheShape { bytes, line_bytes: LINE_BYTES, ways, replacement }
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

/// What a launch asks of the memory that L1 and shared memory divide: `cudaFuncSetCacheConfig`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CachePreference {
    /// Nothing: the chip's usual division.
    #[default]
    None,
    /// More shared memory: the chip's usual division.
    Shared,
    /// More L1, if a block's shared memory fits into what is left of it.
    L1,
}

impl Chip {
    /// The chip as a launch finds it that prefers `preference`, each of whose blocks takes `shared`
    /// bytes of shared memory.
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
    /// Which line of a full set is evicted, of those for which no read of the DRAM is under way.
    pub replacement: Replacement,
}

impl L2Config {
    /// Its size and shape.
    pub fn shape(&self) -> CacheShape {
        let Self { bytes, ways, replacement, .. } = *self;
        CacheShape { bytes, line_bytes: LINE_BYTES, ways, replacement }
    }
}
