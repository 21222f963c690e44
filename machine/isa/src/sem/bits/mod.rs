//! Bit fields, counts and permutations of one lane, which were introduced with `sm_20`, and sums
//! with a carry.
//!
//! As in [`super::int`], every function accepts any bits and returns raw bits. Sums that set the
//! condition code return it together with the sum.
//!
//! Invariant `carry-flag`: The condition code is the carry of the last sum, and a subtraction is a
//! sum: every pair of sums gives what silicon gives.

#![expect(
    clippy::inline_always,
    reason = "the executor applies these in loops over 32 lanes, which must vectorize in every profile"
)]

/// Returns `a + b` and the carry.
#[inline(always)]
pub fn add_cc(a: u32, b: u32) -> (u32, bool) {
    a.overflowing_add(b)
}

/// Returns `a + b + carry`.
#[inline(always)]
pub fn addc(a: u32, b: u32, carry: bool) -> u32 {
    a.wrapping_add(b).wrapping_add(carry as u32)
}

/// Returns `a + b + carry` and the new carry.
#[inline(always)]
pub fn addc_cc(a: u32, b: u32, carry: bool) -> (u32, bool) {
    let sum = a as u64 + b as u64 + carry as u64;
    (sum as u32, sum >> 32 != 0)
}

/// Returns `a - b` and the carry of `a + !b + 1`: whether there is no borrow.
#[inline(always)]
pub fn sub_cc(a: u32, b: u32) -> (u32, bool) {
    (a.wrapping_sub(b), a >= b)
}

/// Returns `a + !b + carry`: `a - b`, less 1 without the carry.
#[inline(always)]
pub fn subc(a: u32, b: u32, carry: bool) -> u32 {
    addc(a, !b, carry)
}

/// Returns `a + !b + carry` and the new carry.
#[inline(always)]
pub fn subc_cc(a: u32, b: u32, carry: bool) -> (u32, bool) {
    addc_cc(a, !b, carry)
}

/// Returns `a + b`, saturated to the signed range.
#[inline(always)]
pub fn add_sat_s32(a: u32, b: u32) -> u32 {
    (a as i32).saturating_add(b as i32) as u32
}

/// Returns `a - b`, saturated to the signed range.
#[inline(always)]
pub fn sub_sat_s32(a: u32, b: u32) -> u32 {
    (a as i32).saturating_sub(b as i32) as u32
}

/// Returns the number of set bits.
#[inline(always)]
pub fn popc32(a: u32) -> u32 {
    a.count_ones()
}

/// Returns the number of set bits.
#[inline(always)]
pub fn popc64(a: u64) -> u32 {
    a.count_ones()
}

/// Returns the number of leading zeros; 32 for zero.
#[inline(always)]
pub fn clz32(a: u32) -> u32 {
    a.leading_zeros()
}

/// Returns the number of leading zeros; 64 for zero.
#[inline(always)]
pub fn clz64(a: u64) -> u32 {
    a.leading_zeros()
}

/// Returns the bits in reverse order.
#[inline(always)]
pub fn brev32(a: u32) -> u32 {
    a.reverse_bits()
}

/// Returns the bits in reverse order.
#[inline(always)]
pub fn brev64(a: u64) -> u64 {
    a.reverse_bits()
}

/// Returns the position of the highest set bit; all ones if there is none.
#[inline(always)]
pub fn bfind_u32(a: u32) -> u32 {
    31_u32.wrapping_sub(a.leading_zeros())
}

/// Returns the position of the highest bit that differs from the sign; all ones if there is none.
#[inline(always)]
pub fn bfind_s32(a: u32) -> u32 {
    bfind_u32(a ^ ((a as i32) >> 31) as u32)
}

/// Returns the position of the highest set bit; all ones if there is none.
#[inline(always)]
pub fn bfind_u64(a: u64) -> u32 {
    63_u32.wrapping_sub(a.leading_zeros())
}

/// Returns the position of the highest bit that differs from the sign; all ones if there is none.
#[inline(always)]
pub fn bfind_s64(a: u64) -> u32 {
    bfind_u64(a ^ ((a as i64) >> 63) as u64)
}

/// Returns the left shift that moves the highest set bit to bit 31; all ones if there is none.
#[inline(always)]
pub fn bfind_shiftamt_u32(a: u32) -> u32 {
    if a == 0 { u32::MAX } else { a.leading_zeros() }
}

