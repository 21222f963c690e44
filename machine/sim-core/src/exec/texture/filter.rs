//! The linear filter.
//!
//! The weights have 8 fractional bits and add up to 256. They are split along z, then x, then y,
//! each time rounded to nearest.
//!
//! Integers are expanded to 16 bits, and their weighted sum is rounded to 16 bits. Floating-point
//! texels of one slice (four texels) are aligned to the largest exponent among them, with four more
//! bits than their mantissas have; the rest is cut off. The sum is exact and is rounded once, half
//! away from zero. Subnormal f32 texels and results are zero.

use super::TexelFormat;
use super::position::Axis;
use super::texel;

/// Weights of the texels around a position, in 1/256: bit 0 of the index is the side in x, bit 1 in
/// y, bit 2 in z.
pub(super) struct Weights([i64; 8]);

impl Weights {
    /// Computes the weights of the texels around a position.
    pub(super) fn new(axes: &[Axis; 3]) -> Self {
        let [a, b, c] = axes.map(|axis| i64::from(axis.weight));
        let part = |whole: i64, weight: i64| (whole * weight + 128) >> 8;
        let mut weights = [0; 8];
        for (z, slice) in [256 - c, c].into_iter().enumerate() {
            let right = part(slice, a);
            let left = slice - right;
            let (right_down, left_up) = (part(right, b), part(left, 256 - b));
            weights[4 * z..][..4].copy_from_slice(&[left_up, right - right_down, left - left_up, right_down]);
        }
        Self(weights)
    }
}

/// Returns the weighted mean of components of `format`, as f32.
pub(super) fn apply(format: TexelFormat, raw: &[u32], weights: &Weights) -> u32 {
    let sum = |expand: fn(i64) -> i64| -> i64 {
        let terms = raw.iter().zip(weights.0);
        terms.map(|(raw, weight)| weight * expand(texel::integer(format, *raw).into())).sum()
    };
    let mean = |value: i64, largest: i64| (value.max(-largest) as f32 / largest as f32).to_bits();
    match format {
        TexelFormat::U8 => mean((sum(|v| 257 * v) + 128) >> 8, 65535),
        TexelFormat::U16 => mean((sum(|v| v) + 128) >> 8, 65535),
        TexelFormat::S16 => mean((sum(|v| v) + 128) >> 8, 32767),
        // The scale from 127 x 256 to 32767, rounded to nearest.
        TexelFormat::S8 => mean((2 * sum(|v| v) * 32767 + 32512).div_euclid(2 * 32512), 32767),
        TexelFormat::F16 => floats(raw, weights, &HALF),
        TexelFormat::F32 => floats(raw, weights, &SINGLE),
        // Such a texture cannot have a filter.
        TexelFormat::U32 | TexelFormat::S32 => raw.first().copied().unwrap_or_default(),
    }
}

/// A floating-point format.
struct Float {
    /// Bits of the mantissa without the leading one.
    mantissa: u32,
    /// Largest exponent field: infinities and NaN.
    special: u32,
    /// Number to subtract from the exponent field to get the exponent of the lowest mantissa bit.
    bias: i32,
    /// Whether it has subnormal numbers.
    subnormal: bool,
}

const SINGLE: Float = Float { mantissa: 23, special: 0xff, bias: 150, subnormal: false };
const HALF: Float = Float { mantissa: 10, special: 0x1f, bias: 25, subnormal: true };

/// Bits by which aligned mantissas are longer.
const GUARD: u32 = 4;

impl Float {
    /// Sign, exponent field, and mantissa of a number.
    fn split(&self, raw: u32) -> (bool, u32, u32) {
        let (exponent, low) = (raw >> self.mantissa & self.special, raw & ((1 << self.mantissa) - 1));
        let negative = raw >> (self.mantissa + self.special.count_ones()) & 1 == 1;
        match exponent {
            0 if self.subnormal => (negative, 1, low),
            0 => (negative, 0, 0),
            _ => (negative, exponent, low | 1 << self.mantissa),
        }
    }
}

/// The weighted sum of floating-point texels, as f32.
fn floats(raw: &[u32], weights: &Weights, float: &Float) -> u32 {
    let (mut sums, mut negative) = ([(0, 0); 2], true);
    let (mut infinite, mut invalid) = ([false; 2], false);
    for ((slice, weights), sum) in raw.chunks(4).zip(weights.0.chunks(4)).zip(&mut sums) {
        let used = || slice.iter().zip(weights).filter(|(_, weight)| **weight != 0);
        let largest = used().map(|(raw, _)| float.split(*raw).1).max().unwrap_or(0);
        for (raw, weight) in used() {
            let (minus, exponent, mantissa) = float.split(*raw);
            negative &= minus;
            if exponent == float.special {
                invalid |= mantissa != 1 << float.mantissa;
                infinite[usize::from(minus)] = true;
            }
            let aligned = (i64::from(mantissa) << GUARD) >> (largest - exponent).min(63);
            sum.0 += if minus { -weight * aligned } else { weight * aligned };
        }
        sum.1 = largest;
    }
    match infinite {
        _ if invalid => return 0x7fff_ffff,
        [true, true] => return 0x7fff_ffff,
        [true, false] => return 0x7f80_0000,
        [false, true] => return 0xff80_0000,
        [false, false] => {}
    }
    let (total, exponent) = added(sums);
    if total == 0 {
        return u32::from(negative) << 31;
    }
    let rounded = if float.subnormal { half_of } else { single_of };
    // The weights have 8 fractional bits.
    let bits = rounded(total.unsigned_abs(), exponent as i32 - float.bias - GUARD as i32 - 8);
    u32::from(total < 0) << 31 | bits
}

/// Adds the sums of two slices, each with its exponent. Returns the sum and its exponent.
fn added([first, second]: [(i64, u32); 2]) -> (i128, u32) {
    let (high, low) = if first.1 >= second.1 { (first, second) } else { (second, first) };
    if high.0 == 0 {
        return (low.0.into(), low.1);
    }
    // A sum that is much smaller matters only for its sign.
    let shift = (high.1 - low.1).min(80);
    let small = if high.1 - low.1 > 80 { low.0.signum() } else { low.0 };
    ((i128::from(high.0) << shift) + i128::from(small), high.1 - shift)
}

/// `value` x 2^`exponent` without its last `cut` bits, rounded half away from zero.
fn without(value: u128, cut: i32) -> u128 {
    if cut <= 0 { value << -cut } else { (value + (1 << (cut - 1))) >> cut }
}

/// The f32 of `value` x 2^`exponent`; a subnormal result is zero.
fn single_of(value: u128, exponent: i32) -> u32 {
    let mut cut = 128 - value.leading_zeros() as i32 - 24;
    let mut mantissa = without(value, cut);
    if mantissa >> 24 != 0 {
        (mantissa, cut) = (mantissa >> 1, cut + 1);
    }
    match cut + exponent + 150 {
        ..=0 => 0,
        field @ 1..=254 => (field as u32) << 23 | mantissa as u32 & 0x7f_ffff,
        255.. => 0x7f80_0000,
    }
}

/// The f16 nearest to `value` x 2^`exponent`, as f32.
fn half_of(value: u128, exponent: i32) -> u32 {
    let cut = (128 - value.leading_zeros() as i32 - 11).max(-24 - exponent);
    let power = f32::from_bits(((cut + exponent + 127).clamp(1, 254) as u32) << 23);
    let result = without(value, cut) as f32 * power;
    if result > 65504.0 { 0x7f80_0000 } else { result.to_bits() }
}
