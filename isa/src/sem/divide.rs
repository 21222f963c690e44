//! Division, reciprocal and square root of single precision of one lane, rounded once in each of the four
//! directions.
//!
//! The host's f64 operations round first, to 53 bits. That is harmless: a quotient of two 24-bit numbers, and the root
//! of one, either is a number of at most 25 bits or differs from each such number by more than 2^-52 of itself. So the
//! result in f64 lies on the same side of every f32, and of every half-way point between two, as the exact one, and
//! is equal to one only if the exact one is. That holds for the coarser steps of subnormals as well.

#![expect(
    clippy::inline_always,
    reason = "the executor applies these in loops over 32 lanes, which must vectorise in every profile"
)]

use super::float::{NAN, flushed};

/// Where a result goes that lies between two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    /// `.rn`: to the nearer, of equally near ones to the even one.
    Nearest,
    /// `.rz`: towards zero.
    Zero,
    /// `.rm`: towards minus infinity.
    Down,
    /// `.rp`: towards plus infinity.
    Up,
}

use Direction::{Down, Nearest, Up, Zero};

/// The bit of the sign.
pub(super) const SIGN: u32 = 0x8000_0000;

/// Magnitudes below are nearer to [`LAST_BELOW_NORMAL`] than to 2^-126: 2^-126 - 2^-151.
const NEARER_BELOW: f64 = f64::from_bits(0x380f_ffff_f000_0000);

/// The smallest normal number, 2^-126.
const SMALLEST_NORMAL: f64 = f32::MIN_POSITIVE as f64;

/// The greatest number of 24 bits below 2^-126: 2^-126 - 2^-150.
const LAST_BELOW_NORMAL: f64 = f64::from_bits(0x380f_ffff_e000_0000);

/// An operand; where `flush`, subnormals are zero.
#[inline(always)]
pub(super) fn operand(bits: u32, flush: bool) -> f64 {
    (if flush { flushed(bits) } else { f32::from_bits(bits) }) as f64
}

/// A result of f64 in single precision. Where `flush`, it is zero if, rounded in that direction with unbounded
/// exponent, it is below the smallest normal number.
#[inline(always)]
pub(super) fn rounded(value: f64, direction: Direction, flush: bool) -> u32 {
    let nearest = value as f32;
    let (bits, magnitude, back) = (nearest.to_bits(), value.abs(), (nearest as f64).abs());
    let away = match direction {
        Nearest | Zero => false,
        Down => value.is_sign_negative(),
        Up => !value.is_sign_negative(),
    };
    let (bits, tiny) = match direction {
        Nearest => (bits, magnitude < NEARER_BELOW),
        _ if away => (bits + u32::from(back < magnitude), magnitude <= LAST_BELOW_NORMAL),
        _ => (bits - u32::from(back > magnitude), magnitude < SMALLEST_NORMAL),
    };
    let bits = if flush & tiny { bits & SIGN } else { bits };
    if value.is_nan() { NAN } else { bits }
}

macro_rules! forms {
    ($($modifiers:literal $direction:ident $flush:literal: $div:ident $rcp:ident $sqrt:ident;)*) => {$(
        #[doc = concat!("`div.", $modifiers, ".f32`.")]
        #[inline(always)]
        pub fn $div(a: u32, b: u32) -> u32 {
            rounded(operand(a, $flush) / operand(b, $flush), $direction, $flush)
        }

        #[doc = concat!("`rcp.", $modifiers, ".f32`.")]
        #[inline(always)]
        pub fn $rcp(a: u32) -> u32 {
            rounded(1.0 / operand(a, $flush), $direction, $flush)
        }

        #[doc = concat!("`sqrt.", $modifiers, ".f32`: NaN below zero, -0 of -0.")]
        #[inline(always)]
        pub fn $sqrt(a: u32) -> u32 {
            rounded(operand(a, $flush).sqrt(), $direction, $flush)
        }
    )*};
}

forms! {
    "rn" Nearest false: div_rn_f32 rcp_rn_f32 sqrt_rn_f32;
    "rz" Zero false: div_rz_f32 rcp_rz_f32 sqrt_rz_f32;
    "rm" Down false: div_rm_f32 rcp_rm_f32 sqrt_rm_f32;
    "rp" Up false: div_rp_f32 rcp_rp_f32 sqrt_rp_f32;
    "rn.ftz" Nearest true: div_rn_ftz_f32 rcp_rn_ftz_f32 sqrt_rn_ftz_f32;
    "rz.ftz" Zero true: div_rz_ftz_f32 rcp_rz_ftz_f32 sqrt_rz_ftz_f32;
    "rm.ftz" Down true: div_rm_ftz_f32 rcp_rm_ftz_f32 sqrt_rm_ftz_f32;
    "rp.ftz" Up true: div_rp_ftz_f32 rcp_rp_ftz_f32 sqrt_rp_ftz_f32;
}

#[cfg(test)]
mod tests;
