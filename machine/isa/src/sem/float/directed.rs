//! Directed rounding: towards zero, down and up; also round-to-nearest for callers that need all
//! four modes.
//!
//! The exact result is used, or, if it needs more than 53 digits, a result rounded to odd in the
//! 53rd digit. It is rounded to nearest and then moved by one place if it is on the wrong side of
//! the exact result. Adjacent numbers have adjacent bits, also at the boundaries to the subnormal
//! numbers and to infinity.

use super::fma::sum_to_odd;
use super::{FLUSHED_BELOW, SMALLEST_NORMAL, flushed, result};

/// Rounding mode of a result between two adjacent numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sem) enum Direction {
    /// `.rn`: to the nearest number, ties to even.
    Nearest,
    /// `.rz`
    Zero,
    /// `.rm`
    Down,
    /// `.rp`
    Up,
}

/// The smallest magnitude that becomes 2^-126 or more when rounded away from zero to 24 bits with
/// unbounded exponent: just above 2^-126 - 2^-150.
const FLUSHED_BELOW_AWAY: f64 = f64::from_bits(0x380f_ffff_e000_0001);

/// Rounds `exact`. With `flush`, a result that is below the smallest normal number when rounded
/// with unbounded exponent becomes zero.
#[inline(always)]
pub(in crate::sem) fn narrowed(exact: f64, to: Direction, flush: bool) -> u32 {
    let nearest = exact as f32;
    let (bits, back) = (nearest.to_bits(), nearest as f64);
    let negative = bits >> 31;
    // Whether the result is too far from zero, or too close to it.
    let inwards = match to {
        Direction::Nearest => false,
        Direction::Zero => back.abs() > exact.abs(),
        Direction::Down => (back > exact) & (negative == 0),
        Direction::Up => (back < exact) & (negative == 1),
    };
    let outwards = match to {
        Direction::Nearest | Direction::Zero => false,
        Direction::Down => (back > exact) & (negative == 1),
        Direction::Up => (back < exact) & (negative == 0),
    };
    let (towards, away) = (SMALLEST_NORMAL as f64, FLUSHED_BELOW_AWAY);
    let limit = match to {
        Direction::Nearest => FLUSHED_BELOW,
        Direction::Zero => towards,
        Direction::Down => {
            if negative == 1 {
                away
            } else {
                towards
            }
        }
        Direction::Up => {
            if negative == 0 {
                away
            } else {
                towards
            }
        }
    };
    let bits = bits.wrapping_sub(inwards as u32).wrapping_add(outwards as u32);
    result(f32::from_bits(bits), flush & (exact.abs() < limit))
}

/// Returns `a + b`, rounded to odd. A sum that is exactly zero is -0 if it is rounded down, unless
/// both operands are +0 (IEEE 754, 6.3).
#[inline(always)]
fn sum(a: f64, b: f64, to: Direction) -> f64 {
    let sum = sum_to_odd(a, b);
    let sign = (a.to_bits() | b.to_bits()) & 1 << 63;
    let zero = if to == Direction::Down { f64::from_bits(sign) } else { sum };
    if sum == 0.0 { zero } else { sum }
}

/// Returns an operand as f64. With `flush`, subnormals become zero of the same sign.
#[inline(always)]
pub(in crate::sem) fn operand(bits: u32, flush: bool) -> f64 {
    (if flush { flushed(bits) } else { f32::from_bits(bits) }) as f64
}

#[inline(always)]
fn add(a: u32, b: u32, to: Direction, flush: bool) -> u32 {
    narrowed(sum(operand(a, flush), operand(b, flush), to), to, flush)
}

#[inline(always)]
fn sub(a: u32, b: u32, to: Direction, flush: bool) -> u32 {
    narrowed(sum(operand(a, flush), -operand(b, flush), to), to, flush)
}

