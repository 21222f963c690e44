//! Bit fields, counts and permutations of one lane, as `sm_20` brought them, and sums with a carry.
//!
//! As in [`super::int`], every function takes any bits whatever and gives raw bits; sums that set
//! the condition code give it beside the sum.

#![expect(
    clippy::inline_always,
    reason = "the executor applies these in loops over 32 lanes, which must vectorise in every profile"
)]

/// `a + b` and whether it carries out.
#[inline(always)]
pub fn add_cc(a: u32, b: u32) -> (u32, bool) {
    a.overflowing_add(b)
}

/// `a + b + carry`.
#[inline(always)]
pub fn addc(a: u32, b: u32, carry: bool) -> u32 {
    a.wrapping_add(b).wrapping_add(carry as u32)
}

/// `a + b + carry` and whether it carries out.
#[inline(always)]
pub fn addc_cc(a: u32, b: u32, carry: bool) -> (u32, bool) {
    let sum = a as u64 + b as u64 + carry as u64;
    (sum as u32, sum >> 32 != 0)
}

/// `a - b` and whether it borrows.
#[inline(always)]
pub fn sub_cc(a: u32, b: u32) -> (u32, bool) {
    a.overflowing_sub(b)
}

/// `a - (b + borrow)`.
#[inline(always)]
pub fn subc(a: u32, b: u32, borrow: bool) -> u32 {
    a.wrapping_sub(b).wrapping_sub(borrow as u32)
}

/// `a - (b + borrow)` and whether it borrows.
#[inline(always)]
pub fn subc_cc(a: u32, b: u32, borrow: bool) -> (u32, bool) {
    let difference = (a as u64).wrapping_sub(b as u64 + borrow as u64);
    (difference as u32, difference >> 32 != 0)
}

/// `a + b`, clamped to the signed range.
#[inline(always)]
pub fn add_sat_s32(a: u32, b: u32) -> u32 {
    (a as i32).saturating_add(b as i32) as u32
}

/// `a - b`, clamped to the signed range.
#[inline(always)]
pub fn sub_sat_s32(a: u32, b: u32) -> u32 {
    (a as i32).saturating_sub(b as i32) as u32
}

/// How many bits are set.
#[inline(always)]
pub fn popc32(a: u32) -> u32 {
    a.count_ones()
}

/// How many bits are set.
#[inline(always)]
pub fn popc64(a: u64) -> u32 {
    a.count_ones()
}

/// How many zeros stand before the highest set bit; 32 of zero.
#[inline(always)]
pub fn clz32(a: u32) -> u32 {
    a.leading_zeros()
}

/// How many zeros stand before the highest set bit; 64 of zero.
#[inline(always)]
pub fn clz64(a: u64) -> u32 {
    a.leading_zeros()
}

/// The bits in reverse order.
#[inline(always)]
pub fn brev32(a: u32) -> u32 {
    a.reverse_bits()
}

/// The bits in reverse order.
#[inline(always)]
pub fn brev64(a: u64) -> u64 {
    a.reverse_bits()
}

/// The place of the highest set bit; all ones if there is none.
#[inline(always)]
pub fn bfind_u32(a: u32) -> u32 {
    31_u32.wrapping_sub(a.leading_zeros())
}

/// The place of the highest bit that differs from the sign; all ones if there is none.
#[inline(always)]
pub fn bfind_s32(a: u32) -> u32 {
    bfind_u32(a ^ ((a as i32) >> 31) as u32)
}

/// The place of the highest set bit; all ones if there is none.
#[inline(always)]
pub fn bfind_u64(a: u64) -> u32 {
    63_u32.wrapping_sub(a.leading_zeros())
}

/// The place of the highest bit that differs from the sign; all ones if there is none.
#[inline(always)]
pub fn bfind_s64(a: u64) -> u32 {
    bfind_u64(a ^ ((a as i64) >> 63) as u64)
}

/// By how much to shift left so that the highest set bit comes to bit 31; all ones if there is
/// none.
#[inline(always)]
pub fn bfind_shiftamt_u32(a: u32) -> u32 {
    if a == 0 { u32::MAX } else { a.leading_zeros() }
}

/// As [`bfind_shiftamt_u32`], of the highest bit that differs from the sign.
#[inline(always)]
pub fn bfind_shiftamt_s32(a: u32) -> u32 {
    bfind_shiftamt_u32(a ^ ((a as i32) >> 31) as u32)
}

/// By how much to shift left so that the highest set bit comes to bit 63; all ones if there is
/// none.
#[inline(always)]
pub fn bfind_shiftamt_u64(a: u64) -> u32 {
    if a == 0 { u32::MAX } else { a.leading_zeros() }
}

/// As [`bfind_shiftamt_u64`], of the highest bit that differs from the sign.
#[inline(always)]
pub fn bfind_shiftamt_s64(a: u64) -> u32 {
    bfind_shiftamt_u64(a ^ ((a as i64) >> 63) as u64)
}

/// The low `count` bits set; all from 64 on.
#[inline(always)]
fn low_bits(count: u32) -> u64 {
    if count > 63 { u64::MAX } else { (1 << (count & 63)) - 1 }
}

/// The field of `length` bits from `start` on, zero-extended; both are bytes, and bits beyond the
/// value are zero.
#[inline(always)]
pub fn bfe_u64(a: u64, start: u32, length: u32) -> u64 {
    super::int::shr_u64(a, start & 0xff) & low_bits(length & 0xff)
}

/// As [`bfe_u64`], in 32 bits.
#[inline(always)]
pub fn bfe_u32(a: u32, start: u32, length: u32) -> u32 {
    bfe_u64(a as u64, start, length) as u32
}

