//! Exact numbers, and their rounding to doubles.

use super::{INFINITY, SIGN, magnitude};
use crate::sem::float::Direction;

/// The part of a number after the last digit that is kept, in units of that digit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rest {
    Nothing,
    BelowHalf,
    Half,
    AboveHalf,
}

/// Digits of a normal number.
const DIGITS: i32 = 53;
/// Exponent of the last digit of subnormal numbers, and therefore of the smallest number.
const LEAST: i32 = -1074;

/// The number `(-1)^negative · digits · 2^exponent`. If `more` is set, its magnitude is larger by
/// less than one unit of the last digit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exact {
    pub negative: bool,
    /// Below 2^127. If `more` is set, there are at least two digits more than a double has.
    pub digits: u128,
    /// The first digit is below 2^2200, which no product or quotient reaches.
    pub exponent: i32,
    pub more: bool,
}

impl Exact {
    /// Converts a finite f64. An infinity is converted like the next number above the largest
    /// finite one.
    #[inline]
    pub fn of(bits: u64) -> Self {
        let (field, fraction) = ((magnitude(bits) >> 52) as i32, bits & ((1 << 52) - 1));
        let hidden = u64::from(field > 0) << 52;
        Self {
            negative: bits & SIGN != 0,
            digits: (fraction | hidden).into(),
            exponent: field.max(1) - 1075,
            more: false,
        }
    }

    /// Returns the same number with its first digit at `place`. The number must not be zero.
    #[inline]
    pub fn with_first_digit_at(self, place: i32) -> Self {
        let shift = self.digits.leading_zeros() as i32 - (127 - place);
        Self { digits: self.digits << shift, exponent: self.exponent - shift, ..self }
    }

    /// Rounds to a multiple of 2^`exponent`; returns the number of these units.
    #[inline]
    fn in_units_of(self, exponent: i32, to: Direction) -> u128 {
        let (kept, rest) = self.split(exponent);
        let up = match to {
            Direction::Nearest => rest > Rest::Half || rest == Rest::Half && kept & 1 == 1,
            Direction::Zero => false,
            Direction::Down => self.negative && rest > Rest::Nothing,
            Direction::Up => !self.negative && rest > Rest::Nothing,
        };
        kept + u128::from(up)
    }

    /// Returns the largest multiple of 2^`exponent` that does not exceed the magnitude, in these
    /// units, and the rest.
    #[inline]
    fn split(self, exponent: i32) -> (u128, Rest) {
        let beyond = if self.more { Rest::BelowHalf } else { Rest::Nothing };
        match exponent - self.exponent {
            left @ ..=0 => (self.digits << -left, beyond),
            right @ 1..=127 => {
                let half = 1 << (right - 1);
                let below = self.digits & (2 * half - 1);
                let rest = match below.cmp(&half) {
                    std::cmp::Ordering::Less if below == 0 => beyond,
                    std::cmp::Ordering::Less => Rest::BelowHalf,
                    std::cmp::Ordering::Equal if !self.more => Rest::Half,
                    _ => Rest::AboveHalf,
                };
                (self.digits >> right, rest)
            }
            _ if self.digits == 0 => (0, beyond),
            // A number of fewer than 127 digits is less than half of that unit.
            _ => (0, Rest::BelowHalf),
        }
    }

    /// Rounds to a double. The number must not be zero.
    #[inline]
    pub fn round(self, to: Direction) -> u64 {
        let first = self.exponent + 127 - self.digits.leading_zeros() as i32;
        let last = (first - DIGITS + 1).max(LEAST);
        let kept = self.in_units_of(last, to) as u64;
        // The hidden digit, and a carry out of the kept digits, increment the exponent field
        // correctly.
        let bits = (((last - LEAST) as u64) << (DIGITS - 1)) + kept;
        let outwards = match to {
            Direction::Nearest => true,
            Direction::Zero => false,
            Direction::Down => self.negative,
            Direction::Up => !self.negative,
        };
        let bits = if bits < INFINITY { bits } else { INFINITY - u64::from(!outwards) };
        bits | if self.negative { SIGN } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODES: [Direction; 4] = [Direction::Nearest, Direction::Zero, Direction::Down, Direction::Up];

    fn exact(negative: bool, digits: u128, exponent: i32, more: bool) -> Exact {
        Exact { negative, digits, exponent, more }
    }

    #[test]
    fn every_mode_rounds_in_its_direction() {
        // One plus nothing, a quarter, a half and three quarters of its last place, with either
        // sign.
        let one = 1u128 << 54;
        for (rest, nearest) in [(0, 0), (1, 0), (2, 0), (3, 1)] {
            for negative in [false, true] {
                let got = MODES.map(|m| exact(negative, one + rest, -54, false).round(m) << 1 >> 1);
                let up = u64::from(rest > 0);
                let (down, up) = if negative { (up, 0) } else { (0, up) };
                let expected = [nearest, 0, down, up].map(|more| 1.0f64.to_bits() + more);
                assert_eq!(got, expected, "{rest} {negative}");
            }
        }
        // Slightly above the midpoint, and a tie next to an odd number.
        assert_eq!(exact(false, one + 2, -54, true).round(Direction::Nearest), 1.0f64.to_bits() + 1);
        assert_eq!(exact(false, one + 6, -54, false).round(Direction::Nearest), 1.0f64.to_bits() + 2);
    }

    #[test]
    fn the_limits_of_the_format() {
        let least = |digits, exponent| MODES.map(|m| exact(false, digits, exponent, false).round(m));
        assert_eq!(least(1, -1074), [1; 4]);
        assert_eq!(least(1, -1075), [0, 0, 0, 1]);
        assert_eq!(least(3, -1076), [1, 0, 0, 1]);
        assert_eq!(least(1, -5000), [0, 0, 0, 1]);
        // Values that round up to the smallest normal number, and past the largest one.
        assert_eq!(least((1 << 54) - 1, -1076), [1 << 52, (1 << 52) - 1, (1 << 52) - 1, 1 << 52]);
        let huge = INFINITY;
        assert_eq!(least((1 << 54) - 1, 970), [huge, huge - 1, huge - 1, huge]);
        let below = MODES.map(|m| exact(true, 1, 2100, false).round(m) & !SIGN);
        assert_eq!(below, [huge, huge - 1, huge, huge - 1]);
    }

    #[test]
    fn splitting_and_rounding_a_number_restores_it() {
        for bits in [1, 0xf_ffff_ffff_ffff, 1 << 52, 1.5f64.to_bits(), f64::MAX.to_bits() | SIGN] {
            for to in MODES {
                assert_eq!(Exact::of(bits).round(to), bits);
                assert_eq!(Exact::of(bits).with_first_digit_at(125).round(to), bits);
            }
        }
    }
}
