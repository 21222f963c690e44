//! Results of host operations together with their errors. The sign of the error decides how a
//! result is rounded in a direction.
//!
//! The operands must be [`is_ordinary`], and for a product or quotient the result too: then no step
//! overflows, and no error is below the smallest subnormal number.

use crate::sem::float::{Direction, sum_to_odd};

/// 2^-900 and 2^900.
const ORDINARY: std::ops::Range<f64> = f64::from_bits((1023 - 900) << 52)..f64::from_bits((1023 + 900) << 52);

/// Whether the magnitude of a number is from 2^-900 to below 2^900.
#[inline(always)]
pub(super) fn is_ordinary(value: f64) -> bool {
    ORDINARY.contains(&value.abs())
}

/// Returns the sum rounded to nearest and its error, whose sum is exact (Knuth's two-sum).
#[inline(always)]
pub(super) fn sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let of_b = sum - a;
    (sum, (a - (sum - of_b)) + (b - of_b))
}

/// Returns a number as the sum of two numbers of at most 26 bits (Veltkamp's splitting).
#[inline(always)]
fn halves(a: f64) -> (f64, f64) {
    let scaled = a * 134_217_729.0; // 2^27 + 1
    let high = scaled - (scaled - a);
    (high, a - high)
}

/// Returns the product rounded to nearest and its error, whose sum is exact (Dekker's product).
#[inline(always)]
pub(super) fn product(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    let ((ah, al), (bh, bl)) = (halves(a), halves(b));
    (product, ((ah * bh - product) + ah * bl + al * bh) + al * bl)
}

/// Returns `a · b + c` rounded to nearest, and a number with the sign of its error. The addend may
/// be zero (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums", 2008).
#[inline(always)]
pub(super) fn fused(a: f64, b: f64, c: f64) -> (f64, f64) {
    let (high, low) = product(a, b);
    let (upper, lower) = sum(c, low);
    let (total, rest) = sum(high, upper);
    sum(total, sum_to_odd(lower, rest))
}

/// Returns the quotient rounded to nearest, and a number with the sign of its error.
#[inline(always)]
pub(super) fn quotient(a: f64, b: f64) -> (f64, f64) {
    let quotient = a / b;
    // The remainder is exact.
    let (high, low) = product(quotient, b);
    let remainder = (a - high) - low;
    (quotient, if b < 0.0 { -remainder } else { remainder })
}

/// Returns the root rounded to nearest, and a number with the sign of its error.
#[inline(always)]
pub(super) fn root(a: f64) -> (f64, f64) {
    let root = a.sqrt();
    let (high, low) = product(root, root);
    (root, (a - high) - low)
}

/// Returns the reciprocal of the root of a positive number, rounded to nearest; `None` if it is too
/// close to the midpoint of two numbers for a decision.
#[inline(always)]
pub(super) fn reciprocal_root(a: f64) -> Option<f64> {
    /// 2^-100. The error of the correction is below this part of the estimate.
    const UNSURE: f64 = f64::from_bits((1023 - 100) << 52);
    let estimate = 1.0 / a.sqrt();
    // A step of Newton's method with the remainder 1 - a · estimate², which is below 2^-50, in two
    // numbers. Its error is below 2^-103, and so is the square that the step neglects.
    let (square, rest) = product(estimate, estimate);
    let (high, low) = product(a, square);
    let remainder = ((1.0 - high) - low) - a * rest;
    let correction = 0.5 * estimate * remainder;
    let (least, most) = (correction - estimate * UNSURE, correction + estimate * UNSURE);
    let (root, other) = (estimate + least, estimate + most);
    (root.to_bits() == other.to_bits()).then_some(root)
}

/// Returns the bits of a result rounded to nearest, moved to the adjacent number if it is on the
/// wrong side of the exact result. The result must not be zero or NaN.
#[inline(always)]
pub(super) fn directed((nearest, error): (f64, f64), to: Direction) -> u64 {
    let bits = nearest.to_bits();
    let negative = nearest < 0.0;
    let (above, below) = (error > 0.0, error < 0.0);
    // Whether the result is too close to zero, or too far from it.
    let (outwards, inwards) = match to {
        Direction::Nearest => (false, false),
        Direction::Zero => (false, if negative { above } else { below }),
        Direction::Down => (negative & below, !negative & below),
        Direction::Up => (!negative & above, negative & above),
    };
    bits.wrapping_add(outwards as u64).wrapping_sub(inwards as u64)
}
