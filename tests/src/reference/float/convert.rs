//! Conversions from and to integers.

use super::{Exact, Number, Round, without};

impl Number {
    /// Converts an integer; 0 is positive.
    pub fn from_integer(number: i128) -> Self {
        Self::Finite(Exact { negative: number < 0, digits: number.unsigned_abs(), exponent: 0 })
    }

    /// Rounds the number to an integer, 2^100 for all greater ones; `None` for NaN.
    pub fn to_integer(self, round: Round) -> Option<i128> {
        const MOST: i128 = 1 << 100;
        let (negative, whole) = match self {
            Self::Nan => return None,
            Self::Infinite(negative) => (negative, MOST),
            Self::Finite(Exact { negative, digits, exponent }) => {
                let whole = if exponent > 46 {
                    if digits == 0 { 0 } else { MOST }
                } else if exponent >= 0 {
                    (digits as i128) << exponent
                } else {
                    without(digits, -exponent as u32, negative, round) as i128
                };
                (negative, whole)
            }
        };
        Some(if negative { -whole } else { whole })
    }

    /// Rounds the number to an integral one, whose zero has the number's sign.
    #[must_use]
    pub fn integral(self, round: Round) -> Self {
        match self {
            Self::Finite(Exact { negative, digits, exponent: exponent @ ..0 }) => {
                let digits = without(digits, -exponent as u32, negative, round);
                Self::Finite(Exact { negative, digits, exponent: 0 })
            }
            _ => self,
        }
    }
}
