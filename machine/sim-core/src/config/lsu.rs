//! The load/store unit of an SM, and the coalescing rules.

use super::LONG;
use super::schema::forms::{Choice, Flag, Or, Policy};
use crate::components::Registered;
use crate::components::coalescing::CoalescingRules;
use crate::record;
use crate::words::{words, words_with_arguments};

record! {
    /// The load/store unit of an SM, which makes transactions of the accesses to global and local
    /// memory, in issue order.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub struct LsuConfig {
        /// Number of entries in the queue of the unit.
        pub queue: u32 = 1..=4096, "warp instructions", timing;
        /// Time from issue to the first transaction.
        pub latency: u32 = 0..=LONG, "shader cycles", timing;
        /// Time of each transaction.
        pub transaction_cycles: u32 = 1..=LONG, "shader cycles", timing;
        /// Number of lanes that are coalesced together: 16 (a half-warp) with `strict` and
        /// `segments`, 32 (a warp) with `lines`.
        pub group: u32 = 1..=32, "lanes", timing;
        /// Coalescing rule.
        pub rule: CoalesceRule = Policy, timing;
        /// Resources that lanes of an uncoalesced group with the same word share. Only `strict`
        /// uses it. In all cases the unit works for each lane, and the report counts transactions
        /// by the rule.
        pub same_word: SameWord = Choice, timing;
        /// Whether coalescing is ideal: an access has no more transactions than one to consecutive,
        /// aligned words. Each of its messages transfers only the accessed bursts. Messages to
        /// different chunks stay apart, because their bytes are in different partitions or DRAM
        /// rows. Atomics and the lines of an L1 are unchanged. No real chip has this;
        /// `warpsim experiment` uses it for the resource `coalescing`.
        pub ideal_coalescing: bool = Or(Flag, false), timing;
    }
}

words_with_arguments! {
    /// Coalescing rules (CUDA C Programming Guide 5.5, G.3.2 and G.4.2).
    pub enum CoalesceRule or Registered<CoalescingRules> {
        /// Capability 1.0 and 1.1: lane k of a half-warp accesses word k of one aligned segment;
        /// lanes may be idle. The transactions are one of 64 bytes for words of 4 bytes, one of 128
        /// for words of 8, and two of 128 for words of 16. Any other access is one transaction of
        /// 32 bytes for each lane.
        Strict = "strict",
        /// Capability 1.2 and 1.3: the word of the lowest lane is in an aligned segment of 32 bytes
        /// (for words of 1 byte), 64 bytes (2 bytes) or 128 bytes (longer words). The segment
        /// serves all lanes of the half-warp that access it. If the lanes access only one half of
        /// 128 bytes, the transaction has 64 bytes; if only one half of 64, it has 32. The
        /// remaining lanes continue with the next segment.
        Segments = "segments",
        /// Capability 2.x: an access of a warp is one request; two requests of half-warps for words
        /// of 8 bytes; four of quarter-warps for words of 16. A load transfers each 128-byte line
        /// that the request accesses, a store only the accessed sectors of 32 bytes.
        Lines = "lines",
    }
}

words! {
    /// Resources that lanes with the same word share under the rule `strict`.
    pub enum SameWord {
        /// Nothing: each lane has a transfer.
        Apart = "apart",
        /// The burst in the DRAM and in the reply: the transfers of the lanes wait together at the
        /// partition. Each has its slot at the arbiter.
        OneBurst = "one_burst",
        /// One transfer, which has one slot at the arbiter.
        OneTransfer = "one_transfer",
    }
}

impl CoalesceRule {
    /// Number of lanes that the rule coalesces together, which `sm.lsu.group` must be, and the
    /// reason in words.
    pub const fn group(self) -> (u32, &'static str) {
        match self {
            Self::Strict => (16, "the strict rule coalesces half-warps"),
            Self::Segments => (16, "the segments rule coalesces half-warps"),
            Self::Lines => (32, "the lines rule coalesces warps"),
            Self::Own(_) => (16, "a rule of the program coalesces half-warps"),
        }
    }

    /// Whether the messages are for lines, as caches of global memory need them.
    pub const fn makes_lines(self) -> bool {
        match self {
            Self::Strict | Self::Segments | Self::Own(_) => false,
            Self::Lines => true,
        }
    }
}
