//! Single precision of one lane with flushing: subnormal operands and results become zero. This is
//! all arithmetic of `sm_1x`, and arithmetic with `.ftz` from `sm_20` on. `kept` contains the
//! arithmetic that keeps subnormals, `fma` the fused multiply-add.
//!
//! Only the exact IEEE operations `+ - *` are used. Host NaN bits are never returned: every NaN
//! result is [`NAN`]. A result is flushed to zero with its sign if, *rounded with unbounded
//! exponent*, it is below the smallest normal number. The host's rounded result cannot decide this,
//! because it may have been rounded up to the smallest normal number from the coarser subnormal
//! steps.
//!
//! Invariant `floating-point-rounding`: Every floating-point micro-op rounds as LLVM's software
//! floating point does, in every rounding mode, with and without flushing and saturation, at every
//! boundary; a new micro-op without such a comparison fails a test.

#![expect(
    clippy::inline_always,
    reason = "the executor applies these in loops over 32 lanes, which must vectorize in every profile"
)]
#![expect(clippy::float_cmp, reason = "equality of floats is what these instructions compute")]
#![expect(
    clippy::needless_bitwise_bool,
    reason = "both sides are evaluated without a branch, so that lane loops vectorize"
)]

mod directed;
mod fma;
mod kept;
mod ordinary;
mod saturated;

pub(in crate::sem) use directed::{Direction, narrowed, operand};
pub use directed::{
    add_rm_f32, add_rm_ftz_f32, add_rp_f32, add_rp_ftz_f32, add_rz_f32, add_rz_ftz_f32, fma_rm_f32,
    fma_rm_ftz_f32, fma_rp_f32, fma_rp_ftz_f32, fma_rz_f32, fma_rz_ftz_f32, mul_rm_f32, mul_rm_ftz_f32,
    mul_rp_f32, mul_rp_ftz_f32, mul_rz_f32, mul_rz_ftz_f32, sub_rm_f32, sub_rm_ftz_f32, sub_rp_f32,
    sub_rp_ftz_f32, sub_rz_f32, sub_rz_ftz_f32,
};
pub(in crate::sem) use fma::sum_to_odd;
pub use fma::{fma_rn_f32, fma_rn_ftz_f32, fma_rn_fused_f32};
pub use kept::{
    abs_f32, add_rn_f32, eq_f32, ge_f32, gt_f32, le_f32, lt_f32, max_f32, min_f32, mul_rn_f32, ne_f32,
    neg_f32, sub_rn_f32,
};
pub use ordinary::{Magnitudes, mad_trunc_ordinary};
pub(in crate::sem) use saturated::saturated;
pub use saturated::{
    add_rm_ftz_sat_f32, add_rm_sat_f32, add_rn_ftz_sat_f32, add_rn_sat_f32, add_rp_ftz_sat_f32,
    add_rp_sat_f32, add_rz_ftz_sat_f32, add_rz_sat_f32, fma_rm_ftz_sat_f32, fma_rm_sat_f32,
    fma_rn_ftz_sat_f32, fma_rn_sat_f32, fma_rp_ftz_sat_f32, fma_rp_sat_f32, fma_rz_ftz_sat_f32,
    fma_rz_sat_f32, mad_trunc_ftz_sat_f32, mul_rm_ftz_sat_f32, mul_rm_sat_f32, mul_rn_ftz_sat_f32,
    mul_rn_sat_f32, mul_rp_ftz_sat_f32, mul_rp_sat_f32, mul_rz_ftz_sat_f32, mul_rz_sat_f32,
    sub_rm_ftz_sat_f32, sub_rm_sat_f32, sub_rn_ftz_sat_f32, sub_rn_sat_f32, sub_rp_ftz_sat_f32,
    sub_rp_sat_f32, sub_rz_ftz_sat_f32, sub_rz_sat_f32,
};

/// The NaN that the hardware returns.
pub const NAN: u32 = 0x7fff_ffff;

/// Sign bit.
pub(in crate::sem) const SIGN: u32 = 0x8000_0000;

/// The smallest normal number, 2^-126.
const SMALLEST_NORMAL: f32 = f32::MIN_POSITIVE;

/// Magnitudes below this value round, to 24 bits with unbounded exponent, to less than 2^-126:
/// 2^-126 - 2^-151.
const FLUSHED_BELOW: f64 = f64::from_bits(0x380f_ffff_f000_0000);

