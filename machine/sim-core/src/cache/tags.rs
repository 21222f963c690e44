//! The tags of a set-associative cache: the lines that it contains. The owner of the tags has the
//! data of a line, under the slot of the line, a number below [`Tags::slots`].
//!
//! [`SetIndex`] says in which set a line is. [`Replacement`] chooses the line that a full set
//! evicts.

use super::replacement::{Place, Replacement, State};
use crate::state::{CloneFrom, Part};
use crate::time::clock::Divider;
use crate::words::words;

words! {
    /// The set of a line.
    #[derive(Default)]
    pub enum SetIndex {
        /// The line number modulo the number of sets.
        #[default]
        Modulo = "modulo",
        /// The sum of the digits of the line number, to the base of the number of sets, modulo the
        /// number of sets. So lines at a stride of a power of two are in different sets.
        Hashed = "hashed",
    }
}

/// Size and shape of a cache, and its replacement policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CacheShape {
    /// Bytes of all lines: a multiple of `line_bytes` · `ways`.
    pub bytes: u32,
    /// Bytes of a line.
    pub line_bytes: u32,
    /// Number of lines in a set.
    pub ways: u32,
    /// Replacement policy.
    pub replacement: Replacement,
    /// The set of a line.
    pub index: SetIndex,
}

impl CacheShape {
    /// Returns the number of sets.
    pub fn sets(&self) -> u32 {
        self.bytes / (self.line_bytes * self.ways)
    }
}

/// Line number of an empty slot. No address has this line.
const EMPTY: u32 = u32::MAX;

/// Returns the index of `wanted`, which is at most once among `lines`.
#[inline]
fn position(lines: &[u32], wanted: u32) -> Option<usize> {
    let (quads, rest) = lines.as_chunks::<4>();
    for (number, quad) in quads.iter().enumerate() {
        if let Some(at) = position_in(quad, wanted) {
            return Some(4 * number + at);
        }
    }
    Some(lines.len() - rest.len() + position_in(rest, wanted)?)
}

/// Same as [`position`], without an early exit, so that the loop over a quad is vectorized.
#[inline]
fn position_in(lines: &[u32], wanted: u32) -> Option<usize> {
    let at = |(index, line): (usize, &u32)| if *line == wanted { index as u32 + 1 } else { 0 };
    let found = lines.iter().enumerate().map(at).fold(0, |found, at| found | at);
    (found > 0).then(|| found as usize - 1)
}

/// The tags of a cache.
#[derive(CloneFrom, Debug, Part)]
pub struct Tags {
    /// For each slot its line number, or [`EMPTY`].
    lines: Vec<u32>,
    #[state(fixed)]
    ways: usize,
    #[state(fixed)]
    sets: Divider,
    /// The number of bits of a set's number, if the number of sets is a power of two.
    #[state(fixed)]
    bits: Option<u32>,
    #[state(fixed)]
    index: SetIndex,
    replacement: State,
}

impl Tags {
    /// Creates the empty cache at `place`. Panics if the shape has no set; the configuration check
    /// rejects such shapes.
    pub fn new(shape: CacheShape, place: Place) -> Self {
        let (sets, ways) = (shape.sets() as usize, shape.ways as usize);
        assert!(sets > 0 && ways > 0, "the configuration check requires at least one set");
        let slots = sets * ways;
        let replacement = State::new(shape.replacement, place, slots, ways);
        // A single set has no digits to add.
        let index = if sets == 1 { SetIndex::Modulo } else { shape.index };
        let bits = sets.is_power_of_two().then(|| sets.trailing_zeros());
        Self { lines: vec![EMPTY; slots], ways, sets: Divider::new(sets as u64), bits, index, replacement }
    }

    /// Returns the number of lines that fit.
    pub fn slots(&self) -> usize {
        self.lines.len()
    }

