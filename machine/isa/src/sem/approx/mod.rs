//! The approximate single-precision functions of one lane: `.approx` and `.full`, and the forms of
//! PTX 1.x without a modifier.
//!
//! PTX bounds their errors but does not define their bits; the hardware uses tables that are not
//! published. Here the functions are computed in f64 with `+ - * /` and square root only, so they
//! are the same on every host, and rounded to nearest once. The results are closer to the true
//! value than the manual requires, and differ from the hardware's results by at most the bound.
//! Results that are exactly defined (zeros, infinities, NaN, flushed subnormals) are the same as
//! those of the hardware.
//!
//! `sin` and `cos` first compute the number of turns: the operand times 1/2π as an f32, truncated
//! to 24 bits. The hardware does the same, bit for bit as far as the recorded vectors show (within
//! 2^-21.5 up to 100π, where an exact range reduction differs by 2^-14.8). The error therefore
//! grows with the operand, and beyond 2^24 turns every operand is a whole number of turns.

#![expect(
    clippy::inline_always,
    reason = "the executor applies these in loops over 32 lanes, which must vectorize in every profile"
)]

use super::float::{Direction, narrowed, operand};
use std::f64::consts::{FRAC_1_PI, FRAC_PI_2, LN_2, SQRT_2};

/// A number below 2^51 plus this constant has no fraction bits, so the sum is rounded to an
/// integer.
const TO_INTEGER: f64 = 6_755_399_441_055_744.0; // 1.5 · 2^52

/// Rounds to the nearest integer, ties to even; valid for magnitudes below 2^51.
#[inline(always)]
fn nearest_integer(x: f64) -> f64 {
    (x + TO_INTEGER) - TO_INTEGER
}

/// The low bits of [`nearest_integer`] in two's complement. A cast would not vectorize.
#[inline(always)]
fn nearest_bits(x: f64) -> u64 {
    (x + TO_INTEGER).to_bits()
}

/// Returns the sum of `coefficients[i] · x^i`.
#[inline(always)]
fn polynomial<const N: usize>(coefficients: &[f64; N], x: f64) -> f64 {
    coefficients.iter().rev().fold(0.0, |sum, c| sum * x + c)
}

/// Returns the first coefficients of a power series: `first`, then each one is the preceding one
/// times `factor / ((n + 1)(n + 2))` for n = `from`, `from` + 2, … These are the series of sine and
/// cosine.
const fn every_second<const N: usize>(first: f64, from: f64, factor: f64) -> [f64; N] {
    let mut coefficients = [first; N];
    let (mut i, mut n) = (1, from);
    while i < N {
        coefficients[i] = coefficients[i - 1] * factor / ((n + 1.0) * (n + 2.0));
        (i, n) = (i + 1, n + 2.0);
    }
    coefficients
}

/// sin(r · π/2) / r in powers of r²; |r| ≤ 1/2: the first omitted term is below 2^-36.
const SINE: [f64; 6] = every_second(FRAC_PI_2, 1.0, -FRAC_PI_2 * FRAC_PI_2);

/// cos(r · π/2) in powers of r²; |r| ≤ 1/2: the first omitted term is below 2^-41.
const COSINE: [f64; 7] = every_second(1.0, 0.0, -FRAC_PI_2 * FRAC_PI_2);

/// 2^f in powers of f; |f| ≤ 1/2: the first omitted term is below 2^-36.
const POWER: [f64; 10] = {
    let mut coefficients = [1.0; 10];
    let mut i = 1;
    while i < coefficients.len() {
        coefficients[i] = coefficients[i - 1] * LN_2 / i as f64;
        i += 1;
    }
    coefficients
};

/// log2(m) / s in powers of s², where s = (m - 1) / (m + 1) and m is within a factor of √2 of 1, so
/// that s² < 0.03: the first omitted term is below 2^-38.
const LOGARITHM: [f64; 7] = {
    let mut coefficients = [0.0; 7];
    let mut i = 0;
    while i < coefficients.len() {
        coefficients[i] = 2.0 / LN_2 / (2 * i + 1) as f64;
        i += 1;
    }
    coefficients
};

/// Number of turns of one radian: 1/2π in 24 bits.
const TURN: f64 = (FRAC_1_PI / 2.0) as f32 as f64;

/// Returns the sine of `x` plus `quarters` quarters of a turn.
#[inline(always)]
fn sine(x: f64, quarters: u64) -> f64 {
    // The product is exact and then truncated to 24 bits. An infinity stays infinite and becomes
    // NaN when its whole turns are subtracted.
    let turns = f64::from_bits((x * TURN).to_bits() & !0x1fff_ffff);
    let whole = if turns.abs() < 16_777_216.0 { nearest_integer(turns) } else { turns };
    let quarter_turns = (turns - whole) * 4.0;
    let nearest = nearest_integer(quarter_turns);
    let rest = quarter_turns - nearest;
    let quadrant = nearest_bits(quarter_turns).wrapping_add(quarters);
    // Both are computed without a branch, so that lane loops vectorize.
    let (sine, cosine) = (rest * polynomial(&SINE, rest * rest), polynomial(&COSINE, rest * rest));
    let value = if quadrant & 1 == 0 { sine } else { cosine };
    if quadrant & 2 == 0 { value } else { -value }
}

/// Returns 2^x. Beyond ±200 the result is infinity or zero in single precision.
#[inline(always)]
fn power_of_two(x: f64) -> f64 {
    let x = x.clamp(-200.0, 200.0);
    let whole = nearest_integer(x);
    let scale = f64::from_bits(nearest_bits(x).wrapping_add(1023) << 52);
    polynomial(&POWER, x - whole) * scale
}

/// Returns the base-2 logarithm of a single-precision value, subnormal or not.
#[inline(always)]
fn logarithm(x: f64) -> f64 {
    let bits = x.to_bits();
    // x = m · 2^exponent, where m is between √½ and √2.
    let exponent = (bits.wrapping_sub((SQRT_2 / 2.0).to_bits()) >> 32) as i32 >> 20;
    let m = f64::from_bits(bits.wrapping_sub((exponent as u64) << 52));
    let s = (m - 1.0) / (m + 1.0);
    let value = exponent as f64 + s * polynomial(&LOGARITHM, s * s);
    let value = if x < f64::INFINITY { value } else { x };
    let value = if x > 0.0 { value } else { f64::NAN };
    if x.abs() > 0.0 || x.is_nan() { value } else { f64::NEG_INFINITY }
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
    "sin.approx.f32" sin_f32 "sin.approx.ftz.f32" sin_ftz_f32: (a) sine(a, 0);
    "cos.approx.f32" cos_f32 "cos.approx.ftz.f32" cos_ftz_f32: (a) sine(a, 1);
    "lg2.approx.f32" lg2_f32 "lg2.approx.ftz.f32" lg2_ftz_f32: (a) logarithm(a);
    "ex2.approx.f32" ex2_f32 "ex2.approx.ftz.f32" ex2_ftz_f32: (a) power_of_two(a);
}

#[cfg(test)]
mod tests;
