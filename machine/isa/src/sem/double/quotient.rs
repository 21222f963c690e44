//! Division, reciprocals and roots.

use super::pair::{self, directed, is_ordinary};
use super::round::Exact;
use super::{INFINITY, INVALID, SIGN, is_infinite, is_nan, is_zero, magnitude, nan_of, result};
use crate::sem::float::Direction;

const ONE: u64 = 0x3ff0_0000_0000_0000;

/// As [`div`], for any operands.
#[inline(never)]
pub(super) fn div_exactly(a: u64, b: u64, to: Direction) -> u64 {
    if is_nan(a) || is_nan(b) {
        return nan_of([a, b]);
    }
    let negative = (a ^ b) & SIGN;
    match (is_infinite(a) || is_zero(b), is_infinite(b) || is_zero(a)) {
        (true, true) => INVALID,
        (true, false) => INFINITY | negative,
        (false, true) => negative,
        (false, false) => {
            // A quotient of 126 by 53 digits has at least 73 digits.
            let (a, b) = (Exact::of(a).with_first_digit_at(125), Exact::of(b).with_first_digit_at(52));
            let digits = a.digits / b.digits;
            let more = digits * b.digits != a.digits;
            let exponent = a.exponent - b.exponent;
            Exact { negative: negative != 0, digits, exponent, more }.round(to)
        }
    }
}

#[inline]
pub(super) fn div(a: u64, b: u64, to: Direction) -> u64 {
    let (x, y) = (f64::from_bits(a), f64::from_bits(b));
    if is_ordinary(x) && is_ordinary(y) && is_ordinary(x / y) {
        return directed(pair::quotient(x, y), to);
    }
    div_exactly(a, b, to)
}

#[inline]
fn rcp(a: u64, to: Direction) -> u64 {
    div(ONE, a, to)
}

/// As [`sqrt`], for any operand.
#[inline(never)]
pub(super) fn sqrt_exactly(a: u64, to: Direction) -> u64 {
    if is_zero(a) || a == INFINITY {
        return a;
    }
    if is_nan(a) || a & SIGN != 0 {
        return nan_of([a]);
    }
    // The exponent must be even to be halved. The root of a 126-digit number has 63 digits.
    let number = Exact::of(a).with_first_digit_at(125);
    let odd = number.exponent & 1;
    let square = number.digits >> odd;
    let digits = square.isqrt();
    let more = digits * digits != square;
    Exact { digits, exponent: (number.exponent + odd) >> 1, more, negative: false }.round(to)
}

#[inline]
pub(super) fn sqrt(a: u64, to: Direction) -> u64 {
    let x = f64::from_bits(a);
    if is_ordinary(x) && x > 0.0 { directed(pair::root(x), to) } else { sqrt_exactly(a, to) }
}

/// `div.rn.f64`.
#[inline(always)]
pub fn div_rn(a: u64, b: u64) -> u64 {
    result(f64::from_bits(a) / f64::from_bits(b), [a, b])
}

/// `rcp.rn.f64`.
#[inline(always)]
pub fn rcp_rn(a: u64) -> u64 {
    result(1.0 / f64::from_bits(a), [a])
}

/// `sqrt.rn.f64`.
#[inline(always)]
pub fn sqrt_rn(a: u64) -> u64 {
    result(f64::from_bits(a).sqrt(), [a])
}

rounded! {
    /// `div.rz.f64`.
    div_rz = div(a, b) Zero;
    /// `div.rm.f64`.
    div_rm = div(a, b) Down;
    /// `div.rp.f64`.
    div_rp = div(a, b) Up;
    /// `rcp.rz.f64`.
    rcp_rz = rcp(a) Zero;
    /// `rcp.rm.f64`.
    rcp_rm = rcp(a) Down;
    /// `rcp.rp.f64`.
    rcp_rp = rcp(a) Up;
    /// `sqrt.rz.f64`.
    sqrt_rz = sqrt(a) Zero;
    /// `sqrt.rm.f64`.
    sqrt_rm = sqrt(a) Down;
    /// `sqrt.rp.f64`.
    sqrt_rp = sqrt(a) Up;
}

/// Whether `m² · s` is 2^160 or more; it is below 2^162.
#[inline]
fn reaches(m: u64, s: u64) -> bool {
    let (square, s) = (u128::from(m) * u128::from(m), u128::from(s));
    let (upper, lower) = (square >> 64, square & u128::from(u64::MAX));
    upper * s + ((lower * s) >> 64) >= 1 << 96
}