/// Multiplies; the f64 product of two 24-bit numbers is exact.
#[inline(always)]
fn mul(a: u32, b: u32, to: Direction, flush: bool) -> u32 {
    narrowed(operand(a, flush) * operand(b, flush), to, flush)
}

#[inline(always)]
fn fma(a: u32, b: u32, c: u32, to: Direction, flush: bool) -> u32 {
    let product = operand(a, flush) * operand(b, flush);
    narrowed(sum(product, operand(c, flush), to), to, flush)
}

macro_rules! directed {
    ($($name:ident $text:literal $function:ident($($arg:ident),+) $to:ident $flush:literal;)*) => {$(
        #[doc = concat!("`", $text, "`.")]
        #[inline(always)]
        pub fn $name($($arg: u32),+) -> u32 {
            $function($($arg,)+ Direction::$to, $flush)
        }
    )*};
}

directed! {
    add_rz_f32 "add.rz.f32" add(a, b) Zero false;
    add_rz_ftz_f32 "add.rz.ftz.f32" add(a, b) Zero true;
    add_rm_f32 "add.rm.f32" add(a, b) Down false;
    add_rm_ftz_f32 "add.rm.ftz.f32" add(a, b) Down true;
    add_rp_f32 "add.rp.f32" add(a, b) Up false;
    add_rp_ftz_f32 "add.rp.ftz.f32" add(a, b) Up true;
    sub_rz_f32 "sub.rz.f32" sub(a, b) Zero false;
    sub_rz_ftz_f32 "sub.rz.ftz.f32" sub(a, b) Zero true;
    sub_rm_f32 "sub.rm.f32" sub(a, b) Down false;
    sub_rm_ftz_f32 "sub.rm.ftz.f32" sub(a, b) Down true;
    sub_rp_f32 "sub.rp.f32" sub(a, b) Up false;
    sub_rp_ftz_f32 "sub.rp.ftz.f32" sub(a, b) Up true;
    mul_rz_f32 "mul.rz.f32" mul(a, b) Zero false;
    mul_rz_ftz_f32 "mul.rz.ftz.f32" mul(a, b) Zero true;
    mul_rm_f32 "mul.rm.f32" mul(a, b) Down false;
    mul_rm_ftz_f32 "mul.rm.ftz.f32" mul(a, b) Down true;
    mul_rp_f32 "mul.rp.f32" mul(a, b) Up false;
    mul_rp_ftz_f32 "mul.rp.ftz.f32" mul(a, b) Up true;
    fma_rz_f32 "fma.rz.f32" fma(a, b, c) Zero false;
    fma_rz_ftz_f32 "fma.rz.ftz.f32" fma(a, b, c) Zero true;
    fma_rm_f32 "fma.rm.f32" fma(a, b, c) Down false;
    fma_rm_ftz_f32 "fma.rm.ftz.f32" fma(a, b, c) Down true;
    fma_rp_f32 "fma.rp.f32" fma(a, b, c) Up false;
    fma_rp_ftz_f32 "fma.rp.ftz.f32" fma(a, b, c) Up true;
}

#[cfg(test)]
mod tests {
    use super::super::{NAN, SIGN};
    use super::*;

    const INF: u32 = 0x7f80_0000;
    const LARGEST: u32 = 0x7f7f_ffff;
    const MIN_NORMAL: u32 = 0x0080_0000;
    const ONE: u32 = 0x3f80_0000;
    const HALF: u32 = 0x3f00_0000;

    #[test]
    fn flush_limit_is_just_above_the_largest_number_below_the_smallest_normal() {
        let largest_below = 2f64.powi(-126) - 2f64.powi(-150);
        assert_eq!(FLUSHED_BELOW_AWAY.to_bits(), largest_below.to_bits() + 1);
    }

