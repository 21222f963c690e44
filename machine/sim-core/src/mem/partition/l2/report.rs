//! Counters of the L2.

use super::query::Use;
use crate::counters::counters;
use crate::state::Value;
use serde::Serialize;

counters! {
    /// Counters of the L2 of one partition. A *query* is a sector that a request accesses
    /// (`l2_subp0_read_sector_queries` and the like in `nvprof`, where a sector is 32 bytes too).
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Value)]
    pub struct L2Counters {
        /// Sectors that loads requested.
        pub read_sector_queries: u64 [in "sectors"],
        /// Sectors of loads that missed, including sectors with an outstanding fetch.
        pub read_sector_misses: u64 [part of read_sector_queries] [in "sectors"],
        /// Sectors that stores wrote to, in whole or in part.
        pub write_sector_queries: u64 [in "sectors"],
        /// Sectors that atomics and reductions requested.
        pub atomic_sector_queries: u64 [in "sectors"],
        /// Sectors of atomics and reductions that missed.
        pub atomic_sector_misses: u64 [part of atomic_sector_queries] [in "sectors"],
        /// Bytes that the DRAM read for the L2.
        pub read_bytes: u64 [in "bytes"],
        /// Bytes that the L2 wrote to the DRAM.
        pub written_bytes: u64 [in "bytes"],
        /// Dirty sectors: not written to the DRAM.
        pub dirty_sectors: u64,
    }
}

impl L2Counters {
    /// Counts a request for `sectors` sectors, of which `missing` are not valid.
    pub(super) fn count(&mut self, usage: Use, sectors: u32, missing: u32) {
        let (sectors, missing) = (u64::from(sectors), u64::from(missing));
        match usage {
            Use::Read => {
                self.read_sector_queries += sectors;
                self.read_sector_misses += missing;
            }
            Use::Write(_) => self.write_sector_queries += sectors,
            Use::Change(_) => {
                self.atomic_sector_queries += sectors;
                self.atomic_sector_misses += missing;
            }
        }
    }
}
