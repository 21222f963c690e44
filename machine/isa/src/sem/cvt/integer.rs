//! Conversions between f32 and 32-bit and 64-bit integers with every rounding mode, and saturation
//! of integers to the range of another type.
//!
//! Every conversion to an integer saturates, with and without `.sat` (PTX ISA, "cvt"). As on the
//! hardware, a NaN becomes 0 in 32 bits, and only the top bit set in 64 bits. Subnormal numbers
//! differ from zero only when rounding down or up.

use super::integral::{Whole, integral};
use crate::sem::float::{Direction, flushed, narrowed};

/// The 64-bit integer for a NaN.
const NAN_64: u64 = 1 << 63;

macro_rules! to_32 {
    ($($name:ident $text:literal $ty:ty, $to:ident $operand:path;)*) => {$(
        #[doc = concat!("`", $text, "`: saturates; a NaN gives 0.")]
        #[inline(always)]
        pub fn $name(a: u32) -> u32 {
            integral($operand(a), Whole::$to) as $ty as u32
        }
    )*};
}

to_32! {
    s32_from_f32_rni "cvt.rni.s32.f32" i32, Nearest f32::from_bits;
    s32_from_f32_rmi "cvt.rmi.s32.f32" i32, Down f32::from_bits;
    s32_from_f32_rmi_ftz "cvt.rmi.ftz.s32.f32" i32, Down flushed;
    s32_from_f32_rpi "cvt.rpi.s32.f32" i32, Up f32::from_bits;
    s32_from_f32_rpi_ftz "cvt.rpi.ftz.s32.f32" i32, Up flushed;
    u32_from_f32_rni "cvt.rni.u32.f32" u32, Nearest f32::from_bits;
    u32_from_f32_rmi "cvt.rmi.u32.f32" u32, Down f32::from_bits;
    u32_from_f32_rmi_ftz "cvt.rmi.ftz.u32.f32" u32, Down flushed;
    u32_from_f32_rpi "cvt.rpi.u32.f32" u32, Up f32::from_bits;
    u32_from_f32_rpi_ftz "cvt.rpi.ftz.u32.f32" u32, Up flushed;
}

macro_rules! to_64 {
    ($($name:ident $text:literal $ty:ty, $to:ident $operand:path;)*) => {$(
        #[doc = concat!("`", $text, "`: saturates; a NaN gives 2^63.")]
        #[inline(always)]
        pub fn $name(a: u32) -> u64 {
            let whole = integral($operand(a), Whole::$to);
            if whole.is_nan() { NAN_64 } else { whole as $ty as u64 }
        }
    )*};
}

to_64! {
    s64_from_f32_rni "cvt.rni.s64.f32" i64, Nearest f32::from_bits;
    s64_from_f32_rzi "cvt.rzi.s64.f32" i64, Zero f32::from_bits;
    s64_from_f32_rmi "cvt.rmi.s64.f32" i64, Down f32::from_bits;
    s64_from_f32_rmi_ftz "cvt.rmi.ftz.s64.f32" i64, Down flushed;
    s64_from_f32_rpi "cvt.rpi.s64.f32" i64, Up f32::from_bits;
    s64_from_f32_rpi_ftz "cvt.rpi.ftz.s64.f32" i64, Up flushed;
    u64_from_f32_rni "cvt.rni.u64.f32" u64, Nearest f32::from_bits;
    u64_from_f32_rzi "cvt.rzi.u64.f32" u64, Zero f32::from_bits;
    u64_from_f32_rmi "cvt.rmi.u64.f32" u64, Down f32::from_bits;
    u64_from_f32_rmi_ftz "cvt.rmi.ftz.u64.f32" u64, Down flushed;
    u64_from_f32_rpi "cvt.rpi.u64.f32" u64, Up f32::from_bits;
    u64_from_f32_rpi_ftz "cvt.rpi.ftz.u64.f32" u64, Up flushed;
}

