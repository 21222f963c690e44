//! Sets of small numbers.

/// A set of numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bits(Vec<u64>);

impl Bits {
    /// Whether it contains a number.
    pub fn has(&self, number: usize) -> bool {
        self.0.get(number / 64).is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    /// Adds a number.
    pub fn add(&mut self, number: usize) {
        if self.0.len() <= number / 64 {
            self.0.resize(number / 64 + 1, 0);
        }
        self.0[number / 64] |= 1 << (number % 64);
    }

    /// Adds all numbers of another set.
    pub fn add_all(&mut self, other: &Self) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        self.0.iter_mut().zip(&other.0).for_each(|(to, from)| *to |= from);
    }

    /// Whether another set has all its numbers.
    pub fn is_within(&self, other: &Self) -> bool {
        (0..).zip(&self.0).all(|(place, word)| word & !other.0.get(place).copied().unwrap_or(0) == 0)
    }
}