/// Returns an operand; subnormals become zero of the same sign.
#[inline(always)]
pub(in crate::sem) fn flushed(bits: u32) -> f32 {
    let zero = bits & 0x7f80_0000 == 0;
    f32::from_bits(if zero { bits & SIGN } else { bits })
}

/// Returns the bits of a result: one NaN, and zero of the same sign with `flush`.
#[inline(always)]
fn result(value: f32, flush: bool) -> u32 {
    let bits = value.to_bits();
    let bits = if flush { bits & SIGN } else { bits };
    if value.is_nan() { NAN } else { bits }
}

/// Returns `a + b` for flushed operands. A sum in the subnormal range is exact, so the rounded sum
/// can decide whether to flush.
#[inline(always)]
fn add(a: f32, b: f32) -> u32 {
    let sum = a + b;
    result(sum, sum.abs() < SMALLEST_NORMAL)
}

/// `add.rn.ftz.f32`.
#[inline(always)]
pub fn add_rn_ftz_f32(a: u32, b: u32) -> u32 {
    add(flushed(a), flushed(b))
}

/// `sub.rn.ftz.f32`.
#[inline(always)]
pub fn sub_rn_ftz_f32(a: u32, b: u32) -> u32 {
    add(flushed(a), -flushed(b))
}

/// `mul.rn.ftz.f32`.
#[inline(always)]
pub fn mul_rn_ftz_f32(a: u32, b: u32) -> u32 {
    const SCALE: f32 = 16_777_216.0; // 2^24
    let (a, b) = (flushed(a), flushed(b));
    // Scaled by 2^24, products near the smallest normal number are rounded in normal steps, as with
    // unbounded exponent. If the scaling overflows, the product of two normal numbers is far above
    // the flush limit.
    let scaled = (a * SCALE) * b;
    result(a * b, scaled.abs() < SMALLEST_NORMAL * SCALE)
}

/// `mad.f32` of `sm_1x`: the product is truncated to 24 bits with unbounded exponent, and the sum
/// is rounded to nearest. With `c` = ±0 it is a `mul` and an `add` (PTX ISA 2.3, "mad").
#[inline(always)]
pub fn mad_trunc_ftz_f32(a: u32, b: u32, c: u32) -> u32 {
    let addend = flushed(c);
    let product = flushed(a) as f64 * flushed(b) as f64; // exact: 48 bits
    // With a zero addend the product is not truncated, and the rounding of the sum is that of the
    // `mul`.
    let cut = if addend == 0.0 { 0 } else { 0x1fff_ffff };
    let truncated = f64::from_bits(product.to_bits() & !cut);
    // Double rounding, to 53 and then to 24 bits, does not change a sum of two 24-bit numbers (53
    // >= 2·24 + 2).
    let sum = truncated + addend as f64;
    let value = sum as f32;
    // A product that the `mul` flushes is a zero before the `add`: a negative zero plus +0 is +0.
    let sign = if addend.to_bits() == 0 { 0 } else { SIGN };
    let bits = if sum.abs() < FLUSHED_BELOW { value.to_bits() & sign } else { value.to_bits() };
    if value.is_nan() { NAN } else { bits }
}

/// Returns the operand that is a number if only one is; NaN if both are NaN; otherwise `both`,
/// which contains no subnormals.
#[inline(always)]
fn number_of(a: f32, b: f32, both: u32) -> u32 {
    let bits = if a.is_nan() { b.to_bits() } else { both };
    let bits = if b.is_nan() { a.to_bits() } else { bits };
    if a.is_nan() & b.is_nan() { NAN } else { bits }
}

/// Returns the minimum; if one operand is NaN, the other one; -0 is less than +0.
#[inline(always)]
fn min(a: f32, b: f32) -> u32 {
    let equal = a.to_bits() | b.to_bits();
    let unequal = if a < b { a.to_bits() } else { b.to_bits() };
    number_of(a, b, if a == b { equal } else { unequal })
}

/// Returns the maximum; otherwise as [`min`].
#[inline(always)]
fn max(a: f32, b: f32) -> u32 {
    let equal = a.to_bits() & b.to_bits();
    let unequal = if a > b { a.to_bits() } else { b.to_bits() };
    number_of(a, b, if a == b { equal } else { unequal })
}

