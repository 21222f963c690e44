//! Quotients and square roots by integer division and integer root, with more digits than any
//! rounding needs; the last digit is set if the result is inexact.

use super::{Exact, Number};

impl Number {
    /// Returns the quotient; for finite numbers with at least 60 digits more than the divisor.
    #[must_use]
    pub fn over(self, other: Self) -> Self {
        match (self, other) {
            (Self::Nan, _) | (_, Self::Nan) | (Self::Infinite(_), Self::Infinite(_)) => Self::Nan,
            (Self::Infinite(a), Self::Finite(b)) => Self::Infinite(a != b.negative),
            (Self::Finite(a), Self::Infinite(b)) => {
                Self::Finite(Exact { negative: a.negative != b, digits: 0, exponent: 0 })
            }
            (Self::Finite(a), Self::Finite(b)) => {
                let negative = a.negative != b.negative;
                match (a.digits, b.digits) {
                    (0, 0) => Self::Nan,
                    (_, 0) => Self::Infinite(negative),
                    (0, _) => Self::Finite(Exact { negative, digits: 0, exponent: 0 }),
                    _ => {
                        let a = a.in_digits(126);
                        let (quotient, rest) = (a.digits / b.digits, a.digits % b.digits);
                        let digits = quotient | u128::from(rest > 0);
                        Self::Finite(Exact { negative, digits, exponent: a.exponent - b.exponent })
                    }
                }
            }
        }
    }

    /// Returns the square root, with 63 digits.
    #[must_use]
    pub fn root(self) -> Self {
        match self {
            Self::Infinite(false) | Self::Finite(Exact { digits: 0, .. }) => self,
            Self::Nan | Self::Infinite(true) | Self::Finite(Exact { negative: true, .. }) => Self::Nan,
            Self::Finite(x) => {
                // The exponent must be even to be halved.
                let x = x.in_digits(if (x.exponent - x.length() as i32) & 1 == 0 { 126 } else { 125 });
                let root = x.digits.isqrt();
                let digits = root | u128::from(root * root != x.digits);
                Self::Finite(Exact { negative: false, digits, exponent: x.exponent / 2 })
            }
        }
    }
}
