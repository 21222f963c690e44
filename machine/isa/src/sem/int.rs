//! Integers, bits and predicates of one lane: wrapping arithmetic, clamped shifts, division defined
//! for all operands.
//!
//! Every function accepts and returns raw bits (`u32`, `u64`, `bool`). It has no data-dependent
//! branch that a compiler could not turn into a select, so that a loop over 32 lanes vectorizes.

#![expect(
    clippy::inline_always,
    reason = "the executor applies these in loops over 32 lanes, which must vectorize in every profile"
)]

/// Returns the value unchanged.
#[inline(always)]
pub fn id32(a: u32) -> u32 {
    a
}

/// Returns the value unchanged.
#[inline(always)]
pub fn id64(a: u64) -> u64 {
    a
}

/// Returns the value unchanged.
#[inline(always)]
pub fn id_pred(a: bool) -> bool {
    a
}

/// `a` if `p` is true, else `b`.
#[inline(always)]
pub fn selp32(a: u32, b: u32, p: bool) -> u32 {
    if p { a } else { b }
}

/// `a` if `p` is true, else `b`.
#[inline(always)]
pub fn selp64(a: u64, b: u64, p: bool) -> u64 {
    if p { a } else { b }
}

/// `a + b`, wrapping.
#[inline(always)]
pub fn add32(a: u32, b: u32) -> u32 {
    a.wrapping_add(b)
}

/// `a - b`, wrapping.
#[inline(always)]
pub fn sub32(a: u32, b: u32) -> u32 {
    a.wrapping_sub(b)
}

/// `-a`, wrapping: the negation of the smallest integer is itself.
#[inline(always)]
pub fn neg32(a: u32) -> u32 {
    a.wrapping_neg()
}

/// `|a|`, wrapping: the absolute value of the smallest integer is itself.
#[inline(always)]
pub fn abs32(a: u32) -> u32 {
    (a as i32).wrapping_abs() as u32
}

/// Minimum, unsigned.
#[inline(always)]
pub fn min_u32(a: u32, b: u32) -> u32 {
    a.min(b)
}

/// Minimum, signed.
#[inline(always)]
pub fn min_s32(a: u32, b: u32) -> u32 {
    (a as i32).min(b as i32) as u32
}

/// Maximum, unsigned.
#[inline(always)]
pub fn max_u32(a: u32, b: u32) -> u32 {
    a.max(b)
}

/// Maximum, signed.
#[inline(always)]
pub fn max_s32(a: u32, b: u32) -> u32 {
    (a as i32).max(b as i32) as u32
}

/// `c + |a - b|`, unsigned.
#[inline(always)]
pub fn sad_u32(a: u32, b: u32, c: u32) -> u32 {
    c.wrapping_add(a.abs_diff(b))
}

/// `c + |a - b|`, signed.
#[inline(always)]
pub fn sad_s32(a: u32, b: u32, c: u32) -> u32 {
    c.wrapping_add((a as i32).abs_diff(b as i32))
}

/// Low half of `a · b`.
#[inline(always)]
pub fn mul_lo32(a: u32, b: u32) -> u32 {
    a.wrapping_mul(b)
}

/// High half of `a · b`, unsigned.
#[inline(always)]
pub fn mul_hi_u32(a: u32, b: u32) -> u32 {
    (mul_wide_u32(a, b) >> 32) as u32
}

/// High half of `a · b`, signed.
#[inline(always)]
pub fn mul_hi_s32(a: u32, b: u32) -> u32 {
    (mul_wide_s32(a, b) >> 32) as u32
}

/// `a · b` in 64 bits, unsigned.
#[inline(always)]
pub fn mul_wide_u32(a: u32, b: u32) -> u64 {
    a as u64 * b as u64
}

/// `a · b` in 64 bits, signed.
#[inline(always)]
pub fn mul_wide_s32(a: u32, b: u32) -> u64 {
    (a as i32 as i64 * b as i32 as i64) as u64
}

/// Low half of `a · b`, plus `c`.
#[inline(always)]
pub fn mad_lo32(a: u32, b: u32, c: u32) -> u32 {
    a.wrapping_mul(b).wrapping_add(c)
}

