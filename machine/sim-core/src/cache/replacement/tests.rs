//! Compares each policy with its definition: a log of all uses and installations, searched from the
//! end.

use super::*;
use crate::cache::{CacheShape, SetIndex, Tags};
use crate::words::{Argument, Worded};
use proptest::prelude::*;

fn shape(replacement: Replacement, sets: u32, ways: u32) -> CacheShape {
    CacheShape { bytes: sets * ways, line_bytes: 1, ways, replacement, index: SetIndex::Modulo }
}

/// A set of the reference cache.
#[derive(Clone, Default)]
struct Set {
    lines: Vec<Option<u64>>,
    /// Ways in the order of their uses, including installations.
    uses: Vec<usize>,
    /// Ways in the order of their installations.
    installations: Vec<usize>,
}

/// The reference cache.
struct Model {
    policy: Replacement,
    sets: Vec<Set>,
    rng: ChaCha8Rng,
}

impl Model {
    fn new(policy: Replacement, sets: usize, ways: usize, stream: u64) -> Self {
        let seed = match policy {
            Replacement::Random { seed } | Replacement::Biased { seed } => seed,
            Replacement::Lru | Replacement::Fifo | Replacement::PseudoLru | Replacement::Own(_) => 0,
        };
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(stream);
        Self { policy, sets: vec![Set { lines: vec![None; ways], ..Set::default() }; sets], rng }
    }

    /// Uses `line`. Returns whether it hit, and the line that was evicted.
    fn access(&mut self, line: u64) -> (bool, Option<u64>) {
        let index = line as usize % self.sets.len();
        let set = &mut self.sets[index];
        if let Some(way) = set.lines.iter().position(|known| *known == Some(line)) {
            set.uses.push(way);
            return (true, None);
        }
        let empty = set.lines.iter().position(Option::is_none);
        let way = empty.unwrap_or_else(|| victim(self.policy, set, &mut self.rng));
        set.uses.push(way);
        set.installations.push(way);
        (false, set.lines[way].replace(line))
    }

    /// Removes `line`. Returns whether it was cached.
    fn evict(&mut self, line: u64) -> bool {
        let index = line as usize % self.sets.len();
        let found = self.sets[index].lines.iter_mut().find(|known| **known == Some(line));
        found.map(|known| *known = None).is_some()
    }
}

/// Returns the way of a full set that is evicted.
fn victim(policy: Replacement, set: &Set, rng: &mut ChaCha8Rng) -> usize {
    let ways = 0..set.lines.len();
    let last = |log: &[usize], way: usize| log.iter().rposition(|logged| *logged == way);
    match policy {
        Replacement::Lru => ways.min_by_key(|way| last(&set.uses, *way)).unwrap(),
        Replacement::Fifo => ways.min_by_key(|way| last(&set.installations, *way)).unwrap(),
        Replacement::Random { .. } => (rng.next_u64() % ways.len() as u64) as usize,
        Replacement::Biased { .. } => {
            // A ticket for each way, but as many for the second one as for all others.
            let others = ways.len() - 1;
            let tickets: Vec<usize> =
                ways.flat_map(|way| std::iter::repeat_n(way, if way == 1 { others } else { 1 })).collect();
            tickets[(rng.next_u64() % tickets.len() as u64) as usize]
        }
        Replacement::PseudoLru => {
            let mut ways = ways;
            while ways.len() > 1 {
                let middle = ways.start + ways.len() / 2;
                // The half that was not used last.
                ways = match set.uses.iter().rev().find(|way| ways.contains(way)) {
                    Some(way) if *way < middle => middle..ways.end,
                    _ => ways.start..middle,
                };
            }
            ways.start
        }
        Replacement::Own(_) => unreachable!("the tests register no policy"),
    }
}

/// Every policy, with a valid number of ways.
fn policies() -> impl Strategy<Value = (Replacement, u32)> {
    (prop::sample::select(Replacement::WORDS), any::<u64>(), 1..6_u32).prop_map(|(word, seed, ways)| {
        let argument = |argument: &Argument| Some(seed.clamp(argument.least, argument.most));
        let policy = Replacement::of(word, argument).expect("a name of a policy");
        (policy, if policy == Replacement::PseudoLru { ways.next_power_of_two() } else { ways })
    })
}

