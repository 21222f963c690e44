//! The tags of a set-associative cache: which lines it holds. The data of a line belong to the
//! owner of the tags: a line is known by its slot, a number below [`Tags::slots`].
//!
//! The set of a line is its number modulo the number of sets. [`Replacement`] says which line of a
//! full set is evicted.

use super::replacement::{Place, Replacement, State};
use crate::time::clock::Divider;

/// Size and shape of a cache, and its replacement policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CacheShape {
    /// Bytes of all lines together: a multiple of `line_bytes` · `ways`.
    pub bytes: u32,
    /// Bytes of a line.
    pub line_bytes: u32,
    /// Lines of a set.
    pub ways: u32,
    /// Which line of a full set is evicted.
    pub replacement: Replacement,
}

impl CacheShape {
    /// Sets of `ways` lines.
    pub fn sets(&self) -> u32 {
        self.bytes / (self.line_bytes * self.ways)
    }
}

/// The tags.
#[derive(Clone, Debug)]
pub struct Tags {
    /// By slot: number of its line, one higher; 0: it is empty.
    lines: Vec<u64>,
    ways: usize,
    sets: Divider,
    replacement: State,
}

impl Tags {
    /// The empty cache at `place`. Panics if the shape has no set: the config check refuses such
    /// shapes.
    pub fn new(shape: CacheShape, place: Place) -> Self {
        let (sets, ways) = (shape.sets() as usize, shape.ways as usize);
        assert!(sets > 0 && ways > 0, "the config check wants at least one set");
        let slots = sets * ways;
        let replacement = State::new(shape.replacement, place, slots, ways);
        Self { lines: vec![0; slots], ways, sets: Divider::new(sets as u64), replacement }
    }

    /// How many lines it can hold.
    pub fn slots(&self) -> usize {
        self.lines.len()
    }

    /// The slots of the set that line number `line` belongs to.
    #[inline]
    fn set(&self, line: u64) -> std::ops::Range<usize> {
        let first = self.sets.div_rem(line).1 as usize * self.ways;
        first..first + self.ways
    }

    /// The slot of line number `line`, if it is there. Not a use of it.
    #[inline]
    pub fn find(&self, line: u64) -> Option<usize> {
        self.set(line).find(|slot| self.lines[*slot] == line + 1)
    }

    /// The slot of line number `line`, if it is there, which is used.
    #[inline]
    pub fn hit(&mut self, line: u64) -> Option<usize> {
        let slot = self.find(line)?;
        self.touch(slot);
        Some(slot)
    }

    /// The line in `slot` is used.
    #[inline]
    pub fn touch(&mut self, slot: usize) {
        self.replacement.touch(slot);
    }

    /// Line number `line`, which is not there, gets a slot: an empty one of its set, or that of the
    /// line which the policy evicts, whose number is returned too.
    pub fn install(&mut self, line: u64) -> (usize, Option<u64>) {
        self.install_where(line, |_| true).expect("a set has a way")
    }

    /// As [`Self::install`], in a slot that `free` allows; `None`, and nothing has changed, if its
    /// set has none.
    pub fn install_where(&mut self, line: u64, free: impl Fn(usize) -> bool) -> Option<(usize, Option<u64>)> {
        debug_assert_eq!(self.find(line), None, "a line is installed once");
        let mut empty = self.set(line).filter(|slot| self.lines[*slot] == 0 && free(*slot));
        let slot = match empty.next() {
            Some(slot) => slot,
            None => self.replacement.victim(self.set(line), free)?,
        };
        let gone = self.line(slot);
        self.lines[slot] = line + 1;
        self.replacement.install(slot);
        Some((slot, gone))
    }

    /// Line number `line` is forgotten: its slot, if it was there.
    pub fn evict(&mut self, line: u64) -> Option<usize> {
        let slot = self.find(line)?;
        self.lines[slot] = 0;
        Some(slot)
    }

    /// The number of the line in `slot`.
    pub fn line(&self, slot: usize) -> Option<u64> {
        self.lines[slot].checked_sub(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    const LRU: Replacement = Replacement::Lru;
    const SHAPE: CacheShape = CacheShape { bytes: 256, line_bytes: 16, ways: 4, replacement: LRU };

    #[test]
    fn the_least_recently_used_line_of_the_set_goes() {
        let mut tags = Tags::new(SHAPE, Place::L1(0));
        let (first, gone) = tags.install(0);
        assert_eq!(gone, None);
        for line in [4, 8, 12, 1] {
            assert_eq!(tags.install(line).1, None, "sets of four, and 1 is of another");
        }
        assert_eq!(tags.hit(0), Some(first));
        let (slot, gone) = tags.install(16);
        assert_eq!((gone, tags.find(4)), (Some(4), None), "0 was used after it");
        assert_eq!(tags.line(slot), Some(16));
        assert_eq!(tags.evict(0), Some(first));
        assert_eq!((tags.find(0), tags.line(first)), (None, None));
        assert_eq!(tags.install(20), (first, None), "an empty slot is taken before any line goes");
        assert_eq!(tags.install_where(24, |_| false), None, "every line of the set is kept");
        assert_eq!(tags.install_where(24, |slot| slot == first), Some((first, Some(20))));
    }

    /// Against a list of each set, most recent first.
    #[test]
    fn it_is_a_list_of_each_set() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for _ in 0..100 {
            let (ways, sets) = (rng.random_range(1..=5), rng.random_range(1..=5));
            let shape = CacheShape { bytes: 32 * ways * sets, line_bytes: 32, ways, replacement: LRU };
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