/// Returns an integer as an f64 that rounds to f32 as the integer does: truncated to 53 digits,
/// with the last digit set if any truncated bit was set (round to odd).
#[inline(always)]
fn to_odd(magnitude: u64) -> f64 {
    let cut = magnitude & 0x7ff;
    let odd = (magnitude & !0x7ff) | (((cut != 0) as u64) << 11);
    (if magnitude >> 53 == 0 { magnitude } else { odd }) as f64
}

#[inline(always)]
fn signed_to_odd(a: u64) -> f64 {
    let magnitude = to_odd((a as i64).unsigned_abs());
    if (a as i64) < 0 { -magnitude } else { magnitude }
}

macro_rules! to_f32 {
    ($($name:ident $text:literal $a:ident $bits:ty, $exact:expr, $to:ident;)*) => {$(
        #[doc = concat!("`", $text, "`.")]
        #[inline(always)]
        pub fn $name($a: $bits) -> u32 {
            narrowed($exact, Direction::$to, false)
        }
    )*};
}

to_f32! {
    f32_from_s32_rz "cvt.rz.f32.s32" a u32, a as i32 as f64, Zero;
    f32_from_s32_rm "cvt.rm.f32.s32" a u32, a as i32 as f64, Down;
    f32_from_s32_rp "cvt.rp.f32.s32" a u32, a as i32 as f64, Up;
    f32_from_u32_rz "cvt.rz.f32.u32" a u32, a as f64, Zero;
    f32_from_u32_rm "cvt.rm.f32.u32" a u32, a as f64, Down;
    f32_from_u32_rp "cvt.rp.f32.u32" a u32, a as f64, Up;
    f32_from_s64_rz "cvt.rz.f32.s64" a u64, signed_to_odd(a), Zero;
    f32_from_s64_rm "cvt.rm.f32.s64" a u64, signed_to_odd(a), Down;
    f32_from_s64_rp "cvt.rp.f32.s64" a u64, signed_to_odd(a), Up;
    f32_from_u64_rz "cvt.rz.f32.u64" a u64, to_odd(a), Zero;
    f32_from_u64_rm "cvt.rm.f32.u64" a u64, to_odd(a), Down;
    f32_from_u64_rp "cvt.rp.f32.u64" a u64, to_odd(a), Up;
}

/// `cvt.rn.f32.s64`.
#[inline(always)]
pub fn f32_from_s64_rn(a: u64) -> u32 {
    (a as i64 as f32).to_bits()
}

/// `cvt.rn.f32.u64`.
#[inline(always)]
pub fn f32_from_u64_rn(a: u64) -> u32 {
    (a as f32).to_bits()
}

macro_rules! clamp {
    ($($name:ident $text:literal $bits:ty as $from:ty, $low:expr, $high:expr, $out:ty;)*) => {$(
        #[doc = concat!("`", $text, "`.")]
        #[inline(always)]
        pub fn $name(a: $bits) -> $out {
            (a as $from).max($low).min($high) as $out
        }
    )*};
}

