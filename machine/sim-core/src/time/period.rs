//! The issue period of an SM. Converts shader cycles to issue cycles and back. If the period is a
//! power of two it shifts, because a division is slow and every instruction needs several
//! conversions.

use std::ops::{Add, Mul};

/// Number of shader cycles per issue cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    cycles: u64,
    /// Base-2 logarithm of the period, if it is a power of two, as in every known chip.
    shift: Option<u8>,
}

impl Period {
    /// A period of `cycles` shader cycles, at least 1.
    pub fn new(cycles: u32) -> Self {
        assert!(cycles > 0, "config check rejects an issue period of 0");
        let shift = cycles.is_power_of_two().then(|| cycles.trailing_zeros() as u8);
        Self { cycles: cycles.into(), shift }
    }

    /// Number of shader cycles per issue cycle.
    pub fn cycles(self) -> u64 {
        self.cycles
    }

    /// The issue cycle that contains shader cycle `now`.
    #[inline]
    pub fn cycle(self, now: u64) -> u64 {
        match self.shift {
            Some(shift) => now >> shift,
            None => now / self.cycles,
        }
    }

    /// The first issue cycle that starts at or after shader cycle `now`. For a duration: its number
    /// of issue cycles, rounded up.
    #[inline]
    pub fn cycle_from(self, now: u64) -> u64 {
        self.cycle(now) + u64::from(!self.begins(now))
    }

    /// Whether an issue cycle starts at shader cycle `now`.
    #[inline]
    pub fn begins(self, now: u64) -> bool {
        match self.shift {
            Some(_) => now & (self.cycles - 1) == 0,
            None => now.is_multiple_of(self.cycles),
        }
    }
}

/// Converts a number of issue cycles to shader cycles.
impl Mul<Period> for u64 {
    type Output = u64;
    #[inline]
    fn mul(self, period: Period) -> u64 {
        self * period.cycles
    }
}

/// Adds one issue cycle to a shader cycle.
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
    fn all_periods_round_in_the_same_way() {
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
