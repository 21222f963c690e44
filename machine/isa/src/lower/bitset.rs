//! Bit sets of small numbers.

/// A set of small numbers, one bit for each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BitSet(pub(super) Vec<u64>);

impl BitSet {
    pub fn new(len: usize) -> Self {
        Self(vec![0; len.div_ceil(64)])
    }

    /// Whether the set contains a number.
    pub fn contains(&self, i: usize) -> bool {
        self.0[i / 64] >> (i % 64) & 1 == 1
    }

    pub fn insert(&mut self, i: usize) {
        self.0[i / 64] |= 1 << (i % 64);
    }

    pub fn remove(&mut self, i: usize) {
        self.0[i / 64] &= !(1 << (i % 64));
    }

    /// Adds all numbers of `other`.
    pub fn add(&mut self, other: &Self) {
        self.0.iter_mut().zip(&other.0).for_each(|(to, from)| *to |= from);
    }

    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(i, word)| {
            std::iter::successors(Some(*word), |w| Some(w & w.wrapping_sub(1)))
                .take_while(|w| *w != 0)
                .map(move |w| i * 64 + w.trailing_zeros() as usize)
        })
    }

    /// Returns the index and mask of each word that the range `start..end` covers.
    pub fn words(start: u32, end: u32) -> impl Iterator<Item = (usize, u64)> {
        let (first, last) = (start as usize / 64, (end as usize - 1) / 64);
        (first..=last).map(move |w| {
            let low = if w == first { u64::MAX << (start % 64) } else { u64::MAX };
            let high = if w == last { u64::MAX >> (63 - (end - 1) % 64) } else { u64::MAX };
            (w, low & high)
        })
    }
}
