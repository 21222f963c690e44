//! Observable events: changes of a warp's state with their reasons, changes of its reconvergence
//! stack, values of registers, and the start and end of blocks.
//!
//! Events are plain data without text; the code that prints them has the program and the chip to
//! name things. Cycles are shader cycles. An event at the start of an issue cycle has the first
//! shader cycle of that issue cycle.

use crate::counters::WarpState;
use crate::exec::simt::Entry;
use isa::types::Dim3;
use isa::uop::OperandKind;

/// Something that happened in an SM.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// First shader cycle of the issue cycle from which the event holds.
    pub cycle: u64,
    /// Number of the SM in the chip.
    pub sm: u32,
    /// Kind of event and its data.
    pub what: What,
}

impl Event {
    /// Returns the event of a kernel that arrived at shader cycle `start`, with cycles from there.
    pub(crate) fn since(self, start: u64) -> Self {
        let own = |cycle: u64| cycle.saturating_sub(start);
        let by = |origin: Origin| Origin { cycle: own(origin.cycle), ..origin };
        let what = match self.what {
            What::BlockStarted { block, ctaid, warps, since } => {
                What::BlockStarted { block, ctaid, warps, since: own(since) }
            }
            What::State { warp, pc, lanes, state, why } => {
                let why = match why {
                    Why::Issued(issued) => Why::Issued(Issued { origin: by(issued.origin), ..issued }),
                    Why::Unit { unit, user, free } => Why::Unit { unit, user: by(user), free: own(free) },
                    Why::Fetch { after, until } => Why::Fetch { after: after.map(by), until: until.map(own) },
                    Why::Register { producer, ready } => {
                        Why::Register { producer: producer.map(by), ready: ready.map(own) }
                    }
                    Why::Barrier { at, id, arrived, live, until } => {
                        Why::Barrier { at: at.map(by), id, arrived, live, until: until.map(own) }
                    }
                    Why::Taken { .. }
                    | Why::LeftEmpty
                    | Why::QueueFull
                    | Why::Fence { .. }
                    | Why::Exited { .. }
                    | Why::Trapped => why,
                };
                What::State { warp, pc, lanes, state, why }
            }
            What::LoadCompleted { load, at, usable } => {
                What::LoadCompleted { load: by(load), at: own(at), usable: own(usable) }
            }
            What::Written { by: origin, lanes, rows } => What::Written { by: by(origin), lanes, rows },
            What::BlockRetired { .. } | What::Stack { .. } => self.what,
        };
        Self { cycle: own(self.cycle), what, ..self }
    }
}

/// Kind of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// A block became resident, or was resident when the observation began.
    BlockStarted {
        /// Linear number of the block in the grid.
        block: u64,
        /// Index of the block in the grid.
        ctaid: Dim3,
        /// Mask of the block's warp slots.
        warps: u64,
        /// Shader cycle from which the block is resident.
        since: u64,
    },
    /// A block released its slots.
    BlockRetired {
        /// Linear number of the block in the grid.
        block: u64,
        /// Mask of the block's warp slots.
        warps: u64,
    },
    /// A warp has this state from now on. An event with equal contents is repeated only when
    /// another instruction issues.
    State {
        /// Warp slot.
        warp: u32,
        /// The instruction to which the cycles are charged: the instruction that issues, the
        /// barrier, fence or exit at which the warp waits, or otherwise its next instruction.
        pc: u32,
        /// Lanes of the current path (before the guard of the instruction).
        lanes: u32,
        /// State that the warp enters.
        state: WarpState,
        /// Reason of the state.
        why: Why,
    },
    /// The warp's reconvergence stack after the instruction that issues now, or at the start: from
    /// the bottom entry to the running entry; empty when all lanes have exited. A step to the next
    /// instruction is not a change.
    Stack {
        /// Warp slot.
        warp: u32,
        /// Entries of the stack, the running one last.
        entries: Vec<Entry>,
    },
    /// All values of a global load have arrived.
    LoadCompleted {
        /// Instruction that issued the load.
        load: Origin,
        /// Shader cycle at which the last values arrived.
        at: u64,
        /// Shader cycle from which the register can be used.
        usable: u64,
    },
    /// Registers that an instruction has written, if [`Watch::values`](super::Watch::values) is
    /// set: after the `State` event of its issue, or after the `LoadCompleted` event of a load
    /// whose values were pending.
    Written {
        /// The instruction.
        by: Origin,
        /// Lanes that it has written; never 0.
        lanes: u32,
        /// The written rows; never empty.
        rows: Vec<WrittenRow>,
    },
}

