//! Integers as mathematical numbers: bits are converted to numbers, numbers are computed exactly,
//! and results are truncated to their type.

use isa::types::{ScalarType, TypeKind};

/// Whether a type's values have a sign.
pub fn signed(ty: ScalarType) -> bool {
    ty.kind() == TypeKind::Signed
}

/// Bits of a type; a predicate has one.
pub fn width(ty: ScalarType) -> u32 {
    if ty == ScalarType::Pred { 1 } else { 8 * ty.bytes() }
}

/// Truncates a number to its low `width` bits.
pub fn truncate(number: i128, width: u32) -> u64 {
    (number as u128 & ((1 << width) - 1)) as u64
}

/// Returns the number of the low `width` bits of `bits`.
pub fn extend(bits: u64, width: u32, signed: bool) -> i128 {
    let low = i128::from(bits) & ((1 << width) - 1);
    if signed && low >> (width - 1) == 1 { low - (1 << width) } else { low }
}

/// Returns the number of `bits` as a value of `ty`.
pub fn number(bits: u64, ty: ScalarType) -> i128 {
    extend(bits, width(ty), signed(ty))
}

/// Returns the high half of a product of two values of `ty`.
pub fn high(a: i128, b: i128, ty: ScalarType) -> i128 {
    // Two unsigned factors of 64 bits need all 128 bits, two signed ones 127.
    if signed(ty) { (a * b) >> width(ty) } else { ((a as u128 * b as u128) >> width(ty)) as i128 }
}

/// Returns the product of the low 24 bits of two values: its low 32 bits, or bits 16 to 47.
pub fn product24(a: i128, b: i128, ty: ScalarType, low: bool) -> i128 {
    let factor = |v: i128| extend(truncate(v, 24), 24, signed(ty));
    let product = factor(a) * factor(b);
    let part = truncate(if low { product } else { product >> 16 }, 32);
    number(part, ty)
}

/// Returns `a / b` rounded toward zero, or the remainder; all ones if `b` is 0.
pub fn divide(a: i128, b: i128, remainder: bool) -> i128 {
    match (b, remainder) {
        (0, _) => -1,
        (_, false) => a / b,
        (_, true) => a % b,
    }
}

/// Shifts the value of `ty` left; an amount of at least its width gives 0.
pub fn shift_left(a: i128, amount: u64, ty: ScalarType) -> i128 {
    if amount >= width(ty).into() { 0 } else { (a as u128).wrapping_shl(amount as u32) as i128 }
}

/// Shifts the value right, with its sign or zeros.
pub fn shift_right(a: i128, amount: u64) -> i128 {
    a >> amount.min(64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use ScalarType::{B32, S16, S32, S64, U16, U32, U64};

    #[test]
    fn bits_and_numbers() {
        assert_eq!([number(0xffff_8000, S16), number(0xffff_8000, U16)], [-0x8000, 0x8000]);
        assert_eq!(number(u64::MAX, S64), -1);
        assert_eq!(number(u64::MAX, U64), u64::MAX.into());
        assert_eq!([truncate(-1, 16), truncate(1 << 32, 32)], [0xffff, 0]);
    }

    #[test]
    fn halves_of_products() {
        let most = i128::from(u64::MAX);
        assert_eq!(truncate(high(most, most, U64), 64), u64::MAX - 1);
        assert_eq!([high(-1, 1, S32), high(1 << 31, 2, U32)], [-1, 1]);
        assert_eq!(product24(0xff00_0003, 0xaa00_0005, U32, true), 15);
        assert_eq!(product24(0x00ff_ffff, 5, S32, true), -5);
        assert_eq!(product24(0x0080_0000, 0x0080_0000, U32, false), 1 << 30);
    }

    #[test]
    fn division_and_shifts() {
        assert_eq!([divide(-7, 2, false), divide(-7, 2, true), divide(5, 0, true)], [-3, -1, -1]);
        assert_eq!([shift_left(3, 31, B32), shift_left(3, 32, B32)], [3 << 31, 0]);
        assert_eq!([shift_right(-5, 1), shift_right(-5, 400), shift_right(5, 64)], [-3, -1, 0]);
    }
}
