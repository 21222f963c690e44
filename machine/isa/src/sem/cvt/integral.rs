//! Conversions from f32 to f32: rounding to an integral value, flushing, saturation.
//!
//! Numbers from 2^23 on are integral. Below, a cast to `i32` truncates the fraction, and adding
//! 2^23 to the magnitude rounds it to nearest even. Both are exact IEEE operations that need no
//! library.

use crate::sem::float::{NAN, flushed, saturated};

const SIGN: u32 = 0x8000_0000;

/// Rounding mode to an integral value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Whole {
    /// `.rni`: nearest, ties to even.
    Nearest,
    /// `.rzi`: towards zero.
    Zero,
    /// `.rmi`: down.
    Down,
    /// `.rpi`: up.
    Up,
}

/// Returns the integral value of a number, with the number's sign if it is zero; any NaN for a NaN.
#[inline(always)]
pub(super) fn integral(value: f32, to: Whole) -> f32 {
    const WHOLE_FROM: f32 = 8_388_608.0; // 2^23
    let magnitude = value.abs();
    let cut = value as i32 as f32;
    let whole = match to {
        Whole::Nearest => (magnitude + WHOLE_FROM) - WHOLE_FROM,
        Whole::Zero => cut,
        Whole::Down => cut - if cut > value { 1.0 } else { 0.0 },
        Whole::Up => cut + if cut < value { 1.0 } else { 0.0 },
    };
    let sign = value.to_bits() & SIGN;
    let signed = f32::from_bits(whole.to_bits() & !SIGN | sign);
    if magnitude < WHOLE_FROM { signed } else { value }
}

/// Returns the bits of a value; every NaN becomes the same NaN.
#[inline(always)]
fn bits(value: f32) -> u32 {
    if value.is_nan() { NAN } else { value.to_bits() }
}

macro_rules! rounded {
    ($($name:ident $flushing:ident $text:literal $to:ident;)*) => {$(
        #[doc = concat!("`cvt.", $text, ".f32.f32`.")]
        #[inline(always)]
        pub fn $name(a: u32) -> u32 {
            bits(integral(f32::from_bits(a), Whole::$to))
        }

        #[doc = concat!("`cvt.", $text, ".ftz.f32.f32`.")]
        #[inline(always)]
        pub fn $flushing(a: u32) -> u32 {
            bits(integral(flushed(a), Whole::$to))
        }
    )*};
}

rounded! {
    f32_from_f32_rni f32_from_f32_rni_ftz "rni" Nearest;
    f32_from_f32_rzi f32_from_f32_rzi_ftz "rzi" Zero;
    f32_from_f32_rmi f32_from_f32_rmi_ftz "rmi" Down;
    f32_from_f32_rpi f32_from_f32_rpi_ftz "rpi" Up;
}

/// `cvt.ftz.f32.f32`.
#[inline(always)]
pub fn f32_from_f32_ftz(a: u32) -> u32 {
    bits(flushed(a))
}

/// `cvt.sat.f32.f32`: saturated to 0 … 1; a NaN becomes 0.
#[inline(always)]
pub fn f32_from_f32_sat(a: u32) -> u32 {
    saturated(a)
}

/// `cvt.ftz.sat.f32.f32`.
#[inline(always)]
pub fn f32_from_f32_ftz_sat(a: u32) -> u32 {
    saturated(f32_from_f32_ftz(a))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(value: f32) -> [f32; 4] {
        [f32_from_f32_rni, f32_from_f32_rzi, f32_from_f32_rmi, f32_from_f32_rpi]
            .map(|round| f32::from_bits(round(value.to_bits())))
    }

    #[track_caller]
    fn assert_all(value: f32, wanted: [f32; 4]) {
        assert_eq!(all(value).map(f32::to_bits), wanted.map(f32::to_bits));
    }

    #[test]
    fn fractions_are_rounded_in_the_given_direction() {
        assert_all(2.5, [2.0, 2.0, 2.0, 3.0]);
        assert_all(-2.5, [-2.0, -2.0, -3.0, -2.0]);
        assert_all(3.5, [4.0, 3.0, 3.0, 4.0]);
        assert_all(0.499_999_97, [0.0, 0.0, 0.0, 1.0]);
        assert_all(8_388_607.5, [8_388_608.0, 8_388_607.0, 8_388_607.0, 8_388_608.0]);
        assert_all(-8_388_607.5, [-8_388_608.0, -8_388_607.0, -8_388_608.0, -8_388_607.0]);
        assert_all(-16_777_215.0, [-16_777_215.0; 4]);
        assert_all(f32::NEG_INFINITY, [f32::NEG_INFINITY; 4]);
    }

    #[test]
    fn zero_keeps_its_sign_and_there_is_one_nan() {
        let zeros = all(-0.25).map(f32::to_bits);
        assert_eq!(zeros, [SIGN, SIGN, (-1.0_f32).to_bits(), SIGN]);
        for nan in [0x7f80_0001, 0xffc0_0000] {
            assert_eq!([f32_from_f32_rni(nan), f32_from_f32_ftz(nan)], [NAN; 2]);
            assert_eq!(f32_from_f32_sat(nan), 0);
        }
    }

    #[test]
    fn subnormals_are_rounded_unless_flushed() {
        let one = 1.0_f32.to_bits();
        assert_eq!([f32_from_f32_rpi(1), f32_from_f32_rpi_ftz(1)], [one, 0]);
        assert_eq!([f32_from_f32_rmi(1 | SIGN), f32_from_f32_rmi_ftz(1 | SIGN)], [one | SIGN, SIGN]);
        assert_eq!(f32_from_f32_ftz(1 | SIGN), SIGN);
        assert_eq!(
            [f32_from_f32_sat(1), f32_from_f32_ftz_sat(1), f32_from_f32_ftz_sat(one + 1)],
            [1, 0, one]
        );
    }
}
