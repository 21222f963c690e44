//! A scheduling policy for warpsim.

use warpsim::scheduler::{SchedulingPolicy, View};
use warpsim::{Argument, Registry};

/// Largest number of warp slots of an SM.
const SLOTS: usize = 64;

/// Adds the policy to the simulator, as `abreast(slack: n)`.
pub fn register(registry: &mut Registry) {
    let slack = Argument::new("slack", 0..=1_000_000, 4, "Instructions that a warp may be ahead.");
    registry.scheduler_with("abreast", [slack], |[slack], _sm, _scheduler| Abreast::new(slack));
}

/// Keeps the warps abreast. It stays with a warp until the warp is `slack` instructions ahead of
/// the slowest eligible warp; then the warp with the fewest instructions is next. A small `slack`
/// makes warps reach long loads together, a large one makes them reach the loads one by one.
#[derive(Clone, Debug)]
pub struct Abreast {
    slack: u64,
    last: Option<u32>,
    /// Instructions that the warp of each slot has issued.
    issued: [u64; SLOTS],
    /// Launch number of the warp that `issued` counts, because slots are reused.
    age: [u64; SLOTS],
}

impl Abreast {
    /// Returns a policy for one scheduler.
    pub fn new(slack: u64) -> Self {
        Self { slack, last: None, issued: [0; SLOTS], age: [u64::MAX; SLOTS] }
    }
}

impl SchedulingPolicy for Abreast {
    fn pick(&mut self, view: &View) -> Option<u32> {
        for warp in view.eligible_warps() {
            let slot = warp as usize;
            if self.age[slot] != view.age[slot] {
                (self.age[slot], self.issued[slot]) = (view.age[slot], 0);
            }
        }
        let issued = |warp: u32| self.issued[warp as usize];
        let slowest = view.eligible_warps().min_by_key(|warp| (issued(*warp), view.age[*warp as usize]))?;
        let stays = |warp: &u32| view.is_eligible(*warp) && issued(*warp) < issued(slowest) + self.slack;
        let picked = self.last.filter(stays).unwrap_or(slowest);
        self.issued[picked as usize] += 1;
        self.last = Some(picked);
        Some(picked)
    }
}
