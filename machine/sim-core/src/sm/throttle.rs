//! The throttle of an SM: how many blocks it holds at the same time.
//!
//! The dispatcher sends a block only for a place that the SM has offered. At the start of a launch
//! an SM offers as many as its throttle allows; when a block ends, it offers as many further places
//! as are free under the limit of that moment. Without a throttle this is one place for each block
//! that ends.

use super::memory::Memory;
use crate::components::Seated;
use crate::components::throttle::{SmActivity, ThrottlePolicy};
use crate::config::Throttle;
use crate::counters::{SlotBreakdown, WarpState};
use crate::state::Value;

/// The throttle of one SM, with its state.
#[derive(Clone, Debug, Value)]
pub struct Throttled {
    policy: Policy,
    /// Blocks that fit.
    most: u32,
    /// Places that the dispatcher has filled or may fill.
    offered: u32,
    /// Blocks that have ended.
    ended: u64,
}

#[derive(Clone, Debug, Value)]
enum Policy {
    /// See [`Throttle::AtMost`].
    AtMost(u32),
    /// See [`Throttle::Own`].
    Own(Seated<dyn ThrottlePolicy>),
}

impl Throttled {
    /// Returns the throttle of SM number `sm`, which holds `most` blocks; `None` if it is off.
    pub fn new(kind: Throttle, sm: u32, most: u32) -> Option<Self> {
        let policy = match kind {
            Throttle::Off => return None,
            Throttle::AtMost { blocks } => Policy::AtMost(blocks),
            Throttle::Own(own) => Policy::Own(own.seat(sm)),
        };
        let start = match &policy {
            Policy::AtMost(limit) => *limit,
            Policy::Own(own) => own.start(most),
        };
        Some(Self { policy, most, offered: start.clamp(1, most), ended: 0 })
    }

    /// Returns the number of places that the SM has offered.
    pub fn offered(&self) -> u32 {
        self.offered
    }

    /// A block has ended, after this `activity` of the SM. Returns the number of further places.
    pub fn block_ended(&mut self, activity: SmActivity) -> u32 {
        self.ended += 1;
        self.offered -= 1;
        let activity = SmActivity { resident: self.offered, most: self.most, ended: self.ended, ..activity };
        let limit = match &mut self.policy {
            Policy::AtMost(limit) => *limit,
            Policy::Own(own) => own.limit(&activity),
        };
        let more = limit.clamp(1, self.most).saturating_sub(self.offered);
        self.offered += more;
        more
    }
}

/// Returns what an SM has done before issue cycle `cycle`.
pub(super) fn activity(cycle: u64, slots: &SlotBreakdown, memory: &Memory) -> SmActivity {
    let l1 = memory.l1().map(|l1| l1.counters).unwrap_or_default();
    let states = [WarpState::MemoryDependency, WarpState::LsuFull, WarpState::Membar];
    let waits: u64 = states.iter().map(|state| slots.empty[*state]).sum();
    SmActivity {
        cycle,
        issued: slots.issued,
        memory: waits,
        idle: slots.empty_total() - waits,
        l1_hits: l1.global_load_hit,
        l1_misses: l1.global_load_miss,
        ..SmActivity::default()
    }
}
