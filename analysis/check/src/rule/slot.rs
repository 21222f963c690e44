//! State of a resident warp that rules can read.

use super::lanes::Lanes;
use super::setup::Warp;
use sim_core::observe::Why;
use sim_core::stats::WarpState;

/// A warp at a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wait {
    /// Issue cycle after the slots of the `bar.sync`.
    pub own_end: u64,
    /// Issue cycle in which it must leave, once the last warp has arrived.
    pub due: Option<u64>,
}

/// A resident warp.
#[derive(Clone, Debug)]
pub struct Slot {
    /// Slot and launch number of the warp.
    pub warp: Warp,
    /// Number of its block in the grid.
    pub block: u64,
    /// State since its last event.
    pub state: WarpState,
    /// Reason of the state.
    pub why: Option<Why>,
    /// Number of cycles before this one in which its scheduler selected it.
    pub issued: u64,
    /// Whether some lane has not exited.
    pub runs: bool,
    /// Whether it can issue in this cycle, or does.
    pub eligible: bool,
    /// First issue cycle of those, up to now, in which it is eligible.
    pub eligible_since: u64,
    /// The barrier at which it waits.
    pub barrier: Option<Wait>,
    /// The barrier that it has left in this cycle.
    pub left: Option<Wait>,
    pub(super) lanes: Lanes,
}

impl Slot {
    /// Shader cycle from which the warp waits no longer, if the event of its state tells it.
    pub fn until(&self) -> Option<u64> {
        self.why?.until()
    }

    pub(super) fn describe(&self) -> String {
        match self.until() {
            Some(until) => format!("{} until shader cycle {until}", self.state.row().label),
            None => self.state.row().label.to_owned(),
        }
    }
}