/// `rsqrt.approx.f64`. PTX only requires an approximation; the hardware's results are rounded to
/// nearest, and so are these.
#[inline]
pub fn rsqrt_approx(a: u64) -> u64 {
    let x = f64::from_bits(a);
    if is_ordinary(x)
        && x > 0.0
        && let Some(root) = pair::reciprocal_root(x)
    {
        return root.to_bits();
    }
    rsqrt_exactly(a)
}

/// As [`rsqrt_approx`], for any operand.
#[inline(never)]
pub(super) fn rsqrt_exactly(a: u64) -> u64 {
    /// 2^79, which scales the estimate below to an integer of 53 digits.
    const SCALE: f64 = f64::from_bits((1023 + 79) << 52);
    if is_zero(a) {
        return INFINITY | a;
    }
    if is_nan(a) || a & SIGN != 0 {
        return nan_of([a]);
    }
    if is_infinite(a) {
        return 0;
    }
    // The operand as s · 2^(2h), where s is from 2^52 to 2^54.
    let number = Exact::of(a).with_first_digit_at(52);
    let odd = number.exponent & 1;
    let (s, half) = ((number.digits as u64) << odd, (number.exponent - odd) >> 1);
    // Start with an estimate that is wrong by at most one or two units. Then step to the number for
    // which the midpoints to both adjacent numbers enclose the root.
    let mut digits = (SCALE / (s as f64).sqrt()) as u64;
    while !reaches(2 * digits + 1, s) {
        digits += 1;
    }
    while reaches(2 * digits - 1, s) {
        digits -= 1;
    }
    let root = Exact { negative: false, digits: digits.into(), exponent: -79 - half, more: false };
    root.round(Direction::Nearest)
}

/// `rcp.approx.ftz.f64`: uses the upper 32 bits of the operand and truncates the result to its
/// upper 32 bits. These contain 20 fraction digits, so the result is within 2^-19 of the
/// reciprocal. Subnormal operands and results become zero, and there is one NaN.
#[inline(always)]
pub fn rcp_approx_ftz(a: u64) -> u64 {
    const UPPER: u64 = !0 << 32;
    const SMALLEST_NORMAL: u64 = 1 << 52;
    let sign = a & SIGN;
    let operand = if magnitude(a) < SMALLEST_NORMAL { 0 } else { magnitude(a) & UPPER };
    let upper = (1.0 / f64::from_bits(operand)).to_bits() & UPPER;
    let value = sign | if upper < SMALLEST_NORMAL { 0 } else { upper };
    if is_nan(a) { 0x7fff_ffff_0000_0000 } else { value }
}

