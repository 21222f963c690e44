//! Single precision on bare bits: numbers are taken apart into sign, integer and power of two, computed exactly and
//! rounded once. No floating-point operation of the host is used.
//!
//! `flush` is what `sm_1x` always does, and later targets with `.ftz`: subnormals are zeros, as operands and results.

mod quotient;

pub use quotient::{Rounding, divide, reciprocal_root, square_root};
use std::cmp::Ordering;

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

/// How an operation treats its operands and result.
#[derive(Clone, Copy, Debug)]
pub struct Way {
    /// Rounding.
    pub round: Round,
    /// Whether subnormals are zeros.
    pub flush: bool,
}

/// The NaN of every result.
pub const NAN: u32 = 0x7fff_ffff;
const INFINITY: u32 = 0x7f80_0000;
const SIGN: u32 = 1 << 31;

/// The exponent of the last place of the smallest normal number, 2^-126 = 2^23 · 2^-149.
const LEAST: i32 = -149;

const FLUSHED: Way = Way { round: Round::Nearest, flush: true };

/// A number taken apart.
#[derive(Clone, Copy, Debug)]
enum Value {
    Nan,
    /// Negative?
    Infinite(bool),
    Finite(Exact),
}

/// `(-1)^negative · digits · 2^exponent`, exactly.
#[derive(Clone, Copy, Debug)]
struct Exact {
    negative: bool,
    digits: u128,
    exponent: i32,
}

fn decode(bits: u32, flush: bool) -> Value {
    let (negative, exponent, fraction) = (bits & SIGN != 0, bits >> 23 & 0xff, bits & 0x7f_ffff);
    let finite = |digits: u32, exponent| Value::Finite(Exact { negative, digits: digits.into(), exponent });
    match (exponent, fraction) {
        (0xff, 0) => Value::Infinite(negative),
        (0xff, _) => Value::Nan,
        (0, _) => finite(if flush { 0 } else { fraction }, LEAST),
        _ => finite(fraction | 1 << 23, exponent as i32 + LEAST - 1),
    }
}

fn zero(negative: bool) -> u32 {
    if negative { SIGN } else { 0 }
}

fn infinity(negative: bool) -> u32 {
    zero(negative) | INFINITY
}

