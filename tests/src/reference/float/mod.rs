//! Floating-point arithmetic of every width on bits: a number is decomposed into sign, integer and
//! power of two, computed exactly and rounded once. No floating-point operation of the host is
//! used.
//!
//! If an exact result needed more than 128 bits (`sum`, `quotient`), it is truncated far below the
//! last place of any format, and its last bit is set: rounding only needs to know that the result
//! is inexact.

mod convert;
mod order;
mod quotient;
mod special;
mod sum;
#[cfg(test)]
mod tests;

pub use order::{compare, extreme};
pub use sum::truncated;

/// Bit layout of a floating-point type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// Number of bits.
    pub bits: u32,
    /// Binary digits of a normal number, including the hidden one.
    pub digits: u32,
    /// Exponent of the last place of subnormal numbers.
    pub least: i32,
}

/// `f16`.
pub const HALF: Format = Format { bits: 16, digits: 11, least: -24 };
/// `f32`.
pub const SINGLE: Format = Format { bits: 32, digits: 24, least: -149 };
/// `f64`.
pub const DOUBLE: Format = Format { bits: 64, digits: 53, least: -1074 };

impl Format {
    /// Bit of the sign.
    pub fn sign(self) -> u64 {
        1 << (self.bits - 1)
    }

    /// Bits of infinity: all exponent bits.
    pub fn infinity(self) -> u64 {
        self.sign() - self.hidden()
    }

    /// Bits of the number 1.
    pub fn one(self) -> u64 {
        Number::from_integer(1).exactly(self)
    }

    /// The hidden digit of normal numbers; as bits, the smallest normal number.
    pub fn hidden(self) -> u64 {
        1 << (self.digits - 1)
    }

    /// Bits without the sign.
    pub fn magnitude(self, bits: u64) -> u64 {
        bits & (self.sign() - 1)
    }

    /// Whether bits are a NaN.
    pub fn is_nan(self, bits: u64) -> bool {
        self.magnitude(bits) > self.infinity()
    }
}

/// Rounding mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Round {
    /// To nearest, ties to even.
    Nearest,
    /// Toward zero.
    Zero,
    /// Toward negative infinity.
    Down,
    /// Toward positive infinity.
    Up,
}

/// How a result is converted to bits.
#[derive(Clone, Copy, Debug)]
pub struct Way {
    /// Type of the result.
    pub format: Format,
    /// Rounding mode.
    pub round: Round,
    /// Whether subnormals are flushed to zero.
    pub flush: bool,
}

/// A decomposed number.
#[derive(Clone, Copy, Debug)]
pub enum Number {
    /// Not a number.
    Nan,
    /// Infinity; `true` if negative.
    Infinite(bool),
    /// A finite number.
    Finite(Exact),
}

/// `(-1)^negative · digits · 2^exponent`, exactly.
#[derive(Clone, Copy, Debug)]
pub struct Exact {
    negative: bool,
    digits: u128,
    exponent: i32,
}

impl Number {
    /// Decodes `bits`; a subnormal becomes 0 if `flush`.
    pub fn of(bits: u64, format: Format, flush: bool) -> Self {
        let negative = bits & format.sign() != 0;
        let (field, fraction) = (format.magnitude(bits) >> (format.digits - 1), bits & (format.hidden() - 1));
        let finite =
            |digits: u64, exponent| Self::Finite(Exact { negative, digits: digits.into(), exponent });
        match (field, fraction) {
            (0, _) => finite(if flush { 0 } else { fraction }, format.least),
            (_, 0) if format.magnitude(bits) == format.infinity() => Self::Infinite(negative),
            _ if format.is_nan(bits) => Self::Nan,
            _ => finite(fraction | format.hidden(), field as i32 - 1 + format.least),
        }
    }

    /// Returns the number with the opposite sign.
    #[must_use]
    pub fn negated(self) -> Self {
        match self {
            Self::Nan => Self::Nan,
            Self::Infinite(negative) => Self::Infinite(!negative),
            Self::Finite(x) => Self::Finite(Exact { negative: !x.negative, ..x }),
        }
    }

    /// Rounds the number to bits; `None` for NaN.
    pub fn bits(self, way: Way) -> Option<u64> {
        let sign = |negative| if negative { way.format.sign() } else { 0 };
        match self {
            Self::Nan => None,
            Self::Infinite(negative) => Some(sign(negative) | way.format.infinity()),
            Self::Finite(exact) => Some(sign(exact.negative) | exact.magnitude(way)),
        }
    }

    /// Rounds the number to the format.
    #[must_use]
    pub fn rounded(self, way: Way) -> Self {
        self.bits(way).map_or(Self::Nan, |bits| Self::of(bits, way.format, way.flush))
    }

    /// Returns the bits of a number that the format represents exactly.
    fn exactly(self, format: Format) -> u64 {
        self.bits(Way { format, round: Round::Zero, flush: false }).unwrap_or_default()
    }
}

/// Removes the last `places` binary places of `digits`, rounded as a number of that sign.
fn without(digits: u128, places: u32, negative: bool, round: Round) -> u128 {
    if places == 0 {
        return digits;
    }
    let (kept, rest, half) = match places {
        127.. => (0, digits, u128::MAX),
        _ => (digits >> places, digits & ((1 << places) - 1), 1 << (places - 1)),
    };
    let up = match round {
        Round::Nearest => rest > half || rest == half && kept & 1 == 1,
        Round::Zero => false,
        Round::Down => negative && rest > 0,
        Round::Up => !negative && rest > 0,
    };
    kept + u128::from(up)
}

/// Whether an overflow of that sign saturates at the largest number.
fn stops(negative: bool, round: Round) -> bool {
    match round {
        Round::Nearest => false,
        Round::Zero => true,
        Round::Down => !negative,
        Round::Up => negative,
    }
}

impl Exact {
    /// Number of digits.
    fn length(self) -> u32 {
        128 - self.digits.leading_zeros()
    }

    /// Returns the same nonzero number with `length` digits, at least as many as it has.
    fn in_digits(self, length: u32) -> Self {
        let shift = length - self.length();
        Self { digits: self.digits << shift, exponent: self.exponent - shift as i32, ..self }
    }

    /// Rounds the magnitude to bits.
    fn magnitude(self, Way { format, round, flush }: Way) -> u64 {
        let Self { negative, digits, exponent } = self;
        if digits == 0 {
            return 0;
        }
        // First without bounds of the exponent.
        let extra = self.length().saturating_sub(format.digits);
        let (mut kept, mut at) = (without(digits, extra, negative, round), exponent + extra as i32);
        while kept >= 1 << format.digits {
            (kept, at) = (kept >> 1, at + 1);
        }
        while kept < format.hidden().into() {
            (kept, at) = (kept << 1, at - 1);
        }
        if at < format.least {
            if flush {
                return 0;
            }
            // Subnormals have fewer digits; a number that rounds up to the smallest normal number
            // is correct as it is.
            let places = (format.least - exponent).max(0) as u32;
            return (without(digits, places, negative, round) << (exponent - format.least).max(0)) as u64;
        }
        let field = (at - format.least + 1) as u64;
        if field >= format.infinity() >> (format.digits - 1) {
            return format.infinity() - u64::from(stops(negative, round));
        }
        field << (format.digits - 1) | kept as u64 & (format.hidden() - 1)
    }
}
