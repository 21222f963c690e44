//! Double precision of one lane, on bits. `sum` contains addition, multiplication and the fused
//! multiply-add, `quotient` division and roots, `order` comparisons, `convert` conversions.
//!
//! An operation that rounds to nearest and is a single IEEE 754 operation uses the host's
//! operation. The other operations use host operations too if all operands and the result are far
//! from the limits of the format: `pair` computes the rounded result and its error, which decides
//! the direction. Otherwise the result is computed exactly in integers and rounded once (`round`).
//! NaNs never come from the host. A NaN operand is returned as a quiet NaN with its sign and
//! payload; an invalid operation returns [`INVALID`]. If several operands are NaNs, the second one
//! has priority over the third, and the third over the first (division: the first over the second),
//! as on the hardware.

#![expect(
    clippy::inline_always,
    reason = "the executor applies these in loops over 32 lanes, which must not contain calls"
)]

/// Defines an operation for each of its rounding modes.
macro_rules! rounded {
    ($($(#[$doc:meta])* $name:ident = $f:ident($($x:ident),+) $mode:ident;)*) => {$(
        $(#[$doc])*
        #[inline(always)]
        pub fn $name($($x: u64),+) -> u64 {
            $f($($x,)+ Direction::$mode)
        }
    )*};
}

mod convert;
mod order;
mod pair;
mod quotient;
mod round;
mod sum;

pub use convert::{
    f32_from_f64_rm, f32_from_f64_rm_ftz, f32_from_f64_rn, f32_from_f64_rn_ftz, f32_from_f64_rp,
    f32_from_f64_rp_ftz, f32_from_f64_rz, f32_from_f64_rz_ftz, f64_from_f32, f64_from_f32_ftz,
    f64_from_f64_rmi, f64_from_f64_rni, f64_from_f64_rpi, f64_from_f64_rzi, f64_from_s32, f64_from_s64_rm,
    f64_from_s64_rn, f64_from_s64_rp, f64_from_s64_rz, f64_from_u32, f64_from_u64_rm, f64_from_u64_rn,
    f64_from_u64_rp, f64_from_u64_rz, s8_from_f64_rzi, s16_from_f64_rzi, s32_from_f64_rmi, s32_from_f64_rni,
    s32_from_f64_rpi, s32_from_f64_rzi, s64_from_f64_rmi, s64_from_f64_rni, s64_from_f64_rpi,
    s64_from_f64_rzi, saturated, u8_from_f64_rzi, u16_from_f64_rzi, u32_from_f64_rmi, u32_from_f64_rni,
    u32_from_f64_rpi, u32_from_f64_rzi, u64_from_f64_rmi, u64_from_f64_rni, u64_from_f64_rpi,
    u64_from_f64_rzi,
};
pub use order::{abs, eq, ge, gt, le, lt, max, min, ne, neg};
pub use quotient::{
    div_rm, div_rn, div_rp, div_rz, rcp_approx_ftz, rcp_rm, rcp_rn, rcp_rp, rcp_rz, rsqrt_approx,
    rsqrt_approx_ftz, sqrt_rm, sqrt_rn, sqrt_rp, sqrt_rz,
};
pub use sum::{
    add_rm, add_rn, add_rp, add_rz, fma_rm, fma_rn, fma_rn_fused, fma_rp, fma_rz, mul_rm, mul_rn, mul_rp,
    mul_rz, sub_rm, sub_rn, sub_rp, sub_rz,
};

/// The NaN of an invalid operation, such as infinity minus infinity.
pub const INVALID: u64 = 0xfff8_0000_0000_0000;

const SIGN: u64 = 1 << 63;
const INFINITY: u64 = 0x7ff0_0000_0000_0000;
/// Bit that distinguishes a quiet NaN.
const QUIET: u64 = 1 << 51;

#[inline(always)]
fn magnitude(bits: u64) -> u64 {
    bits & !SIGN
}

#[inline(always)]
fn is_nan(bits: u64) -> bool {
    f64::from_bits(bits).is_nan()
}

#[inline(always)]
fn is_infinite(bits: u64) -> bool {
    magnitude(bits) == INFINITY
}

#[inline(always)]
fn is_zero(bits: u64) -> bool {
    magnitude(bits) == 0
}

/// Returns the first NaN among the operands, made quiet; the NaN of an invalid operation if there
/// is none.
#[inline(always)]
fn nan_of<const N: usize>(operands: [u64; N]) -> u64 {
    // A plain loop of selects, so that lane loops vectorize.
    let mut nan = INVALID;
    for bits in operands.into_iter().rev() {
        nan = if is_nan(bits) { bits | QUIET } else { nan };
    }
    nan
}

/// Returns the bits of a host result, with NaNs replaced.
#[inline(always)]
fn result<const N: usize>(value: f64, operands: [u64; N]) -> u64 {
    let nan = nan_of(operands);
    if value.is_nan() { nan } else { value.to_bits() }
}

#[cfg(test)]
mod tests;
