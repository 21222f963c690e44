//! The built-in policies. Every built-in policy is work conserving: it always selects one of the
//! eligible warps.
//!
//! Invariant `policies-pick-eligible-warps`: Every policy picks an eligible warp, and a random
//! policy with the same seed picks the same warps.

use super::View;
use super::bits;
use crate::components::Registered;
use crate::components::scheduler::Schedulers;
pub use crate::config::PolicyKind;
use crate::state::Value;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::hash::{Hash, Hasher};

/// A built-in policy with its state, one per scheduler.
#[derive(Clone, Debug, PartialEq, Eq, Value)]
pub enum Builtin {
    /// See [`PolicyKind::LooseRoundRobin`].
    LooseRoundRobin {
        /// Slot that issued last.
        last: u32,
    },
    /// See [`PolicyKind::OldestFirst`].
    OldestFirst,
    /// See [`PolicyKind::GreedyThenOldest`].
    GreedyThenOldest {
        /// Slot that issued last, and the launch number of its warp.
        last: Option<(u32, u64)>,
    },
    /// See [`PolicyKind::TwoLevel`].
    TwoLevel {
        /// Size of the active set.
        size: u32,
        /// The active set.
        active: u64,
        /// Slot that issued last.
        last: u32,
    },
    /// See [`PolicyKind::Priority`].
    Priority,
    /// See [`PolicyKind::Random`].
    Random {
        /// The random number stream.
        rng: Box<ChaCha8Rng>,
    },
}

impl Hash for Builtin {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::mem::discriminant(self).hash(state);
        match self {
            Self::LooseRoundRobin { last } => last.hash(state),
            Self::OldestFirst | Self::Priority => {}
            Self::GreedyThenOldest { last } => last.hash(state),
            Self::TwoLevel { size, active, last } => (size, active, last).hash(state),
            Self::Random { rng } => (rng.get_seed(), rng.get_stream(), rng.get_word_pos()).hash(state),
        }
    }
}

/// The first set bit of `mask` after bit `last`, with wraparound.
#[inline]
pub(in crate::sm) fn next_after(mask: u64, last: u32) -> u32 {
    let start = (last + 1) % 64;
    (mask.rotate_right(start).trailing_zeros() + start) % 64
}

/// The first warp of `eligible` after `last`. Stores it in `last`.
#[inline]
pub(in crate::sm) fn round_robin(last: &mut u32, eligible: u64) -> u32 {
    *last = next_after(eligible, *last);
    *last
}

/// The slot of `mask` with the smallest key; the lowest slot if several have it.
fn least_by<K: Ord>(mask: u64, key: impl Fn(usize) -> K) -> u32 {
    bits(mask).min_by_key(|w| key(*w as usize)).expect("a policy is called only with an eligible warp")
}

impl Builtin {
    /// Creates the policy of scheduler number `stream` of the chip. Returns the component as an
    /// error if the program has registered it.
    pub fn new(kind: PolicyKind, stream: u64) -> Result<Self, Registered<Schedulers>> {
        Ok(match kind {
            PolicyKind::LooseRoundRobin => Self::LooseRoundRobin { last: 63 },
            PolicyKind::OldestFirst => Self::OldestFirst,
            PolicyKind::GreedyThenOldest => Self::GreedyThenOldest { last: None },
            PolicyKind::TwoLevel { active } => Self::TwoLevel { size: active.max(1), active: 0, last: 63 },
            PolicyKind::Priority => Self::Priority,
            PolicyKind::Random { seed } => {
                let mut rng = ChaCha8Rng::seed_from_u64(seed);
                rng.set_stream(stream);
                Self::Random { rng: Box::new(rng) }
            }
            PolicyKind::Own(own) => return Err(own),
        })
    }

    /// Whether the policy uses [`View::long_wait`], which is expensive to compute.
    pub fn asks_long_wait(&self) -> bool {
        match self {
            Self::TwoLevel { .. } => true,
            Self::LooseRoundRobin { .. }
            | Self::OldestFirst
            | Self::GreedyThenOldest { .. }
            | Self::Priority
            | Self::Random { .. } => false,
        }
    }