/// `min.ftz.f32`: if one operand is NaN, returns the other one; -0 is less than +0.
#[inline(always)]
pub fn min_ftz_f32(a: u32, b: u32) -> u32 {
    min(flushed(a), flushed(b))
}

/// `max.ftz.f32`: if one operand is NaN, returns the other one; -0 is less than +0.
#[inline(always)]
pub fn max_ftz_f32(a: u32, b: u32) -> u32 {
    max(flushed(a), flushed(b))
}

/// `neg.ftz.f32`.
#[inline(always)]
pub fn neg_ftz_f32(a: u32) -> u32 {
    result(-flushed(a), false)
}

/// `abs.ftz.f32`.
#[inline(always)]
pub fn abs_ftz_f32(a: u32) -> u32 {
    result(flushed(a).abs(), false)
}

/// `setp.eq.ftz.f32`: false for a NaN.
#[inline(always)]
pub fn eq_ftz_f32(a: u32, b: u32) -> bool {
    flushed(a) == flushed(b)
}

/// `setp.ne.ftz.f32`: false for a NaN, unlike `!=` of the host.
#[inline(always)]
pub fn ne_ftz_f32(a: u32, b: u32) -> bool {
    let (a, b) = (flushed(a), flushed(b));
    (a < b) | (a > b)
}

/// `setp.lt.ftz.f32`: false for a NaN.
#[inline(always)]
pub fn lt_ftz_f32(a: u32, b: u32) -> bool {
    flushed(a) < flushed(b)
}

/// `setp.le.ftz.f32`: false for a NaN.
#[inline(always)]
pub fn le_ftz_f32(a: u32, b: u32) -> bool {
    flushed(a) <= flushed(b)
}

/// `setp.gt.ftz.f32`: false for a NaN.
#[inline(always)]
pub fn gt_ftz_f32(a: u32, b: u32) -> bool {
    flushed(a) > flushed(b)
}