    /// Whether it is known that no line was ever installed.
    pub fn is_new(&self) -> bool {
        self.replacement.is_new()
    }

    /// Returns the slots of the set of line `line`.
    #[inline]
    fn set(&self, line: u64) -> std::ops::Range<usize> {
        let set = match self.bits {
            // Without divisions, which take the most time of a look-up.
            Some(bits) => self.number(line, |number| (number >> bits, number & !(!0 << bits))),
            None => self.number(line, |number| self.sets.div_rem(number)),
        };
        let first = set as usize * self.ways;
        first..first + self.ways
    }

    /// Returns the number of the set of line `line`. `div_rem` divides by the number of sets.
    #[inline]
    fn number(&self, line: u64, div_rem: impl Fn(u64) -> (u64, u64)) -> u64 {
        let (mut rest, mut set) = div_rem(line);
        match self.index {
            SetIndex::Modulo => set,
            SetIndex::Hashed => {
                while rest != 0 {
                    let (more, digit) = div_rem(rest);
                    (rest, set) = (more, set + digit);
                }
                div_rem(set).1
            }
        }
    }

    /// Returns the slot of line `line` if the line is cached. Does not count as a use.
    #[inline]
    pub fn find(&self, line: u64) -> Option<usize> {
        let set = self.set(line);
        Some(set.start + position(&self.lines[set], line as u32)?)
    }

    /// Returns the slot of line `line` if the line is cached, and records a use.
    #[inline]
    pub fn hit(&mut self, line: u64) -> Option<usize> {
        let slot = self.find(line)?;
        self.touch(slot);
        Some(slot)
    }

    /// Records a use of the line in `slot`.
    #[inline]
    pub fn touch(&mut self, slot: usize) {
        self.replacement.touch(slot);
    }

    /// Installs line `line`, which must not be cached. Returns its slot, and the number of the line
    /// that was evicted if the set was full.
    pub fn install(&mut self, line: u64) -> (usize, Option<u64>) {
        self.install_where(line, |_| true).expect("a set has a way")
    }

    /// Same as [`Self::install`], in a slot that `free` allows. Returns `None`, and changes
    /// nothing, if the set has no such slot.
    pub fn install_where(&mut self, line: u64, free: impl Fn(usize) -> bool) -> Option<(usize, Option<u64>)> {
        debug_assert_eq!(self.find(line), None, "a line is installed once");
        debug_assert!(line < EMPTY.into(), "a line number has fewer bits than an address");
        let set = self.set(line);
        // No early exit, so that the loop is vectorized. Most sets are full.
        let empty = self.lines[set.clone()].iter().fold(0, |any, line| any | u32::from(*line == EMPTY));
        let mut slots = set.clone().filter(|slot| self.lines[*slot] == EMPTY && free(*slot));
        let slot = match if empty == 0 { None } else { slots.next() } {
            Some(slot) => slot,
            None => self.replacement.victim(set, free)?,
        };
        let gone = self.line(slot);
        self.lines[slot] = line as u32;
        self.replacement.install(slot);
        Some((slot, gone))
    }

    /// Removes line `line`. Returns its slot if it was cached.
    pub fn evict(&mut self, line: u64) -> Option<usize> {
        let slot = self.find(line)?;
        self.lines[slot] = EMPTY;
        Some(slot)
    }

