//! Addition, subtraction, multiplication and the fused multiply-add, in every rounding mode.
//!
//! Ordinary operands are computed by `pair`. Otherwise two numbers of at most 106 digits are added
//! in 128 bits. Both are shifted so that their first digits are at position 125. Digits of the
//! smaller number can be lost only below the last place of the larger one, and only if the
//! exponents differ so much that the sum has more digits than a double has. The `more` flag records
//! that digits were lost.

use super::pair::{self, directed, is_ordinary};
use super::round::Exact;
use super::{INVALID, SIGN, is_infinite, is_nan, is_zero, nan_of, result};
use crate::sem::float::Direction;

/// Returns the sum of two nonzero numbers.
#[inline]
fn sum(a: Exact, b: Exact, to: Direction) -> u64 {
    let (a, b) = (a.with_first_digit_at(125), b.with_first_digit_at(125));
    let in_order = (a.exponent, a.digits) >= (b.exponent, b.digits);
    let (high, low) = if in_order { (a, b) } else { (b, a) };
    let distance = high.exponent - low.exponent;
    let (digits, more) = match distance {
        0..126 => (low.digits >> distance, low.digits & ((1 << distance) - 1) != 0),
        _ => (0, true),
    };
    let digits = match (high.negative == low.negative, more) {
        (true, _) => high.digits + digits,
        (false, false) => high.digits - digits,
        // The subtrahend is slightly larger than `digits`.
        (false, true) => high.digits - digits - 1,
    };
    if digits == 0 {
        return zero(to == Direction::Down);
    }
    Exact { digits, more, ..high }.round(to)
}

#[inline(always)]
fn zero(negative: bool) -> u64 {
    if negative { SIGN } else { 0 }
}

/// Returns the sum of two zeros: negative if both are, and for opposite signs when rounding down.
#[inline(always)]
fn sum_of_zeros(a: u64, b: u64, to: Direction) -> u64 {
    if a == b { a } else { zero(to == Direction::Down) }
}

/// As [`add`], for any operands.
#[inline(never)]
pub(super) fn add_exactly(a: u64, b: u64, to: Direction) -> u64 {
    if is_nan(a) || is_nan(b) {
        return nan_of([b, a]);
    }
    match (is_infinite(a), is_infinite(b)) {
        (true, true) if a != b => return INVALID,
        (true, _) => return a,
        (_, true) => return b,
        _ => {}
    }
    match (is_zero(a), is_zero(b)) {
        (true, true) => sum_of_zeros(a, b, to),
        (true, false) => b,
        (false, true) => a,
        (false, false) => sum(Exact::of(a), Exact::of(b), to),
    }
}

#[inline]
pub(super) fn add(a: u64, b: u64, to: Direction) -> u64 {
    let (x, y) = (f64::from_bits(a), f64::from_bits(b));
    if is_ordinary(x) && is_ordinary(y) {
        let pair = pair::sum(x, y);
        // The sign of an exact zero depends on the direction.
        if pair.0 != 0.0 {
            return directed(pair, to);
        }
    }
    add_exactly(a, b, to)
}

/// As [`add`], with the sign of the second operand inverted, except that of a NaN.
#[inline]
fn sub(a: u64, b: u64, to: Direction) -> u64 {
    add(a, if is_nan(b) { b } else { b ^ SIGN }, to)
}

/// Returns the product of two finite numbers.
#[inline]
fn product(a: u64, b: u64) -> Exact {
    let (a, b) = (Exact::of(a), Exact::of(b));
    Exact {
        negative: a.negative != b.negative,
        digits: a.digits * b.digits,
        exponent: a.exponent + b.exponent,
        more: false,
    }
}

/// As [`mul`], for any operands.
#[inline(never)]
pub(super) fn mul_exactly(a: u64, b: u64, to: Direction) -> u64 {
    if is_nan(a) || is_nan(b) {
        return nan_of([b, a]);
    }
    let negative = (a ^ b) & SIGN;
    if is_infinite(a) || is_infinite(b) {
        return if is_zero(a) || is_zero(b) { INVALID } else { super::INFINITY | negative };
    }
    if is_zero(a) || is_zero(b) {
        return negative;
    }
    product(a, b).round(to)
}