/// `a · b + c` in 64 bits, unsigned factors.
#[inline(always)]
pub fn mad_wide_u32(a: u32, b: u32, c: u64) -> u64 {
    mul_wide_u32(a, b).wrapping_add(c)
}

/// `a · b + c` in 64 bits, signed factors.
#[inline(always)]
pub fn mad_wide_s32(a: u32, b: u32, c: u64) -> u64 {
    mul_wide_s32(a, b).wrapping_add(c)
}

/// The low 24 bits, zero-extended.
#[inline(always)]
fn low24_u(a: u32) -> u32 {
    a & 0x00ff_ffff
}

/// The low 24 bits, sign-extended.
#[inline(always)]
fn low24_s(a: u32) -> u32 {
    (((a << 8) as i32) >> 8) as u32
}

/// Low half of the product of the low 24 bits, unsigned.
#[inline(always)]
pub fn mul24_lo_u32(a: u32, b: u32) -> u32 {
    low24_u(a).wrapping_mul(low24_u(b))
}

/// Low half of the product of the low 24 bits, signed.
#[inline(always)]
pub fn mul24_lo_s32(a: u32, b: u32) -> u32 {
    low24_s(a).wrapping_mul(low24_s(b))
}

/// Bits 16 to 47 of the product of the low 24 bits, unsigned.
#[inline(always)]
pub fn mul24_hi_u32(a: u32, b: u32) -> u32 {
    (mul_wide_u32(low24_u(a), low24_u(b)) >> 16) as u32
}

/// Bits 16 to 47 of the product of the low 24 bits, signed.
#[inline(always)]
pub fn mul24_hi_s32(a: u32, b: u32) -> u32 {
    (mul_wide_s32(low24_s(a), low24_s(b)) >> 16) as u32
}

/// [`mul24_lo_u32`] plus `c`.
#[inline(always)]
pub fn mad24_lo_u32(a: u32, b: u32, c: u32) -> u32 {
    mul24_lo_u32(a, b).wrapping_add(c)
}

/// [`mul24_lo_s32`] plus `c`.
#[inline(always)]
pub fn mad24_lo_s32(a: u32, b: u32, c: u32) -> u32 {
    mul24_lo_s32(a, b).wrapping_add(c)
}

/// The quotient of unsigned integers, computed in f64 because hosts have no vectors of integer
/// divisions. Any value for a division by zero.
///
/// `(a + ½) / b` differs from each integer by at least `½ / b`. The rounding errors are together
/// below 2^-20 / b, so that subtracting ½ and rounding to nearest gives the whole part.
#[inline(always)]
fn quotient(a: u32, b: u32) -> u32 {
    /// A number below 2^51 plus this constant is an integer in the low bits.
    const TO_INTEGER: f64 = 6_755_399_441_055_744.0; // 1.5 · 2^52
    ((a as f64 + 0.5) / b as f64 - 0.5 + TO_INTEGER).to_bits() as u32
}

/// `-a` if `negative`, else `a`.
#[inline(always)]
fn with_sign(a: u32, negative: bool) -> u32 {
    if negative { a.wrapping_neg() } else { a }
}

/// `a / b`, unsigned; division by zero gives all ones (undefined in PTX; observed on hardware).
#[inline(always)]
pub fn div_u32(a: u32, b: u32) -> u32 {
    let quotient = quotient(a, b);
    if b == 0 { u32::MAX } else { quotient }
}

/// `a / b` towards zero, signed; wraps for the smallest integer divided by -1; all ones for a
/// division by zero.
#[inline(always)]
pub fn div_s32(a: u32, b: u32) -> u32 {
    let quotient = with_sign(quotient(abs32(a), abs32(b)), (a ^ b) >> 31 != 0);
    if b == 0 { u32::MAX } else { quotient }
}

/// Remainder of `a / b`, unsigned; all ones for a division by zero.
#[inline(always)]
pub fn rem_u32(a: u32, b: u32) -> u32 {
    let rest = a.wrapping_sub(quotient(a, b).wrapping_mul(b));
    if b == 0 { u32::MAX } else { rest }
}

/// Remainder of `a / b` with the sign of `a`; all ones for a division by zero.
#[inline(always)]
pub fn rem_s32(a: u32, b: u32) -> u32 {
    let rest = with_sign(rem_u32(abs32(a), abs32(b)), a >> 31 != 0);
    if b == 0 { u32::MAX } else { rest }
}