proptest! {
    #[test]
    fn hits_and_evictions_match_the_definition(
        (policy, ways) in policies(),
        sets in 1..4_u32,
        accesses in prop::collection::vec((0..30_u64, prop::bool::weighted(0.1)), 1..300),
    ) {
        let mut tags = Tags::new(shape(policy, sets, ways), Place::L2(5));
        let mut model = Model::new(policy, sets as usize, ways as usize, stream(Place::L2(5)));
        for (line, evicts) in accesses {
            if evicts {
                prop_assert_eq!(tags.evict(line).is_some(), model.evict(line));
                continue;
            }
            let hit = tags.hit(line).is_some();
            let evicted = if hit { None } else { tags.install(line).1 };
            prop_assert_eq!((hit, evicted), model.access(line));
        }
    }

    #[test]
    fn a_victim_is_allowed_and_a_refused_installation_changes_nothing(
        (policy, ways) in policies(),
        lines in prop::collection::vec((0..40_u64, any::<u8>()), 1..100),
    ) {
        let mut tags = Tags::new(shape(policy, 1, ways), Place::L1(0));
        for (line, allowed) in lines {
            let allows = |slot: usize| allowed >> (slot % 8) & 1 == 1;
            if tags.hit(line).is_some() {
                continue;
            }
            let before = tags.clone();
            if let Some((slot, _)) = tags.install_where(line, allows) {
                prop_assert!(allows(slot));
            } else {
                prop_assert!((0..tags.slots()).all(|slot| !allows(slot)));
                prop_assert_eq!(format!("{tags:?}"), format!("{before:?}"));
            }
        }
    }
}

/// Returns the lines that a set of four ways evicts while it uses `lines`; `-` for a hit or an
/// empty slot.
fn evicted(policy: Replacement, lines: &[u64]) -> String {
    let mut tags = Tags::new(shape(policy, 1, 4), Place::L1(0));
    let access = |line: &u64| {
        let gone = if tags.hit(*line).is_some() { None } else { tags.install(*line).1 };
        gone.map_or_else(|| "-".to_owned(), |gone| gone.to_string())
    };
    lines.iter().map(access).collect::<Vec<_>>().join(" ")
}

#[test]
fn lru_evicts_the_line_whose_last_use_is_oldest() {
    assert_eq!(evicted(Replacement::Lru, &[1, 2, 3, 4, 1, 5, 3, 6, 7]), "- - - - - 2 - 4 1");
}

#[test]
fn fifo_ignores_uses() {
    assert_eq!(evicted(Replacement::Fifo, &[1, 2, 3, 4, 1, 5, 3, 6, 7]), "- - - - - 1 - 2 3");
}

#[test]
fn pseudo_lru_follows_the_pointers_of_its_tree() {
    // After 1 2 3 4 the root points to {1, 2}, and both nodes below it point to their lower way.
    // The use of 1 turns the root to {3, 4}: 5 evicts 3 and turns the root back. {1, 2} points to
    // 2, which was not used again.
    assert_eq!(evicted(Replacement::PseudoLru, &[1, 2, 3, 4, 1, 5, 6, 7]), "- - - - - 3 2 4");
    // LRU would evict 2: the tree records only that the other half was used before.
    assert_eq!(evicted(Replacement::Lru, &[1, 2, 3, 4, 1, 5]), "- - - - - 2");
}

#[test]
fn biased_evicts_the_second_way_half_of_the_time() {
    let mut tags = Tags::new(shape(Replacement::Biased { seed: 1 }, 1, 4), Place::L1(0));
    let mut evicted = [0_u32; 4];
    for line in 0..6_004 {
        let (slot, gone) = tags.install(line);
        evicted[slot] += u32::from(gone.is_some());
    }
    for (way, expected) in [1_000, 3_000, 1_000, 1_000].into_iter().enumerate() {
        assert!(evicted[way].abs_diff(expected) < 100, "way {way}: {evicted:?}");
    }
}

#[test]
fn random_depends_only_on_the_seed_and_the_cache() {
    let draw = |seed, place| {
        let mut tags = Tags::new(shape(Replacement::Random { seed }, 1, 4), place);
        (0..40).map(|line| tags.install(line).0).collect::<Vec<_>>()
    };
    let first = draw(7, Place::L1(0));
    assert_eq!(draw(7, Place::L1(0)), first);
    for other in [draw(8, Place::L1(0)), draw(7, Place::L1(1)), draw(7, Place::L2(0))] {
        assert_ne!(other, first);
    }
    assert_eq!(first[..4], [0, 1, 2, 3], "empty slots are used first");
    let mut seen = first[4..].to_vec();
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen, [0, 1, 2, 3], "every way is evicted sometimes");
    assert_eq!(first[4..12], [3, 2, 1, 3, 0, 2, 3, 2], "the recorded stream");
}