#[inline]
pub(super) fn mul(a: u64, b: u64, to: Direction) -> u64 {
    let (x, y) = (f64::from_bits(a), f64::from_bits(b));
    if is_ordinary(x) && is_ordinary(y) && is_ordinary(x * y) {
        return directed(pair::product(x, y), to);
    }
    mul_exactly(a, b, to)
}

/// As [`fma`], for any operands.
#[inline(never)]
pub(super) fn fma_exactly(a: u64, b: u64, c: u64, to: Direction) -> u64 {
    if is_nan(a) || is_nan(b) || is_nan(c) {
        return nan_of([b, c, a]);
    }
    let negative = (a ^ b) & SIGN;
    if is_infinite(a) || is_infinite(b) {
        let unlike = is_infinite(c) && (c & SIGN) != negative;
        let invalid = is_zero(a) || is_zero(b) || unlike;
        return if invalid { INVALID } else { super::INFINITY | negative };
    }
    if is_infinite(c) {
        return c;
    }
    match (is_zero(a) || is_zero(b), is_zero(c)) {
        (true, true) => sum_of_zeros(negative, c, to),
        (true, false) => c,
        (false, true) => product(a, b).round(to),
        (false, false) => sum(product(a, b), Exact::of(c), to),
    }
}

#[inline]
pub(super) fn fma(a: u64, b: u64, c: u64, to: Direction) -> u64 {
    let [x, y, z] = [a, b, c].map(f64::from_bits);
    if is_ordinary(x) && is_ordinary(y) && is_ordinary(x * y) && (is_ordinary(z) || z == 0.0) {
        let pair = pair::fused(x, y, z);
        if pair.0 != 0.0 {
            return directed(pair, to);
        }
    }
    fma_exactly(a, b, c, to)
}

/// [`fma_rn`] with the host's instruction. Only code that is compiled for a host with this
/// instruction may call it: elsewhere it would be a call of the C library.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[inline(always)]
pub fn fma_rn_fused(a: u64, b: u64, c: u64) -> u64 {
    result(f64::from_bits(a).mul_add(f64::from_bits(b), f64::from_bits(c)), [b, c, a])
}

/// [`fma_rn`], for targets that may lack the instruction, such as WebAssembly.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
#[inline(always)]
pub fn fma_rn_fused(a: u64, b: u64, c: u64) -> u64 {
    fma_rn(a, b, c)
}

/// `add.rn.f64`.
#[inline(always)]
pub fn add_rn(a: u64, b: u64) -> u64 {
    result(f64::from_bits(a) + f64::from_bits(b), [b, a])
}

/// `sub.rn.f64`.
#[inline(always)]
pub fn sub_rn(a: u64, b: u64) -> u64 {
    result(f64::from_bits(a) - f64::from_bits(b), [b, a])
}

/// `mul.rn.f64`.
#[inline(always)]
pub fn mul_rn(a: u64, b: u64) -> u64 {
    result(f64::from_bits(a) * f64::from_bits(b), [b, a])
}

rounded! {
    /// `add.rz.f64`.
    add_rz = add(a, b) Zero;
    /// `add.rm.f64`.
    add_rm = add(a, b) Down;
    /// `add.rp.f64`.
    add_rp = add(a, b) Up;
    /// `sub.rz.f64`.
    sub_rz = sub(a, b) Zero;
    /// `sub.rm.f64`.
    sub_rm = sub(a, b) Down;
    /// `sub.rp.f64`.
    sub_rp = sub(a, b) Up;
    /// `mul.rz.f64`.
    mul_rz = mul(a, b) Zero;
    /// `mul.rm.f64`.
    mul_rm = mul(a, b) Down;
    /// `mul.rp.f64`.
    mul_rp = mul(a, b) Up;
    /// `fma.rn.f64`: `a · b + c`, rounded once.
    fma_rn = fma(a, b, c) Nearest;
    /// `fma.rz.f64`.
    fma_rz = fma(a, b, c) Zero;
    /// `fma.rm.f64`.
    fma_rm = fma(a, b, c) Down;
    /// `fma.rp.f64`.
    fma_rp = fma(a, b, c) Up;
}

