//! Conversions between f64 and integers, f64 and f32, and to integral values of f64.

use super::round::{DOUBLE, Exact, Format, Mode, SINGLE};
use super::{INFINITY, QUIET, SIGN, is_infinite, is_nan, is_zero, magnitude};

/// Returns the integer to which a number rounds. For magnitudes above 2^64 the result is any
/// integer above the range of every type.
#[inline]
fn integer(bits: u64, mode: Mode) -> i128 {
    let exact = Exact::of(bits);
    let rounded = if exact.exponent > 12 { 1 << 66 } else { exact.in_units_of(0, mode) as i128 };
    if exact.negative { -rounded } else { rounded }
}

/// Defines conversions to integers. A value out of range becomes the nearest value of the type. A
/// NaN becomes the value with only the highest bit set.
macro_rules! to_integer {
    ($($(#[$doc:meta])* $name:ident -> $out:ty as $ty:ty, $mode:ident;)*) => {$(
        $(#[$doc])*
        #[inline(always)]
        pub fn $name(a: u64) -> $out {
            if is_nan(a) {
                return (1u64 << (<$ty>::BITS - 1)) as $ty as $out;
            }
            integer(a, Mode::$mode).clamp(<$ty>::MIN as i128, <$ty>::MAX as i128) as $ty as $out
        }
    )*};
}

to_integer! {
    /// `cvt.rni.s32.f64`.
    s32_from_f64_rni -> u32 as i32, Nearest;
    /// `cvt.rzi.s32.f64`.
    s32_from_f64_rzi -> u32 as i32, Zero;
    /// `cvt.rmi.s32.f64`.
    s32_from_f64_rmi -> u32 as i32, Down;
    /// `cvt.rpi.s32.f64`.
    s32_from_f64_rpi -> u32 as i32, Up;
    /// `cvt.rni.u32.f64`.
    u32_from_f64_rni -> u32 as u32, Nearest;
    /// `cvt.rzi.u32.f64`.
    u32_from_f64_rzi -> u32 as u32, Zero;
    /// `cvt.rmi.u32.f64`.
    u32_from_f64_rmi -> u32 as u32, Down;
    /// `cvt.rpi.u32.f64`.
    u32_from_f64_rpi -> u32 as u32, Up;
    /// `cvt.rni.s64.f64`.
    s64_from_f64_rni -> u64 as i64, Nearest;
    /// `cvt.rzi.s64.f64`.
    s64_from_f64_rzi -> u64 as i64, Zero;
    /// `cvt.rmi.s64.f64`.
    s64_from_f64_rmi -> u64 as i64, Down;
    /// `cvt.rpi.s64.f64`.
    s64_from_f64_rpi -> u64 as i64, Up;
    /// `cvt.rni.u64.f64`.
    u64_from_f64_rni -> u64 as u64, Nearest;
    /// `cvt.rzi.u64.f64`.
    u64_from_f64_rzi -> u64 as u64, Zero;
    /// `cvt.rmi.u64.f64`.
    u64_from_f64_rmi -> u64 as u64, Down;
    /// `cvt.rpi.u64.f64`.
    u64_from_f64_rpi -> u64 as u64, Up;
    /// `cvt.rzi.u8.f64`.
    u8_from_f64_rzi -> u32 as u8, Zero;
    /// `cvt.rzi.s8.f64`, sign-extended to 32 bits.
    s8_from_f64_rzi -> u32 as i8, Zero;
    /// `cvt.rzi.u16.f64`.
    u16_from_f64_rzi -> u32 as u16, Zero;
    /// `cvt.rzi.s16.f64`, sign-extended to 32 bits.
    s16_from_f64_rzi -> u32 as i16, Zero;
}

/// `cvt.rn.f64.s32`: exact in every rounding mode.
#[inline(always)]
pub fn f64_from_s32(a: u32) -> u64 {
    (a as i32 as f64).to_bits()
}

/// `cvt.rn.f64.u32`: exact in every rounding mode.
#[inline(always)]
pub fn f64_from_u32(a: u32) -> u64 {
    (a as f64).to_bits()
}

#[inline]
fn from_integer(value: i128, mode: Mode) -> u64 {
    if value == 0 {
        return 0;
    }
    let exact = Exact { negative: value < 0, digits: value.unsigned_abs(), exponent: 0, more: false };
    exact.round(DOUBLE, mode)
}

/// Rounds to an integral value. Integral values, infinities and zeros are unchanged, and the sign
/// is always kept.
#[inline]
fn integral(a: u64, mode: Mode) -> u64 {
    if is_nan(a) {
        return a | QUIET;
    }
    // From 2^52 on there are no fractions.
    if magnitude(a) >= 0x4330_0000_0000_0000 {
        return a;
    }
    (integer(a, mode).unsigned_abs() as u64 as f64).to_bits() | a & SIGN
}

#[inline]
fn narrowed(a: u64, mode: Mode) -> u32 {
    let sign = (a >> 32) as u32 & 0x8000_0000;
    if is_nan(a) {
        return sign | 0x7fc0_0000 | (a >> 29) as u32 & 0x003f_ffff;
    }
    if is_infinite(a) || is_zero(a) {
        return sign | if is_zero(a) { 0 } else { 0x7f80_0000 };
    }
    Exact::of(a).round(SINGLE, mode) as u32
}

/// As [`narrowed`], but a result that is below the smallest normal f32 when rounded with unbounded
/// exponent is zero.
#[inline]
fn narrowed_ftz(a: u64, mode: Mode) -> u32 {
    /// An f32 format with an exponent range that contains every f64.
    const UNBOUNDED: Format = Format { digits: 24, least: -1100, infinity: SIGN - 1, sign: 63 };
    /// 2^-126 in this format.
    const SMALLEST_NORMAL: u64 = ((-149 + 1100 + 1) as u64) << 23;
    let finite = !is_zero(a) && magnitude(a) < INFINITY;
    if finite && magnitude(Exact::of(a).round(UNBOUNDED, mode)) < SMALLEST_NORMAL {
        return (a >> 32) as u32 & 0x8000_0000;
    }
    narrowed(a, mode)
}

/// Defines a conversion for each rounding mode.
macro_rules! of_integers {
    ($($(#[$doc:meta])* $name:ident = $f:ident($ty:ty) -> $out:ty, $mode:ident;)*) => {$(
        $(#[$doc])*
        #[inline(always)]
        pub fn $name(a: u64) -> $out {
            $f((a as $ty).into(), Mode::$mode)
        }
    )*};
}

of_integers! {
    /// `cvt.rn.f64.s64`.
    f64_from_s64_rn = from_integer(i64) -> u64, Nearest;
    /// `cvt.rz.f64.s64`.
    f64_from_s64_rz = from_integer(i64) -> u64, Zero;
    /// `cvt.rm.f64.s64`.
    f64_from_s64_rm = from_integer(i64) -> u64, Down;
    /// `cvt.rp.f64.s64`.
    f64_from_s64_rp = from_integer(i64) -> u64, Up;
    /// `cvt.rn.f64.u64`.
    f64_from_u64_rn = from_integer(u64) -> u64, Nearest;
    /// `cvt.rz.f64.u64`.
    f64_from_u64_rz = from_integer(u64) -> u64, Zero;
    /// `cvt.rm.f64.u64`.
    f64_from_u64_rm = from_integer(u64) -> u64, Down;
    /// `cvt.rp.f64.u64`.
    f64_from_u64_rp = from_integer(u64) -> u64, Up;
    /// `cvt.rni.f64.f64`.
    f64_from_f64_rni = integral(u64) -> u64, Nearest;
    /// `cvt.rzi.f64.f64`.
    f64_from_f64_rzi = integral(u64) -> u64, Zero;
    /// `cvt.rmi.f64.f64`.
    f64_from_f64_rmi = integral(u64) -> u64, Down;
    /// `cvt.rpi.f64.f64`.
    f64_from_f64_rpi = integral(u64) -> u64, Up;
    /// `cvt.rn.f32.f64`.
    f32_from_f64_rn = narrowed(u64) -> u32, Nearest;
    /// `cvt.rz.f32.f64`.
    f32_from_f64_rz = narrowed(u64) -> u32, Zero;
    /// `cvt.rm.f32.f64`.
    f32_from_f64_rm = narrowed(u64) -> u32, Down;
    /// `cvt.rp.f32.f64`.
    f32_from_f64_rp = narrowed(u64) -> u32, Up;
    /// `cvt.rn.ftz.f32.f64`.
    f32_from_f64_rn_ftz = narrowed_ftz(u64) -> u32, Nearest;
    /// `cvt.rz.ftz.f32.f64`.
    f32_from_f64_rz_ftz = narrowed_ftz(u64) -> u32, Zero;
    /// `cvt.rm.ftz.f32.f64`.
    f32_from_f64_rm_ftz = narrowed_ftz(u64) -> u32, Down;
    /// `cvt.rp.ftz.f32.f64`.
    f32_from_f64_rp_ftz = narrowed_ftz(u64) -> u32, Up;
}

/// `cvt.f64.f32`: exact; a NaN keeps its sign and payload.
#[inline(always)]
pub fn f64_from_f32(a: u32) -> u64 {
    let value = f32::from_bits(a);
    if value.is_nan() {
        (a as u64 & 0x8000_0000) << 32 | INFINITY | QUIET | (a as u64 & 0x007f_ffff) << 29
    } else {
        (value as f64).to_bits()
    }
}

/// `cvt.ftz.f64.f32`: subnormals become zero, and every NaN becomes the NaN of flushing f32
/// operations.
#[inline(always)]
pub fn f64_from_f32_ftz(a: u32) -> u64 {
    if f32::from_bits(a).is_nan() {
        return 0x7fff_ffff_e000_0000;
    }
    f64_from_f32(if a & 0x7f80_0000 == 0 { a & 0x8000_0000 } else { a })
}

/// `cvt.sat.f64.f64`: saturated to +0 … 1; a NaN becomes +0.
#[inline(always)]
pub fn saturated(a: u64) -> u64 {
    if is_nan(a) || a & SIGN != 0 { 0 } else { a.min(0x3ff0_0000_0000_0000) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAN: u64 = 0xfff8_1234_5678_9abc;

    fn bits(value: f64) -> u64 {
        value.to_bits()
    }

    #[test]
    fn integers_are_rounded_and_saturated() {
        for (value, [n, z, d, u]) in [
            (2.5, [2, 2, 2, 3]),
            (-2.5, [-2, -2, -3, -2]),
            (0.5, [0, 0, 0, 1]),
            (-0.25, [0, 0, -1, 0]),
            (1e30, [i32::MAX; 4]),
            (f64::NEG_INFINITY, [i32::MIN; 4]),
            (5e-324, [0, 0, 0, 1]),
        ] {
            let got = [s32_from_f64_rni, s32_from_f64_rzi, s32_from_f64_rmi, s32_from_f64_rpi];
            assert_eq!(got.map(|f| f(bits(value)) as i32), [n, z, d, u], "{value}");
        }
        assert_eq!([u32_from_f64_rni(bits(-1.0)), u32_from_f64_rpi(bits(4e9 + 0.5))], [0, 4_000_000_001]);
        assert_eq!(s64_from_f64_rzi(bits(-9.3e18)), 1 << 63);
        assert_eq!([u64_from_f64_rni(bits(1.8e19)), u64_from_f64_rmi(bits(2e19))], [18 * 10u64.pow(18), !0]);
        assert_eq!([u8_from_f64_rzi(bits(256.0)), s8_from_f64_rzi(bits(-129.0))], [255, 0xffff_ff80]);
        assert_eq!([u16_from_f64_rzi(bits(65_535.5)), s16_from_f64_rzi(bits(-1.9))], [65_535, 0xffff_ffff]);
    }

    #[test]
    fn a_nan_becomes_the_highest_bit() {
        assert_eq!([u8_from_f64_rzi(NAN), s8_from_f64_rzi(NAN)], [0x80, 0xffff_ff80]);
        assert_eq!([u16_from_f64_rzi(NAN), s16_from_f64_rzi(NAN)], [0x8000, 0xffff_8000]);
        assert_eq!([u32_from_f64_rni(NAN), s32_from_f64_rpi(NAN)], [0x8000_0000; 2]);
        assert_eq!([u64_from_f64_rmi(NAN), s64_from_f64_rzi(NAN)], [1 << 63; 2]);
    }

    #[test]
    fn integers_become_doubles() {
        assert_eq!([f64_from_s32(u32::MAX), f64_from_u32(u32::MAX)], [bits(-1.0), bits(4_294_967_295.0)]);
        // 2^53 + 1 is between two doubles.
        let odd = (1u64 << 53) + 1;
        let two53 = bits(9_007_199_254_740_992.0);
        assert_eq!([f64_from_u64_rn(odd), f64_from_u64_rz(odd), f64_from_u64_rm(odd)], [two53; 3]);
        assert_eq!(f64_from_u64_rp(odd), two53 + 1);
        let odd = odd.wrapping_neg();
        assert_eq!([f64_from_s64_rn(odd), f64_from_s64_rz(odd), f64_from_s64_rp(odd)], [two53 | SIGN; 3]);
        assert_eq!(f64_from_s64_rm(odd), (two53 + 1) | SIGN);
        assert_eq!([f64_from_u64_rn(!0), f64_from_s64_rn(0)], [bits(2f64.powi(64)), 0]);
    }

    #[test]
    fn integral_values_keep_their_sign() {
        assert_eq!(f64_from_f64_rni(bits(-0.5)), SIGN);
        assert_eq!(f64_from_f64_rmi(bits(-0.5)), bits(-1.0));
        assert_eq!([f64_from_f64_rpi(bits(-0.5)), f64_from_f64_rzi(SIGN)], [SIGN; 2]);
        assert_eq!(f64_from_f64_rni(bits(4_503_599_627_370_495.5)), bits(4_503_599_627_370_496.0));
        assert_eq!([f64_from_f64_rzi(INFINITY), f64_from_f64_rzi(NAN)], [INFINITY, NAN]);
        assert_eq!(
            [saturated(bits(2.0)), saturated(SIGN), saturated(1), saturated(NAN)],
            [bits(1.0), 0, 1, 0]
        );
    }

    /// Results recorded on hardware.
    #[test]
    fn conversions_to_f32_agree_with_recorded_results() {
        for (double, nearest, up, flushed) in [
            (0x36a0_0000_0000_0000, 1, 1, 0),
            (0x3690_0000_1ad7_f29b, 1, 1, 0),
            (0x3768_b74c_dfcb_e3a2, 0x18b7, 0x18b8, 0),
            (0xb6af_3a13_d7ce_c5cf, 0x8000_0002, 0x8000_0001, 0x8000_0000),
            (0xb728_5dd3_f1ab_0ffa, 0x8000_0186, 0x8000_0185, 0x8000_0000),
            (NAN, 0xffc0_91a2, 0xffc0_91a2, 0xffc0_91a2),
        ] {
            let got = [f32_from_f64_rn(double), f32_from_f64_rp(double), f32_from_f64_rn_ftz(double)];
            assert_eq!(got, [nearest, up, flushed], "{double:#x}");
        }
        assert_eq!([f64_from_f32(0xffc1_2345), f64_from_f32(1)], [0xfff8_2468_a000_0000, 0x36a0 << 48]);
        assert_eq!(
            [f64_from_f32_ftz(0xffc1_2345), f64_from_f32_ftz(0x807f_ffff)],
            [0x7fff_ffff_e000_0000, SIGN]
        );
    }

    #[test]
    fn flushing_uses_the_number_rounded_with_unbounded_exponent() {
        // Half a unit in the 24th digit below 2^-126, and slightly less.
        let half = 0x380f_ffff_f000_0000;
        assert_eq!([f32_from_f64_rn_ftz(half), f32_from_f64_rn(half)], [0x0080_0000; 2]);
        assert_eq!([f32_from_f64_rn_ftz(half - 1), f32_from_f64_rn(half - 1)], [0, 0x0080_0000]);
        assert_eq!([f32_from_f64_rp_ftz(half - 1), f32_from_f64_rz_ftz(half)], [0x0080_0000, 0]);
        assert_eq!(
            [f32_from_f64_rn_ftz(INFINITY | SIGN), f32_from_f64_rm_ftz(SIGN)],
            [0xff80_0000, 0x8000_0000]
        );
        assert_eq!(f32_from_f64_rz(bits(f64::MAX)), 0x7f7f_ffff);
    }
}
