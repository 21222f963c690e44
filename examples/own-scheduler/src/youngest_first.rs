//! The youngest warp first: short to write, work conserving, and unfair without bound.

use sim_core::scheduler::{SchedulingPolicy, View};

/// Picks the eligible warp that was launched last.
#[derive(Clone, Debug)]
pub struct YoungestFirst;

impl SchedulingPolicy for YoungestFirst {
    fn name(&self) -> String {
        "youngest-first".to_owned()
    }

    fn pick(&mut self, view: &View) -> Option<u32> {
        view.eligible_warps().max_by_key(|warp| view.age[*warp as usize])
    }
}