/// The field of `length` bits from `start` on, extended by its highest bit, or by the value's sign
/// if it reaches beyond the value; both are bytes. A field without bits is zero.
#[inline(always)]
pub fn bfe_s64(a: u64, start: u32, length: u32) -> u64 {
    let length = length & 0xff;
    let field = super::int::shr_s64(a, start & 0xff);
    // Shifted to the top and back; a length of 0 would shift by 64, which is done by the mask
    // instead.
    let spare = 64_u32.saturating_sub(length) & 63;
    let extended = (((field << spare) as i64) >> spare) as u64;
    if length == 0 { 0 } else { extended }
}

/// As [`bfe_s64`], in 32 bits.
#[inline(always)]
pub fn bfe_s32(a: u32, start: u32, length: u32) -> u32 {
    bfe_s64(a as i32 as i64 as u64, start, length) as u32
}

/// `b` with the low `length` bits of `a` from bit `start` on; both are bytes, and bits beyond the
/// value are lost.
#[inline(always)]
pub fn bfi64(a: u64, b: u64, start: u32, length: u32) -> u64 {
    let start = start & 0xff;
    let field = super::int::shl64(low_bits(length & 0xff), start);
    b & !field | super::int::shl64(a, start) & field
}

/// As [`bfi64`], in 32 bits.
#[inline(always)]
pub fn bfi32(a: u32, b: u32, start: u32, length: u32) -> u32 {
    bfi64(a as u64, b as u64, start, length) as u32
}

/// Four bytes chosen from the eight of `b` (upper) and `a` (lower): each digit of `c` names a byte,
/// and with its highest bit set, that byte's sign in all eight bits.
#[inline(always)]
pub fn prmt(a: u32, b: u32, c: u32) -> u32 {
    let bytes = (b as u64) << 32 | a as u64;
    let mut out = 0;
    for place in 0..4 {
        let digit = c >> (4 * place);
        let byte = (bytes >> (8 * (digit & 7))) as u8;
        let byte = if digit & 8 == 0 { byte } else { ((byte as i8) >> 7) as u8 };
        out |= (byte as u32) << (8 * place);
    }
    out
}

/// The permutation that the low two bits of `c` choose from four.
#[inline(always)]
fn prmt_one_of(four: [u32; 4], a: u32, b: u32, c: u32) -> u32 {
    prmt(a, b, four[c as usize & 3])
}

/// Four bytes of the eight, upwards from byte `c`.
#[inline(always)]
pub fn prmt_f4e(a: u32, b: u32, c: u32) -> u32 {
    prmt_one_of([0x3210, 0x4321, 0x5432, 0x6543], a, b, c)
}

/// Four bytes of the eight, downwards from byte `c`.
#[inline(always)]
pub fn prmt_b4e(a: u32, b: u32, c: u32) -> u32 {
    prmt_one_of([0x5670, 0x6701, 0x7012, 0x0123], a, b, c)
}

/// Byte `c` four times.
#[inline(always)]
pub fn prmt_rc8(a: u32, b: u32, c: u32) -> u32 {
    prmt_one_of([0x0000, 0x1111, 0x2222, 0x3333], a, b, c)
}

/// The bytes of `a`, those below byte `c` replaced by it.
#[inline(always)]
pub fn prmt_ecl(a: u32, b: u32, c: u32) -> u32 {
    prmt_one_of([0x3210, 0x3211, 0x3222, 0x3333], a, b, c)
}

/// The bytes of `a`, those above byte `c` replaced by it.
#[inline(always)]
pub fn prmt_ecr(a: u32, b: u32, c: u32) -> u32 {
    prmt_one_of([0x0000, 0x1110, 0x2210, 0x3210], a, b, c)
}

/// Half `c` of `a` twice.
#[inline(always)]
pub fn prmt_rc16(a: u32, b: u32, c: u32) -> u32 {
    prmt_one_of([0x1010, 0x3232, 0x1010, 0x3232], a, b, c)
}

/// The upper word of the 64 bits `b a`, shifted left by `n` modulo 32.
#[inline(always)]
pub fn shf_l_wrap(a: u32, b: u32, n: u32) -> u32 {
    ((pack64(a, b) << (n & 31)) >> 32) as u32
}

/// The upper word of the 64 bits `b a`, shifted left by `n`, 32 at most.
#[inline(always)]
pub fn shf_l_clamp(a: u32, b: u32, n: u32) -> u32 {
    ((pack64(a, b) << n.min(32)) >> 32) as u32
}

/// The lower word of the 64 bits `b a`, shifted right by `n` modulo 32.
#[inline(always)]
pub fn shf_r_wrap(a: u32, b: u32, n: u32) -> u32 {
    (pack64(a, b) >> (n & 31)) as u32
}

/// The lower word of the 64 bits `b a`, shifted right by `n`, 32 at most.
#[inline(always)]
pub fn shf_r_clamp(a: u32, b: u32, n: u32) -> u32 {
    (pack64(a, b) >> n.min(32)) as u32
}

/// 64 bits of two words, the lower one first.
#[inline(always)]
pub fn pack64(low: u32, high: u32) -> u64 {
    (high as u64) << 32 | low as u64
}

/// 32 bits of the low halves of two words, the lower one first.
#[inline(always)]
pub fn pack32(low: u32, high: u32) -> u32 {
    high << 16 | low & 0xffff
}

/// The upper 32 bits.
#[inline(always)]
pub fn hi32(a: u64) -> u32 {
    (a >> 32) as u32
}

#[cfg(test)]
mod tests;