/// Bitwise and.
#[inline(always)]
pub fn and32(a: u32, b: u32) -> u32 {
    a & b
}

/// Bitwise or.
#[inline(always)]
pub fn or32(a: u32, b: u32) -> u32 {
    a | b
}

/// Bitwise exclusive or.
#[inline(always)]
pub fn xor32(a: u32, b: u32) -> u32 {
    a ^ b
}

/// Bitwise complement.
#[inline(always)]
pub fn not32(a: u32) -> u32 {
    !a
}

/// Shift left; amounts above 31 give 0.
#[inline(always)]
pub fn shl32(a: u32, n: u32) -> u32 {
    if n > 31 { 0 } else { a << (n & 31) }
}

/// Logical shift right; amounts above 31 give 0.
#[inline(always)]
pub fn shr_u32(a: u32, n: u32) -> u32 {
    if n > 31 { 0 } else { a >> (n & 31) }
}

/// Arithmetic shift right; amounts above 31 copy the sign into every bit.
#[inline(always)]
pub fn shr_s32(a: u32, n: u32) -> u32 {
    ((a as i32) >> n.min(31)) as u32
}

/// `a + b`, wrapping.
#[inline(always)]
pub fn add64(a: u64, b: u64) -> u64 {
    a.wrapping_add(b)
}

/// `a - b`, wrapping.
#[inline(always)]
pub fn sub64(a: u64, b: u64) -> u64 {
    a.wrapping_sub(b)
}

/// Bitwise and.
#[inline(always)]
pub fn and64(a: u64, b: u64) -> u64 {
    a & b
}

/// Bitwise or.
#[inline(always)]
pub fn or64(a: u64, b: u64) -> u64 {
    a | b
}

/// Bitwise exclusive or.
#[inline(always)]
pub fn xor64(a: u64, b: u64) -> u64 {
    a ^ b
}

/// Bitwise complement.
#[inline(always)]
pub fn not64(a: u64) -> u64 {
    !a
}

/// Shift left; amounts above 63 give 0.
#[inline(always)]
pub fn shl64(a: u64, n: u32) -> u64 {
    if n > 63 { 0 } else { a << (n & 63) }
}

/// Logical shift right; amounts above 63 give 0.
#[inline(always)]
pub fn shr_u64(a: u64, n: u32) -> u64 {
    if n > 63 { 0 } else { a >> (n & 63) }
}

/// Arithmetic shift right; amounts above 63 copy the sign into every bit.
#[inline(always)]
pub fn shr_s64(a: u64, n: u32) -> u64 {
    ((a as i64) >> n.min(63)) as u64
}

/// Low half of `a · b`.
#[inline(always)]
pub fn mul_lo64(a: u64, b: u64) -> u64 {
    a.wrapping_mul(b)
}

/// Low half of `a · b`, plus `c`.
#[inline(always)]
pub fn mad_lo64(a: u64, b: u64, c: u64) -> u64 {
    a.wrapping_mul(b).wrapping_add(c)
}

/// High half of `a · b`, unsigned.
#[inline(always)]
pub fn mul_hi_u64(a: u64, b: u64) -> u64 {
    ((a as u128 * b as u128) >> 64) as u64
}

/// High half of `a · b`, signed.
#[inline(always)]
pub fn mul_hi_s64(a: u64, b: u64) -> u64 {
    ((a as i64 as i128 * b as i64 as i128) >> 64) as u64
}

/// As [`div_u32`], for 64 bits.
#[inline(always)]
pub fn div_u64(a: u64, b: u64) -> u64 {
    a.checked_div(b).unwrap_or(u64::MAX)
}

/// As [`div_s32`], for 64 bits.
#[inline(always)]
pub fn div_s64(a: u64, b: u64) -> u64 {
    if b == 0 { u64::MAX } else { (a as i64).wrapping_div(b as i64) as u64 }
}

/// As [`rem_u32`], for 64 bits.
#[inline(always)]
pub fn rem_u64(a: u64, b: u64) -> u64 {
    a.checked_rem(b).unwrap_or(u64::MAX)
}

