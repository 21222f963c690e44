//! Counts of bits and their order by the instructions of the first chips.

use super::Block;
use crate::ptx::ast::Operand;

/// Number of ones of `of`: sums of pairs, of groups of four, and so on. A product would add the
/// bytes in one instruction, but chips of 1.x have no product of 32 bits.
pub fn ones<'t>(to: &mut Block<'_, 't>, of: &Operand<'t>) -> Operand<'t> {
    let (sum, part) = (to.word(), to.word());
    let [pairs, fours, eights, all] =
        [0x5555_5555, 0x3333_3333, 0x0f0f_0f0f, 63].map(|value| to.number(value));
    let [one, two, four, eight, half] = [1, 2, 4, 8, 16].map(|value| to.number(value));
    to.op("shr.u32", [&part, of, &one]);
    to.op("and.b32", [&part, &part, &pairs]);
    to.op("sub.u32", [&sum, of, &part]);
    to.op("shr.u32", [&part, &sum, &two]);
    to.op("and.b32", [&part, &part, &fours]);
    to.op("and.b32", [&sum, &sum, &fours]);
    to.op("add.u32", [&sum, &sum, &part]);
    to.op("shr.u32", [&part, &sum, &four]);
    to.op("add.u32", [&sum, &sum, &part]);
    to.op("and.b32", [&sum, &sum, &eights]);
    for distance in [&half, &eight] {
        to.op("shr.u32", [&part, &sum, distance]);
        to.op("add.u32", [&sum, &sum, &part]);
    }
    to.op("and.b32", [&sum, &sum, &all]);
    sum
}

/// Number of leading zeros of `of`: the exponent of the number, rounded toward zero, says which is
/// its highest bit. The exponent of 0 is 0, so the difference is above 32.
pub fn leading_zeros<'t>(to: &mut Block<'_, 't>, of: &Operand<'t>) -> Operand<'t> {
    const LARGEST_EXPONENT: u64 = 127 + 31;
    let (float, exponent, count) = (to.word(), to.word(), to.word());
    let [mantissa, largest, most] = [23, LARGEST_EXPONENT, 32].map(|value| to.number(value));
    to.op("cvt.rz.f32.u32", [&float, of]);
    to.op("shr.u32", [&exponent, &float, &mantissa]);
    to.op("sub.u32", [&count, &largest, &exponent]);
    to.op("min.u32", [&count, &count, &most]);
    count
}

/// The bits of `of` in reverse order.
pub fn reversed<'t>(to: &mut Block<'_, 't>, of: &Operand<'t>) -> Operand<'t> {
    let (all, part) = (to.word(), to.word());
    let mut from = of.clone();
    for (distance, mask) in [(1, 0x5555_5555), (2, 0x3333_3333), (4, 0x0f0f_0f0f), (8, 0x00ff_00ff)] {
        let (distance, mask) = (to.number(distance), to.number(mask));
        to.op("shr.u32", [&part, &from, &distance]);
        to.op("and.b32", [&part, &part, &mask]);
        to.op("and.b32", [&all, &from, &mask]);
        to.op("shl.b32", [&all, &all, &distance]);
        to.op("or.b32", [&all, &all, &part]);
        from = all.clone();
    }
    let half = to.number(16);
    to.op("shr.u32", [&part, &from, &half]);
    to.op("shl.b32", [&all, &from, &half]);
    to.op("or.b32", [&all, &all, &part]);
    all
}
