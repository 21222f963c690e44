//! Status of the warps of an SM, for diagnostics of a launch that does not end.

use super::warps::WarpTable;
use crate::counters::WarpState;
use crate::exec::Warp;
use crate::time::NEVER;

/// Reason why a warp waits, from its timing state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// A barrier that the lanes `lanes` executed at `pc`.
    Barrier {
        /// Number of the barrier.
        barrier: u32,
        /// For a barrier with a thread count: number of required warp arrivals, and number of
        /// arrivals so far.
        counted: Option<(u32, u32)>,
        /// Instruction index.
        pc: u32,
        /// Lane mask.
        lanes: u32,
    },
    /// The replies to a fence at `pc`.
    Fence {
        /// Instruction index.
        pc: u32,
    },
    /// No wait, a wait that ends without an event, or a wait for a register.
    Going,
    /// The warp has exited.
    Exited,
}

impl WarpTable {
    /// Returns the warp in `slot`, the shader cycle from which it has run with the same active
    /// lanes, and its wait. The number of the barrier is in the block.
    pub(super) fn status(&self, slot: u32) -> (&Warp, u64, At) {
        let (warp, control) = (self.of(slot), &self.control[slot]);
        let at = match control.hold_state {
            _ if warp.done() => At::Exited,
            // The warp has trapped.
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
