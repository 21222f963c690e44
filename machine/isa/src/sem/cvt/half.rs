//! Conversions between f32 and f16, computed with integers. f16 is only a storage format: 11
//! digits, from 2^-24 to 65504.
//!
//! A half is in the low 16 bits of a row. Its subnormal numbers are never flushed. Those of f32 can
//! be flushed, which affects the result only when rounding down or up.

#![expect(
    clippy::needless_bitwise_bool,
    reason = "both sides are evaluated without a branch, so that lane loops vectorize"
)]

use crate::sem::float::{Direction, NAN, flushed};

/// The NaN of f16.
const NAN_16: u32 = 0x7fff;
const INFINITY_16: u32 = 0x7c00;
const INFINITY: u32 = 0x7f80_0000;

/// The biased exponent in f32 of 2^-14, the smallest normal half.
const LEAST: u32 = 113;

/// Number of digits of f32 that f16 lacks.
const LOST: u32 = 13;

/// Converts the bits of an f32 to a half.
#[inline(always)]
fn half(bits: u32, to: Direction) -> u32 {
    let (sign, magnitude) = (bits >> 31, bits & 0x7fff_ffff);
    let exponent = (magnitude >> 23).max(1);
    let digits = magnitude & 0x007f_ffff | if magnitude >> 23 == 0 { 0 } else { 1 << 23 };
    // Below the smallest normal half the last place stays at 2^-24. A shift by 26 places removes
    // all 24 digits.
    let places = (LOST + LEAST.saturating_sub(exponent)).min(26);
    let (kept, rest, tie) = (digits >> places, digits & ((1 << places) - 1), 1 << (places - 1));
    let up = match to {
        Direction::Nearest => (rest > tie) | ((rest == tie) & (kept & 1 == 1)),
        Direction::Zero => false,
        Direction::Down => (rest > 0) & (sign == 1),
        Direction::Up => (rest > 0) & (sign == 0),
    };
    // The leading digit of a normal half adds one to the exponent, and so does a carry.
    let cut = (exponent.saturating_sub(LEAST) << 10) + kept;
    let rounded = cut + up as u32;
    // A rounding direction that does not increase the magnitude saturates at the largest half.
    let stops = match to {
        Direction::Nearest => false,
        Direction::Zero => true,
        Direction::Down => sign == 0,
        Direction::Up => sign == 1,
    };
    let most = if stops & (magnitude < INFINITY) { INFINITY_16 - 1 } else { INFINITY_16 };
    let value = rounded.min(most) | sign << 15;
    if magnitude > INFINITY { NAN_16 } else { value }
}

macro_rules! from_f32 {
    ($($name:ident $text:literal $to:expr, $operand:path;)*) => {$(
        #[doc = concat!("`", $text, "`.")]
        #[inline(always)]
        pub fn $name(a: u32) -> u32 {
            half($operand(a).to_bits(), $to)
        }
    )*};
}

from_f32! {
    f16_from_f32_rn "cvt.rn.f16.f32" Direction::Nearest, f32::from_bits;
    f16_from_f32_rz "cvt.rz.f16.f32" Direction::Zero, f32::from_bits;
    f16_from_f32_rm "cvt.rm.f16.f32" Direction::Down, f32::from_bits;
    f16_from_f32_rm_ftz "cvt.rm.ftz.f16.f32" Direction::Down, flushed;
    f16_from_f32_rp "cvt.rp.f16.f32" Direction::Up, f32::from_bits;
    f16_from_f32_rp_ftz "cvt.rp.ftz.f16.f32" Direction::Up, flushed;
}

