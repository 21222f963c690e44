//! The words of the policies of an SM: warp scheduling and throttling.

use crate::components::Registered;
use crate::components::scheduler::Schedulers;
use crate::components::throttle::Throttles;
use crate::words::words_with_arguments;

words_with_arguments! {
    /// The scheduling policies.
    pub enum PolicyKind or Registered<Schedulers> {
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

words_with_arguments! {
    /// Throttles: how many blocks an SM holds at the same time.
    pub enum Throttle or Registered<Throttles> {
        /// As many as fit.
        Off = "off",
        /// A fixed number.
        AtMost = "at_most" (
            /// Largest number of blocks.
            blocks: u32 in 1..=64
        ),
    }
}
