//! The words for scheduling policies.

use crate::words::words_with_arguments;

words_with_arguments! {
    /// The built-in policies, as a config file names them.
    pub enum PolicyKind {
        /// `lrr`: loose round robin; the next eligible warp slot after the last one that issued.
        LooseRoundRobin = "lrr",
        /// `oldest`: the eligible warp that was launched first.
        OldestFirst = "oldest",
        /// `gto`: the warp that issued last as long as it is eligible, else the oldest.
        GreedyThenOldest = "gto",
        /// `two_level(active: n)`: round robin within an active set; a warp that waits for memory
        /// or at a barrier leaves the set to an eligible one (Narasiman et al., MICRO 2011).
        TwoLevel = "two_level" (
            /// Size of the active set.
            active: u32 in 1..=64
        ),
        /// `priority`: by instruction type, then the warp that has not issued for longest: the rule
        /// published for G80 (Lindholm et al., IEEE Micro 2008: "warp type, instruction type and
        /// fairness").
        Priority = "priority",
        /// `random(seed: n)`: any eligible warp.
        Random = "random" (
            /// Seed; each scheduler of the chip derives its own stream from it.
            seed: u64 in 0..=u64::MAX
        ),
    }
}
