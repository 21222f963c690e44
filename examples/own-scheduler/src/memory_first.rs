//! Memory first: warps at an access to global memory take precedence, so that their latencies
//! overlap, but no warp starves.

use sim_core::scheduler::{SchedulingPolicy, View};

/// Largest number of warp slots of an SM.
const SLOTS: usize = 64;

/// Picks a warp whose next instruction accesses global memory, if there is one. Among equals it
/// picks the warp that was passed over most often. A warp that was passed over `patience` times in
/// a row takes precedence over all warps that were passed over less often.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MemoryFirst {
    patience: u32,
    /// For each slot, how many times in a row its warp was eligible but not picked.
    passed: [u32; SLOTS],
    /// For each slot, the launch number of the warp that `passed` counts, because slots are reused.
    age: [u64; SLOTS],
}

impl MemoryFirst {
    /// Returns a policy that passes over a warp at most `patience` times before the warp takes
    /// precedence, with any next instruction.
    pub fn new(patience: u32) -> Self {
        Self { patience, passed: [0; SLOTS], age: [u64::MAX; SLOTS] }
    }
}

impl SchedulingPolicy for MemoryFirst {
    fn pick(&mut self, view: &View) -> Option<u32> {
        for slot in 0..view.age.len() {
            let same_warp = self.age[slot] == view.age[slot];
            if !same_warp || !view.is_eligible(slot as u32) {
                self.passed[slot] = 0;
            }
            self.age[slot] = view.age[slot];
        }
        let picked = view.eligible_warps().max_by_key(|warp| {
            let slot = *warp as usize;
            let starving = self.passed[slot] >= self.patience;
            let global = view.global >> warp & 1 == 1;
            let urgent = if starving { self.passed[slot] } else { 0 };
            (urgent, global, self.passed[slot], std::cmp::Reverse(view.age[slot]))
        })?;
        for warp in view.eligible_warps() {
            self.passed[warp as usize] += 1;
        }
        self.passed[picked as usize] = 0;
        Some(picked)
    }
}