/// A row of a warp's registers after an instruction that has written it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenRow {
    /// Kind of row.
    pub kind: OperandKind,
    /// Number of the row.
    pub row: u16,
    /// The value of each lane; 0 or 1 for a predicate.
    pub values: [u64; 32],
}

/// An instruction that a warp has issued.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// Warp slot.
    pub warp: u32,
    /// Instruction.
    pub pc: u32,
    /// Shader cycle of issue.
    pub cycle: u64,
}

/// An issued instruction and the slots that it occupies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Issued {
    /// Cycle and place of issue.
    pub origin: Origin,
    /// Lanes of the current path.
    pub lanes: u32,
    /// Lanes of `lanes` whose guard is true.
    pub guarded: u32,
    /// Additional issue cycles of a multi-slot instruction. They follow the first issue cycle.
    pub held: u64,
    /// Issue cycles of replays for bank conflicts. They follow `held`.
    pub replay: u64,
    /// Issue cycles of replays for further addresses of constant memory. They follow `replay`.
    pub constant: u64,
    /// Transactions of an access to global or local memory, as the report counts them.
    pub transactions: u32,
}

impl Issued {
    /// Returns the number of issue cycles that the instruction occupies.
    pub fn slots(&self) -> u64 {
        1 + self.held + self.replay + self.constant
    }
}

/// Reason of a warp's state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// `Issuing`: the instruction that issues.
    Issued(Issued),
    /// `NotSelected`: the scheduler issues the instruction of another warp, or is occupied by it.
    Taken {
        /// Slot of the other warp.
        by: u32,
    },
    /// `NotSelected`: a user-defined scheduling policy left the slot empty.
    LeftEmpty,
    /// `PipeBusy`: the unit is still accepting an earlier instruction.
    Unit {
        /// Index of the unit in the chip's configuration.
        unit: u8,
        /// The instruction that occupies the unit.
        user: Origin,
        /// First shader cycle of the issue cycle in which the unit accepts another instruction.
        free: u64,
    },
    /// `LsuFull`: the load/store unit's queue is full.
    QueueFull,
    /// `Fetch`: after a branch (or an exit of some lanes), or at the warp's start.
    Fetch {
        /// The branch or exit that caused the fetch; `None` at the start.
        after: Option<Origin>,
        /// Shader cycle from which the warp may issue; `None` while its code is missing in the
        /// instruction cache.
        until: Option<u64>,
    },
    /// A dependency: the latest of the registers needed.
    Register {
        /// The instruction that computes the value; `None` if the warp has not issued one.
        producer: Option<Origin>,
        /// Shader cycle from which the value can be used; `None` while its load is pending.
        ready: Option<u64>,
    },
    /// `Barrier`.
    Barrier {
        /// The barrier instruction.
        at: Option<Origin>,
        /// Barrier number; `None` when the barrier is complete and the warps leave it.
        id: Option<u32>,
        /// Warps of the block that have arrived; for a barrier with a thread count, the number of
        /// arrivals.
        arrived: u32,
        /// Warps of the block that have not exited; for a barrier with a thread count, that count
        /// in warps.
        live: u32,
        /// Shader cycle from which the warp may issue, once the barrier is complete.
        until: Option<u64>,
    },
    /// `Membar`: the warp waits at a memory fence.
    Fence {
        /// Partitions that have not replied (`membar.gl`).
        answers: u32,
        /// Instructions of the warp in the load/store queue (`membar.cta`).
        queued: u32,
    },
    /// `Exited`: the block still occupies the slot.
    Exited {
        /// Warps of the block that have not exited.
        live: u32,
        /// Pending loads of the block.
        loads: u32,
    },
    /// `Exited`: a trap stopped the warp.
    Trapped,
}

impl Why {
    /// Returns the shader cycle from which the reason holds no longer, if it is known.
    pub fn until(&self) -> Option<u64> {
        match *self {
            Self::Unit { free, .. } => Some(free),
            Self::Fetch { until, .. } | Self::Register { ready: until, .. } | Self::Barrier { until, .. } => {
                until
            }
            Self::Issued(_)
            | Self::Taken { .. }
            | Self::LeftEmpty
            | Self::QueueFull
            | Self::Fence { .. }
            | Self::Exited { .. }
            | Self::Trapped => None,
        }
    }

    /// Returns the instruction that issues.
    pub fn issued(&self) -> Option<&Issued> {
        if let Self::Issued(issued) = self { Some(issued) } else { None }
    }
}
