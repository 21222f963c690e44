//! Replacement policies: choose the line that a full set evicts.

pub use crate::components::replacement::{Place, Seat};
use crate::components::replacement::{ReplacementPolicy, Replacements};
use crate::components::{Registered, Seated};
use crate::state::{CloneFrom, Value};
use crate::words::words_with_arguments;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::ops::Range;

words_with_arguments! {
    /// Replacement policy of a cache, as a chip file names it.
    #[derive(Default)]
    pub enum Replacement or Registered<Replacements> {
        /// The least recently used line.
        #[default]
        Lru = "lru",
        /// The line that was installed first, independent of its uses.
        Fifo = "fifo",
        /// Each line with the same probability.
        Random = "random" (
            /// Seed of the random numbers. Each cache of the chip derives its own stream.
            seed: u64 in 0..=u64::MAX
        ),
        /// The second way of a set with probability 1/2, each other way with the same part of the
        /// rest: measured for the L1 of Fermi, which has four ways (Mei & Chu: 1/6, 1/2, 1/6, 1/6).
        Biased = "biased" (
            /// Seed of the random numbers, as for `random`.
            seed: u64 in 0..=u64::MAX
        ),
        /// A binary tree over the ways of a set. Each node points to the half that
        /// was not used last. The line at the end of the pointers is evicted. The number of ways is
        /// a power of two.
        PseudoLru = "pseudo_lru",
    }
}

/// State of a cache's policy. Slots are numbered through all sets, with `ways` slots per set.
#[derive(CloneFrom, Debug, Value)]
pub(super) enum State {
    /// See [`Replacement::Lru`]: the last use of each slot.
    Lru(Order),
    /// See [`Replacement::Fifo`]: the installation of the line in each slot.
    Fifo(Order),
    /// See [`Replacement::Random`].
    Random(Box<ChaCha8Rng>),
    /// See [`Replacement::Biased`].
    Biased(Box<ChaCha8Rng>),
    /// See [`Replacement::PseudoLru`].
    PseudoLru(Trees),
    /// See [`Replacement::Own`].
    Own(Seated<dyn ReplacementPolicy>),
}

impl State {
    /// Creates the policy of an empty cache with `slots` slots in sets of `ways`.
    pub(super) fn new(policy: Replacement, place: Place, slots: usize, ways: usize) -> Self {
        match policy {
            Replacement::Lru => Self::Lru(Order::new(slots)),
            Replacement::Fifo => Self::Fifo(Order::new(slots)),
            Replacement::Random { seed } => Self::Random(numbers(seed, place)),
            Replacement::Biased { seed } => Self::Biased(numbers(seed, place)),
            Replacement::PseudoLru => Self::PseudoLru(Trees::new(slots, ways)),
            Replacement::Own(own) => Self::Own(own.seat(Seat { place, sets: slots / ways, ways })),
        }
    }

    /// Whether it is known that no line was ever installed.
    pub(super) fn is_new(&self) -> bool {
        matches!(self, Self::Lru(order) | Self::Fifo(order) if order.events == 0)
    }

    /// Records a use of the line in `slot`.
    #[inline]
    pub(super) fn touch(&mut self, slot: usize) {
        match self {
            Self::Lru(order) => order.stamp(slot),
            Self::Fifo(_) | Self::Random(_) | Self::Biased(_) => {}
            Self::PseudoLru(trees) => trees.touch(slot),
            Self::Own(own) => own.touch(slot),
        }
    }

    /// Records the installation of a line in `slot`.
    #[inline]
    pub(super) fn install(&mut self, slot: usize) {
        match self {
            Self::Lru(order) | Self::Fifo(order) => order.stamp(slot),
            Self::Random(_) | Self::Biased(_) => {}
            Self::PseudoLru(trees) => trees.touch(slot),
            Self::Own(own) => own.install(slot),
        }
    }