    #[test]
    fn inexact_results_are_rounded_in_the_given_direction() {
        // 1 + 2^-149, far below the last place; and its negative.
        assert_eq!([add_rz_f32(ONE, 1), add_rm_f32(ONE, 1), add_rp_f32(ONE, 1)], [ONE, ONE, ONE + 1]);
        let (minus_one, tiny) = (ONE | SIGN, 1 | SIGN);
        let rounded = [add_rz_f32, add_rm_f32, add_rp_f32].map(|add| add(minus_one, tiny));
        assert_eq!(rounded, [minus_one, minus_one + 1, minus_one]);
        // 1 - 2^-149 is below a power of two, where the distance between numbers is halved.
        assert_eq!([sub_rz_f32(ONE, 1), sub_rm_f32(ONE, 1), sub_rp_f32(ONE, 1)], [ONE - 1, ONE - 1, ONE]);
        // (1 + 2^-23)^2 - 2^-149.
        let fused = [fma_rz_f32, fma_rm_f32, fma_rp_f32].map(|fma| fma(ONE + 1, ONE + 1, tiny));
        assert_eq!(fused, [ONE + 2, ONE + 2, ONE + 3]);
    }

    #[test]
    fn overflow_saturates_at_the_largest_number_when_rounding_inwards() {
        let of = |a, b| [mul_rz_f32(a, b), mul_rm_f32(a, b), mul_rp_f32(a, b)];
        assert_eq!(of(LARGEST, 0x4000_0000), [LARGEST, LARGEST, INF]);
        assert_eq!(of(LARGEST | SIGN, 0x4000_0000), [LARGEST | SIGN, INF | SIGN, LARGEST | SIGN]);
        assert_eq!(of(INF, ONE), [INF; 3]);
        // Rounded to nearest this is the largest number; rounded up it is infinity.
        assert_eq!([add_rm_f32(LARGEST, 1), add_rp_f32(LARGEST, 1)], [LARGEST, INF]);
    }

    #[test]
    fn subnormal_results_are_rounded_to_adjacent_numbers() {
        let of = |a, b| [mul_rz_f32(a, b), mul_rm_f32(a, b), mul_rp_f32(a, b)];
        assert_eq!(of(1, HALF), [0, 0, 1]);
        assert_eq!(of(1 | SIGN, HALF), [SIGN, 1 | SIGN, SIGN]);
        assert_eq!(of(1, 1), [0, 0, 1]);
        assert_eq!(of(MIN_NORMAL, 0x3f7f_ffff), [MIN_NORMAL - 1, MIN_NORMAL - 1, MIN_NORMAL]);
    }

    #[test]
    fn flushing_uses_the_result_rounded_with_unbounded_exponent() {
        let of = |a, b| [mul_rz_ftz_f32(a, b), mul_rm_ftz_f32(a, b), mul_rp_ftz_f32(a, b)];
        // 2^-126 - 2^-150 is a number of 24 digits below the smallest normal one.
        assert_eq!(of(MIN_NORMAL, 0x3f7f_ffff), [0; 3]);
        assert_eq!(of(MIN_NORMAL | SIGN, 0x3f7f_ffff), [SIGN; 3]);
        // 2^-126 (1 - 2^-46) rounds to the smallest normal number only away from zero.
        assert_eq!(of(MIN_NORMAL + 1, 0x3f7f_fffe), [0, 0, MIN_NORMAL]);
        assert_eq!(of((MIN_NORMAL + 1) | SIGN, 0x3f7f_fffe), [SIGN, MIN_NORMAL | SIGN, SIGN]);
        assert_eq!(
            [add_rp_ftz_f32(1, 1), add_rp_ftz_f32(ONE, 1), add_rm_ftz_f32(ONE, 1 | SIGN)],
            [0, ONE, ONE]
        );
    }

