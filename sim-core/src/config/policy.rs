//! The words of the scheduling policies.

use crate::components::Registered;
use crate::components::scheduler::SchedulerFactory;
use crate::words::words_with_arguments;

words_with_arguments! {
    /// The scheduling policies.
    pub enum PolicyKind or Registered<SchedulerFactory> {
        /// Loose round robin: the next eligible warp slot after the last one that issued.
        LooseRoundRobin = "lrr",
        /// The eligible warp that was launched first.
        OldestFirst = "oldest",
        /// Greedy, then oldest: the warp that issued last as long as it is eligible, otherwise the
        /// oldest.
        GreedyThenOldest = "gto",
        /// Round robin within an active set; a warp that waits for memory or at a barrier leaves
        /// the set, and an eligible warp replaces it (Narasiman et al., MICRO 2011).
        TwoLevel = "two_level" (
            /// Size of the active set, in warps.
            active: u32 in 1..=64
        ),
        /// By instruction type, then the warp that has not issued for the longest time: the rule
        /// published for G80 (Lindholm et al., IEEE Micro 2008: "warp type, instruction type and
        /// fairness").
        Priority = "priority",
        /// Any eligible warp.
        Random = "random" (
            /// Seed of the random numbers. Each scheduler of the chip derives its own stream.
            seed: u64 in 0..=u64::MAX
        ),
    }
}
