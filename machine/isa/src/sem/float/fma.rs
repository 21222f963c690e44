//! The fused multiply-add of one lane: `a · b + c` rounded once, with the same bits on hosts with
//! and without the instruction.
//!
//! In 53 bits the product of two 24-bit numbers is exact, but the sum is not. Rounding the sum to
//! nearest, and then to 24 bits, would round twice. The sum is therefore *rounded to odd*:
//! truncated towards zero, with its last bit set if anything was truncated. An odd number that is
//! 29 bits longer than the result is never a tie, and never equal to a shorter number.

use super::{FLUSHED_BELOW, flushed, result};

/// Returns `product + addend` rounded to odd. No step may overflow or underflow. Products of f32
/// and other f32 are multiples of 2^-298 below 2^257. Operands may be infinite or NaN.
#[inline(always)]
pub(in crate::sem) fn sum_to_odd(product: f64, addend: f64) -> f64 {
    let sum = product + addend;
    // The exact rounding error of the sum (Knuth's two-sum; no operation here can overflow or
    // underflow).
    let of_addend = sum - product;
    let error = (product - (sum - of_addend)) + (addend - of_addend);
    // One if the last bit must be set: the sum is inexact and even. An infinite sum has a NaN as
    // its error, and no digits to correct.
    let bits = sum.to_bits();
    let odd = if error.abs() > 0.0 { !bits & 1 } else { 0 };
    // The adjacent odd number is on the side of the error: towards zero if their signs differ.
    let towards_zero = (bits ^ error.to_bits()) >> 63;
    f64::from_bits(bits.wrapping_add(odd).wrapping_sub((odd & towards_zero) << 1))
}

/// `fma.rn.f32`.
#[inline(always)]
pub fn fma_rn_f32(a: u32, b: u32, c: u32) -> u32 {
    let product = f32::from_bits(a) as f64 * f32::from_bits(b) as f64;
    result(sum_to_odd(product, f32::from_bits(c) as f64) as f32, false)
}

/// [`fma_rn_f32`] with the host's instruction. Only code that is compiled for a host with this
/// instruction may call it: elsewhere it would be a call of the C library.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[inline(always)]
pub fn fma_rn_fused_f32(a: u32, b: u32, c: u32) -> u32 {
    result(f32::from_bits(a).mul_add(f32::from_bits(b), f32::from_bits(c)), false)
}

/// [`fma_rn_f32`], for targets that may lack the instruction, such as WebAssembly.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
#[inline(always)]
pub fn fma_rn_fused_f32(a: u32, b: u32, c: u32) -> u32 {
    fma_rn_f32(a, b, c)
}

/// `fma.rn.ftz.f32`: a result that is below the smallest normal number when rounded with unbounded
/// exponent is zero.
#[inline(always)]
pub fn fma_rn_ftz_f32(a: u32, b: u32, c: u32) -> u32 {
    let product = flushed(a) as f64 * flushed(b) as f64;
    let sum = sum_to_odd(product, flushed(c) as f64);
    result(sum as f32, sum.abs() < FLUSHED_BELOW)
}

#[cfg(test)]
mod tests {
    use super::super::{NAN, SIGN, add_rn_ftz_f32, mul_rn_f32, mul_rn_ftz_f32};
    use super::*;

    const INF: u32 = 0x7f80_0000;
    const MIN_NORMAL: u32 = 0x0080_0000;
    const ONE: u32 = 0x3f80_0000;

    /// Returns the result of the host's fused multiply-add for comparison.
    fn host(a: u32, b: u32, c: u32) -> u32 {
        let exact = f32::from_bits(a).mul_add(f32::from_bits(b), f32::from_bits(c));
        if exact.is_nan() { NAN } else { exact.to_bits() }
    }

