//! The latest known state of each warp, from the events of the machine.

use crate::counters::WarpState;
use crate::events::{Event, What, Why};
use crate::scheduler::bits;

/// State of a warp in the issue cycle before the pause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WarpStatus {
    /// Shader cycle from which the warp is in this state.
    pub since: u64,
    /// The instruction that the cycles are charged to, as in [`What::State`].
    pub pc: u32,
    /// State.
    pub state: WarpState,
    /// Reason.
    pub why: Why,
}

/// States of all warps, by SM and warp slot.
#[derive(Clone, Debug)]
pub struct Statuses {
    slots: usize,
    warps: Vec<Option<WarpStatus>>,
}

impl Statuses {
    /// No warp is resident on `sms` SMs with `slots` warp slots each.
    pub fn new(sms: usize, slots: usize) -> Self {
        Self { slots, warps: vec![None; sms * slots] }
    }

    /// State of the warp in slot `slot` of SM `sm`.
    pub fn of(&self, sm: u32, slot: u32) -> Option<WarpStatus> {
        self.warps[sm as usize * self.slots + slot as usize]
    }

    /// Takes note of an event.
    pub fn apply(&mut self, event: &Event) {
        let first = event.sm as usize * self.slots;
        match &event.what {
            What::State { warp, pc, state, why, .. } => {
                let status = WarpStatus { since: event.cycle, pc: *pc, state: *state, why: *why };
                self.warps[first + *warp as usize] = Some(status);
            }
            What::BlockRetired { warps, .. } | What::BlockStarted { warps, .. } => {
                bits(*warps).for_each(|warp| self.warps[first + warp as usize] = None);
            }
            What::Stack { .. } | What::LoadHome { .. } => {}
        }
    }
}
