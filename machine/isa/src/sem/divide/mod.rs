//! Single-precision division, reciprocal and square root of one lane, correctly rounded in each of
//! the four directions.
//!
//! The host's f64 operations first round to 53 bits. This does not change the result: a quotient of
//! two 24-bit numbers, or the root of one, either is a number of at most 25 bits, or differs from
//! each such number by more than 2^-52 of its value. The f64 result is therefore on the same side
//! of every f32, and of every midpoint between two of them, as the exact result, and it is equal to
//! one only if the exact result is. The same holds for the coarser steps of subnormal numbers.

use super::float::Direction::{Down, Nearest, Up, Zero};
use super::float::{narrowed, operand};

macro_rules! forms {
    ($($modifiers:literal $direction:ident $flush:literal: $div:ident $rcp:ident $sqrt:ident;)*) => {$(
        #[doc = concat!("`div.", $modifiers, ".f32`.")]
        #[inline(always)]
        pub fn $div(a: u32, b: u32) -> u32 {
            narrowed(operand(a, $flush) / operand(b, $flush), $direction, $flush)
        }

        #[doc = concat!("`rcp.", $modifiers, ".f32`.")]
        #[inline(always)]
        pub fn $rcp(a: u32) -> u32 {
            narrowed(1.0 / operand(a, $flush), $direction, $flush)
        }

        #[doc = concat!("`sqrt.", $modifiers, ".f32`: NaN below zero, -0 for -0.")]
        #[inline(always)]
        pub fn $sqrt(a: u32) -> u32 {
            narrowed(operand(a, $flush).sqrt(), $direction, $flush)
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
