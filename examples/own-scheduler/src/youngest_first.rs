//! Youngest first: a short policy that is work conserving but can starve warps.

use sim_core::scheduler::{SchedulingPolicy, View};

/// Picks the eligible warp that was launched last.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct YoungestFirst;

impl SchedulingPolicy for YoungestFirst {
    fn pick(&mut self, view: &View) -> Option<u32> {
        view.eligible_warps().max_by_key(|warp| view.age[*warp as usize])
    }
}
