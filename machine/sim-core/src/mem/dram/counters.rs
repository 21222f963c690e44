//! Counters of a DRAM channel.

use crate::counters::counters;
use crate::state::Value;
use serde::Serialize;

counters! {
    /// Counters of one channel. Requests: hits + misses + conflicts = requests served.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Value)]
    pub struct DramCounters {
        /// Rows opened.
        pub activates: u64,
        /// Rows closed, by a precharge of one bank or of all.
        pub precharges: u64,
        /// Bursts read.
        pub reads: u64,
        /// Bursts written.
        pub writes: u64,
        /// Requests that found their row open.
        pub row_hits: u64,
        /// Requests for which a row was opened in a closed bank.
        pub row_misses: u64,
        /// Requests for which another row was closed first.
        pub row_conflicts: u64,
        /// Requests served by the starvation rule.
        pub starvation_picks: u64,
        /// Refreshes of all banks.
        pub refreshes: u64,
        /// Command cycles in which the data bus carried data.
        pub data_busy: u64,
        /// Command cycles that row changes take at least: in the bank with most of them, or on the
        /// command bus of the channel.
        pub row_busy: u64,
        /// Bytes moved.
        pub bytes: u64,
    }
}
