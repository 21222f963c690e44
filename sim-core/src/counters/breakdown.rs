//! The two exact ledgers: where every issue slot and every warp cycle of an SM went.
//!
//! Both are kept by state changes, never by sampling, and hold no remainder and no "other". An *issue cycle* is
//! `issue_period` hot cycles of one scheduler; a *slot* is (scheduler, issue cycle, dispatch port). A state is
//! what holds at the start of an issue cycle.

use super::by::ByState;
use super::group::{Counters, counters};
use serde::{Deserialize, Serialize};

macro_rules! warp_states {
    ($($(#[$doc:meta])* $state:ident $label:literal $explanation:literal;)*) => {
        /// Where a resident warp is, or why it does not issue: the first check it fails.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        #[repr(u8)]
        pub enum WarpState {
            $($(#[$doc])* $state),*
        }

        impl WarpState {
            /// Number of states.
            pub const COUNT: usize = [$($label),*].len();

            /// All states, in the order in which an empty slot names its reason: least blocked first.
            pub const ALL: [Self; Self::COUNT] = [$(Self::$state),*];

            /// Whether the warp waits for something other than its turn.
            pub fn is_wait(self) -> bool {
                self > Self::NotSelected
            }

            /// In words, for tables.
            pub fn label(self) -> &'static str {
                match self {
                    $(Self::$state => $label),*
                }
            }

            /// What a student should know about it.
            pub fn explanation(self) -> &'static str {
                match self {
                    $(Self::$state => $explanation),*
                }
            }
        }
    };
}

// Least blocked first. A row is the state, its label in tables, and its explanation.
warp_states! {
    /// Its instruction issues, or holds the scheduler in later cycles of the same instruction.
    Issuing "issuing" "its instruction issues, or holds later slots";
    /// It could issue, but the scheduler took another warp or was held by one.
    NotSelected "eligible, not selected" "ready, but the scheduler was taken by another warp: enough parallelism";
    /// The unit that its next instruction needs is busy.
    PipeBusy "pipe busy" "the execution unit was still taking in an earlier instruction";
    /// Its next instruction accesses global or local memory and the load/store unit's queue is full.
    LsuFull "load/store unit full" "no room for another access to memory: it cannot keep up";
    /// Its next instruction is being fetched (after a branch, or at its start).
    Fetch "instruction fetch" "waiting for the next instruction after a branch or at the start";
    /// A register that it needs is still being computed by an execution unit.
    ExecutionDependency "execution dependency" "an operand was still being computed";
    /// A register that it needs is still being read from constant memory or the parameters.
    ConstantDependency "constant dependency" "an operand was still on its way from constant memory or parameters";
    /// A register that it needs is still being read from shared memory.
    SharedDependency "shared-memory dependency" "an operand was still on its way from shared memory";
    /// A register that it needs is on its way from global or local memory.
    MemoryDependency "memory dependency" "an operand was on its way from global or local memory";
    /// It waits for a memory fence to be answered.
    Membar "memory fence" "waiting for a memory fence";
    /// It waits for the other warps of its block at a barrier.
    Barrier "barrier" "waiting for other warps of the block at bar.sync";
    /// All its lanes have exited; its slot is held until its block's slots are released.
    Exited "exited, block resident" "finished; the rest of its block is not";
}

impl WarpState {
    /// Whether the wait is long: for memory, for other warps, or for ever.
    #[inline]
    pub const fn is_long_wait(self) -> bool {
        match self {
            Self::MemoryDependency | Self::Membar | Self::Barrier | Self::Exited => true,
            Self::Issuing
            | Self::NotSelected
            | Self::PipeBusy
            | Self::LsuFull
            | Self::Fetch
            | Self::ExecutionDependency
            | Self::ConstantDependency
            | Self::SharedDependency => false,
        }
    }
}

counters! {
    /// Issue slots by what became of them.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default)]
    pub struct SlotBreakdown {
        /// A warp instruction issued …
        pub issued: u64,
        /// … of which so many through a second dispatch port.
        pub paired: u64,
        /// Later slots of an instruction that takes several (a sequence on this hardware).
        pub held: u64,
        /// An instruction issued again to finish shared-memory passes after a bank conflict.
        pub replay_bank_conflict: u64,
        /// An instruction issued again for further addresses of constant memory: lanes of a group disagreed.
        pub replay_constant: u64,
        /// Another scheduler's instruction kept this one from issuing: double precision on Fermi takes the cores of both.
        pub shut_by_other: u64,
        /// Nothing issued through a second port, which issues beside the first only: nor did that issue anything new.
        pub as_first_port: u64,
        /// Nothing issued through a second port: nothing could go with what issued through the first.
        pub not_pairable: u64,
        /// Nothing issued, and no warp was resident.
        pub no_warp: u64,
        /// Nothing issued: the least blocked state among the scheduler's warps; never `Issuing`, and never `NotSelected`
        /// under a work-conserving policy.
        pub empty: ByState,
    }
}

impl SlotBreakdown {
    /// Books `slots` empty ones, for `reason`, or because no warp was resident.
    pub fn book_empty(&mut self, reason: Option<WarpState>, slots: u64) {
        match reason {
            Some(state) => self.empty[state] += slots,
            None => self.no_warp += slots,
        }
    }

    /// Slots in which nothing issued.
    pub fn empty_total(&self) -> u64 {
        self.no_warp + self.empty.total()
    }

    /// Slots in which an instruction issued again.
    pub fn replays(&self) -> u64 {
        self.replay_bank_conflict + self.replay_constant
    }

    /// All slots: every counter but `paired`, which is a part of `issued`.
    pub fn total(&self) -> u64 {
        let (mut all, mut total) = (*self, 0);
        all.leaves(&mut |slots| total += *slots);
        total - self.paired
    }
}