    /// Returns the slot of the full set `set` whose line is evicted, among the slots that `free`
    /// allows; `None` if it allows none.
    pub(super) fn victim(&mut self, set: Range<usize>, free: impl Fn(usize) -> bool) -> Option<usize> {
        match self {
            Self::Lru(order) | Self::Fifo(order) => {
                set.filter(|slot| free(*slot)).min_by_key(|slot| order.stamps[*slot])
            }
            Self::Random(rng) => {
                let allowed = set.clone().filter(|slot| free(*slot)).count() as u64;
                // Without an allowed slot no number is drawn: a refused installation changes
                // nothing.
                let nth = rng_below(rng, allowed)?;
                set.filter(|slot| free(*slot)).nth(nth)
            }
            Self::Biased(rng) => {
                let (second, others) = (set.start + 1, set.len() as u64 - 1);
                let weight = |slot: usize| match free(slot) {
                    true if slot == second => others,
                    allowed => allowed.into(),
                };
                let mut drawn = rng_below(rng, set.clone().map(weight).sum())? as u64;
                set.into_iter().find(|&slot| {
                    let (weight, before) = (weight(slot), drawn);
                    drawn = drawn.saturating_sub(weight);
                    before < weight
                })
            }
            Self::PseudoLru(trees) => trees.victim(set, free),
            Self::Own(own) => set.filter(|slot| free(*slot)).min_by_key(|slot| own.value(*slot)),
        }
    }
}

/// Returns the number of the stream of random numbers of the cache at `place`.
fn stream(place: Place) -> u64 {
    let (kind, number) = match place {
        Place::L1(sm) => (0, sm),
        Place::SmConstants(sm) => (1, sm),
        Place::SmInstructions(sm) => (2, sm),
        Place::ClusterConstants(cluster) => (3, cluster),
        Place::FirstTlb(cluster) => (4, cluster),
        Place::SecondTlb(cluster) => (5, cluster),
        Place::PartitionConstants(partition) => (6, partition),
        Place::L2(partition) => (7, partition),
        Place::ClusterTextures(cluster) => (8, cluster),
        Place::PartitionTextures(partition) => (9, partition),
    };
    kind << 32 | u64::from(number)
}

/// Returns the random numbers of the cache at `place`.
fn numbers(seed: u64, place: Place) -> Box<ChaCha8Rng> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(stream(place));
    Box::new(rng)
}

/// Returns a random number below `bound`; `None` if `bound` is 0.
fn rng_below(rng: &mut ChaCha8Rng, bound: u64) -> Option<usize> {
    (bound > 0).then(|| (rng.next_u64() % bound) as usize)
}

/// Slots, ordered by the time of an event.
#[derive(Debug, Value)]
pub(super) struct Order {
    stamps: Vec<u64>,
    events: u64,
}

impl Clone for Order {
    fn clone(&self) -> Self {
        Self { stamps: self.stamps.clone(), events: self.events }
    }

    fn clone_from(&mut self, source: &Self) {
        // Without an event all stamps are 0; most caches of a small launch have none.
        let is_equal = self.events == 0 && source.events == 0 && self.stamps.len() == source.stamps.len();
        if !is_equal {
            self.stamps.clone_from(&source.stamps);
            self.events = source.events;
        }
    }
}

impl Order {
    fn new(slots: usize) -> Self {
        Self { stamps: vec![0; slots], events: 0 }
    }

    #[inline]
    fn stamp(&mut self, slot: usize) {
        self.events += 1;
        self.stamps[slot] = self.events;
    }
}

/// A tree for each set.
#[derive(CloneFrom, Debug, Value)]
pub(super) struct Trees {
    ways: usize,
    /// Node n of a set's tree is stored at the set's slot n, in heap order; node 1 is the root, and
    /// node 0 is not used. The value says whether the node points to its upper half.
    upper: Vec<bool>,
}

impl Trees {
    fn new(slots: usize, ways: usize) -> Self {
        debug_assert!(ways.is_power_of_two(), "the check of the chip requires a power of two");
        Self { ways, upper: vec![false; slots] }
    }

    /// Makes every node above `slot` point to its other half.
    fn touch(&mut self, slot: usize) {
        let (way, first) = (slot % self.ways, slot - slot % self.ways);
        let mut node = self.ways + way;
        while node > 1 {
            let upper_half = node % 2 == 1;
            node /= 2;
            self.upper[first + node] = !upper_half;
        }
    }

    /// Follows the pointers. Skips a half without an allowed slot.
    fn victim(&self, set: Range<usize>, free: impl Fn(usize) -> bool) -> Option<usize> {
        let (first, mut slots, mut node) = (set.start, set, 1);
        if !slots.clone().any(&free) {
            return None;
        }
        while slots.len() > 1 {
            let middle = slots.start + slots.len() / 2;
            let halves = [slots.start..middle, middle..slots.end];
            let pointed = usize::from(self.upper[first + node]);
            let half = if halves[pointed].clone().any(&free) { pointed } else { 1 - pointed };
            node = 2 * node + half;
            slots = halves[half].clone();
        }
        Some(slots.start)
    }
}

#[cfg(test)]
mod tests;
