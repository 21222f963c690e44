//! The latest known state of each warp, computed from the events of the machine.

use super::names::{Names, Writer};
use super::timeline::Recent;
use crate::counters::WarpState;
use crate::events::{Event, What, Why};
use crate::scheduler::bits;
use std::sync::Arc;

/// State of a warp in the issue cycle before the pause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WarpStatus {
    /// Shader cycle from which the warp is in this state.
    pub since: u64,
    /// Instruction that the cycles are charged to, as in [`What::State`].
    pub pc: u32,
    /// State of the warp in the warp state breakdown.
    pub state: WarpState,
    /// Reason.
    pub why: Why,
}

/// States of all warps, by SM and warp slot.
#[derive(Clone, Debug)]
pub struct Statuses {
    slots: usize,
    warps: Vec<Option<WarpStatus>>,
    /// Writers of the rows of all warps.
    writers: Vec<Writer>,
    names: Arc<Names>,
    /// Timeline of each SM.
    recent: Vec<Recent>,
    /// Shader cycles of an issue cycle.
    period: u64,
}

impl Statuses {
    /// Creates the states of `sms` SMs with `slots` warp slots each, without resident warps. An
    /// issue cycle has `period` shader cycles.
    pub fn new(sms: usize, slots: usize, period: u64, names: Names) -> Self {
        let warps = sms * slots;
        let writers = vec![Writer::NONE; warps * names.rows()];
        let recent = vec![Recent::new(slots); sms];
        Self { slots, warps: vec![None; warps], writers, names: Arc::new(names), recent, period }
    }

    /// Returns the timeline of SM `sm`.
    pub fn recent(&self, sm: u32) -> Option<&Recent> {
        self.recent.get(sm as usize)
    }

    /// Returns the names of the program's registers.
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// Returns the names of the program's registers.
    pub fn shared_names(&self) -> Arc<Names> {
        Arc::clone(&self.names)
    }

    fn writers_of(&mut self, warp: usize) -> &mut [Writer] {
        let rows = self.names.rows();
        &mut self.writers[warp * rows..][..rows]
    }

    /// Returns the writers of the rows of the warp in slot `slot` of SM `sm`.
    pub fn writers(&self, sm: u32, slot: u32) -> &[Writer] {
        let rows = self.names.rows();
        &self.writers[(sm as usize * self.slots + slot as usize) * rows..][..rows]
    }

    /// Returns the state of the warp in slot `slot` of SM `sm`.
    pub fn of(&self, sm: u32, slot: u32) -> Option<WarpStatus> {
        self.warps[sm as usize * self.slots + slot as usize]
    }

    /// Updates the states with an event.
    pub fn apply(&mut self, event: &Event) {
        let first = event.sm as usize * self.slots;
        match &event.what {
            What::State { warp, pc, state, why, .. } => {
                let status = WarpStatus { since: event.cycle, pc: *pc, state: *state, why: *why };
                let warp = first + *warp as usize;
                self.warps[warp] = Some(status);
                let issued = why.issued().filter(|issued| issued.origin.cycle == event.cycle);
                let cell = (*state, *pc, issued.is_some());
                let recent = &mut self.recent[event.sm as usize];
                recent.state(event.cycle, self.period, (warp - first) as u32, cell);
                if let Some(issued) = issued.filter(|issued| issued.guarded != 0) {
                    let names = Arc::clone(&self.names);
                    names.issued(self.writers_of(warp), *pc, issued.guarded, event.cycle);
                }
            }
            What::BlockRetired { warps, .. } | What::BlockStarted { warps, .. } => {
                self.recent[event.sm as usize].leave(event.cycle, self.period, *warps);
                for warp in bits(*warps).map(|warp| first + warp as usize) {
                    self.warps[warp] = None;
                    self.writers_of(warp).fill(Writer::NONE);
                }
            }
            What::Stack { .. } | What::LoadCompleted { .. } | What::Written { .. } => {}
        }
    }
}
