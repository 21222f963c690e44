//! Floating point of every width on bare bits: a number is taken apart into sign, integer and power
//! of two, computed exactly and rounded once. No floating-point operation of the host is used.
//!
//! Where an exact result would be longer than 128 bits (`sum`, `quotient`) it is cut off far behind
//! the last place of any format, and its own last bit set: that there was more is all that rounding
//! asks.

mod convert;
mod order;
mod quotient;
mod special;
mod sum;
#[cfg(test)]
mod tests;

pub use order::{compare, extreme};
pub use sum::truncated;

/// How a floating-point type lays out its bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// Bits.
    pub bits: u32,
    /// Binary digits of a normal number, the hidden one among them.
    pub digits: u32,
    /// The exponent of the last place of subnormal numbers.
    pub least: i32,
}

/// `f16`.
pub const HALF: Format = Format { bits: 16, digits: 11, least: -24 };
/// `f32`.
pub const SINGLE: Format = Format { bits: 32, digits: 24, least: -149 };
/// `f64`.
pub const DOUBLE: Format = Format { bits: 64, digits: 53, least: -1074 };

impl Format {
    /// The sign's bit.
    pub fn sign(self) -> u64 {
        1 << (self.bits - 1)
    }

    /// The bits of infinity: all of the exponent's.
    pub fn infinity(self) -> u64 {
        self.sign() - self.hidden()
    }

    /// The bits of the number 1.
    pub fn one(self) -> u64 {
        Number::from_integer(1).exactly(self)
    }

    /// The digit that normal numbers have and do not store; as bits, the smallest of them.
    pub fn hidden(self) -> u64 {
        1 << (self.digits - 1)
    }

    /// Bits without their sign.
    pub fn magnitude(self, bits: u64) -> u64 {
        bits & (self.sign() - 1)
    }

    /// Whether bits stand for no number.
    pub fn is_nan(self, bits: u64) -> bool {
        self.magnitude(bits) > self.infinity()
    }
}

/// Where a result goes that lies between two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Round {
    /// To the nearer, of two equally near to the even one.
    Nearest,
    /// Towards zero.
    Zero,
    /// Down.
    Down,
    /// Up.
    Up,
}

/// How a result becomes bits.
#[derive(Clone, Copy, Debug)]
pub struct Way {
    /// Of which type.
    pub format: Format,
    /// Rounding.
    pub round: Round,
    /// Whether subnormals are zeros.
    pub flush: bool,
}

/// A number taken apart.
#[derive(Clone, Copy, Debug)]
pub enum Number {
    /// None.
    Nan,
    /// Infinity; negative?
    Infinite(bool),
    /// All others.
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
    /// What `bits` stand for; a subnormal is 0 where `flush`.
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

    /// The number of the other sign.
    #[must_use]
    pub fn negated(self) -> Self {
        match self {
            Self::Nan => Self::Nan,
            Self::Infinite(negative) => Self::Infinite(!negative),
            Self::Finite(x) => Self::Finite(Exact { negative: !x.negative, ..x }),
        }
    }

    /// The bits that it is rounded to; `None` if it is no number.
    pub fn bits(self, way: Way) -> Option<u64> {
        let sign = |negative| if negative { way.format.sign() } else { 0 };
        match self {
            Self::Nan => None,
            Self::Infinite(negative) => Some(sign(negative) | way.format.infinity()),
            Self::Finite(exact) => Some(sign(exact.negative) | exact.magnitude(way)),
        }
    }

    /// The number that its bits stand for.
    #[must_use]
    pub fn rounded(self, way: Way) -> Self {
        self.bits(way).map_or(Self::Nan, |bits| Self::of(bits, way.format, way.flush))
    }

    /// The bits of what is known to be a number of the format.
    fn exactly(self, format: Format) -> u64 {
        self.bits(Way { format, round: Round::Zero, flush: false }).unwrap_or_default()
    }
}

/// `digits` without its last `places` binary places, rounded as a number of that sign.
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

/// Whether an overflow of that sign stops at the largest number.
fn stops(negative: bool, round: Round) -> bool {
    match round {
        Round::Nearest => false,
        Round::Zero => true,
        Round::Down => !negative,
        Round::Up => negative,
    }
}

impl Exact {
    /// How many digits there are.
    fn length(self) -> u32 {
        128 - self.digits.leading_zeros()
    }

    /// The same number, not 0, with `length` digits; at least as many as it has.
    fn in_digits(self, length: u32) -> Self {
        let shift = length - self.length();
        Self { digits: self.digits << shift, exponent: self.exponent - shift as i32, ..self }
    }

    /// The bits that the number's magnitude is rounded to.
    fn magnitude(self, Way { format, round, flush }: Way) -> u64 {
        let Self { negative, digits, exponent } = self;
        if digits == 0 {
            return 0;
        }
        // First as if exponents had no bounds.
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
            // The subnormal grid is coarser; what rounds up to the smallest normal number is right
            // as it is.
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