#[cfg(test)]
mod tests {
    use super::super::INFINITY;
    use super::*;

    const ONE: u64 = 0x3ff0_0000_0000_0000;

    #[test]
    fn integer_arithmetic_agrees_with_the_host() {
        let edges = [
            0,
            1,
            0x000f_ffff_ffff_ffff,
            0x0010_0000_0000_0000,
            0x3fef_ffff_ffff_ffff,
            ONE,
            ONE + 1,
            0x4330_0000_0000_0001,
            0x7fef_ffff_ffff_ffff,
            INFINITY,
            0x3cb0_0000_0000_0000,
            0x3ca0_0000_0000_0000,
            0x5ff0_1234_5678_9abc,
            0x2000_0000_0000_0001,
        ];
        let both = edges.iter().flat_map(|e| [*e, *e | SIGN]);
        for a in both.clone() {
            for b in both.clone() {
                assert_eq!(add_exactly(a, b, Direction::Nearest), add_rn(a, b), "{a:#x} + {b:#x}");
                assert_eq!(sub(a, b, Direction::Nearest), sub_rn(a, b), "{a:#x} - {b:#x}");
                assert_eq!(mul_exactly(a, b, Direction::Nearest), mul_rn(a, b), "{a:#x} · {b:#x}");
                for c in both.clone() {
                    let host = f64::from_bits(a).mul_add(f64::from_bits(b), f64::from_bits(c));
                    assert_eq!(fma_rn(a, b, c), result(host, []), "{a:#x} · {b:#x} + {c:#x}");
                }
            }
        }
    }

    #[test]
    fn sums_agree_with_recorded_results() {
        for (a, b, nearest, down, up) in [
            (ONE, 1, ONE, ONE, ONE + 1),
            (ONE, 1 | SIGN, ONE, ONE - 1, ONE),
            (ONE, ONE | SIGN, 0, SIGN, 0),
            (0, SIGN, 0, SIGN, 0),
            (0x7fef_ffff_ffff_ffff, ONE, 0x7fef_ffff_ffff_ffff, 0x7fef_ffff_ffff_ffff, INFINITY),
        ] {
            assert_eq!([add_rn(a, b), add_rm(a, b), add_rp(a, b)], [nearest, down, up], "{a:#x} + {b:#x}");
        }
    }

    /// Results recorded on hardware, including a fused multiply-add in which each operand may be a
    /// NaN.
    #[test]
    fn nan_operands_are_propagated() {
        let (payload, loud, plain) = (0xfff8_1234_5678_9abc, 0x7ff0_0000_0001_2345, 0x7ff8_0000_0000_0000);
        assert_eq!(add_rn(plain, payload), payload);
        assert_eq!(add_rz(loud, payload), payload);
        assert_eq!(sub_rn(loud, ONE), loud | 1 << 51);
        assert_eq!([sub_rn(loud, plain), sub_rz(loud, plain)], [plain; 2]);
        assert_eq!([sub_rn(ONE, loud), sub_rm(ONE, payload)], [loud | 1 << 51, payload]);
        assert_eq!(mul_rz(loud, payload), payload);
        assert_eq!(fma_rn(payload, ONE, plain), plain);
        assert_eq!(fma_rn(ONE, payload, plain), payload);
        assert_eq!(fma_rm(loud, payload, ONE), payload);
        assert_eq!(fma_rn(plain, SIGN, loud), loud | 1 << 51);
        assert_eq!(sub_rn(INFINITY | SIGN, INFINITY | SIGN), INVALID);
        assert_eq!([mul_rn(0, INFINITY), mul_rp(SIGN, INFINITY)], [INVALID; 2]);
        assert_eq!(fma_rn(INFINITY, SIGN, INFINITY), INVALID);
    }
}
