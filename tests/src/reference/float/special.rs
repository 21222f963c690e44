//! Sine, cosine, logarithm and power of two in fixed point, with 62 bits after the point.
//!
//! The manual only bounds their error. `docs/MODEL.md` specifies more: sine and cosine first reduce
//! the angle to 24 bits of turns. After that the functions here are the true values, from power
//! series and square roots. The simulator interpolates in tables, so a comparison allows the error
//! that the manual states.

use super::{Exact, Number, SINGLE};

/// Bits after the point.
const POINT: u32 = 62;
/// 1 in fixed point.
const ONE: u128 = 1 << POINT;
/// Turns per radian, 1/2π, in single precision.
const TURN: u64 = 0x3e22_f983;
/// 2π · 2^60, rounded to nearest.
const TWO_PI: u128 = 0x6487_ed51_10b4_611a;

/// Truncated product of two numbers in fixed point.
fn product(a: i128, b: i128) -> i128 {
    (a * b) >> POINT
}

/// 1 - x/(from + 1)(from + 2) + x²/…: a power series with every second factor of a factorial.
fn series(square: i128, from: i128) -> i128 {
    let (mut sum, mut term, mut n) = (0, ONE as i128, from);
    while term != 0 {
        sum += term;
        term = -product(term, square) / ((n + 1) * (n + 2));
        n += 2;
    }
    sum
}

fn fixed(negative: bool, digits: u128) -> Number {
    Number::Finite(Exact { negative, digits, exponent: -(POINT as i32) })
}

impl Number {
    /// Returns the sine of this number of radians plus `quarters` quarter turns.
    #[must_use]
    pub fn sine(self, quarters: u32) -> Self {
        let turns = self.times(Self::of(TURN, SINGLE, false)).truncate(24);
        let Self::Finite(Exact { negative, digits, exponent }) = turns else { return Self::Nan };
        let two_pi = Self::Finite(Exact { negative: false, digits: TWO_PI, exponent: -60 });
        if quarters == 0 && (digits == 0 || exponent < -64) {
            // Less than 2^-40: the sine equals the angle.
            return turns.times(two_pi);
        }
        // The fraction of a turn in units of 2^-64.
        let fraction = match exponent {
            0.. => 0,
            -64..0 => digits << (64 + exponent) & u128::from(u64::MAX),
            _ => 0,
        } as u64;
        // Rounded to the nearest quarter, and the rest, at most an eighth of a turn.
        let nearest = (fraction.wrapping_add(1 << 61)) >> 62;
        let rest = fraction.wrapping_sub(nearest << 62) as i64;
        let angle = (i128::from(rest) * TWO_PI as i128) >> POINT;
        let square = product(angle, angle);
        let quadrant = (nearest as u32 + quarters) % 4;
        let value = if quadrant % 2 == 1 {
            fixed(false, series(square, 0) as u128)
        } else {
            let rest = Exact { negative: rest < 0, digits: rest.unsigned_abs().into(), exponent: -64 };
            Self::Finite(rest).times(two_pi).truncate(60).times(fixed(false, series(square, 1) as u128))
        };
        // The sine is odd, at whole turns too; the cosine is even.
        if (quadrant < 2) == (quarters == 0 && negative) { value.negated() } else { value }
    }

    /// Returns the logarithm to the base 2, bit by bit: the square of a number has twice its
    /// logarithm.
    #[must_use]
    pub fn logarithm(self) -> Self {
        match self {
            Self::Infinite(false) => self,
            Self::Finite(Exact { digits: 0, .. }) => Self::Infinite(true),
            Self::Nan | Self::Infinite(true) | Self::Finite(Exact { negative: true, .. }) => Self::Nan,
            Self::Finite(x) => {
                let x = x.in_digits(POINT + 1);
                let whole = i128::from(x.exponent + POINT as i32);
                let (mut mantissa, mut fraction) = (x.digits, 0);
                for _ in 0..POINT {
                    mantissa = (mantissa * mantissa) >> POINT;
                    let bit = mantissa >> (POINT + 1);
                    (mantissa, fraction) = (mantissa >> bit, fraction << 1 | bit as i128);
                }
                let value = (whole << POINT) + fraction;
                fixed(value < 0, value.unsigned_abs())
            }
        }
    }

    /// Returns 2 to the power of the number, as a product of repeated square roots of 2.
    #[must_use]
    pub fn power_of_two(self) -> Self {
        let x = match self {
            Self::Nan => return Self::Nan,
            Self::Infinite(true) => return Self::from_integer(0),
            Self::Infinite(false) => return self,
            Self::Finite(x) => x,
        };
        let power = |digits, exponent| Self::Finite(Exact { negative: false, digits, exponent });
        // Above 2^9 the result exceeds the range of single precision.
        if x.digits != 0 && x.exponent + x.length() as i32 > 9 {
            return power(1, if x.negative { -600 } else { 600 });
        }
        let magnitude = match x.exponent + POINT as i32 {
            left @ 0.. => (x.digits << left) as i128,
            right @ -127..0 => (x.digits >> -right) as i128,
            _ => 0,
        };
        let value = if x.negative { -magnitude } else { magnitude };
        let (whole, fraction) = (value >> POINT, value & (ONE as i128 - 1));
        let (mut digits, mut root) = (ONE, 2 * ONE);
        for place in (0..POINT).rev() {
            root = (root << POINT).isqrt();
            if fraction >> place & 1 == 1 {
                digits = (digits * root) >> POINT;
            }
        }
        power(digits, whole as i32 - POINT as i32)
    }
}
