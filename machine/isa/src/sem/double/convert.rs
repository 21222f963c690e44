//! Conversions between f64 and integers, f64 and f32, and to integral values of f64.

use super::pair::{self, directed};
use super::{INFINITY, QUIET, SIGN, is_nan, magnitude};
use crate::sem::float::{self, Direction};

/// Defines conversions to integers. A value out of range becomes the nearest value of the type. A
/// NaN becomes the value with only the highest bit set.
macro_rules! to_integer {
    ($($(#[$doc:meta])* $name:ident -> $out:ty as $ty:ty, $mode:ident;)*) => {$(
        $(#[$doc])*
        #[inline(always)]
        pub fn $name(a: u64) -> $out {
            // A cast saturates.
            let value = f64::from_bits(integral(a, Direction::$mode)) as $ty as $out;
            if is_nan(a) { (1u64 << (<$ty>::BITS - 1)) as $ty as $out } else { value }
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

/// Returns the sum of an integer's upper half, a multiple of 2^32, and its lower half, both exact.
#[inline(always)]
fn from_halves(upper: f64, lower: u32, to: Direction) -> u64 {
    const SCALE: f64 = 4_294_967_296.0; // 2^32
    directed(pair::sum(upper * SCALE, lower as f64), to)
}

#[inline(always)]
fn from_signed(value: u64, to: Direction) -> u64 {
    from_halves((value as i64 >> 32) as i32 as f64, value as u32, to)
}

#[inline(always)]
fn from_unsigned(value: u64, to: Direction) -> u64 {
    from_halves((value >> 32) as u32 as f64, value as u32, to)
}

/// Rounds to an integral value. Integral values, infinities and zeros are unchanged, and the sign
/// is always kept.
#[inline(always)]
fn integral(a: u64, to: Direction) -> u64 {
    /// 2^52: from here on there are no fractions.
    const WHOLE_FROM: f64 = 4_503_599_627_370_496.0;
    let size = f64::from_bits(magnitude(a));
    let nearest = (size + WHOLE_FROM) - WHOLE_FROM;
    let below = nearest - if nearest > size { 1.0 } else { 0.0 };
    let above = nearest + if nearest < size { 1.0 } else { 0.0 };
    let whole = match to {
        Direction::Nearest => nearest,
        Direction::Zero => below,
        Direction::Down => {
            if a & SIGN == 0 {
                below
            } else {
                above
            }
        }
        Direction::Up => {
            if a & SIGN == 0 {
                above
            } else {
                below
            }
        }
    };
    let value = if size < WHOLE_FROM { whole.to_bits() | a & SIGN } else { a };
    if is_nan(a) { a | QUIET } else { value }
}

/// Rounds to f32. With `flush`, a result that is below the smallest normal number when rounded with
/// unbounded exponent is zero. A NaN keeps its sign and the upper bits of its payload.
#[inline(always)]
fn narrowed(a: u64, to: Direction, flush: bool) -> u32 {
    let sign = (a >> 32) as u32 & 0x8000_0000;
    let nan = sign | 0x7fc0_0000 | (a >> 29) as u32 & 0x003f_ffff;
    let value = float::narrowed(f64::from_bits(a), to, flush);
    if is_nan(a) { nan } else { value }
}

/// Defines a conversion for each rounding mode.
macro_rules! converted {
    ($($(#[$doc:meta])* $name:ident = $f:ident -> $out:ty, $mode:ident $($flush:literal)?;)*) => {$(
        $(#[$doc])*
        #[inline(always)]
        pub fn $name(a: u64) -> $out {
            $f(a, Direction::$mode $(, $flush)?)
        }
    )*};
}

converted! {
    /// `cvt.rn.f64.s64`.
    f64_from_s64_rn = from_signed -> u64, Nearest;
    /// `cvt.rz.f64.s64`.
    f64_from_s64_rz = from_signed -> u64, Zero;
    /// `cvt.rm.f64.s64`.
    f64_from_s64_rm = from_signed -> u64, Down;
    /// `cvt.rp.f64.s64`.
    f64_from_s64_rp = from_signed -> u64, Up;
    /// `cvt.rn.f64.u64`.
    f64_from_u64_rn = from_unsigned -> u64, Nearest;
    /// `cvt.rz.f64.u64`.
    f64_from_u64_rz = from_unsigned -> u64, Zero;
    /// `cvt.rm.f64.u64`.
    f64_from_u64_rm = from_unsigned -> u64, Down;
    /// `cvt.rp.f64.u64`.
    f64_from_u64_rp = from_unsigned -> u64, Up;
    /// `cvt.rni.f64.f64`.
    f64_from_f64_rni = integral -> u64, Nearest;
    /// `cvt.rzi.f64.f64`.
    f64_from_f64_rzi = integral -> u64, Zero;
    /// `cvt.rmi.f64.f64`.
    f64_from_f64_rmi = integral -> u64, Down;
    /// `cvt.rpi.f64.f64`.
    f64_from_f64_rpi = integral -> u64, Up;
    /// `cvt.rn.f32.f64`.
    f32_from_f64_rn = narrowed -> u32, Nearest false;
    /// `cvt.rz.f32.f64`.
    f32_from_f64_rz = narrowed -> u32, Zero false;
    /// `cvt.rm.f32.f64`.
    f32_from_f64_rm = narrowed -> u32, Down false;
    /// `cvt.rp.f32.f64`.
    f32_from_f64_rp = narrowed -> u32, Up false;
    /// `cvt.rn.ftz.f32.f64`.
    f32_from_f64_rn_ftz = narrowed -> u32, Nearest true;
    /// `cvt.rz.ftz.f32.f64`.
    f32_from_f64_rz_ftz = narrowed -> u32, Zero true;
    /// `cvt.rm.ftz.f32.f64`.
    f32_from_f64_rm_ftz = narrowed -> u32, Down true;
    /// `cvt.rp.ftz.f32.f64`.
    f32_from_f64_rp_ftz = narrowed -> u32, Up true;
}

/// `cvt.f64.f32`: exact; a NaN keeps its sign and payload.
#[inline(always)]
pub fn f64_from_f32(a: u32) -> u64 {
    let value = f32::from_bits(a);
    let nan = (a as u64 & 0x8000_0000) << 32 | INFINITY | QUIET | (a as u64 & 0x007f_ffff) << 29;
    if value.is_nan() { nan } else { (value as f64).to_bits() }
}

/// `cvt.ftz.f64.f32`: subnormals become zero, and every NaN becomes the NaN of flushing f32
/// operations.
#[inline(always)]
pub fn f64_from_f32_ftz(a: u32) -> u64 {
    let value = f64_from_f32(if a & 0x7f80_0000 == 0 { a & 0x8000_0000 } else { a });
    if f32::from_bits(a).is_nan() { 0x7fff_ffff_e000_0000 } else { value }
}

/// `cvt.sat.f64.f64`: saturated to +0 … 1; a NaN becomes +0.
#[inline(always)]
pub fn saturated(a: u64) -> u64 {
    // The bits of positive numbers have the same order as the numbers. Bits with a sign, and NaNs,
    // are above them.
    let low = if a <= INFINITY { a } else { 0 };
    low.min(0x3ff0_0000_0000_0000)
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