    /// Returns the number of the line in `slot`.
    pub fn line(&self, slot: usize) -> Option<u64> {
        Some(self.lines[slot]).filter(|line| *line != EMPTY).map(u64::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    const LRU: Replacement = Replacement::Lru;
    const SHAPE: CacheShape =
        CacheShape { bytes: 256, line_bytes: 16, ways: 4, replacement: LRU, index: SetIndex::Modulo };

    /// With the hashed index, as many consecutive lines as there are sets are in different sets,
    /// and so are lines at a stride of the number of sets.
    #[test]
    fn the_hashed_index_separates_strides() {
        for sets in [1_u32, 4, 6, 32] {
            let shape = CacheShape { bytes: 16 * sets, ways: 1, index: SetIndex::Hashed, ..SHAPE };
            let tags = Tags::new(shape, Place::L2(0));
            for (start, stride) in [(0, 1), (5, 1), (1_000_000, 1), (0, sets), (7, sets), (3, sets * sets)] {
                let lines = (0..sets).map(|k| u64::from(start + k * stride));
                let mut used: Vec<usize> = lines.map(|line| tags.set(line).start).collect();
                used.sort_unstable();
                used.dedup();
                // A carry into a higher digit moves the sum by one more.
                let least = sets - u32::from(start % (stride * sets) != 0);
                assert!(used.len() >= least as usize, "{sets} sets, from {start} by {stride}: {used:?}");
            }
        }
    }

    #[test]
    fn a_power_of_two_of_sets_needs_no_division() {
        let mut rng = ChaCha8Rng::seed_from_u64(4);
        for index in [SetIndex::Modulo, SetIndex::Hashed] {
            for sets in [1, 2, 64, 1024] {
                let tags = Tags::new(CacheShape { bytes: 16 * sets, ways: 1, index, ..SHAPE }, Place::L2(0));
                for _ in 0..1_000 {
                    let line = rng.random_range(0..EMPTY).into();
                    let divided = tags.number(line, |number| tags.sets.div_rem(number));
                    assert_eq!(tags.set(line).start as u64, divided, "line {line} of {sets} sets");
                }
            }
        }
    }

    #[test]
    fn the_least_recently_used_line_of_the_set_is_evicted() {
        let mut tags = Tags::new(SHAPE, Place::L1(0));
        let (first, gone) = tags.install(0);
        assert_eq!(gone, None);
        for line in [4, 8, 12, 1] {
            assert_eq!(tags.install(line).1, None, "line 1 is in another set of four");
        }
        assert_eq!(tags.hit(0), Some(first));
        let (slot, gone) = tags.install(16);
        assert_eq!((gone, tags.find(4)), (Some(4), None), "line 0 was used after it");
        assert_eq!(tags.line(slot), Some(16));
        assert_eq!(tags.evict(0), Some(first));
        assert_eq!((tags.find(0), tags.line(first)), (None, None));
        assert_eq!(tags.install(20), (first, None), "an empty slot is used before a line is evicted");
        assert_eq!(tags.install_where(24, |_| false), None, "no line of the set may be evicted");
        assert_eq!(tags.install_where(24, |slot| slot == first), Some((first, Some(20))));
    }

    /// Compares the tags with a list for each set, most recently used line first.
    #[test]
    fn tags_behave_like_a_list_for_each_set() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for _ in 0..100 {
            let (ways, sets) = (rng.random_range(1..=5), rng.random_range(1..=5));
            let shape = CacheShape {
                bytes: 32 * ways * sets,
                line_bytes: 32,
                ways,
                replacement: LRU,
                index: SetIndex::Modulo,
            };
            let mut tags = Tags::new(shape, Place::L1(0));
            let mut lists = vec![Vec::new(); sets as usize];
            for _ in 0..200 {
                let line = rng.random_range(0..40);
                let list: &mut Vec<u64> = &mut lists[(line % u64::from(sets)) as usize];
                let place = list.iter().position(|known| *known == line);
                assert_eq!(tags.find(line).is_some(), place.is_some());
                if let Some(place) = place {
                    list.remove(place);
                }
                if rng.random_ratio(1, 3) {
                    assert_eq!(tags.evict(line).is_some(), place.is_some());
                    continue;
                }
                list.insert(0, line);
                if place.is_some() {
                    assert!(tags.hit(line).is_some());
                } else {
                    let gone = (list.len() > ways as usize).then(|| list.pop().unwrap());
                    assert_eq!(tags.install(line).1, gone);
                }
            }
        }
    }
}