clamp! {
    sat_u8_from_s32 "cvt.sat.u8.s32" u32 as i32, 0, 0xff, u32;
    sat_s8_from_s32 "cvt.sat.s8.s32" u32 as i32, -0x80, 0x7f, u32;
    sat_u16_from_s32 "cvt.sat.u16.s32" u32 as i32, 0, 0xffff, u32;
    sat_s16_from_s32 "cvt.sat.s16.s32" u32 as i32, -0x8000, 0x7fff, u32;
    sat_u32_from_s32 "cvt.sat.u32.s32" u32 as i32, 0, i32::MAX, u32;
    sat_u8_from_u32 "cvt.sat.u8.u32" u32 as u32, 0, 0xff, u32;
    sat_s8_from_u32 "cvt.sat.s8.u32" u32 as u32, 0, 0x7f, u32;
    sat_u16_from_u32 "cvt.sat.u16.u32" u32 as u32, 0, 0xffff, u32;
    sat_s16_from_u32 "cvt.sat.s16.u32" u32 as u32, 0, 0x7fff, u32;
    sat_s32_from_u32 "cvt.sat.s32.u32" u32 as u32, 0, 0x7fff_ffff, u32;
    sat_u32_from_s64 "cvt.sat.u32.s64" u64 as i64, 0, 0xffff_ffff, u32;
    sat_s32_from_s64 "cvt.sat.s32.s64" u64 as i64, -0x8000_0000, 0x7fff_ffff, u32;
    sat_u32_from_u64 "cvt.sat.u32.u64" u64 as u64, 0, 0xffff_ffff, u32;
    sat_s32_from_u64 "cvt.sat.s32.u64" u64 as u64, 0, 0x7fff_ffff, u32;
    sat_u64_from_s64 "cvt.sat.u64.s64" u64 as i64, 0, i64::MAX, u64;
    sat_s64_from_u64 "cvt.sat.s64.u64" u64 as u64, 0, 0x7fff_ffff_ffff_ffff, u64;
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAN: u32 = 0x7fc0_0000;
    const SIGN: u32 = 0x8000_0000;

    #[test]
    fn integers_saturate() {
        let of = |a: f32| {
            [s32_from_f32_rni, s32_from_f32_rmi, u32_from_f32_rni, u32_from_f32_rpi].map(|f| f(a.to_bits()))
        };
        assert_eq!(of(2.5), [2, 2, 2, 3]);
        assert_eq!(of(-2.5), [-2_i32 as u32, -3_i32 as u32, 0, 0]);
        assert_eq!(of(4e9), [i32::MAX as u32, i32::MAX as u32, 4_000_000_000, 4_000_000_000]);
        assert_eq!(of(-4e9), [SIGN, SIGN, 0, 0]);
        assert_eq!(of(f32::INFINITY), [i32::MAX as u32, i32::MAX as u32, u32::MAX, u32::MAX]);
        assert_eq!(s64_from_f32_rpi((-9.5_f32).to_bits()), -9_i64 as u64);
        assert_eq!([s64_from_f32_rzi(0xff80_0000), u64_from_f32_rzi(0x7f80_0000)], [1 << 63, u64::MAX]);
        assert_eq!(u64_from_f32_rni(0x5f80_0000 - 1), 0xffff_ff00_0000_0000);
    }

    #[test]
    fn nans_and_subnormals_have_defined_results() {
        assert_eq!([s32_from_f32_rni(NAN), u32_from_f32_rpi_ftz(NAN | SIGN)], [0; 2]);
        assert_eq!(
            [s64_from_f32_rni(NAN), u64_from_f32_rmi(NAN | SIGN), u64_from_f32_rzi(NAN)],
            [1 << 63; 3]
        );
        assert_eq!([s32_from_f32_rpi(1), s32_from_f32_rpi_ftz(1)], [1, 0]);
        assert_eq!([s32_from_f32_rmi(1 | SIGN), s32_from_f32_rmi_ftz(1 | SIGN)], [u32::MAX, 0]);
        assert_eq!([s64_from_f32_rmi(1 | SIGN), u64_from_f32_rpi_ftz(1)], [u64::MAX, 0]);
    }

    #[test]
    fn wide_integers_are_rounded_once() {
        // 2^40 + 1 is between 2^40 and the next f32, far below its last place.
        let a = (1 << 40) + 1;
        let power = 0x5380_0000;
        assert_eq!([f32_from_u64_rn(a), f32_from_u64_rz(a), f32_from_u64_rp(a)], [power, power, power + 1]);
        // 2^63 + 2^39 is a tie; one more is not.
        let tie = 1 << 63 | 1 << 39;
        assert_eq!([f32_from_u64_rn(tie), f32_from_u64_rn(tie + 1)], [0x5f00_0000, 0x5f00_0001]);
        assert_eq!([f32_from_u64_rm(u64::MAX), f32_from_u64_rp(u64::MAX)], [0x5f7f_ffff, 0x5f80_0000]);
        let minus = -((1_i64 << 62) + 1) as u64;
        assert_eq!([f32_from_s64_rm(minus), f32_from_s64_rz(minus)], [0xde80_0001, 0xde80_0000]);
        assert_eq!([f32_from_s64_rp(1 << 63), f32_from_s64_rm(0)], [0xdf00_0000, 0]);
        assert_eq!(
            [f32_from_s32_rm(-16_777_217_i32 as u32), f32_from_u32_rz(u32::MAX)],
            [0xcb80_0001, 0x4f7f_ffff]
        );
    }

    #[test]
    fn integers_clamp_to_the_range_of_the_result() {
        assert_eq!(
            [sat_u8_from_s32(u32::MAX), sat_u8_from_s32(256), sat_s8_from_u32(u32::MAX)],
            [0, 255, 127]
        );
        assert_eq!([sat_s8_from_s32(-129_i32 as u32), sat_s16_from_s32(1 << 15)], [-128_i32 as u32, 0x7fff]);
        assert_eq!([sat_u32_from_s32(SIGN), sat_s32_from_u32(SIGN)], [0, i32::MAX as u32]);
        assert_eq!(
            [sat_s32_from_s64(1 << 63), sat_u32_from_s64(1 << 40), sat_s32_from_u64(1 << 63)],
            [SIGN, u32::MAX, i32::MAX as u32]
        );
        assert_eq!([sat_u64_from_s64(1 << 63), sat_s64_from_u64(1 << 63)], [0, i64::MAX as u64]);
    }

    #[test]
    fn conversions_agree_with_recorded_hardware_results() {
        // Cases for which truncation, or rounding to nearest, would give another result.
        assert_eq!(s32_from_f32_rni(0x447d_b8b7), 0x0000_03f7);
        assert_eq!(s32_from_f32_rni(0xc035_1b3a), 0xffff_fffd);
        assert_eq!(s32_from_f32_rmi(0xc986_4b55), 0xffef_3695);
        assert_eq!(s32_from_f32_rmi(0xc020_0000), 0xffff_fffd);
        assert_eq!(s32_from_f32_rpi(0x477f_ff80), 0x0001_0000);
        assert_eq!(s32_from_f32_rpi(0x4148_0000), 0x0000_000d);
        assert_eq!(u32_from_f32_rni(0x45de_7dff), 0x0000_1bd0);
        assert_eq!(u32_from_f32_rni(0x3f7f_ffff), 0x0000_0001);
        assert_eq!(u32_from_f32_rpi(0x0040_0000), 0x0000_0001);
        assert_eq!(u32_from_f32_rpi(0x2b70_3864), 0x0000_0001);
        assert_eq!(f32_from_s64_rz(0xffff_fffe_0ba0_f49f), 0xcffa_2f85);
        assert_eq!(f32_from_s64_rz(0x0000_0000_7fff_ffff), 0x4eff_ffff);
        assert_eq!(f32_from_s64_rm(0xfcc9_0e73_c044_c4f0), 0xdc4d_bc64);
        assert_eq!(f32_from_s64_rm(0x0000_0000_ffff_ffff), 0x4f7f_ffff);
        assert_eq!(f32_from_s64_rp(0x0020_0000_0000_0003), 0x5a00_0001);
        assert_eq!(f32_from_s64_rp(0xffdd_90a8_dd7d_e892), 0xda09_bd5c);
        assert_eq!(f32_from_u64_rz(0xffff_ffff_fe88_aa4e), 0x5f7f_ffff);
        assert_eq!(f32_from_u64_rz(0xffff_e7b8_ebc7_3fa6), 0x5f7f_ffe7);
        assert_eq!(f32_from_u64_rm(0x01fd_c83b_f4f1_828c), 0x5bfe_e41d);
        assert_eq!(f32_from_u64_rm(0xffff_ffff_ffff_ffb9), 0x5f7f_ffff);
        assert_eq!(f32_from_u64_rp(0x0000_0019_4d71_8044), 0x51ca_6b8d);
        assert_eq!(f32_from_u64_rp(0x4000_0000_0000_0003), 0x5e80_0001);
        assert_eq!(s64_from_f32_rni(0x583a_50a0), 0x0002_e942_8000_0000);
        assert_eq!(s64_from_f32_rni(0x51ad_a448), 0x0000_0015_b489_0000);
        assert_eq!(u64_from_f32_rni(0x5939_2754), 0x000b_9275_4000_0000);
        assert_eq!(u64_from_f32_rni(0x5a80_4245), 0x0040_2122_8000_0000);
    }
}