/// As [`bfind_shiftamt_u32`], for the highest bit that differs from the sign.
#[inline(always)]
pub fn bfind_shiftamt_s32(a: u32) -> u32 {
    bfind_shiftamt_u32(a ^ ((a as i32) >> 31) as u32)
}

/// Returns the left shift that moves the highest set bit to bit 63; all ones if there is none.
#[inline(always)]
pub fn bfind_shiftamt_u64(a: u64) -> u32 {
    if a == 0 { u32::MAX } else { a.leading_zeros() }
}

/// As [`bfind_shiftamt_u64`], for the highest bit that differs from the sign.
#[inline(always)]
pub fn bfind_shiftamt_s64(a: u64) -> u32 {
    bfind_shiftamt_u64(a ^ ((a as i64) >> 63) as u64)
}

/// Returns a mask of the low `count` bits; all bits from 64 on.
#[inline(always)]
fn low_bits(count: u32) -> u64 {
    if count > 63 { u64::MAX } else { (1 << (count & 63)) - 1 }
}

/// Returns the field of `length` bits from bit `start` on, zero-extended. Only the low byte of
/// `start` and `length` counts; bits beyond the value are zero.
#[inline(always)]
pub fn bfe_u64(a: u64, start: u32, length: u32) -> u64 {
    super::int::shr_u64(a, start & 0xff) & low_bits(length & 0xff)
}

/// As [`bfe_u64`], for 32 bits.
#[inline(always)]
pub fn bfe_u32(a: u32, start: u32, length: u32) -> u32 {
    bfe_u64(a as u64, start, length) as u32
}

/// Returns the field of `length` bits from bit `start` on, extended by its highest bit, or by the
/// value's sign if the field reaches beyond the value. Only the low byte of `start` and `length`
/// counts. An empty field is zero.
#[inline(always)]
pub fn bfe_s64(a: u64, start: u32, length: u32) -> u64 {
    let length = length & 0xff;
    let field = super::int::shr_s64(a, start & 0xff);
    // Shift to the top and back. A length of 0 would require a shift by 64, so it is handled
    // separately.
    let spare = 64_u32.saturating_sub(length) & 63;
    let extended = (((field << spare) as i64) >> spare) as u64;
    if length == 0 { 0 } else { extended }
}

/// As [`bfe_s64`], for 32 bits.
#[inline(always)]
pub fn bfe_s32(a: u32, start: u32, length: u32) -> u32 {
    bfe_s64(a as i32 as i64 as u64, start, length) as u32
}

/// Returns `b` with the low `length` bits of `a` inserted from bit `start` on. Only the low byte of
/// `start` and `length` counts; bits beyond the value are lost.
#[inline(always)]
pub fn bfi64(a: u64, b: u64, start: u32, length: u32) -> u64 {
    let start = start & 0xff;
    let field = super::int::shl64(low_bits(length & 0xff), start);
    b & !field | super::int::shl64(a, start) & field
}

/// As [`bfi64`], for 32 bits.
#[inline(always)]
pub fn bfi32(a: u32, b: u32, start: u32, length: u32) -> u32 {
    bfi64(a as u64, b as u64, start, length) as u32
}

/// Returns four bytes selected from the eight of `b` (upper) and `a` (lower). Each digit of `c`
/// selects a byte; if its highest bit is set, the result byte consists of eight copies of that
/// byte's sign.
#[inline(always)]
pub fn prmt(a: u32, b: u32, c: u32) -> u32 {
    let mut out = 0;
    for place in 0..4 {
        let digit = c >> (4 * place);
        let word = if digit & 4 == 0 { a } else { b };
        let byte = word >> (8 * (digit & 3)) & 0xff;
        let sign = ((byte << 24) as i32 >> 31) as u32 & 0xff;
        out |= (if digit & 8 == 0 { byte } else { sign }) << (8 * place);
    }
    out
}

/// The modes of `prmt`, each with the selectors that the low two bits of `c` choose from.
pub const PERMUTATIONS: [(&str, [u32; 4]); 6] = [
    ("f4e", [0x3210, 0x4321, 0x5432, 0x6543]),
    ("b4e", [0x5670, 0x6701, 0x7012, 0x0123]),
    ("rc8", [0x0000, 0x1111, 0x2222, 0x3333]),
    ("ecl", [0x3210, 0x3211, 0x3222, 0x3333]),
    ("ecr", [0x0000, 0x1110, 0x2210, 0x3210]),
    ("rc16", [0x1010, 0x3232, 0x1010, 0x3232]),
];