    /// Generates bits that often interact: few exponents, and mantissas that are nearly zero,
    /// nearly full, or arbitrary.
    fn operands() -> impl FnMut() -> u32 {
        let mut state = 1u64;
        move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let (kind, bits) = ((state >> 61) as u32, (state >> 24) as u32);
            let mantissa = match kind & 3 {
                0 => bits & 0xff,
                1 => 0x007f_ff00 | bits & 0xff,
                2 => 1 << (bits % 23),
                _ => bits & 0x007f_ffff,
            };
            let exponent = match kind >> 2 & 1 {
                0 => (bits >> 23 & 0x3f) + 96,
                _ => bits >> 23 & 0xff,
            };
            bits & SIGN | exponent << 23 | mantissa
        }
    }

    /// Tests: `arithmetic-of-silicon`.
    #[test]
    fn random_operands_agree_with_the_host() {
        let mut next = operands();
        for _ in 0..500_000 {
            let (a, b, c) = (next(), next(), next());
            assert_eq!(fma_rn_f32(a, b, c), host(a, b, c), "{a:#x} {b:#x} {c:#x}");
        }
    }

    #[test]
    fn addends_close_to_the_product_agree_with_the_host() {
        // Addends within a few bits of the product's negative, and around half an ulp and one ulp
        // of it: cancellation, ties, and sums that double rounding would turn into a tie.
        let mut next = operands();
        let mut different = 0;
        for _ in 0..100_000 {
            let (a, b) = (next(), next());
            let product = mul_rn_f32(a, b);
            for c in [
                (product ^ SIGN).wrapping_add(next() & 3),
                product.wrapping_sub(24 << 23),
                product.wrapping_sub(25 << 23) ^ SIGN,
                product.wrapping_sub(25 << 23) & 0xff80_0000 | next() & 3,
                product.wrapping_add(24 << 23) & 0xff80_0000 | next() & 3,
                product.wrapping_add(24 << 23),
            ] {
                assert_eq!(fma_rn_f32(a, b, c), host(a, b, c), "{a:#x} {b:#x} {c:#x}");
                let twice =
                    (f32::from_bits(a) as f64 * f32::from_bits(b) as f64 + f32::from_bits(c) as f64) as f32;
                different += u32::from(!twice.is_nan() && twice.to_bits() != host(a, b, c));
            }
        }
        assert!(different > 0, "no tested case distinguishes double rounding");
    }

    #[test]
    fn double_rounding_would_give_another_result() {
        // (1 + 2^-12)^2 = 1 + 2^-11 + 2^-24 is half-way between two 24-bit numbers. An addend of
        // 2^-100, which is lost in 53 bits, decides.
        let a = ONE | 1 << 11;
        let tiny = 27 << 23;
        let below = ONE | 1 << 12;
        assert_eq!(fma_rn_f32(a, a, 0), below);
        assert_eq!(fma_rn_f32(a, a, tiny), below + 1);
        assert_eq!(fma_rn_f32(a, a, tiny | SIGN), below);
        assert_eq!(fma_rn_ftz_f32(a, a | SIGN, tiny | SIGN), (below + 1) | SIGN);
        // Sums close to one, decided far below the last place.
        assert_eq!(fma_rn_f32(0x3f7f_ffff, ONE, 1), 0x3f7f_ffff);
        assert_eq!(fma_rn_f32(ONE, ONE, 1 | SIGN), ONE);
    }

    #[test]
    fn subnormal_results_are_rounded_once_too() {
        // 1.5 · 2^-149 minus a small value rounds to 1 · 2^-149; without the difference it is a tie
        // and rounds to 2 · 2^-149.
        assert_eq!(fma_rn_f32(1, 0x3fc0_0000, 0), 2);
        assert_eq!(fma_rn_f32(1, 0x3fbf_ffff, 0), 1);
        assert_eq!(fma_rn_f32(1, 1, 1), 1);
        assert_eq!(
            [fma_rn_f32(1, 1, 0), fma_rn_f32(1, 1 | SIGN, 0)],
            [0, SIGN & fma_rn_f32(1, 1 | SIGN, SIGN)]
        );
        assert_eq!(fma_rn_f32(1, 1 | SIGN, MIN_NORMAL), MIN_NORMAL);
        assert_eq!(fma_rn_f32(MIN_NORMAL, 0x3f00_0000, 0), 0x0040_0000);
    }

    #[test]
    fn flushing_uses_the_sum_rounded_with_unbounded_exponent() {
        let half = 0x3f00_0000;
        assert_eq!(fma_rn_ftz_f32(MIN_NORMAL, half, 0), 0);
        assert_eq!(fma_rn_ftz_f32(MIN_NORMAL, half | SIGN, 0), SIGN);
        assert_eq!(fma_rn_ftz_f32(MIN_NORMAL, half, MIN_NORMAL), 0x00c0_0000);
        // Just below the smallest normal, and half-way to it: the tie rounds up.
        assert_eq!(fma_rn_ftz_f32(MIN_NORMAL, 0x3f7f_ffff, 0), 0);
        assert_eq!(fma_rn_ftz_f32(0x0080_0001, 0x3f7f_fffe, 0), MIN_NORMAL);
        // A subnormal addend is flushed to zero before the addition.
        assert_eq!(fma_rn_ftz_f32(MIN_NORMAL, ONE, 0x0040_0000), MIN_NORMAL);
        let mut next = operands();
        for _ in 0..200_000 {
            let (a, b) = (next(), next());
            assert_eq!(fma_rn_ftz_f32(a, b, SIGN & (a ^ b)), mul_rn_ftz_f32(a, b), "{a:#x} {b:#x}");
            assert_eq!(fma_rn_ftz_f32(a, ONE, b), add_rn_ftz_f32(a, b), "{a:#x} {b:#x}");
        }
    }

    #[test]
    fn infinities_and_nans() {
        assert_eq!([fma_rn_f32(INF, ONE, ONE), fma_rn_ftz_f32(ONE, ONE, INF | SIGN)], [INF, INF | SIGN]);
        assert_eq!([fma_rn_f32(INF, 0, ONE), fma_rn_f32(INF, ONE, INF | SIGN)], [NAN; 2]);
        assert_eq!([fma_rn_f32(0xffc0_0001, ONE, ONE), fma_rn_ftz_f32(ONE, ONE, 0x7f80_0001)], [NAN; 2]);
        // Overflow is determined after the sum: 2^127 · 2 - 2^127.
        assert_eq!(fma_rn_f32(0x7f00_0000, 0x4000_0000, 0xff00_0000), 0x7f00_0000);
        assert_eq!(fma_rn_f32(0x7f7f_ffff, 0x4000_0000, 0), INF);
        // An exact cancellation gives +0; -0 results only from two negative zeros.
        assert_eq!([fma_rn_f32(ONE, ONE, ONE | SIGN), fma_rn_f32(0, SIGN, SIGN)], [0, SIGN]);
    }
}
