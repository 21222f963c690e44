//! Replacement policies of caches, written by the user: the trait, and what a policy knows of its
//! cache.

use super::registered::kind;
use super::{Registered, Seated};
use dyn_clone::DynClone;
use std::ops::Range;

/// A user's replacement policy: how valuable each line of a cache is.
///
/// A program registers it under a word of chip files
/// ([`Registry::replacement`](crate::registry::Registry::replacement)). Each cache of the chip has
/// a separate policy object, which is created with the empty cache. The slots of a cache are
/// numbered through all sets: slot `set` × `ways` + `way`.
///
/// A set evicts its least valuable line, so that no value is an invalid answer. The values should
/// depend only on the calls so far. Then the same launch gives the same report, byte for byte, on
/// any number of host threads.
pub trait ReplacementPolicy: DynClone + Send + 'static {
    /// The line in `slot` was used: an access hit it. The installation is not a use.
    fn touch(&mut self, slot: usize);

    /// A new line was installed in `slot`, which was empty or had an evicted line.
    fn install(&mut self, slot: usize);

    /// Returns the value of the line in `slot`. Called when a full set needs a slot, once for each
    /// slot of the set whose line may be evicted, in ascending order; a line with an outstanding
    /// miss may not. The line with the smallest value is evicted; among equals the first one.
    fn value(&mut self, slot: usize) -> u64;
}

/// A cache of the chip: its kind, and the number of its SM, cluster or partition. Caches with the
/// same seed draw different random numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// L1 of an SM.
    L1(u32),
    /// Constant cache of an SM.
    SmConstants(u32),
    /// Instruction cache of an SM.
    SmInstructions(u32),
    /// Constant cache of a cluster.
    ClusterConstants(u32),
    /// First TLB level of a cluster.
    FirstTlb(u32),
    /// Second TLB level of a cluster.
    SecondTlb(u32),
    /// Constant cache of a partition.
    PartitionConstants(u32),
    /// L2 of a partition.
    L2(u32),
    /// Texture cache of a cluster.
    ClusterTextures(u32),
    /// Texture cache of a partition.
    PartitionTextures(u32),
}

/// The cache of a policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seat {
    /// Kind and number of the cache.
    pub place: Place,
    /// Number of sets.
    pub sets: usize,
    /// Number of lines in a set.
    pub ways: usize,
}

impl Seat {
    /// Returns the slots of the set that contains `slot`.
    pub fn set_of(self, slot: usize) -> Range<usize> {
        let first = slot - slot % self.ways;
        first..first + self.ways
    }
}

kind! {
    /// The kind of replacement policies.
    pub enum Replacements = "replacement policy" in replacements:
        dyn Fn(&[u64], Seat) -> Box<dyn ReplacementPolicy> + Send + Sync
}

impl Registered<Replacements> {
    /// Creates the policy of the cache at `seat`.
    pub fn seat(self, seat: Seat) -> Seated<dyn ReplacementPolicy> {
        Seated::new(self.make()(self.values(), seat))
    }
}