/// As [`rem_s32`], for 64 bits.
#[inline(always)]
pub fn rem_s64(a: u64, b: u64) -> u64 {
    if b == 0 { u64::MAX } else { (a as i64).wrapping_rem(b as i64) as u64 }
}

/// 32 bits zero-extended to 64.
#[inline(always)]
pub fn zext64(a: u32) -> u64 {
    a as u64
}

/// 32 bits sign-extended to 64.
#[inline(always)]
pub fn sext64(a: u32) -> u64 {
    a as i32 as i64 as u64
}

/// The low 32 bits.
#[inline(always)]
pub fn lo32(a: u64) -> u32 {
    a as u32
}

/// The low 8 bits, zero-extended.
#[inline(always)]
pub fn zext8(a: u32) -> u32 {
    a as u8 as u32
}

/// The low 8 bits, sign-extended.
#[inline(always)]
pub fn sext8(a: u32) -> u32 {
    a as i8 as i32 as u32
}

/// The low 16 bits, zero-extended.
#[inline(always)]
pub fn zext16(a: u32) -> u32 {
    a as u16 as u32
}

/// The low 16 bits, sign-extended.
#[inline(always)]
pub fn sext16(a: u32) -> u32 {
    a as i16 as i32 as u32
}

macro_rules! comparisons {
    ($($name:ident $bits:ty as $ty:ty, $op:tt;)*) => {
        $(
            #[doc = concat!("`a ", stringify!($op), " b`, both read as `", stringify!($ty), "`.")]
            #[inline(always)]
            pub fn $name(a: $bits, b: $bits) -> bool {
                (a as $ty) $op (b as $ty)
            }
        )*
    };
}

comparisons! {
    eq32 u32 as u32, ==;
    ne32 u32 as u32, !=;
    lt_u32 u32 as u32, <;
    le_u32 u32 as u32, <=;
    gt_u32 u32 as u32, >;
    ge_u32 u32 as u32, >=;
    lt_s32 u32 as i32, <;
    le_s32 u32 as i32, <=;
    gt_s32 u32 as i32, >;
    ge_s32 u32 as i32, >=;
    eq64 u64 as u64, ==;
    ne64 u64 as u64, !=;
    lt_u64 u64 as u64, <;
    le_u64 u64 as u64, <=;
    gt_u64 u64 as u64, >;
    ge_u64 u64 as u64, >=;
    lt_s64 u64 as i64, <;
    le_s64 u64 as i64, <=;
    gt_s64 u64 as i64, >;
    ge_s64 u64 as i64, >=;
}

/// Logical and.
#[inline(always)]
pub fn and_pred(a: bool, b: bool) -> bool {
    a & b
}

/// Logical or.
#[inline(always)]
pub fn or_pred(a: bool, b: bool) -> bool {
    a | b
}

/// Logical exclusive or.
#[inline(always)]
pub fn xor_pred(a: bool, b: bool) -> bool {
    a ^ b
}

