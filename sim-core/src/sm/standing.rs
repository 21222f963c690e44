//! Where an SM's warps stand, for explanations of a launch that does not end.

use super::Sm;
use crate::counters::WarpState;
use crate::exec::Warp;
use crate::time::message::Request;

/// What a warp waits for, as its machine knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// A barrier that lanes `lanes` have executed at `pc`.
    Barrier {
        /// Its number.
        barrier: u32,
        /// Of a barrier for a number of threads: how many warps must come, and how many times one has.
        counted: Option<(u32, u32)>,
        /// Instruction.
        pc: u32,
        /// Lanes.
        lanes: u32,
    },
    /// A fence's answers, the fence being at `pc`.
    Fence {
        /// Instruction.
        pc: u32,
    },
    /// Nothing that would not pass, or a value that it needs.
    Going,
    /// It has exited.
    Exited,
}

impl Sm {
    /// The shader cycle at which the state of a warp last changed, or a block last left.
    pub fn last_change(&self) -> u64 {
        self.account.last_change() * self.period
    }

    /// A warp, the shader cycle since which it has run with the same lanes, and what it waits for (the number of a
    /// barrier is the block's to say).
    pub fn standing(&self, slot: u32) -> (&Warp, u64, At) {
        let (warp, control) = (self.warps.of(slot), &self.warps.control[slot]);
        let at = match control.hold_state {
            _ if warp.done() => At::Exited,
            // A trapped warp.
            WarpState::Exited => At::Exited,
            WarpState::Barrier => {
                At::Barrier { barrier: 0, counted: None, pc: control.held_at, lanes: control.held_lanes }
            }
            WarpState::Membar if control.hold == crate::time::NEVER => At::Fence { pc: control.held_at },
            WarpState::Issuing
            | WarpState::NotSelected
            | WarpState::PipeBusy
            | WarpState::LsuFull
            | WarpState::Fetch
            | WarpState::ExecutionDependency
            | WarpState::ConstantDependency
            | WarpState::SharedDependency
            | WarpState::MemoryDependency
            | WarpState::Membar => At::Going,
        };
        (warp, control.since, at)
    }

    /// Requests in its load/store queue.
    pub fn queued_requests(&self) -> impl Iterator<Item = &Request> {
        self.memory.lsu.requests()
    }

    /// The instructions of a warp's loads whose values are on their way.
    pub fn coming(&self, slot: u32) -> impl Iterator<Item = u32> {
        self.memory.loads.iter().filter(move |load| load.is_of(slot)).map(|load| load.pc)
    }

    /// The shader cycle in which the oldest load whose values are on their way was issued, if there is one.
    pub fn oldest_load(&self) -> Option<u64> {
        self.memory.loads.iter().filter(|load| load.replies > 0).map(|load| load.issued).min()
    }
}