/// `rsqrt.approx.ftz.f64`: sees only the upper 32 bits of the operand, and truncates the result to
/// its upper 32 bits, so it is within 2^-19 of the reciprocal root. Subnormal operands become zero,
/// and there is one NaN. Of 786,000 results of an H200 (compute capability 9.0), 94 % are equal and
/// the others differ by one unit of the upper half; the values of special operands are recorded
/// there.
#[inline(always)]
pub fn rsqrt_approx_ftz(a: u64) -> u64 {
    const UPPER: u64 = !0 << 32;
    let operand = a & UPPER;
    if magnitude(operand) < 1 << 52 {
        return INFINITY | a & SIGN;
    }
    if is_nan(operand) || a & SIGN != 0 {
        return 0x7fff_ffff_0000_0000;
    }
    rsqrt_approx(operand) & UPPER
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integer_arithmetic_agrees_with_the_host() {
        let edges = [
            0,
            1,
            7,
            0x000f_ffff_ffff_ffff,
            0x0010_0000_0000_0000,
            0x3fef_ffff_ffff_ffff,
            ONE,
            ONE + 1,
            0x4000_0000_0000_0000,
            0x4008_0000_0000_0000,
            0x7fef_ffff_ffff_ffff,
            INFINITY,
            0x5ff0_1234_5678_9abc,
            0x2000_0000_0000_0001,
        ];
        let both = edges.iter().flat_map(|e| [*e, *e | SIGN]);
        for a in both.clone() {
            assert_eq!(sqrt_exactly(a, Direction::Nearest), sqrt_rn(a), "{a:#x}");
            assert_eq!(div_exactly(ONE, a, Direction::Nearest), rcp_rn(a), "{a:#x}");
            for b in both.clone() {
                assert_eq!(div_exactly(a, b, Direction::Nearest), div_rn(a, b), "{a:#x} / {b:#x}");
            }
        }
    }

    /// Operands and results of an H200 (driver 580.159, nvcc 13.0 for `sm_90`).
    #[test]
    fn upper_halves_of_reciprocal_roots_are_those_of_silicon() {
        for (a, root) in [
            (0, INFINITY),
            (SIGN, INFINITY | SIGN),
            (1, INFINITY),
            (0x000f_ffff_ffff_ffff, INFINITY),
            (0x800f_ffff_ffff_ffff, INFINITY | SIGN),
            (0x0010_0000_0000_0000, 0x5fe0_0000_0000_0000),
            (ONE + 1, ONE),
            (0x3fff_ffff_ffff_ffff, 0x3fe6_a09e_0000_0000),
            (0x4008_0000_0000_0000, 0x3fe2_79a7_0000_0000),
            (0x7fef_ffff_ffff_ffff, 0x1ff0_0000_0000_0000),
            (INFINITY, 0),
            (INFINITY | SIGN, 0x7fff_ffff_0000_0000),
            (0x7ff8_0000_0000_0000, 0x7fff_ffff_0000_0000),
            (0x7ff0_0000_0001_2345, 0),
            (ONE | SIGN, 0x7fff_ffff_0000_0000),
            (0x8010_0000_0000_0000, 0x7fff_ffff_0000_0000),
            (0x7969_0975_fbde_15b0, 0x2332_16ac_0000_0000),
            (0x2a33_7357_ae2c_c59b, 0x4acd_05eb_0000_0000),
            (0x6409_3df8_432a_8be5, 0x2de2_03d2_0000_0000),
        ] {
            assert_eq!(rsqrt_approx_ftz(a), root, "{a:#x}");
        }
    }

    #[test]
    fn directed_roundings_enclose_the_quotient_and_the_root() {
        let three = 3.0f64.to_bits();
        assert_eq!([div_rm(ONE, three), div_rp(ONE, three)], [0x3fd5_5555_5555_5555, 0x3fd5_5555_5555_5556]);
        assert_eq!(
            [rcp_rz(three | SIGN), rcp_rm(three | SIGN)],
            [0xbfd5_5555_5555_5555, 0xbfd5_5555_5555_5556]
        );
        let two = 2.0f64.to_bits();
        assert_eq!([sqrt_rz(two), sqrt_rp(two)], [0x3ff6_a09e_667f_3bcc, 0x3ff6_a09e_667f_3bcd]);
        // Exact results do not depend on the direction.
        let four = 4.0f64.to_bits();
        assert_eq!([sqrt_rm(four), sqrt_rp(four), div_rp(four, two), rcp_rp(ONE)], [two, two, two, ONE]);
        assert_eq!(
            [div_rp(1, two), div_rz(1, two), div_rz(f64::MAX.to_bits(), 1)],
            [1, 0, f64::MAX.to_bits()]
        );
    }

    #[test]
    fn nan_operands_are_propagated() {
        let (payload, loud, plain) = (0xfff8_1234_5678_9abc, 0x7ff0_0000_0001_2345, 0x7ff8_0000_0000_0000);
        assert_eq!([div_rn(plain, payload), div_rz(plain, loud)], [plain; 2]);
        assert_eq!([div_rn(loud, plain), div_rp(loud, plain)], [loud | 1 << 51; 2]);
        assert_eq!([rcp_rn(payload), rcp_rm(payload), sqrt_rn(payload), sqrt_rz(payload)], [payload; 4]);
        assert_eq!([sqrt_rn(ONE | SIGN), sqrt_rp(ONE | SIGN), div_rz(0, SIGN)], [INVALID; 3]);
    }

    /// A sample of recorded hardware results. [`rcp_approx_ftz`] differs from the hardware by one
    /// unit of 2^-20 for one operand in twenty.
    #[test]
    fn approximations_agree_with_recorded_results() {
        for (a, reciprocal) in [
            (1, INFINITY),
            (0x800f_ffff_ffff_ffff, INFINITY | SIGN),
            (0x8010_0000_0000_0000, 0xffd0_0000_0000_0000),
            (0xfff0_0000_0000_0000, SIGN),
            (0xfff8_1234_5678_9abc, 0x7fff_ffff_0000_0000),
            (0x4330_0000_0000_0001, 0x3cb0_0000_0000_0000),
            (0xbfd8_0000_0000_0000, 0xc005_5555_0000_0000),
            (0xffef_ffff_ffff_ffff, SIGN),
        ] {
            assert_eq!(rcp_approx_ftz(a), reciprocal, "{a:#x}");
        }
        for (a, root) in [
            (0, INFINITY),
            (1, 0x6180_0000_0000_0000),
            (0x0008_0000_0000_0000, 0x5fe6_a09e_667f_3bcd),
            (0xfff0_0000_0000_0000, INVALID),
            (0x3fb9_0000_0000_0000, 0x4009_9999_9999_999a),
        ] {
            assert_eq!(rsqrt_approx(a), root, "{a:#x}");
        }
    }
}
