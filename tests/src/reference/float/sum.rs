//! Sums and products.

use super::{Exact, Number, Round, SINGLE, Way};
use std::cmp::Ordering;

/// Digits of the larger addend, unless it has more: more than two formats need, with space for
/// carries.
const LONG: u32 = 124;

impl Exact {
    /// Returns the sum. Only the part of the smaller number below the last of [`LONG`] digits is
    /// truncated, when the sum has almost as many digits. A zero from numbers of both signs is
    /// negative if rounded down.
    fn plus(self, other: Self, round: Round) -> Self {
        if self.digits == 0 || other.digits == 0 {
            let sum = if self.digits == 0 { other } else { self };
            let zero = match round {
                Round::Down => self.negative || other.negative,
                _ => self.negative && other.negative,
            };
            return Self { negative: if sum.digits == 0 { zero } else { sum.negative }, ..sum };
        }
        let end = |x: Self| x.exponent + x.length() as i32;
        let (high, low) = if end(self) >= end(other) { (self, other) } else { (other, self) };
        let high = high.in_digits(LONG.max(high.length()));
        let small = match high.exponent - low.exponent {
            left @ ..=0 => low.digits << -left,
            right @ 1..=127 => low.digits >> right | u128::from(low.digits.trailing_zeros() < right as u32),
            _ => 1,
        };
        let exponent = high.exponent;
        if high.negative == low.negative {
            return Self { negative: high.negative, digits: high.digits + small, exponent };
        }
        match high.digits.cmp(&small) {
            Ordering::Greater => Self { negative: high.negative, digits: high.digits - small, exponent },
            Ordering::Less => Self { negative: low.negative, digits: small - high.digits, exponent },
            Ordering::Equal => Self { negative: round == Round::Down, digits: 0, exponent },
        }
    }

    fn times(self, other: Self) -> Self {
        Self {
            negative: self.negative != other.negative,
            digits: self.digits * other.digits,
            exponent: self.exponent + other.exponent,
        }
    }
}

impl Number {
    /// Returns the sum; `round` determines the sign of a zero.
    #[must_use]
    pub fn plus(self, other: Self, round: Round) -> Self {
        match (self, other) {
            (Self::Nan, _) | (_, Self::Nan) => Self::Nan,
            (Self::Infinite(a), Self::Infinite(b)) if a != b => Self::Nan,
            (Self::Infinite(negative), _) | (_, Self::Infinite(negative)) => Self::Infinite(negative),
            (Self::Finite(a), Self::Finite(b)) => Self::Finite(a.plus(b, round)),
        }
    }

    /// Returns the product of two numbers of at most 64 digits.
    #[must_use]
    pub fn times(self, other: Self) -> Self {
        match (self, other) {
            (Self::Finite(a), Self::Finite(b)) => Self::Finite(a.times(b)),
            (Self::Infinite(a), Self::Infinite(b)) => Self::Infinite(a != b),
            (Self::Infinite(x), Self::Finite(y)) | (Self::Finite(y), Self::Infinite(x)) if y.digits != 0 => {
                Self::Infinite(x != y.negative)
            }
            _ => Self::Nan,
        }
    }

    /// Truncates the number to at most `length` digits.
    #[must_use]
    pub fn truncate(self, length: u32) -> Self {
        let Self::Finite(x) = self else { return self };
        let extra = x.length().saturating_sub(length);
        Self::Finite(Exact { digits: x.digits >> extra, exponent: x.exponent + extra as i32, ..x })
    }

    /// Whether the number is 0.
    pub fn is_zero(self) -> bool {
        matches!(self, Self::Finite(Exact { digits: 0, .. }))
    }
}

/// `mad.f32` of `sm_1x` (PTX ISA 2.3, "mad"): the product is truncated to 24 digits, its exponent
/// is kept; with an addend of 0 it is a product and a sum, each rounded.
#[must_use]
pub fn truncated(a: Number, b: Number, c: Number) -> Number {
    const FLUSHED: Way = Way { format: SINGLE, round: Round::Nearest, flush: true };
    let product = if c.is_zero() { a.times(b).rounded(FLUSHED) } else { a.times(b).truncate(24) };
    product.plus(c, Round::Nearest)
}
