//! The interpolation of the special function unit: a table of 64 segments with a quadratic
//! polynomial each, in fixed point.
//!
//! The structure is that of Oberman and Siu, "A High-Performance Area-Efficient Multifunction
//! Interpolator" (ARITH 2005), the unit of the first CUDA GPUs: the upper 6 bits of a 23-bit
//! argument select a segment, the lower 17 bits are the argument of its polynomial. The square is
//! truncated: the squarer has no partial products below column 19. The coefficients are
//! those with which the polynomials return the results of an H200 for every argument.
//!
//! Numbers in fixed point are integers of type f64 below 2^52, so that sums are exact and loops
//! over lanes vectorize.

/// An integer below 2^52 plus this constant has the integer as its low bits.
pub const BIASED: f64 = 4_503_599_627_370_496.0; // 2^52

/// The coefficients of one function.
pub struct Coefficients {
    /// Added to each polynomial, in units of 2^-38: the constant that makes truncation unbiased.
    pub bias: u16,
    /// Per segment: the value in units of 2^-26, the slope and the curvature in units of 2^-38.
    pub rows: [(u32, u16, i16); 64],
}

/// The coefficients in one word per segment: from the highest bit on 27 bits of the value, 24 bits
/// of the slope, and 13 bits of the curvature plus 2^12. A loop over lanes then has one load per
/// lane that does not vectorize.
pub struct Table {
    bias: f64,
    rows: [u64; 64],
}

/// Added to the curvature in a word.
const CURVATURE: i64 = 1 << 12;

/// Returns the partial products of the square of 17 bits whose upper factor is bit `bit`, in units
/// of 2^19.
#[inline(always)]
fn partial_products(x: u32, bit: u32) -> u32 {
    let lower = (x & ((1 << bit) - 1)) >> (18 - bit);
    // A mask takes less time than a product in vectors.
    (lower + (1 << (2 * bit - 19))) & 0_u32.wrapping_sub(x >> bit & 1)
}

/// Returns the square of 17 bits in units of 2^19, without the partial products below 2^19.
#[inline(always)]
pub fn square(x: u32) -> u32 {
    partial_products(x, 10)
        + partial_products(x, 11)
        + partial_products(x, 12)
        + partial_products(x, 13)
        + partial_products(x, 14)
        + partial_products(x, 15)
        + partial_products(x, 16)
}

/// Returns an integer below 2^52 as f64, less `bias`.
#[inline(always)]
fn integer(bits: u64, bias: f64) -> f64 {
    f64::from_bits(bits | BIASED.to_bits()) - (BIASED + bias)
}

impl Table {
    /// Packs the coefficients.
    pub const fn of(coefficients: &Coefficients) -> Self {
        let mut rows = [0; 64];
        let mut i = 0;
        while i < 64 {
            let (value, slope, curvature) = coefficients.rows[i];
            let curvature = curvature as i64 + CURVATURE;
            assert!(value >> 27 == 0 && curvature >> 13 == 0, "a coefficient has too many bits");
            rows[i] = (value as u64) << 37 | (slope as u64) << 13 | curvature as u64;
            i += 1;
        }
        Self { bias: coefficients.bias as f64, rows }
    }

    /// Returns the coefficients of the segment of an argument, the low 23 bits of `position`.
    #[inline(always)]
    pub fn row(&self, position: u32) -> u64 {
        self.rows[(position >> 17 & 63) as usize]
    }

    /// Returns the function of the argument `x` of a segment, from the segment's coefficients and
    /// the square of `x`. It is in units of 2^-38 and below 2^39.
    #[inline(always)]
    pub fn at(&self, row: u64, x: u32, square: u32) -> f64 {
        let value = integer(row >> 25 & !0xfff, -self.bias);
        let slope = integer(row >> 13 & 0xffff, 0.0);
        let curvature = integer(row & 0x1fff, CURVATURE as f64);
        value + slope * f64::from(x as i32) + curvature * f64::from(square as i32)
    }
}