/// `cvt.f32.f16`; exact.
#[inline(always)]
pub fn f32_from_f16(a: u32) -> u32 {
    let (sign, magnitude) = ((a & 0x8000) << 16, a & 0x7fff);
    let normal = (magnitude << LOST) + ((LEAST - 1) << 23);
    let subnormal = (magnitude as f32 / 16_777_216.0).to_bits(); // 2^24
    let finite = if magnitude < 0x0400 { subnormal } else { normal };
    let value = if magnitude == INFINITY_16 { INFINITY } else { finite };
    if magnitude > INFINITY_16 { NAN } else { value | sign }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the value rounded to nearest, towards zero, down and up.
    fn all(value: f32) -> [u32; 4] {
        [f16_from_f32_rn, f16_from_f32_rz, f16_from_f32_rm, f16_from_f32_rp].map(|f| f(value.to_bits()))
    }

    #[test]
    fn halves_are_rounded_in_every_range() {
        assert_eq!(all(1.0), [0x3c00; 4]);
        // Half a unit in the last place above 1 is a tie.
        assert_eq!(all(1.0 + 1.0 / 2048.0), [0x3c00, 0x3c00, 0x3c00, 0x3c01]);
        assert_eq!(all(-1.0 - 3.0 / 2048.0), [0xbc02, 0xbc01, 0xbc02, 0xbc01]);
        // The largest half, the tie above it, and larger values.
        assert_eq!(all(65504.0), [0x7bff; 4]);
        assert_eq!(all(65519.0), [0x7bff, 0x7bff, 0x7bff, 0x7c00]);
        assert_eq!(all(65520.0), [0x7c00, 0x7bff, 0x7bff, 0x7c00]);
        assert_eq!(all(-1e30), [0xfc00, 0xfbff, 0xfc00, 0xfbff]);
        assert_eq!(all(f32::NEG_INFINITY), [0xfc00; 4]);
        // The smallest normal half, the largest subnormal, the smallest one, and half of that.
        assert_eq!(all(2f32.powi(-14)), [0x0400; 4]);
        assert_eq!(all(2f32.powi(-14) - 2f32.powi(-26)), [0x0400, 0x03ff, 0x03ff, 0x0400]);
        assert_eq!(all(-2f32.powi(-24)), [0x8001; 4]);
        assert_eq!(all(2f32.powi(-25)), [0, 0, 0, 1]);
        assert_eq!(all(2f32.powi(-25) * 1.5), [1, 0, 0, 1]);
        assert_eq!(all(0.0), [0; 4]);
        assert_eq!(all(f32::NAN), [NAN_16; 4]);
    }

    #[test]
    fn subnormals_of_f32_are_rounded_unless_flushed() {
        assert_eq!(all(f32::from_bits(1)), [0, 0, 0, 1]);
        assert_eq!([f16_from_f32_rp_ftz(1), f16_from_f32_rm_ftz(0x8000_0001)], [0, 0x8000]);
    }

    #[test]
    fn every_half_survives_the_round_trip_through_f32() {
        for half in (0..0x1_0000).filter(|half| half & 0x7fff <= INFINITY_16) {
            let single = f32_from_f16(half);
            for back in all(f32::from_bits(single)) {
                assert_eq!(back, half);
            }
        }
        assert_eq!([f32_from_f16(0x7c01), f32_from_f16(0xfe00)], [NAN; 2]);
        assert_eq!([f32_from_f16(1), f32_from_f16(0xc000)], [2f32.powi(-24).to_bits(), (-2f32).to_bits()]);
    }

    #[test]
    fn halves_agree_with_recorded_hardware_results() {
        assert_eq!(f16_from_f32_rn(0xb586_6599), 0x8011);
        assert_eq!(f16_from_f32_rn(0x3e93_392b), 0x349a);
        assert_eq!(f16_from_f32_rn(0x3f80_1000), 0x3c00);
        assert_eq!(f16_from_f32_rz(0xc27f_f8ec), 0xd3ff);
        assert_eq!(f16_from_f32_rz(0x4500_1000), 0x6800);
        assert_eq!(f16_from_f32_rz(0xbf5c_6555), 0xbae3);
        assert_eq!(f16_from_f32_rm(0x3dff_c000), 0x2ffe);
        assert_eq!(f16_from_f32_rm(0x3b6a_0cca), 0x1b50);
        assert_eq!(f16_from_f32_rm(0xc3af_4dad), 0xdd7b);
        assert_eq!(f16_from_f32_rp(0x4749_8db4), 0x7a4d);
        assert_eq!(f16_from_f32_rp(0xb39a_8364), 0x8001);
        assert_eq!(f16_from_f32_rp(0xbd02_e000), 0xa817);
    }
}
