//! Where an SM's warps stand, for explanations of a launch that does not end.

use super::warps::WarpTable;
use crate::counters::WarpState;
use crate::exec::Warp;
use crate::time::NEVER;

/// What a warp waits for, as its machine knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// A barrier that lanes `lanes` have executed at `pc`.
    Barrier {
        /// Its number.
        barrier: u32,
        /// Of a barrier for a number of threads: how many warps must come, and how many times one
        /// has.
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

impl WarpTable {
    /// A warp, the shader cycle from which it has run with the same lanes, and what it waits for
    /// (the block has the number of a barrier).
    pub(super) fn standing(&self, slot: u32) -> (&Warp, u64, At) {
        let (warp, control) = (self.of(slot), &self.control[slot]);
        let at = match control.hold_state {
            _ if warp.done() => At::Exited,
            // A trapped warp.
            WarpState::Exited => At::Exited,
            WarpState::Barrier => {
                At::Barrier { barrier: 0, counted: None, pc: control.held_at, lanes: control.held_lanes }
            }
            WarpState::Membar if control.hold == NEVER => At::Fence { pc: control.held_at },
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
}
