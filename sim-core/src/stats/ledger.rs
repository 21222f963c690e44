//! The two exact ledgers: where every issue slot and every warp cycle of an SM went.
//!
//! Both are kept by state changes, never by sampling, and hold no remainder and no "other". An *issue cycle* is
//! `issue_period` hot cycles of one scheduler; a *slot* is (scheduler, issue cycle, dispatch port). A state is
//! what holds at the start of an issue cycle.

use serde::Serialize;

/// Where a resident warp is, or why it does not issue: the first check it fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum WarpState {
    /// Its instruction issues, or holds the scheduler in later cycles of the same instruction.
    Issuing,
    /// It could issue, but the scheduler took another warp or was held by one.
    NotSelected,
    /// The unit that its next instruction needs is busy.
    PipeBusy,
    /// Its next instruction accesses global or local memory and the load/store unit's queue is full.
    LsuFull,
    /// Its next instruction is being fetched (after a branch, or at its start).
    Fetch,
    /// A register that it needs is still being computed by an execution unit.
    ExecutionDependency,
    /// A register that it needs is still being read from constant memory or the parameters.
    ConstantDependency,
    /// A register that it needs is still being read from shared memory.
    SharedDependency,
    /// A register that it needs is on its way from global or local memory.
    MemoryDependency,
    /// It waits for a memory fence to be answered.
    Membar,
    /// It waits for the other warps of its block at a barrier.
    Barrier,
    /// All its lanes have exited; its slot is held until its block's slots are released.
    Exited,
}

impl WarpState {
    /// All states, in the order in which an empty slot names its reason: least blocked first.
    pub const ALL: [Self; 12] = [
        Self::Issuing,
        Self::NotSelected,
        Self::PipeBusy,
        Self::LsuFull,
        Self::Fetch,
        Self::ExecutionDependency,
        Self::ConstantDependency,
        Self::SharedDependency,
        Self::MemoryDependency,
        Self::Membar,
        Self::Barrier,
        Self::Exited,
    ];

    /// In words, for tables.
    pub fn label(self) -> &'static str {
        match self {
            Self::Issuing => "issuing",
            Self::NotSelected => "eligible, not selected",
            Self::PipeBusy => "pipe busy",
            Self::LsuFull => "load/store unit full",
            Self::Fetch => "instruction fetch",
            Self::ExecutionDependency => "execution dependency",
            Self::ConstantDependency => "constant dependency",
            Self::SharedDependency => "shared-memory dependency",
            Self::MemoryDependency => "memory dependency",
            Self::Membar => "memory fence",
            Self::Barrier => "barrier",
            Self::Exited => "exited, block resident",
        }
    }

    /// What a student should know about it.
    pub fn explanation(self) -> &'static str {
        match self {
            Self::Issuing => "its instruction issues, or holds later slots",
            Self::NotSelected => "ready, but the scheduler was taken by another warp: enough parallelism",
            Self::PipeBusy => "the execution unit was still taking in an earlier instruction",
            Self::LsuFull => "no room for another access to memory: it cannot keep up",
            Self::Fetch => "waiting for the next instruction after a branch or at the start",
            Self::ExecutionDependency => "an operand was still being computed",
            Self::ConstantDependency => "an operand was still on its way from constant memory or parameters",
            Self::SharedDependency => "an operand was still on its way from shared memory",
            Self::MemoryDependency => "an operand was on its way from global or local memory",
            Self::Membar => "waiting for a memory fence",
            Self::Barrier => "waiting for other warps of the block at bar.sync",
            Self::Exited => "finished; the rest of its block is not",
        }
    }
}

/// Warp cycles by state, in issue cycles, from block launch to release of the block's slots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct WarpLedger {
    /// Indexed by [`WarpState`].
    pub by_state: [u64; 12],
}

impl WarpLedger {
    /// Warp issue cycles in `state`.
    pub fn get(&self, state: WarpState) -> u64 {
        self.by_state[state as usize]
    }

    /// Books `cycles` issue cycles of one warp.
    pub fn add(&mut self, state: WarpState, cycles: u64) {
        self.by_state[state as usize] += cycles;
    }

    /// All of it; equals the resident warp cycles.
    pub fn total(&self) -> u64 {
        self.by_state.iter().sum()
    }

    /// Adds another ledger.
    pub fn merge(&mut self, other: &Self) {
        for (a, b) in self.by_state.iter_mut().zip(other.by_state) {
            *a += b;
        }
    }
}

/// Issue slots by what became of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SlotLedger {
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
    /// Nothing issued: the least blocked state among the scheduler's warps. Indexed by [`WarpState`]; never
    /// `Issuing`, and never `NotSelected` under a work-conserving policy.
    pub empty: [u64; 12],
}

impl SlotLedger {
    /// Books `slots` empty ones, for `reason`, or because no warp was resident.
    pub fn book_empty(&mut self, reason: Option<WarpState>, slots: u64) {
        match reason {
            Some(state) => self.empty[state as usize] += slots,
            None => self.no_warp += slots,
        }
    }

    /// Slots in which nothing issued.
    pub fn empty_total(&self) -> u64 {
        self.no_warp + self.empty.iter().sum::<u64>()
    }

    /// Slots in which an instruction issued again.
    pub fn replays(&self) -> u64 {
        self.replay_bank_conflict + self.replay_constant
    }

    /// All slots.
    pub fn total(&self) -> u64 {
        let used = self.issued + self.held + self.replays() + self.shut_by_other;
        used + self.as_first_port + self.not_pairable + self.empty_total()
    }

    /// Adds another ledger.
    pub fn merge(&mut self, other: &Self) {
        self.issued += other.issued;
        self.held += other.held;
        self.replay_bank_conflict += other.replay_bank_conflict;
        self.paired += other.paired;
        self.shut_by_other += other.shut_by_other;
        self.as_first_port += other.as_first_port;
        self.not_pairable += other.not_pairable;
        self.replay_constant += other.replay_constant;
        self.no_warp += other.no_warp;
        for (a, b) in self.empty.iter_mut().zip(other.empty) {
            *a += b;
        }
    }
}
