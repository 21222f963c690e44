//! Counts indexed by the values of an enum.

use super::breakdown::WarpState;
use super::group::Counters;
use crate::state::{Corrupt, Reader, Value, Writer};
use isa::uop::Class;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// An enum whose values are counted.
pub trait Key: Copy + fmt::Debug + Serialize + 'static {
    /// All values, ordered by their index.
    const ALL: &'static [Self];

    /// Index of the value, from 0.
    fn index(self) -> usize;
}

impl Key for WarpState {
    const ALL: &'static [Self] = &Self::ALL;

    #[inline]
    fn index(self) -> usize {
        self as usize
    }
}

impl Key for Class {
    const ALL: &'static [Self] = &Self::ALL;

    #[inline]
    fn index(self) -> usize {
        self as usize
    }
}

/// Counts by [`WarpState`].
pub type ByState = By<WarpState, { WarpState::COUNT }>;

/// Counts by [`Class`].
pub type ByClass = By<Class, { Class::COUNT }>;

/// One count for each of the `N` values of `K`. A report lists only the values that occurred,
/// ordered by index.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct By<K, const N: usize> {
    counts: [u64; N],
    key: PhantomData<K>,
}

impl<K: Key, const N: usize> By<K, N> {
    /// Adds `n` to the count of `key`.
    #[inline]
    pub fn add(&mut self, key: K, n: u64) {
        self[key] += n;
    }

    /// Returns the sum of all counts.
    pub fn total(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Iterates over the values that occurred and their counts, ordered by index.
    pub fn occurring(&self) -> impl Iterator<Item = (K, u64)> {
        K::ALL.iter().map(|key| (*key, self[*key])).filter(|(_, n)| *n > 0)
    }

    /// Iterates over all values and their counts, ordered by index.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (K, &mut u64)> {
        K::ALL.iter().copied().zip(&mut self.counts)
    }
}

impl<K, const N: usize> Default for By<K, N> {
    fn default() -> Self {
        Self { counts: [0; N], key: PhantomData }
    }
}

impl<K: Key, const N: usize> Index<K> for By<K, N> {
    type Output = u64;

    #[inline]
    fn index(&self, key: K) -> &u64 {
        &self.counts[key.index()]
    }
}

impl<K: Key, const N: usize> IndexMut<K> for By<K, N> {
    #[inline]
    fn index_mut(&mut self, key: K) -> &mut u64 {
        &mut self.counts[key.index()]
    }
}

impl<K, const N: usize> Value for By<K, N> {
    fn put(&self, out: &mut Writer) {
        self.counts.put(out);
    }

    fn take(from: &mut Reader<'_>) -> Result<Self, Corrupt> {
        Ok(Self { counts: Value::take(from)?, key: PhantomData })
    }
}

impl<K, const N: usize> Counters for By<K, N> {
    fn merge(&mut self, other: &Self) {
        self.counts.merge(&other.counts);
    }

    fn leaves(&mut self, each: &mut dyn FnMut(&mut u64)) {
        self.counts.leaves(each);
    }
}

impl<K: Key, const N: usize> fmt::Debug for By<K, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.occurring()).finish()
    }
}

impl<K: Key, const N: usize> Serialize for By<K, N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.occurring())
    }
}

/// Reads the pairs of a report; counts of a value that occurs twice are added.
impl<'de, K: Key + Deserialize<'de>, const N: usize> Deserialize<'de> for By<K, N> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut counts = Self::default();
        for (key, n) in Vec::<(K, u64)>::deserialize(deserializer)? {
            counts[key] = counts[key].saturating_add(n);
        }
        Ok(counts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_that_occurred_are_ordered_by_index() {
        let mut states = ByState::default();
        states.add(WarpState::MemoryDependency, 3);
        states[WarpState::Issuing] += 2;
        assert!(states.occurring().eq([(WarpState::Issuing, 2), (WarpState::MemoryDependency, 3)]));
        assert_eq!(states.total(), 5);
    }

    #[test]
    fn every_value_has_a_separate_count() {
        let mut classes = ByClass::default();
        Class::ALL.into_iter().zip(1..).for_each(|(class, n)| classes.add(class, n));
        assert!(Class::ALL.into_iter().zip(1..).all(|(class, n)| classes[class] == n));
        assert!(classes.occurring().map(|(class, _)| class).eq(Class::ALL));
    }
}