/// Logical complement.
#[inline(always)]
pub fn not_pred(a: bool) -> bool {
    !a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shifts_clamp_their_amount() {
        assert_eq!([shl32(1, 31), shl32(1, 32), shl32(1, u32::MAX)], [0x8000_0000, 0, 0]);
        assert_eq!([shr_u32(u32::MAX, 31), shr_u32(u32::MAX, 32)], [1, 0]);
        assert_eq!([shr_s32(0x8000_0000, 40), shr_s32(0x7fff_ffff, 40)], [u32::MAX, 0]);
        assert_eq!([shl64(1, 63), shl64(1, 64), shr_u64(u64::MAX, 64)], [1 << 63, 0, 0]);
        assert_eq!(shr_s64(1 << 63, 1000), u64::MAX);
    }

    #[test]
    fn division_is_defined_for_all_operands() {
        assert_eq!([div_u32(7, 2), div_u32(7, 0), rem_u32(7, 0)], [3, u32::MAX, u32::MAX]);
        assert_eq!(div_s32(-7_i32 as u32, 2), -3_i32 as u32);
        assert_eq!(rem_s32(-7_i32 as u32, 2), -1_i32 as u32);
        assert_eq!([div_s32(i32::MIN as u32, u32::MAX), rem_s32(i32::MIN as u32, u32::MAX)], [1 << 31, 0]);
        assert_eq!([div_u64(7, 0), rem_u64(7, 0), div_s64(7, 0), rem_s64(7, 0)], [u64::MAX; 4]);
        assert_eq!([div_s64(1 << 63, u64::MAX), rem_s64(1 << 63, u64::MAX)], [1 << 63, 0]);
        assert_eq!(div_s64(0xffff_ffd4_f666_3083, 0x32_4b51), 0xffff_ffff_ffff_24f0);
    }

    /// Quotients next to an integer, where an error of the computation in f64 would show, and all
    /// magnitudes.
    #[test]
    fn division_agrees_with_the_host() {
        let check = |a: u32, b: u32| {
            let (s, t) = (a as i32, b as i32);
            if b != 0 {
                assert_eq!([div_u32(a, b), rem_u32(a, b)], [a / b, a % b], "{a} / {b}");
                let signed = [s.wrapping_div(t), s.wrapping_rem(t)].map(|value| value as u32);
                assert_eq!([div_s32(a, b), rem_s32(a, b)], signed, "{s} / {t}");
            } else {
                assert_eq!([div_u32(a, b), rem_u32(a, b), div_s32(a, b), rem_s32(a, b)], [u32::MAX; 4]);
            }
        };
        let mut state = 1u64;
        for _ in 0..500_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let (a, bits) = ((state >> 32) as u32 >> (state >> 3 & 31), (state >> 8) as u32);
            let b = bits >> (state >> 40 & 31);
            let multiple = (a / b.max(1)).wrapping_mul(b);
            for a in [a, multiple.wrapping_sub(1), multiple, u32::MAX - (a & 3)] {
                check(a, b);
                check(a.wrapping_neg(), b);
            }
        }
    }

    #[test]
    fn twenty_four_bit_products_ignore_the_upper_byte() {
        assert_eq!(mul24_lo_u32(0xff00_0003, 0xaa00_0005), 15);
        assert_eq!(mul24_lo_s32(0x00ff_ffff, 5), -5_i32 as u32);
        assert_eq!(mad24_lo_s32(0x0080_0000, 2, 1), (-0x0100_0000_i32 + 1) as u32);
        // The product has 48 bits; the low 32 of them are kept.
        assert_eq!(mul24_lo_u32(0x00ff_ffff, 0x00ff_ffff), 0xfe00_0001);
        assert_eq!(mul24_hi_u32(0x00ff_ffff, 0x00ff_ffff), 0xffff_fe00);
        assert_eq!([mul24_hi_s32(0x10000, 0x5555_5555), mul24_hi_s32(0xffff, !0)], [0x55_5555, !0]);
    }

    #[test]
    fn absolute_difference_uses_the_signedness_of_the_type() {
        assert_eq!(sad_u32(0, u32::MAX, 1), 0);
        assert_eq!(sad_s32(0, u32::MAX, 1), 2);
        assert_eq!(abs32(i32::MIN as u32), i32::MIN as u32);
    }

    #[test]
    fn wide_products_keep_the_sign() {
        assert_eq!(mul_wide_s32(u32::MAX, u32::MAX), 1);
        assert_eq!(mul_wide_u32(u32::MAX, u32::MAX), 0xffff_fffe_0000_0001);
        assert_eq!([mul_hi_s32(u32::MAX, 2), mul_hi_u32(u32::MAX, 2)], [u32::MAX, 1]);
        assert_eq!(mad_wide_s32(u32::MAX, 4, 100), 96);
        assert_eq!([mul_hi_s64(u64::MAX, 2), mul_hi_u64(u64::MAX, 2)], [u64::MAX, 1]);
        assert_eq!(mul_hi_u64(u64::MAX, u64::MAX), u64::MAX - 1);
    }

    #[test]
    fn comparison_reads_the_sign() {
        assert!(lt_s32(u32::MAX, 0) && gt_u32(u32::MAX, 0));
        assert!(lt_s64(u64::MAX, 0) && gt_u64(u64::MAX, 0));
        assert!(le_s32(5, 5) && ge_s32(5, 5) && !ne32(5, 5) && eq64(5, 5));
    }
}