    #[test]
    fn an_exact_zero_is_negative_only_when_rounded_down() {
        assert_eq!(
            [add_rm_f32(ONE, ONE | SIGN), sub_rm_f32(ONE, ONE), fma_rm_f32(ONE, ONE, ONE | SIGN)],
            [SIGN; 3]
        );
        assert_eq!(
            [add_rm_f32(0, 0), add_rm_f32(0, SIGN), sub_rm_f32(0, 0), sub_rm_f32(0, SIGN)],
            [0, SIGN, SIGN, 0]
        );
        assert_eq!([add_rz_f32(ONE, ONE | SIGN), add_rp_f32(0, SIGN), sub_rp_ftz_f32(1, SIGN)], [0; 3]);
        assert_eq!([add_rz_f32(SIGN, SIGN), add_rp_f32(SIGN, SIGN)], [SIGN; 2]);
    }

    #[test]
    fn there_is_one_nan() {
        for nan in [0x7fc0_0000, 0xffc0_0000, 0x7f80_0001, 0xffff_ffff] {
            assert_eq!([add_rz_f32(nan, ONE), sub_rm_f32(ONE, nan), mul_rp_ftz_f32(nan, ONE)], [NAN; 3]);
            assert_eq!(fma_rm_ftz_f32(ONE, ONE, nan), NAN);
        }
        assert_eq!(
            [add_rm_f32(INF, INF | SIGN), mul_rm_f32(INF, 0), fma_rp_f32(INF, ONE, INF | SIGN)],
            [NAN; 3]
        );
    }

