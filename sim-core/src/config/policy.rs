//! The words for scheduling policies.

/// The built-in policies, as a config file names them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PolicyKind {
    /// `lrr`: loose round robin; the next eligible warp slot after the last one that issued.
    LooseRoundRobin,
    /// `oldest`: the eligible warp that was launched first.
    OldestFirst,
    /// `gto`: the warp that issued last as long as it is eligible, else the oldest.
    GreedyThenOldest,
    /// `two_level(active: n)`: round robin within an active set; a warp that waits for memory or at a barrier leaves
    /// the set to an eligible one (Narasiman et al., MICRO 2011).
    TwoLevel {
        /// Size of the active set.
        active: u32,
    },
    /// `priority`: by instruction type, then the warp that has not issued for longest: the rule published for G80
    /// (Lindholm et al., IEEE Micro 2008: "warp type, instruction type and fairness").
    Priority,
    /// `random(seed: n)`: any eligible warp.
    Random {
        /// Seed; each scheduler of the chip derives its own stream from it.
        seed: u64,
    },
}

impl std::fmt::Display for PolicyKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::LooseRoundRobin => write!(f, "lrr"),
            Self::OldestFirst => write!(f, "oldest"),
            Self::GreedyThenOldest => write!(f, "gto"),
            Self::TwoLevel { active } => write!(f, "two_level(active: {active})"),
            Self::Priority => write!(f, "priority"),
            Self::Random { seed } => write!(f, "random(seed: {seed})"),
        }
    }
}
