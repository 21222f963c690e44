//! What can be seen: changes of a warp's state with their reasons, of its reconvergence stack, and
//! of blocks.
//!
//! Events are plain data without words; whoever writes them out has the program and the chip to
//! name things. Cycles are hot cycles; where something begins with an issue cycle it is the first
//! hot cycle of that.

use crate::counters::WarpState;
use crate::exec::simt::Entry;
use isa::types::Dim3;

/// Something that happened in an SM.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Hot cycle at which the issue cycle begins from which it holds.
    pub cycle: u64,
    /// The SM's number in the chip.
    pub sm: u32,
    /// What.
    pub what: What,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// A block moved in; or it was there when the watch began.
    BlockStarted {
        /// Linear number of the block in the grid.
        block: u64,
        /// Its index in the grid.
        ctaid: Dim3,
        /// Mask of the warp slots it has.
        warps: u64,
        /// Hot cycle from which it is resident.
        since: u64,
    },
    /// A block released its slots.
    BlockRetired {
        /// Linear number of the block in the grid.
        block: u64,
        /// Mask of the warp slots it had.
        warps: u64,
    },
    /// A warp is in this state from now on. With equal contents told again only when another
    /// instruction issues.
    State {
        /// Warp slot.
        warp: u32,
        /// The instruction that the cycles are charged to: the one that issues, the barrier, fence
        /// or exit that the warp waits at, or else its next instruction.
        pc: u32,
        /// Lanes of the running side (before the guard of the instruction).
        lanes: u32,
        /// The state.
        state: WarpState,
        /// Why.
        why: Why,
    },
    /// The warp's reconvergence stack after the instruction that issues now, or at the start: from
    /// the entry that waits longest to the running one; empty when all lanes have exited. Moving on
    /// to the next instruction is no change.
    Stack {
        /// Warp slot.
        warp: u32,
        /// The entries.
        entries: Vec<Entry>,
    },
    /// All values of a global load are home.
    LoadHome {
        /// The load.
        load: Origin,
        /// Hot cycle in which the last values came.
        at: u64,
        /// Hot cycle from which the register can be used.
        usable: u64,
    },
}

/// An instruction that a warp has issued.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// Warp slot.
    pub warp: u32,
    /// Instruction.
    pub pc: u32,
    /// Hot cycle of issue.
    pub cycle: u64,
}

/// An instruction and the slots it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Issued {
    /// When and where it issued.
    pub origin: Origin,
    /// Lanes of the running side.
    pub lanes: u32,
    /// Those of them that passed its guard.
    pub guarded: u32,
    /// Issue cycles after the first in which the instruction still issues: it is a sequence …
    pub held: u64,
    /// … then those in which it is issued again because of bank conflicts …
    pub replay: u64,
    /// … and last those in which it is, for further addresses of constant memory.
    pub constant: u64,
}

impl Issued {
    /// All issue cycles in which it issues.
    pub fn slots(&self) -> u64 {
        1 + self.held + self.replay + self.constant
    }
}

/// Why a warp is in its state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// `Issuing`: this instruction.
    Issued(Issued),
    /// `NotSelected`: the scheduler issues, or is held by, the instruction of another warp.
    Taken {
        /// That warp's slot.
        by: u32,
    },
    /// `NotSelected`: the user's own scheduling policy left the slot empty.
    LeftEmpty,
    /// `PipeBusy`: the unit is taking in an earlier instruction.
    Unit {
        /// Index of the unit in the chip's configuration.
        unit: u8,
        /// The instruction it takes in.
        user: Origin,
        /// Hot cycle of the issue cycle in which it takes another instruction.
        free: u64,
    },
    /// `LsuFull`.
    QueueFull,
    /// `Fetch`: after a branch (or an exit of some lanes), or at the warp's start.
    Fetch {
        /// The instruction behind which it fetches; `None` at the start.
        after: Option<Origin>,
        /// Hot cycle from which it may issue.
        until: u64,
    },
    /// A dependency: the slowest of the registers needed.
    Register {
        /// The instruction that makes its value; `None` if the warp has none yet.
        producer: Option<Origin>,
        /// Hot cycle from which it can be used; `None` as long as it is on its way from memory.
        ready: Option<u64>,
    },
    /// `Barrier`.
    Barrier {
        /// The barrier instruction.
        at: Option<Origin>,
        /// Barrier number; `None` when it is complete and the warps are on their way out.
        id: Option<u32>,
        /// Warps of the block that have arrived; of a barrier for a number of threads, how many
        /// times one has.
        arrived: u32,
        /// Warps of the block that have not exited; of a barrier for a number of threads, so many
        /// warps.
        live: u32,
        /// Hot cycle from which the warp may issue, once the barrier is complete.
        until: Option<u64>,
    },
    /// `Membar`.
    Fence {
        /// Partitions that have not answered yet (`membar.gl`).
        answers: u32,
        /// The warp's instructions in the load/store queue (`membar.cta`).
        queued: u32,
    },
    /// `Exited`: its block still holds the slot.
    Exited {
        /// Warps of the block that have not exited.
        live: u32,
        /// The block's loads on their way.
        loads: u32,
    },
    /// `Exited`: the warp is stopped by a trap.
    Trapped,
}
