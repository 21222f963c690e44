//! Sine, cosine, logarithm and power of two in fixed point, 62 bits behind the point.
//!
//! The manual bounds their error only. What is more is told by `docs/MODEL.md`: sine and cosine
//! count turns in 24 bits first. From there on these are accurate to far more digits than single
//! precision has: whoever rounds the true value to nearest differs from them by one unit of the
//! last place at most.

use super::{Exact, Number, SINGLE};

/// Bits behind the point.
const POINT: u32 = 62;
/// 1 in fixed point.
const ONE: u128 = 1 << POINT;
/// Turns of a radian, 1/2π, as a single.
const TURN: u64 = 0x3e22_f983;
/// 2π · 2^60, to nearest.
const TWO_PI: u128 = 0x6487_ed51_10b4_611a;

/// The product of two numbers in fixed point, cut off.
fn product(a: i128, b: i128) -> i128 {
    (a * b) >> POINT
}

/// 1 - x/(from + 1)(from + 2) + x²/…: a series in whose terms every second factor of a factorial
/// is.
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
    /// The sine of so many radians and `quarters` of a turn.
    #[must_use]
    pub fn sine(self, quarters: u32) -> Self {
        let turns = self.times(Self::of(TURN, SINGLE, false)).cut(24);
        let Self::Finite(Exact { negative, digits, exponent }) = turns else { return Self::Nan };
        let two_pi = Self::Finite(Exact { negative: false, digits: TWO_PI, exponent: -60 });
        if quarters == 0 && (digits == 0 || exponent < -64) {
            // Less than 2^-40: the sine is the angle.
            return turns.times(two_pi);
        }
        // The fraction of a turn in units of 2^-64, either way round.
        let fraction = match exponent {
            0.. => 0,
            -64..0 => digits << (64 + exponent) & u128::from(u64::MAX),
            _ => 0,
        } as u64;
        let fraction = if negative { fraction.wrapping_neg() } else { fraction };
        // To the nearest quarter and the rest, at most an eighth of a turn.
        let nearest = (fraction.wrapping_add(1 << 61)) >> 62;
        let rest = fraction.wrapping_sub(nearest << 62) as i64;
        let angle = (i128::from(rest) * TWO_PI as i128) >> POINT;
        let square = product(angle, angle);
        let quadrant = (nearest as u32 + quarters) % 4;
        let value = if quadrant % 2 == 1 {
            fixed(false, series(square, 0) as u128)
        } else {
            let rest = Exact { negative: rest < 0, digits: rest.unsigned_abs().into(), exponent: -64 };
            Self::Finite(rest).times(two_pi).cut(60).times(fixed(false, series(square, 1) as u128))
        };
        if quadrant < 2 { value } else { value.negated() }
    }

    /// The logarithm to the base 2, bit by bit: the square of a number has twice its logarithm.
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

    /// 2 to the power of it, by the square roots of 2, of that, and so on.
    #[must_use]
    pub fn power_of_two(self) -> Self {
        let x = match self {
            Self::Nan => return Self::Nan,
            Self::Infinite(true) => return Self::from_integer(0),
            Self::Infinite(false) => return self,
            Self::Finite(x) => x,
        };
        let power = |digits, exponent| Self::Finite(Exact { negative: false, digits, exponent });
        // Beyond 2^9 it is beyond all numbers of single precision.
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
