//! Shorter functions of one lane for *ordinary* operands: zeros, and numbers far from all limits at
//! which operands or results are flushed or overflow. Nearly all rows of a program are ordinary.
//!
//! An ordinary factor is from 2^-50 to below 2^63, an ordinary addend is normal. A product is then
//! in 2^-100..2^126. A sum that is not zero is at least 2^-126: either it is at least half as large
//! as the larger term, or both terms are multiples of 2^-125. No term is infinite or NaN.

/// Twice the bits of the smallest and of the first too large magnitude of a factor.
const FACTORS: (u32, u32) = ((127 - 50) << 24, (127 + 63) << 24);

/// Twice the bits of the smallest normal number and of infinity.
const ADDENDS: (u32, u32) = (1 << 24, 255 << 24);

/// The smallest and the largest magnitude of factors and of addends, without zeros. They decide for
/// many operands at once whether all are ordinary.
#[derive(Clone, Copy, Debug)]
pub struct Magnitudes {
    /// Twice the bits of the smallest, less 1: a zero becomes the largest number.
    low: (u32, u32),
    /// Twice the bits of the largest.
    high: (u32, u32),
}

impl Magnitudes {
    /// Of no operands.
    pub const NONE: Self = Self { low: (u32::MAX, u32::MAX), high: (0, 0) };

    /// Adds the factors `a`, `b` and the addend `c`.
    #[inline(always)]
    #[must_use]
    pub fn with(self, a: u32, b: u32, c: u32) -> Self {
        let (a, b, c) = (a << 1, b << 1, c << 1);
        let low = |bits: u32| bits.wrapping_sub(1);
        Self {
            low: (self.low.0.min(low(a)).min(low(b)), self.low.1.min(low(c))),
            high: (self.high.0.max(a).max(b), self.high.1.max(c)),
        }
    }

    /// Whether all operands are ordinary.
    #[inline(always)]
    pub fn are_ordinary(self) -> bool {
        let inside = |low: u32, high: u32, range: (u32, u32)| low >= range.0 - 1 && high < range.1;
        inside(self.low.0, self.high.0, FACTORS) && inside(self.low.1, self.high.1, ADDENDS)
    }
}

/// [`mad_trunc_ftz_f32`](super::mad_trunc_ftz_f32) of ordinary operands.
#[inline(always)]
pub fn mad_trunc_ordinary(a: u32, b: u32, c: u32) -> u32 {
    let [a, b, c] = [a, b, c].map(f32::from_bits);
    // With a zero addend the product is rounded.
    let product = if c == 0.0 { a * b } else { truncated(a, b) };
    (product + c).to_bits()
}

/// The product of ordinary factors, truncated to 24 bits.
#[cfg(not(target_arch = "wasm32"))]
#[inline(always)]
fn truncated(a: f32, b: f32) -> f32 {
    let product = a * b;
    // Exact: a multiple of 2^-146.
    let error = a.mul_add(b, -product);
    let opposite = (error.to_bits() ^ product.to_bits()) >> 31;
    let too_large = if error == 0.0 { 0 } else { opposite };
    f32::from_bits(product.to_bits() - too_large)
}

/// The product of ordinary factors, truncated to 24 bits. WebAssembly has no fused multiply-add.
#[cfg(target_arch = "wasm32")]
#[inline(always)]
fn truncated(a: f32, b: f32) -> f32 {
    let product = a as f64 * b as f64;
    f64::from_bits(product.to_bits() & !0x1fff_ffff) as f32
}

#[cfg(test)]
mod tests {
    use super::super::mad_trunc_ftz_f32;
    use super::*;

    fn are_ordinary(a: u32, b: u32, c: u32) -> bool {
        Magnitudes::NONE.with(a, b, c).are_ordinary()
    }

    #[test]
    fn limits_are_the_stated_numbers() {
        let one = 1.0_f32.to_bits();
        let of = |a: f32, c: f32| {
            let (a, c) = (a.to_bits(), c.to_bits());
            assert_eq!(are_ordinary(a, one, c), are_ordinary(one, a, c));
            are_ordinary(a, one, c)
        };
        let (low, high) = (2.0_f32.powi(-50), 2.0_f32.powi(63));
        for (factor, ordinary) in [
            (low, true),
            (-low, true),
            (low.next_down(), false),
            (high, false),
            (high.next_down(), true),
            (-high, false),
            (0.0, true),
            (-0.0, true),
            (f32::from_bits(1), false),
            (f32::INFINITY, false),
            (f32::NAN, false),
        ] {
            assert_eq!(of(factor, 1.0), ordinary, "factor {factor}");
        }
        for (addend, ordinary) in [
            (f32::MIN_POSITIVE, true),
            (-f32::MIN_POSITIVE, true),
            (f32::MIN_POSITIVE.next_down(), false),
            (f32::MAX, true),
            (0.0, true),
            (-0.0, true),
            (f32::from_bits(1), false),
            (f32::NEG_INFINITY, false),
            (f32::NAN, false),
        ] {
            assert_eq!(of(1.0, addend), ordinary, "addend {addend}");
        }
    }

    #[test]
    fn one_operand_is_enough_in_any_place() {
        let (one, tiny, huge) = (1.0_f32.to_bits(), 1, f32::INFINITY.to_bits());
        let all = |special: [u32; 3], place: usize| {
            let add = |all: Magnitudes, k| {
                let [a, b, c] = if k == place { special } else { [one; 3] };
                all.with(a, b, c)
            };
            (0..4).fold(Magnitudes::NONE, add).are_ordinary()
        };
        for place in 0..4 {
            for other in [tiny, huge] {
                let cases = [[other, one, one], [one, other, one], [one, one, other]];
                assert!(cases.iter().all(|case| !all(*case, place)), "{other:#x} at {place}");
            }
            assert!(all([0, 1 << 31, 0], place), "zeros are ordinary");
        }
    }

    #[test]
    fn ordinary_operands_have_the_result_of_the_whole_function() {
        let mut state = 7u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 32) as u32
        };
        let mut tried = 0;
        for round in 0..400_000 {
            let (a, b, mut c) = (next(), next(), next());
            // Half of the sums cancel: the addend is close to the negative product.
            if round % 2 == 0 {
                let product = f32::from_bits(a) * f32::from_bits(b);
                c = (-product).to_bits().wrapping_add(next() % 5).wrapping_sub(2);
            }
            let factor = if round % 64 == 5 { a & 1 << 31 } else { a };
            let (a, c) = (factor, if round % 32 == 3 { c & 1 << 31 } else { c });
            if are_ordinary(a, b, c) {
                tried += 1;
                assert_eq!(mad_trunc_ordinary(a, b, c), mad_trunc_ftz_f32(a, b, c), "{a:#x} {b:#x} {c:#x}");
            }
        }
        assert!(tried > 50_000, "only {tried} operands were ordinary");
    }
}
