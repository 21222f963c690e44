//! Quotients and square roots on bare bits: more digits than any rounding needs, by integer division and integer root,
//! and one bit more that says whether anything is missing.

use super::{Exact, INFINITY, LEAST, NAN, SIGN, Value, decode, infinity, zero};

/// Where a result between two numbers goes, as PTX names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounding {
    /// `.rn`
    Nearest,
    /// `.rz`
    Zero,
    /// `.rm`
    Down,
    /// `.rp`
    Up,
}

/// `digits` without its last `places` binary places.
fn without(digits: u128, places: u32, rounding: Rounding, negative: bool) -> u128 {
    if places == 0 {
        return digits;
    }
    let (kept, rest) =
        if places > 127 { (0, digits) } else { (digits >> places, digits & ((1 << places) - 1)) };
    let half = if places > 127 { u128::MAX } else { 1 << (places - 1) };
    let up = match rounding {
        Rounding::Nearest => rest > half || rest == half && kept & 1 == 1,
        Rounding::Zero => false,
        Rounding::Down => negative && rest > 0,
        Rounding::Up => !negative && rest > 0,
    };
    kept + u128::from(up)
}

/// A number of at least 40 digits, the last of which is set where the number is longer, as a single.
fn single(exact: Exact, rounding: Rounding, flush: bool) -> u32 {
    let Exact { negative, digits, exponent } = exact;
    let extra = 128 - digits.leading_zeros() - 24;
    let (mut kept, mut at) = (without(digits, extra, rounding, negative), exponent + extra as i32);
    if kept == 1 << 24 {
        (kept, at) = (kept >> 1, at + 1);
    }
    if at < LEAST {
        let subnormal = without(digits, (LEAST - exponent) as u32, rounding, negative) as u32;
        return zero(negative) | if flush { 0 } else { subnormal };
    }
    let bits = ((at - LEAST + 1) as u32) << 23 | kept as u32 & 0x7f_ffff;
    let stays_finite = match rounding {
        Rounding::Nearest => false,
        Rounding::Zero => true,
        Rounding::Down => !negative,
        Rounding::Up => negative,
    };
    match bits {
        0..INFINITY => zero(negative) | bits,
        _ if stays_finite => zero(negative) | (INFINITY - 1),
        _ => infinity(negative),
    }
}

/// The square root of a number that is not 0, cut off; `longer`: the number itself is.
fn root(digits: u128, exponent: i32, longer: bool) -> Exact {
    let root = digits.isqrt();
    let inexact = longer || root * root != digits;
    Exact { negative: false, digits: root << 1 | u128::from(inexact), exponent: exponent / 2 - 1 }
}

/// `a / b`, rounded once.
pub fn divide(a: u32, b: u32, rounding: Rounding, flush: bool) -> u32 {
    let negative = (a ^ b) & SIGN != 0;
    match (decode(a, flush), decode(b, flush)) {
        (Value::Nan, _) | (_, Value::Nan) | (Value::Infinite(_), Value::Infinite(_)) => NAN,
        (Value::Infinite(_), _) => infinity(negative),
        (_, Value::Infinite(_)) => zero(negative),
        (Value::Finite(a), Value::Finite(b)) => match (a.digits, b.digits) {
            (0, 0) => NAN,
            (_, 0) => infinity(negative),
            (0, _) => zero(negative),
            (x, y) => {
                let (quotient, rest) = ((x << 90) / y, (x << 90) % y);
                let digits = quotient << 1 | u128::from(rest > 0);
                single(Exact { negative, digits, exponent: a.exponent - b.exponent - 91 }, rounding, flush)
            }
        },
    }
}

/// The square root, rounded once.
pub fn square_root(a: u32, rounding: Rounding, flush: bool) -> u32 {
    match decode(a, flush) {
        Value::Finite(Exact { digits: 0, negative, .. }) => zero(negative),
        Value::Nan | Value::Infinite(true) | Value::Finite(Exact { negative: true, .. }) => NAN,
        Value::Infinite(false) => INFINITY,
        Value::Finite(Exact { digits, exponent, .. }) => {
            let shift = 100 + (exponent & 1);
            single(root(digits << shift, exponent - shift, false), rounding, flush)
        }
    }
}

/// The reciprocal of the square root, to nearest.
pub fn reciprocal_root(a: u32, flush: bool) -> u32 {
    match decode(a, flush) {
        Value::Finite(Exact { digits: 0, negative, .. }) => infinity(negative),
        Value::Nan | Value::Infinite(true) | Value::Finite(Exact { negative: true, .. }) => NAN,
        Value::Infinite(false) => 0,
        Value::Finite(Exact { digits, exponent, .. }) => {
            let shift = 126 - (exponent & 1);
            let inverse = (1 << shift) / digits;
            let longer = inverse * digits != 1 << shift;
            single(root(inverse, -exponent - shift, longer), Rounding::Nearest, flush)
        }
    }
}