/// Returns the permutation that the low two bits of `c` select from `four`.
#[inline(always)]
fn prmt_one_of(four: [u32; 4], a: u32, b: u32, c: u32) -> u32 {
    prmt(a, b, four[c as usize & 3])
}

/// Returns four of the eight bytes, ascending from byte `c`.
#[inline(always)]
pub fn prmt_f4e(a: u32, b: u32, c: u32) -> u32 {
    prmt_one_of(PERMUTATIONS[0].1, a, b, c)
}

/// Returns four of the eight bytes, descending from byte `c`.
#[inline(always)]
pub fn prmt_b4e(a: u32, b: u32, c: u32) -> u32 {
    prmt_one_of(PERMUTATIONS[1].1, a, b, c)
}

/// Returns byte `c` four times.
#[inline(always)]
pub fn prmt_rc8(a: u32, b: u32, c: u32) -> u32 {
    prmt_one_of(PERMUTATIONS[2].1, a, b, c)
}

/// Returns the bytes of `a`, with those below byte `c` replaced by it.
#[inline(always)]
pub fn prmt_ecl(a: u32, b: u32, c: u32) -> u32 {
    prmt_one_of(PERMUTATIONS[3].1, a, b, c)
}

/// Returns the bytes of `a`, with those above byte `c` replaced by it.
#[inline(always)]
pub fn prmt_ecr(a: u32, b: u32, c: u32) -> u32 {
    prmt_one_of(PERMUTATIONS[4].1, a, b, c)
}

/// Returns half `c` of `a` twice.
#[inline(always)]
pub fn prmt_rc16(a: u32, b: u32, c: u32) -> u32 {
    prmt_one_of(PERMUTATIONS[5].1, a, b, c)
}

/// Returns the upper word of the 64 bits `b a`, shifted left by `n` modulo 32.
#[inline(always)]
pub fn shf_l_wrap(a: u32, b: u32, n: u32) -> u32 {
    ((pack64(a, b) << (n & 31)) >> 32) as u32
}

/// Returns the upper word of the 64 bits `b a`, shifted left by `n`, at most by 32.
#[inline(always)]
pub fn shf_l_clamp(a: u32, b: u32, n: u32) -> u32 {
    ((pack64(a, b) << n.min(32)) >> 32) as u32
}

/// Returns the lower word of the 64 bits `b a`, shifted right by `n` modulo 32.
#[inline(always)]
pub fn shf_r_wrap(a: u32, b: u32, n: u32) -> u32 {
    (pack64(a, b) >> (n & 31)) as u32
}

/// Returns the lower word of the 64 bits `b a`, shifted right by `n`, at most by 32.
#[inline(always)]
pub fn shf_r_clamp(a: u32, b: u32, n: u32) -> u32 {
    (pack64(a, b) >> n.min(32)) as u32
}

/// Returns the logical operation of three operands with the truth table `table`: bit 4a + 2b + c of
/// it is the result for bits a, b and c.
#[inline(always)]
pub fn lop3(a: u32, b: u32, c: u32, table: u32) -> u32 {
    let mut out = 0;
    for (place, [x, y, z]) in
        [[!a, !b, !c], [!a, !b, c], [!a, b, !c], [!a, b, c], [a, !b, !c], [a, !b, c], [a, b, !c], [a, b, c]]
            .into_iter()
            .enumerate()
    {
        out |= x & y & z & (table >> place & 1).wrapping_neg();
    }
    out
}

/// Returns a 64-bit value from two words, the lower one first.
#[inline(always)]
pub fn pack64(low: u32, high: u32) -> u64 {
    (high as u64) << 32 | low as u64
}

/// Returns a 32-bit value from the low halves of two words, the lower one first.
#[inline(always)]
pub fn pack32(low: u32, high: u32) -> u32 {
    high << 16 | low & 0xffff
}

/// Returns the upper 32 bits.
#[inline(always)]
pub fn hi32(a: u64) -> u32 {
    (a >> 32) as u32
}

#[cfg(test)]
mod tests;