/// `setp.ge.ftz.f32`: false for a NaN.
#[inline(always)]
pub fn ge_ftz_f32(a: u32, b: u32) -> bool {
    flushed(a) >= flushed(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    const INF: u32 = 0x7f80_0000;
    const MIN_NORMAL: u32 = 0x0080_0000;
    const SUBNORMAL: u32 = 0x007f_ffff;
    const ONE: u32 = 0x3f80_0000;

    #[test]
    fn flush_limit_is_just_below_the_smallest_normal() {
        assert_eq!(FLUSHED_BELOW, 2f64.powi(-126) - 2f64.powi(-151));
    }

    #[test]
    fn products_flush_before_the_subnormal_grid_rounds_them_up() {
        assert_eq!(mul_rn_ftz_f32(MIN_NORMAL, 0x3f7f_ffff), 0);
        assert_eq!(mul_rn_ftz_f32(MIN_NORMAL | SIGN, 0x3f7f_ffff), SIGN);
        assert_eq!(mul_rn_ftz_f32(MIN_NORMAL, ONE), MIN_NORMAL);
        // 2^-125 · 0.5 is exactly the smallest normal number.
        assert_eq!(mul_rn_ftz_f32(0x0100_0000, 0x3f00_0000), MIN_NORMAL);
        // (1 + 2^-23)(1 - 2^-23) · 2^-126 rounds up to the smallest normal number even with
        // unbounded exponent.
        assert_eq!(mul_rn_ftz_f32(0x0080_0001, 0x3f7f_fffe), MIN_NORMAL);
    }

    #[test]
    fn operands_flush_keeping_their_sign() {
        assert_eq!(add_rn_ftz_f32(SUBNORMAL, SUBNORMAL), 0);
        assert_eq!(add_rn_ftz_f32(SUBNORMAL | SIGN, SIGN), SIGN);
        assert_eq!(sub_rn_ftz_f32(0x0080_0001, MIN_NORMAL), 0);
        assert_eq!(sub_rn_ftz_f32(MIN_NORMAL, 0x0080_0001), SIGN);
        assert_eq!(mul_rn_ftz_f32(SUBNORMAL, 0x7f00_0000), 0);
        assert_eq!([neg_ftz_f32(SUBNORMAL), abs_ftz_f32(SUBNORMAL | SIGN)], [SIGN, 0]);
        assert!(eq_ftz_f32(SUBNORMAL, SIGN) && !lt_ftz_f32(0, SUBNORMAL));
    }

    #[test]
    fn there_is_one_nan() {
        let nans = [0x7fc0_0000, 0xffc0_0000, 0x7f80_0001, 0xffff_ffff];
        for nan in nans {
            assert_eq!(add_rn_ftz_f32(nan, ONE), NAN);
            assert_eq!(mul_rn_ftz_f32(ONE, nan), NAN);
            assert_eq!(mad_trunc_ftz_f32(ONE, nan, ONE), NAN);
            assert_eq!(mad_trunc_ftz_f32(ONE, ONE, nan), NAN);
            assert_eq!(min_ftz_f32(nan, nan), NAN);
            assert_eq!([min_ftz_f32(nan, ONE), max_ftz_f32(ONE, nan)], [ONE, ONE]);
            assert_eq!([min_ftz_f32(SUBNORMAL, nan), neg_ftz_f32(nan), abs_ftz_f32(nan)], [0, NAN, NAN]);
            assert!(!ne_ftz_f32(nan, ONE) && !eq_ftz_f32(nan, nan) && !ge_ftz_f32(ONE, nan));
        }
        assert_eq!(sub_rn_ftz_f32(INF, INF), NAN);
        assert_eq!(mul_rn_ftz_f32(INF, SUBNORMAL), NAN);
        assert_eq!(mad_trunc_ftz_f32(INF, 0, 0), NAN);
    }

    #[test]
    fn zeros_have_an_order_in_min_and_max() {
        assert_eq!([min_ftz_f32(0, SIGN), min_ftz_f32(SIGN, 0)], [SIGN, SIGN]);
        assert_eq!([max_ftz_f32(0, SIGN), max_ftz_f32(SIGN, 0)], [0, 0]);
    }

    #[test]
    fn mad_truncates_the_product() {
        // (1 + 2^-23)^2 = 1 + 2^-22 + 2^-46; less than one third of an ulp is truncated …
        let a = 0x3f80_0001;
        assert_eq!(mad_trunc_ftz_f32(a, a, ONE | SIGN), 0x3480_0000); // 2^-22
        // … and so are three quarters of an ulp: (1 + 2^-23) · 1.75.
        let (x, y) = (0x3f80_0001, 0x3fe0_0000);
        let exact = f32::from_bits(x) as f64 * f32::from_bits(y) as f64;
        let cut = f64::from_bits(exact.to_bits() & !0x1fff_ffff) as f32;
        let minus_one = -1.0_f32;
        assert_eq!(mad_trunc_ftz_f32(x, y, minus_one.to_bits()), (cut + minus_one).to_bits());
        assert_ne!(cut, exact as f32, "the example must be one where truncation is not rounding");
        // With a zero addend the product is rounded.
        assert_eq!(mad_trunc_ftz_f32(x, y, 0), mul_rn_ftz_f32(x, y));
    }

    #[test]
    fn mad_with_a_zero_addend_is_mul_and_add() {
        let mut bits = 1u32;
        let mut next = || {
            bits = bits.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            // A few exponents occur often enough to reach the flush limit and overflow.
            if bits & 0x60 == 0 { bits & 0x81ff_ffff | 0x2000_0000 } else { bits }
        };
        for _ in 0..200_000 {
            let (a, b) = (next(), next());
            for zero in [0, SIGN, SUBNORMAL] {
                let separate = add_rn_ftz_f32(mul_rn_ftz_f32(a, b), zero);
                assert_eq!(mad_trunc_ftz_f32(a, b, zero), separate, "{a:#x} {b:#x} {zero:#x}");
            }
        }
    }

    #[test]
    fn mad_keeps_the_exponent_of_the_product() {
        // 2^127 · 2 - 2^127 = 2^127, although the product alone overflows.
        assert_eq!(mad_trunc_ftz_f32(0x7f00_0000, 0x4000_0000, 0xff00_0000), 0x7f00_0000);
        // The sum is flushed, not the product.
        assert_eq!(mad_trunc_ftz_f32(MIN_NORMAL, 0x3f00_0000, MIN_NORMAL), 0x00c0_0000);
        assert_eq!(mad_trunc_ftz_f32(MIN_NORMAL, 0xbf00_0000, MIN_NORMAL), 0);
        // x·y - x·y is +0.
        assert_eq!(mad_trunc_ftz_f32(ONE, ONE, ONE | SIGN), 0);
    }
}
