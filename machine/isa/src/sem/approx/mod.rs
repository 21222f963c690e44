//! The approximate single-precision functions of one lane: `.approx` and `.full`, and the forms of
//! PTX 1.x without a modifier.
//!
//! PTX bounds their errors but does not define their bits; the hardware uses tables that are not
//! published. `lg2`, `ex2`, `sin` and `cos` interpolate as the special function unit does
//! (`interpolate`), and their results are those of an H200 in all bits. The others are computed
//! in f64 with `/` and square root, so they are the same on every host, and rounded to nearest
//! once: closer to the true value than the manual requires, within the bound of the hardware's
//! results. Results that are exactly defined (zeros, infinities, NaN, flushed subnormals) are the
//! same as those of the hardware.
//!
//! `sin` and `cos` first compute the number of turns: the operand times 1/2π as an f32, truncated
//! to 24 bits, and 25 bits below the point are used. The error therefore grows with the operand,
//! and beyond 2^24 turns every operand is a whole number of turns.

#![expect(
    clippy::inline_always,
    reason = "the executor applies these in loops over 32 lanes, which must vectorize in every profile"
)]

mod interpolate;
mod tables;

use super::float::{Direction, SIGN, flushed, narrowed, operand};
use interpolate::{BIASED, Table, square};
use std::f64::consts::FRAC_1_PI;

static LOGARITHM: Table = Table::of(&tables::LOGARITHM);
static POWER: Table = Table::of(&tables::POWER);
static SINE: Table = Table::of(&tables::SINE);

/// The bits of a position that are the argument of an interpolation.
const FRACTION: u32 = 0x7f_ffff;

/// Unit of the interpolated fixed-point numbers.
const UNIT: f64 = 1.0 / (1_u64 << 38) as f64;

/// Returns a fixed-point number truncated to the 24 bits of a single-precision value.
#[inline(always)]
fn single(fixed: f64) -> f64 {
    f64::from_bits(fixed.to_bits() & !0x1fff_ffff) * UNIT
}

/// Number of turns of one radian: 1/2π in 24 bits.
const TURN: f64 = (FRAC_1_PI / 2.0) as f32 as f64;

/// Returns the position of an angle plus `QUARTERS` quarters of a turn: the quarter, and the
/// argument of the sine in its first quarter.
#[inline(always)]
fn angle<const QUARTERS: u32>(x: f32) -> u32 {
    // The product is exact and then truncated to 24 bits.
    let turns = f64::from_bits((f64::from(x.abs()) * TURN).to_bits() & !0x1fff_ffff);
    // More than 2^24 turns are a whole number.
    let units = if turns < 16_777_216.0 { turns * 33_554_432.0 } else { 0.0 };
    let nearest = (units + BIASED) - BIASED;
    let units = if nearest > units { nearest - 1.0 } else { nearest };
    // The low bits of the integer. A cast would not vectorize.
    let position = ((units + BIASED).to_bits() as u32).wrapping_add(QUARTERS << 23);
    position ^ if position >> 23 & 1 == 0 { 0 } else { FRACTION }
}

/// Returns the sine of `x` plus `QUARTERS` quarters of a turn.
#[inline(always)]
fn sine<const QUARTERS: u32>(x: f64, position: u32, fixed: f64) -> f64 {
    // A cosine does not have the sign of its operand.
    let sign = if QUARTERS == 0 { (x.to_bits() >> 63) as u32 } else { 0 };
    let value = if (position >> 24 ^ sign) & 1 == 0 { single(fixed) } else { -single(fixed) };
    if x.abs() < f64::INFINITY { value } else { f64::NAN }
}

/// Returns the position of the operand of a power of two, in two's complement in units of 2^-23.
/// Beyond ±200 the result is infinity or zero in single precision.
#[inline(always)]
fn exponent(x: f32) -> u32 {
    // Where the result may be subnormal: the square of the power of half of `x`.
    let exponent = if x < -126.0 { x * 0.5 } else { x };
    let magnitude = (exponent.abs().min(200.0) * 8_388_608.0) as i32 as u32;
    // The fraction of a negative number is complemented bit by bit.
    let complement = (!magnitude).wrapping_add(u32::from(magnitude & FRACTION == 0));
    if x < 0.0 { complement } else { magnitude }
}

/// Returns 2^x.
#[inline(always)]
fn power_of_two(x: f64, position: u32, fixed: f64) -> f64 {
    let scale = f64::from_bits((((position as i32) >> 23) as i64 as u64).wrapping_add(1023) << 52);
    let value = single(fixed) * scale;
    let value = if x < -126.0 { value * value } else { value };
    if x.is_nan() { x } else { value }
}

/// Returns the position of the operand of a logarithm: its bits without the sign. The unit is given
/// 2^24 times a subnormal number.
#[inline(always)]
fn mantissa(x: f32) -> u32 {
    let subnormal = x.abs() < f32::MIN_POSITIVE;
    (if subnormal { x * 16_777_216.0 } else { x }).to_bits() & !SIGN
}