    /// Selects one warp of `view.eligible`.
    pub fn pick(&mut self, view: &View) -> u32 {
        let oldest = |mask: u64| least_by(mask, |w| view.age[w]);
        match self {
            Self::LooseRoundRobin { last } => round_robin(last, view.eligible),
            Self::OldestFirst => oldest(view.eligible),
            Self::GreedyThenOldest { last } => {
                let greedy =
                    last.filter(|(w, age)| view.eligible >> w & 1 == 1 && view.age[*w as usize] == *age);
                let pick = greedy.map_or_else(|| oldest(view.eligible), |(w, _)| w);
                *last = Some((pick, view.age[pick as usize]));
                pick
            }
            Self::TwoLevel { size, active, last } => {
                *active &= !view.long_wait;
                while active.count_ones() < *size && view.eligible & !*active != 0 {
                    *active |= 1 << next_after(view.eligible & !*active, *last);
                }
                // The whole active set waits for short latencies: an eligible warp replaces the
                // lowest slot of the set.
                if view.eligible & *active == 0 {
                    *active &= *active - 1;
                    *active |= 1 << next_after(view.eligible, *last);
                }
                *last = next_after(view.eligible & *active, *last);
                *last
            }
            Self::Priority => {
                least_by(view.eligible, |w| (std::cmp::Reverse(view.rank[w]), view.last_issue[w]))
            }
            Self::Random { rng } => {
                let n = rng.next_u64() % u64::from(view.eligible.count_ones());
                bits(view.eligible).nth(n as usize).expect("n is below the number of bits")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::Worded;

    const KINDS: [PolicyKind; PolicyKind::WORDS.len()] = [
        PolicyKind::LooseRoundRobin,
        PolicyKind::OldestFirst,
        PolicyKind::GreedyThenOldest,
        PolicyKind::TwoLevel { active: 2 },
        PolicyKind::Priority,
        PolicyKind::Random { seed: 7 },
    ];

    fn view<'a>(eligible: u64, age: &'a [u64], last_issue: &'a [u64], rank: &'a [u8]) -> View<'a> {
        View { eligible, age, last_issue, rank, ..View::default() }
    }

    /// Tests: `policies-pick-eligible-warps`.
    #[test]
    fn every_policy_picks_an_eligible_warp() {
        let age: Vec<u64> = (0..64).map(|w| w * 7 % 64).collect();
        for kind in KINDS {
            let mut policy = Builtin::new(kind, 0).unwrap();
            let mut mask = 0x9e37_79b9_7f4a_7c15_u64;
            for _ in 0..1_000 {
                mask = mask.rotate_left(5).wrapping_mul(0x2545_f491_4f6c_dd1d) | 1;
                let pick = policy.pick(&view(mask, &age, &[0; 64], &[0; 64]));
                assert_eq!(mask >> pick & 1, 1, "{kind} picked a warp that is not eligible");
            }
        }
    }

    #[test]
    fn round_robin_selects_the_warps_in_turn() {
        let mut policy = Builtin::new(PolicyKind::LooseRoundRobin, 0).unwrap();
        let picks: Vec<u32> =
            (0..6).map(|_| policy.pick(&view(0b1011, &[0; 64], &[0; 64], &[0; 64]))).collect();
        assert_eq!(picks, [0, 1, 3, 0, 1, 3]);
    }

    #[test]
    fn greedy_keeps_its_warp_until_it_stalls_then_selects_the_oldest() {
        let age: Vec<u64> = vec![9, 2, 5];
        let mut policy = Builtin::new(PolicyKind::GreedyThenOldest, 0).unwrap();
        assert_eq!(policy.pick(&view(0b101, &age, &[0; 3], &[0; 3])), 2);
        assert_eq!(policy.pick(&view(0b111, &age, &[0; 3], &[0; 3])), 2);
        assert_eq!(policy.pick(&view(0b011, &age, &[0; 3], &[0; 3])), 1);
    }

    #[test]
    fn greedy_does_not_prefer_a_new_warp_in_the_same_slot() {
        let mut policy = Builtin::new(PolicyKind::GreedyThenOldest, 0).unwrap();
        assert_eq!(policy.pick(&view(0b11, &[1, 2], &[0; 2], &[0; 2])), 0);
        assert_eq!(policy.pick(&view(0b11, &[3, 2], &[0; 2], &[0; 2])), 1);
    }

    #[test]
    fn two_level_keeps_its_active_set_until_a_warp_waits_long() {
        let mut policy = Builtin::new(PolicyKind::TwoLevel { active: 2 }, 0).unwrap();
        let all = view(0b1111, &[0; 64], &[0; 64], &[0; 64]);
        let picks: Vec<u32> = (0..4).map(|_| policy.pick(&all)).collect();
        assert_eq!(picks, [0, 1, 0, 1]);
        let waiting = View { eligible: 0b1110, long_wait: 0b0001, ..all };
        let picks: Vec<u32> = (0..4).map(|_| policy.pick(&waiting)).collect();
        assert_eq!(picks, [2, 1, 2, 1]);
    }

    #[test]
    fn priority_prefers_the_type_then_the_longest_wait() {
        let mut policy = Builtin::new(PolicyKind::Priority, 0).unwrap();
        assert_eq!(policy.pick(&view(0b111, &[0; 3], &[5, 4, 9], &[0, 0, 1])), 2);
        assert_eq!(policy.pick(&view(0b111, &[0; 3], &[5, 4, 9], &[0, 0, 0])), 1);
    }

    /// Tests: `policies-pick-eligible-warps`.
    #[test]
    fn random_is_the_same_for_the_same_seed_and_differs_by_stream() {
        let run = |stream| {
            let mut policy = Builtin::new(PolicyKind::Random { seed: 1 }, stream).unwrap();
            (0..32).map(|_| policy.pick(&view(u64::MAX, &[0; 64], &[0; 64], &[0; 64]))).collect::<Vec<_>>()
        };
        assert_eq!(run(3), run(3));
        assert_ne!(run(3), run(4));
    }
}