    #[test]
    fn results_agree_with_recorded_hardware_results() {
        // Cases for which rounding to nearest gives another result.
        type Two = fn(u32, u32) -> u32;
        type Three = fn(u32, u32, u32) -> u32;
        let sums_and_products: [(Two, u32, u32, u32); 36] = [
            (add_rz_f32, 0xbccc_b877, 0x4144_3f64, 0x4143_d907),
            (add_rz_f32, 0x3f80_0001, 0xff7f_ffff, 0xff7f_fffe),
            (add_rm_f32, 0xbed2_420f, 0x3ed2_420f, 0x8000_0000),
            (add_rm_f32, 0x807f_ffff, 0x4b00_0001, 0x4b00_0000),
            (add_rp_f32, 0x3cd8_726b, 0x40bf_615f, 0x40c0_39d2),
            (add_rp_f32, 0x0040_0000, 0x3f7f_ffff, 0x3f80_0000),
            (add_rz_ftz_f32, 0x58bd_3e70, 0xc58a_7535, 0x58bd_3e6f),
            (add_rz_ftz_f32, 0x3f7f_ffff, 0x8080_0000, 0x3f7f_fffe),
            (add_rm_ftz_f32, 0xbee4_e035, 0xbee4_e034, 0xbf64_e035),
            (add_rm_ftz_f32, 0x3eaa_aaab, 0xbf80_0000, 0xbf2a_aaab),
            (add_rp_ftz_f32, 0x7f26_713c, 0x0ae7_7fdb, 0x7f26_713d),
            (add_rp_ftz_f32, 0x0080_0000, 0xff7f_ffff, 0xff7f_fffe),
            (sub_rz_f32, 0x1d71_f54d, 0x002e_8fe4, 0x1d71_f54c),
            (sub_rz_f32, 0xc174_5c8f, 0x42eb_95f8, 0xc305_10c4),
            (sub_rm_f32, 0x92f2_0c66, 0xce29_e46e, 0x4e29_e46d),
            (sub_rm_f32, 0x3f80_0001, 0x0000_0001, 0x3f80_0000),
            (sub_rp_f32, 0x0000_0001, 0x3f7f_ffff, 0xbf7f_fffe),
            (sub_rp_f32, 0xbf80_0000, 0x3f7f_ffff, 0xbfff_ffff),
            (sub_rz_ftz_f32, 0xc174_5c8f, 0x42eb_95f8, 0xc305_10c4),
            (sub_rz_ftz_f32, 0x92f2_0c66, 0xce29_e46e, 0x4e29_e46d),
            (sub_rm_ftz_f32, 0x8080_0000, 0xff7f_ffff, 0x7f7f_fffe),
            (sub_rm_ftz_f32, 0xc0ba_0ed4, 0xbf61_481c, 0xc09d_e5d1),
            (sub_rp_ftz_f32, 0x3f80_0000, 0x8080_0000, 0x3f80_0001),
            (sub_rp_ftz_f32, 0xbe36_3fe3, 0x3d68_f1e2, 0xbe70_7c5b),
            (mul_rz_f32, 0x41f2_8bb1, 0xc1f2_8bb1, 0xc465_cc66),
            (mul_rz_f32, 0xdd45_c134, 0xf97c_191b, 0x7f7f_ffff),
            (mul_rm_f32, 0x56d1_8c34, 0x56d1_8c34, 0x6e2b_8639),
            (mul_rm_f32, 0x807f_ffff, 0x0040_0000, 0x8000_0001),
            (mul_rp_f32, 0x0040_0000, 0x0040_0000, 0x0000_0001),
            (mul_rp_f32, 0x58f1_67e6, 0x58f1_67e7, 0x7263_a4cb),
            (mul_rz_ftz_f32, 0x3cd8_726b, 0x40bf_615f, 0x3e21_cfb1),
            (mul_rz_ftz_f32, 0xdd45_c134, 0xf97c_191b, 0x7f7f_ffff),
            (mul_rm_ftz_f32, 0x3ce0_f554, 0x3ce0_f555, 0x3a45_ae3e),
            (mul_rm_ftz_f32, 0x3e78_3edb, 0x3e78_3eda, 0x3d70_b9d6),
            (mul_rp_ftz_f32, 0x3e09_097c, 0x3e09_097c, 0x3c92_b64f),
            (mul_rp_ftz_f32, 0xc141_fd05, 0x4141_fd05, 0xc312_ff7b),
        ];
        for (function, a, b, result) in sums_and_products {
            assert_eq!(function(a, b), result, "{a:#x} {b:#x}");
        }
        let fused: [(Three, u32, u32, u32, u32); 12] = [
            (fma_rz_f32, 0x0000_0001, 0xbf80_0000, 0x4b00_0001, 0x4b00_0000),
            (fma_rz_f32, 0x8000_0001, 0x3f7f_ffff, 0x3f00_0000, 0x3eff_ffff),
            (fma_rm_f32, 0xf268_46e9, 0x40d2_a356, 0x5fce_aeb4, 0xf3bf_1e5f),
            (fma_rm_f32, 0x3f00_0000, 0xbf80_0000, 0x8080_0000, 0xbf00_0001),
            (fma_rp_f32, 0x7f7f_ffff, 0xbf80_0000, 0x3f00_0000, 0xff7f_fffe),
            (fma_rp_f32, 0x8000_0001, 0xbf80_0000, 0x3f00_0000, 0x3f00_0001),
            (fma_rz_ftz_f32, 0x415f_ed26, 0x3c47_da48, 0x3f95_d775, 0x3fab_b17d),
            (fma_rz_ftz_f32, 0x7f7f_ffff, 0xbf80_0000, 0x3f00_0000, 0xff7f_fffe),
            (fma_rm_ftz_f32, 0x73b3_01e7, 0x52cb_8f97, 0xbf6f_785a, 0x7f7f_ffff),
            (fma_rm_ftz_f32, 0x4278_0000, 0x40b8_0000, 0xc3b2_4000, 0x8000_0000),
            (fma_rp_ftz_f32, 0x4b00_0001, 0x4000_0000, 0x0080_0000, 0x4b80_0002),
            (fma_rp_ftz_f32, 0x3f7f_ffff, 0x3f7f_ffff, 0, 0x3f7f_ffff),
        ];
        for (function, a, b, c, result) in fused {
            assert_eq!(function(a, b, c), result, "{a:#x} {b:#x} {c:#x}");
        }
    }
}
