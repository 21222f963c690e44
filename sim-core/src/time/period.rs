//! The issue period of an SM: how hot cycles and issue cycles become each other, without a division where that can be
//! helped.

use std::ops::{Add, Mul};

/// Hot cycles of an issue cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    cycles: u64,
    /// Its logarithm, if it is a power of two, as in every known chip.
    shift: Option<u8>,
}

impl Period {
    /// Issue cycles of `cycles` hot cycles, at least 1.
    pub fn new(cycles: u32) -> Self {
        assert!(cycles > 0, "config check refuses an issue period of 0");
        let shift = cycles.is_power_of_two().then(|| cycles.trailing_zeros() as u8);
        Self { cycles: cycles.into(), shift }
    }

    /// Hot cycles of an issue cycle.
    pub fn cycles(self) -> u64 {
        self.cycles
    }

    /// The issue cycle that hot cycle `now` belongs to.
    #[inline]
    pub fn cycle(self, now: u64) -> u64 {
        match self.shift {
            Some(shift) => now >> shift,
            None => now / self.cycles,
        }
    }

    /// The first issue cycle that begins at or after hot cycle `now`; also: issue cycles that `now` hot cycles take.
    #[inline]
    pub fn cycle_from(self, now: u64) -> u64 {
        self.cycle(now) + u64::from(!self.begins(now))
    }

    /// Whether an issue cycle begins at hot cycle `now`.
    #[inline]
    pub fn begins(self, now: u64) -> bool {
        match self.shift {
            Some(_) => now & (self.cycles - 1) == 0,
            None => now.is_multiple_of(self.cycles),
        }
    }
}

/// Hot cycles of so many issue cycles.
impl Mul<Period> for u64 {
    type Output = u64;
    #[inline]
    fn mul(self, period: Period) -> u64 {
        self * period.cycles
    }
}

/// An issue cycle later.
impl Add<Period> for u64 {
    type Output = u64;
    #[inline]
    fn add(self, period: Period) -> u64 {
        self + period.cycles
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_two_and_others_round_alike() {
        for cycles in [1, 2, 3, 4, 5, 8, 12] {
            let period = Period::new(cycles);
            for now in 0..100 {
                let cycles = u64::from(cycles);
                assert_eq!((period.cycle(now), period.cycle_from(now)), (now / cycles, now.div_ceil(cycles)));
                assert_eq!(period.begins(now), now % cycles == 0);
            }
            assert_eq!((7 * period, 7 + period), (7 * u64::from(cycles), 7 + u64::from(cycles)));
        }
    }
}