/// Returns the base-2 logarithm.
#[inline(always)]
fn logarithm(x: f64, position: u32, fraction: f64) -> f64 {
    let fixed = f64::from((position >> 23) as i32 - 127) * (1_u64 << 38) as f64 + fraction;
    // A negative number is complemented bit by bit. The unit has 36 bits below the point.
    let magnitude = if fixed < 0.0 { -fixed - 1.0 } else { fixed };
    let value = single(f64::from_bits((magnitude + BIASED).to_bits() & !3) - BIASED);
    let value = if fixed < 0.0 { -value } else { value };
    let value = if x.abs() < f64::from(f32::MIN_POSITIVE) { value - 24.0 } else { value };
    let value = if x.to_bits() == 1_f64.to_bits() { 0.0 } else { value };
    let value = if x < f64::INFINITY { value } else { x };
    let value = if x > 0.0 { value } else { f64::NAN };
    if x.abs() > 0.0 || x.is_nan() { value } else { f64::NEG_INFINITY }
}

/// Returns an operand. With `flush`, subnormals become zero of the same sign.
#[inline(always)]
fn single_operand(bits: u32, flush: bool) -> f32 {
    if flush { flushed(bits) } else { f32::from_bits(bits) }
}

/// Defines functions of all lanes. Each loop is a step of all lanes: the position of each operand,
/// the coefficients of its segment, the square, and the value. Only the lookup of coefficients does
/// not vectorize.
macro_rules! interpolated {
    ($($text:literal $name:ident $flush:literal: $table:ident, $position:expr, $value:expr;)*) => {$(
        #[doc = concat!("`", $text, "`")]
        #[inline(always)]
        pub fn $name(operands: &[u32; 32]) -> [u32; 32] {
            let (mut positions, mut rows) = ([0; 32], [0; 32]);
            let (mut squares, mut results) = ([0; 32], [0; 32]);
            for (position, bits) in positions.iter_mut().zip(operands) {
                *position = $position(single_operand(*bits, $flush));
            }
            for (row, position) in rows.iter_mut().zip(&positions) {
                *row = $table.row(*position);
            }
            for (result, position) in squares.iter_mut().zip(&positions) {
                *result = square(*position & 0x1_ffff);
            }
            for (lane, result) in results.iter_mut().enumerate() {
                let position = positions[lane];
                let fixed = $table.at(rows[lane], position & 0x1_ffff, squares[lane]);
                let value = $value(operand(operands[lane], $flush), position, fixed);
                *result = narrowed(value, Direction::Nearest, $flush);
            }
            results
        }
    )*};
}

interpolated! {
    "sin.approx.f32" sin_f32 false: SINE, angle::<0>, sine::<0>;
    "sin.approx.ftz.f32" sin_ftz_f32 true: SINE, angle::<0>, sine::<0>;
    "cos.approx.f32" cos_f32 false: SINE, angle::<1>, sine::<1>;
    "cos.approx.ftz.f32" cos_ftz_f32 true: SINE, angle::<1>, sine::<1>;
    "lg2.approx.f32" lg2_f32 false: LOGARITHM, mantissa, logarithm;
    "lg2.approx.ftz.f32" lg2_ftz_f32 true: LOGARITHM, mantissa, logarithm;
    "ex2.approx.f32" ex2_f32 false: POWER, exponent, power_of_two;
    "ex2.approx.ftz.f32" ex2_ftz_f32 true: POWER, exponent, power_of_two;
}

/// Returns `a · (1 / b)`; the hardware treats 1 / b as zero if it is subnormal.
#[inline(always)]
fn times_reciprocal(a: f64, b: f64) -> f64 {
    const LARGE: f64 = 85_070_591_730_234_615_865_843_651_857_942_052_864.0; // 2^126
    if b.abs() > LARGE { a * 0.0_f64.copysign(b) } else { a / b }
}

macro_rules! forms {
    ($($text:literal $name:ident $flushing_text:literal $flushing:ident: ($($arg:ident),+) $value:expr;)*) => {$(
        #[doc = concat!("`", $text, "`")]
        #[inline(always)]
        pub fn $name($($arg: u32),+) -> u32 {
            $(let $arg = operand($arg, false);)+
            narrowed($value, Direction::Nearest, false)
        }

        #[doc = concat!("`", $flushing_text, "`")]
        #[inline(always)]
        pub fn $flushing($($arg: u32),+) -> u32 {
            $(let $arg = operand($arg, true);)+
            narrowed($value, Direction::Nearest, true)
        }
    )*};
}

forms! {
    "div.approx.f32" div_f32 "div.approx.ftz.f32" div_ftz_f32: (a, b) times_reciprocal(a, b);
    "div.full.f32" div_full_f32 "div.full.ftz.f32" div_full_ftz_f32: (a, b) a / b;
    "rcp.approx.f32" rcp_f32 "rcp.approx.ftz.f32" rcp_ftz_f32: (a) 1.0 / a;
    "sqrt.approx.f32" sqrt_f32 "sqrt.approx.ftz.f32" sqrt_ftz_f32: (a) a.sqrt();
    "rsqrt.approx.f32" rsqrt_f32 "rsqrt.approx.ftz.f32" rsqrt_ftz_f32: (a) 1.0 / a.sqrt();
}

#[cfg(test)]
mod tests;