/// `digits` without its last `places` binary places, rounded as a number of that sign.
pub(super) fn without(digits: u128, places: u32, negative: bool, round: Round) -> u128 {
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
pub(super) fn stops(negative: bool, round: Round) -> bool {
    match round {
        Round::Nearest => false,
        Round::Zero => true,
        Round::Down => !negative,
        Round::Up => negative,
    }
}

impl Exact {
    /// The single that this is rounded to.
    fn round(self, Way { round, flush }: Way) -> u32 {
        let Self { negative, digits, exponent } = self;
        let length = 128 - digits.leading_zeros();
        if length == 0 {
            return zero(negative);
        }
        // First as if exponents had no bounds, to 24 digits.
        let extra = length.saturating_sub(24);
        let (mut kept, mut at) = (without(digits, extra, negative, round), exponent + extra as i32);
        while kept >= 1 << 24 {
            (kept, at) = (kept >> 1, at + 1);
        }
        while kept < 1 << 23 {
            (kept, at) = (kept << 1, at - 1);
        }
        if at < LEAST {
            if flush {
                return zero(negative);
            }
            // The subnormal grid is coarser; what rounds up to the smallest normal number is right as it is.
            let places = (LEAST - exponent).max(0) as u32;
            let subnormal = without(digits, places, negative, round) << (exponent - LEAST).max(0);
            return zero(negative) | subnormal as u32;
        }
        let biased = at - LEAST + 1;
        if biased >= 0xff {
            return infinity(negative) - u32::from(stops(negative, round));
        }
        zero(negative) | (biased as u32) << 23 | kept as u32 & 0x7f_ffff
    }

    fn times(self, other: Self) -> Self {
        Self {
            negative: self.negative != other.negative,
            digits: self.digits * other.digits,
            exponent: self.exponent + other.exponent,
        }
    }

    /// The sum of two numbers of at most 48 digits. Of a number far below the other's last place only its presence
    /// and sign are kept, which round the same way. A zero from numbers of both signs is negative if rounded down.
    fn plus(self, other: Self, round: Round) -> Self {
        let (high, low) = if self.exponent >= other.exponent { (self, other) } else { (other, self) };
        if high.digits == 0 || low.digits == 0 {
            let sum = if high.digits == 0 { low } else { high };
            let both = match round {
                Round::Down => high.negative || low.negative,
                _ => high.negative && low.negative,
            };
            let negative = if sum.digits == 0 { both } else { sum.negative };
            return Self { negative, ..sum };
        }
        let distance = (high.exponent - low.exponent) as u32;
        let (shift, small) = if distance <= 70 { (distance, low.digits) } else { (70, 1) };
        let large = high.digits << shift;
        let exponent = high.exponent - shift as i32;
        if high.negative == low.negative {
            return Self { negative: high.negative, digits: large + small, exponent };
        }
        match large.cmp(&small) {
            Ordering::Greater => Self { negative: high.negative, digits: large - small, exponent },
            Ordering::Less => Self { negative: low.negative, digits: small - large, exponent },
            Ordering::Equal => Self { negative: round == Round::Down, digits: 0, exponent },
        }
    }

    /// At most 24 digits; the others are cut off.
    fn truncated(self) -> Self {
        let extra = (128 - self.digits.leading_zeros()).saturating_sub(24);
        Self { digits: self.digits >> extra, exponent: self.exponent + extra as i32, ..self }
    }
}

fn sum(a: Value, b: Value, way: Way) -> u32 {
    match (a, b) {
        (Value::Nan, _) | (_, Value::Nan) => NAN,
        (Value::Infinite(a), Value::Infinite(b)) if a != b => NAN,
        (Value::Infinite(negative), _) | (_, Value::Infinite(negative)) => infinity(negative),
        (Value::Finite(a), Value::Finite(b)) => a.plus(b, way.round).round(way),
    }
}

fn product(a: Value, b: Value) -> Value {
    match (a, b) {
        (Value::Finite(a), Value::Finite(b)) => Value::Finite(a.times(b)),
        (Value::Infinite(x), Value::Infinite(y)) => Value::Infinite(x != y),
        (Value::Infinite(x), Value::Finite(y)) | (Value::Finite(y), Value::Infinite(x)) if y.digits != 0 => {
            Value::Infinite(x != y.negative)
        }
        _ => Value::Nan,
    }
}

fn encode(value: Value, way: Way) -> u32 {
    match value {
        Value::Nan => NAN,
        Value::Infinite(negative) => infinity(negative),
        Value::Finite(exact) => exact.round(way),
    }
}

/// `a + b`.
pub fn add(a: u32, b: u32, way: Way) -> u32 {
    sum(decode(a, way.flush), decode(b, way.flush), way)
}

/// `a - b`.
pub fn sub(a: u32, b: u32, way: Way) -> u32 {
    add(a, b ^ SIGN, way)
}

/// `a · b`.
pub fn mul(a: u32, b: u32, way: Way) -> u32 {
    encode(product(decode(a, way.flush), decode(b, way.flush)), way)
}

/// `a · b + c`, rounded once.
pub fn fma(a: u32, b: u32, c: u32, way: Way) -> u32 {
    sum(product(decode(a, way.flush), decode(b, way.flush)), decode(c, way.flush), way)
}

/// `mad.f32` of `sm_1x` (PTX ISA 2.3, "mad"): the product is cut to 24 digits, its exponent kept; with `c` = ±0 it
/// is `mul` and `add`.
pub fn mad(a: u32, b: u32, c: u32) -> u32 {
    let addend = decode(c, true);
    if matches!(addend, Value::Finite(Exact { digits: 0, .. })) {
        return add(mul(a, b, FLUSHED), c, FLUSHED);
    }
    let cut = match product(decode(a, true), decode(b, true)) {
        Value::Finite(exact) => Value::Finite(exact.truncated()),
        other => other,
    };
    sum(cut, addend, FLUSHED)
}

/// `-a`.
pub fn neg(a: u32, flush: bool) -> u32 {
    clean(a ^ SIGN, flush)
}

/// `|a|`.
pub fn abs(a: u32, flush: bool) -> u32 {
    clean(a & !SIGN, flush)
}

/// How two numbers compare; `None` if one is none.
pub fn compare(a: u32, b: u32, flush: bool) -> Option<Ordering> {
    let place = |bits| match decode(bits, flush) {
        Value::Nan => None,
        // Bits of one sign are in the order of the numbers.
        _ => Some(i64::from(clean(bits, flush) & !SIGN) * if bits & SIGN == 0 { 1 } else { -1 }),
    };
    Some(place(a)?.cmp(&place(b)?))
}

/// The lesser or greater; a number rather than a NaN, and -0 below +0.
pub fn extreme(a: u32, b: u32, greater: bool, flush: bool) -> u32 {
    match (decode(a, flush), decode(b, flush)) {
        (Value::Nan, _) => clean(b, flush),
        (_, Value::Nan) => clean(a, flush),
        _ => {
            let signs = (b & SIGN).cmp(&(a & SIGN));
            let order = compare(a, b, flush).unwrap_or(Ordering::Equal).then(signs);
            clean(if (order == Ordering::Greater) == greater { a } else { b }, flush)
        }
    }
}

/// The bits of a number; subnormals are zeros where `flush`, and there is one NaN.
pub fn clean(bits: u32, flush: bool) -> u32 {
    encode(decode(bits, flush), Way { round: Round::Zero, flush })
}

/// An integer.
pub fn from_integer(number: i128, round: Round) -> u32 {
    Exact { negative: number < 0, digits: number.unsigned_abs(), exponent: 0 }
        .round(Way { round, flush: false })
}

/// The number rounded to an integer, 2^100 for all that are greater; `None` for a NaN.
pub fn to_integer(a: u32, way: Way) -> Option<i128> {
    const MOST: i128 = 1 << 100;
    let (negative, whole) = match decode(a, way.flush) {
        Value::Nan => return None,
        Value::Infinite(negative) => (negative, MOST),
        Value::Finite(Exact { negative, digits, exponent }) => {
            let whole = if exponent > 76 {
                MOST
            } else if exponent >= 0 {
                (digits as i128) << exponent
            } else {
                without(digits, -exponent as u32, negative, way.round) as i128
            };
            (negative, whole)
        }
    };
    Some(if negative { -whole } else { whole })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ONE: u32 = 0x3f80_0000;
    const KEPT: Way = Way { round: Round::Nearest, flush: false };

    /// Bits of singles, extremes and neighbours of the flush limit among them.
    fn bits() -> impl Strategy<Value = u32> {
        let edge = prop_oneof![Just(0u32), Just(0x0080_0000), Just(INFINITY), Just(ONE), Just(0x7f7f_ffff)];
        let near = (edge, 0u32..3, any::<bool>()).prop_map(|(edge, off, negative)| {
            zero(negative) | edge.wrapping_sub(1).wrapping_add(off) & !SIGN
        });
        // A few exponents meet often.
        let close = (any::<u32>(), 0u32..6).prop_map(|(bits, low)| bits & 0x807f_ffff | (60 + low) << 23);
        prop_oneof![any::<u32>(), near, close]
    }

    fn same(host: f32, ours: u32) -> bool {
        host.is_nan() && ours == NAN || host.to_bits() == ours
    }

    proptest! {
        /// Without flushing this is IEEE arithmetic, which every host has.
        #[test]
        fn unflushed_arithmetic_is_ieee(a in bits(), b in bits(), c in bits()) {
            let (x, y, z) = (f32::from_bits(a), f32::from_bits(b), f32::from_bits(c));
            prop_assert!(same(x + y, add(a, b, KEPT)));
            prop_assert!(same(x - y, sub(a, b, KEPT)));
            prop_assert!(same(x * y, mul(a, b, KEPT)));
            prop_assert!(same(x.mul_add(y, z), fma(a, b, c, KEPT)));
            prop_assert_eq!(x.partial_cmp(&y), compare(a, b, false));
        }

        #[test]
        fn conversions_are_the_hosts(a in bits(), n in any::<i64>(), shift in 0u32..64) {
            let n = n >> shift;
            prop_assert_eq!((n as f32).to_bits(), from_integer(n.into(), Round::Nearest));
            let x = f32::from_bits(a);
            let whole = to_integer(a, Way { round: Round::Zero, flush: true }).unwrap_or(0);
            prop_assert_eq!(i128::from(x as i32), whole.clamp(i32::MIN.into(), i32::MAX.into()));
            prop_assert_eq!(i128::from(x as u64), whole.clamp(0, u64::MAX.into()));
        }
    }

    #[test]
    fn results_are_flushed_after_rounding_without_bounds() {
        assert_eq!(mul(0x0080_0000, 0x3f7f_ffff, FLUSHED), 0);
        assert_eq!(mul(0x0080_0001, 0x3f7f_fffe, FLUSHED), 0x0080_0000);
        assert_eq!(mul(0x0080_0000, 0x3f7f_ffff, KEPT), 0x0080_0000);
        assert_eq!([add(1, 1, FLUSHED), neg(1, true), abs(SIGN | 1, true)], [0, SIGN, 0]);
    }

    #[test]
    fn mad_cuts_its_product() {
        let (x, y) = (0x3f80_0001, 0x3fe0_0000);
        assert_eq!(mad(x, y, ONE | SIGN), sub(0x3fe0_0001, ONE, FLUSHED));
        assert_eq!(fma(x, y, SIGN, FLUSHED), 0x3fe0_0002);
        assert_eq!(mad(x, y, 1), mul(x, y, FLUSHED));
        // 2^127 · 2 - 2^127.
        assert_eq!(mad(0x7f00_0000, 0x4000_0000, 0xff00_0000), 0x7f00_0000);
    }

    #[test]
    fn extremes_prefer_numbers_and_know_the_sign_of_zero() {
        assert_eq!([extreme(NAN, ONE, false, true), extreme(ONE, NAN, true, true)], [ONE, ONE]);
        assert_eq!([extreme(0, SIGN, false, true), extreme(0, SIGN, true, true)], [SIGN, 0]);
        assert_eq!([extreme(ONE, SIGN | ONE, false, true), extreme(ONE, 0, true, true)], [SIGN | ONE, ONE]);
    }

    #[test]
    fn inexact_results_go_where_they_are_sent() {
        let all = |f: &dyn Fn(Way) -> u32| {
            [Round::Nearest, Round::Zero, Round::Down, Round::Up].map(|round| f(Way { round, flush: false }))
        };
        assert_eq!(all(&|way| add(ONE, SIGN | 1, way)), [ONE, ONE - 1, ONE - 1, ONE]);
        assert_eq!(all(&|way| mul(SIGN | 1, 1, way)), [SIGN, SIGN, SIGN | 1, SIGN]);
        assert_eq!(all(&|way| add(SIGN | ONE, ONE, way)), [0, 0, SIGN, 0]);
        let (largest, two) = (0x7f7f_ffff, 0x4000_0000);
        assert_eq!(all(&|way| mul(largest, two, way)), [INFINITY, largest, largest, INFINITY]);
        let half = SIGN | 0x3f00_0000;
        let wholes = [Round::Nearest, Round::Zero, Round::Down, Round::Up]
            .map(|round| to_integer(half, Way { round, flush: false }));
        assert_eq!(wholes, [Some(0), Some(0), Some(-1), Some(0)]);
    }
}
