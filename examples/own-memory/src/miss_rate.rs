//! A throttle: fewer blocks while they evict each other's lines from the L1.

use warpsim::throttle::{SmActivity, ThrottlePolicy};

/// Takes one block less after a block in whose time more than `most_misses` of 100 loads missed in
/// the L1, else one more.
#[derive(Clone, Debug)]
pub struct MissRate {
    most_misses: u64,
    limit: u32,
    hits: u64,
    misses: u64,
}

impl MissRate {
    /// Returns the throttle of an SM.
    pub fn new(most_misses: u64) -> Self {
        Self { most_misses, limit: u32::MAX, hits: 0, misses: 0 }
    }
}

impl ThrottlePolicy for MissRate {
    fn limit(&mut self, sm: &SmActivity) -> u32 {
        let (hits, misses) = (sm.l1_hits - self.hits, sm.l1_misses - self.misses);
        (self.hits, self.misses) = (sm.l1_hits, sm.l1_misses);
        let limit = self.limit.min(sm.most);
        let too_many = 100 * misses > self.most_misses * (hits + misses);
        self.limit = if too_many { limit.saturating_sub(1).max(1) } else { limit + 1 };
        self.limit
    }
}
