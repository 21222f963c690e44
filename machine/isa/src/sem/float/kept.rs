//! Single precision of one lane with subnormals: arithmetic of `sm_20` and above without `.ftz`.
//!
//! The host's `+ - *` are IEEE 754 operations that support subnormals. Only their NaN bits are
//! replaced.

use super::{max, min, result};

/// `add.rn.f32`.
#[inline(always)]
pub fn add_rn_f32(a: u32, b: u32) -> u32 {
    result(f32::from_bits(a) + f32::from_bits(b), false)
}

/// `sub.rn.f32`.
#[inline(always)]
pub fn sub_rn_f32(a: u32, b: u32) -> u32 {
    result(f32::from_bits(a) - f32::from_bits(b), false)
}

/// `mul.rn.f32`.
#[inline(always)]
pub fn mul_rn_f32(a: u32, b: u32) -> u32 {
    result(f32::from_bits(a) * f32::from_bits(b), false)
}

/// `min.f32`: if one operand is NaN, returns the other one; -0 is less than +0.
#[inline(always)]
pub fn min_f32(a: u32, b: u32) -> u32 {
    min(f32::from_bits(a), f32::from_bits(b))
}

/// `max.f32`: if one operand is NaN, returns the other one; -0 is less than +0.
#[inline(always)]
pub fn max_f32(a: u32, b: u32) -> u32 {
    max(f32::from_bits(a), f32::from_bits(b))
}

/// `neg.f32`.
#[inline(always)]
pub fn neg_f32(a: u32) -> u32 {
    result(-f32::from_bits(a), false)
}

/// `abs.f32`.
#[inline(always)]
pub fn abs_f32(a: u32) -> u32 {
    result(f32::from_bits(a).abs(), false)
}

/// `setp.eq.f32`: false for a NaN.
#[inline(always)]
pub fn eq_f32(a: u32, b: u32) -> bool {
    f32::from_bits(a) == f32::from_bits(b)
}

/// `setp.ne.f32`: false for a NaN, unlike `!=` of the host.
#[inline(always)]
pub fn ne_f32(a: u32, b: u32) -> bool {
    let (a, b) = (f32::from_bits(a), f32::from_bits(b));
    (a < b) | (a > b)
}

/// `setp.lt.f32`: false for a NaN.
#[inline(always)]
pub fn lt_f32(a: u32, b: u32) -> bool {
    f32::from_bits(a) < f32::from_bits(b)
}

/// `setp.le.f32`: false for a NaN.
#[inline(always)]
pub fn le_f32(a: u32, b: u32) -> bool {
    f32::from_bits(a) <= f32::from_bits(b)
}

/// `setp.gt.f32`: false for a NaN.
#[inline(always)]
pub fn gt_f32(a: u32, b: u32) -> bool {
    f32::from_bits(a) > f32::from_bits(b)
}

/// `setp.ge.f32`: false for a NaN.
#[inline(always)]
pub fn ge_f32(a: u32, b: u32) -> bool {
    f32::from_bits(a) >= f32::from_bits(b)
}

#[cfg(test)]
mod tests {
    use super::super::{NAN, SIGN};
    use super::*;

    const INF: u32 = 0x7f80_0000;
    const MIN_NORMAL: u32 = 0x0080_0000;
    const SUBNORMAL: u32 = 0x007f_ffff;
    const ONE: u32 = 0x3f80_0000;

    #[test]
    fn subnormal_operands_and_results_are_kept() {
        assert_eq!(add_rn_f32(1, 1), 2);
        assert_eq!(add_rn_f32(SUBNORMAL, 1), MIN_NORMAL);
        assert_eq!(sub_rn_f32(MIN_NORMAL, 1), SUBNORMAL);
        assert_eq!(mul_rn_f32(MIN_NORMAL, 0x3f00_0000), 0x0040_0000);
        // Half of the smallest subnormal is a tie and rounds to even, which is zero; one and a half
        // times it rounds to two.
        assert_eq!([mul_rn_f32(1, 0x3f00_0000), mul_rn_f32(1, 0x3fc0_0000)], [0, 2]);
        // With subnormal steps this product rounds up to the smallest normal number.
        assert_eq!(mul_rn_f32(MIN_NORMAL, 0x3f7f_ffff), MIN_NORMAL);
        assert_eq!([neg_f32(1), abs_f32(SUBNORMAL | SIGN)], [1 | SIGN, SUBNORMAL]);
        assert_eq!(
            [min_f32(SUBNORMAL, 1), max_f32(SUBNORMAL, 1), min_f32(1 | SIGN, 0)],
            [1, SUBNORMAL, 1 | SIGN]
        );
        assert!(gt_f32(1, 0) && ne_f32(1, SIGN) && lt_f32(1 | SIGN, SIGN) && !eq_f32(1, 0));
        assert!(le_f32(0, SIGN) && ge_f32(SIGN, 0) && eq_f32(0, SIGN));
    }

    #[test]
    fn there_is_one_nan() {
        for nan in [0x7fc0_0000, 0xffc0_0000, 0x7f80_0001, 0xffff_ffff] {
            assert_eq!([add_rn_f32(nan, 1), sub_rn_f32(1, nan), mul_rn_f32(nan, 1)], [NAN; 3]);
            assert_eq!([neg_f32(nan), abs_f32(nan), min_f32(nan, nan), max_f32(nan, nan)], [NAN; 4]);
            assert_eq!([min_f32(nan, 1), max_f32(1, nan)], [1, 1]);
            assert!(!ne_f32(nan, ONE) && !eq_f32(nan, nan) && !ge_f32(ONE, nan));
        }
        assert_eq!([add_rn_f32(INF, INF | SIGN), sub_rn_f32(INF, INF), mul_rn_f32(INF, 0)], [NAN; 3]);
    }
}
