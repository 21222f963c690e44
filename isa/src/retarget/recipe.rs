//! Instructions of Fermi as several older ones, for every compiler: [`retarget`](crate::retarget)
//! makes PTX of them, a compiler of another language its own operations.

/// An operation on words of 32 bits. Shifts by 32 or more leave zeros.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Sum modulo 2^32.
    Add,
    /// Difference modulo 2^32.
    Sub,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Shift to the left.
    Shl,
    /// Shift to the right that inserts zeros.
    Shr,
    /// The smaller unsigned number.
    Min,
}

/// A place for instructions.
pub trait Emit {
    /// An operand: a register or a number.
    type Value: Clone;

    /// Returns a new register of 32 bits.
    fn word(&mut self) -> Self::Value;

    /// Returns a number.
    fn number(&mut self, value: u32) -> Self::Value;

    /// Appends an instruction that writes `to`.
    fn operation(&mut self, operation: Operation, to: &mut Self::Value, a: &Self::Value, b: &Self::Value);

    /// Appends an instruction that writes the bits of the f32 of an unsigned number, rounded toward
    /// zero.
    fn rounded(&mut self, to: &mut Self::Value, of: &Self::Value);
}

/// Appends an instruction that replaces the value of `word`.
fn update<E: Emit>(to: &mut E, operation: Operation, word: &mut E::Value, b: &E::Value) {
    let old = word.clone();
    to.operation(operation, word, &old, b);
}

/// Number of ones of `of`: sums of pairs, of groups of four, and so on. A product would add the
/// bytes in one instruction, but chips of 1.x have no product of 32 bits.
pub fn ones<E: Emit>(to: &mut E, of: &E::Value) -> E::Value {
    use Operation::{Add, And, Shr, Sub};
    let (mut sum, mut part) = (to.word(), to.word());
    let [pairs, fours, eights, all] =
        [0x5555_5555, 0x3333_3333, 0x0f0f_0f0f, 63].map(|value| to.number(value));
    let [one, two, four, eight, half] = [1, 2, 4, 8, 16].map(|value| to.number(value));
    to.operation(Shr, &mut part, of, &one);
    update(to, And, &mut part, &pairs);
    to.operation(Sub, &mut sum, of, &part);
    to.operation(Shr, &mut part, &sum, &two);
    update(to, And, &mut part, &fours);
    update(to, And, &mut sum, &fours);
    update(to, Add, &mut sum, &part);
    to.operation(Shr, &mut part, &sum, &four);
    update(to, Add, &mut sum, &part);
    update(to, And, &mut sum, &eights);
    for distance in [&half, &eight] {
        to.operation(Shr, &mut part, &sum, distance);
        update(to, Add, &mut sum, &part);
    }
    update(to, And, &mut sum, &all);
    sum
}

/// Number of leading zeros of `of`: the exponent of the number, rounded toward zero, says which is
/// its highest bit. The exponent of 0 is 0, so the difference is above 32.
pub fn leading_zeros<E: Emit>(to: &mut E, of: &E::Value) -> E::Value {
    const LARGEST_EXPONENT: u32 = 127 + 31;
    let (mut float, mut exponent, mut count) = (to.word(), to.word(), to.word());
    let [mantissa, largest, most] = [23, LARGEST_EXPONENT, 32].map(|value| to.number(value));
    to.rounded(&mut float, of);
    to.operation(Operation::Shr, &mut exponent, &float, &mantissa);
    to.operation(Operation::Sub, &mut count, &largest, &exponent);
    update(to, Operation::Min, &mut count, &most);
    count
}

/// The bits of `of` in reverse order.
pub fn reversed<E: Emit>(to: &mut E, of: &E::Value) -> E::Value {
    use Operation::{And, Or, Shl, Shr};
    let (mut all, mut part) = (to.word(), to.word());
    let mut from = of.clone();
    for (distance, mask) in [(1, 0x5555_5555), (2, 0x3333_3333), (4, 0x0f0f_0f0f), (8, 0x00ff_00ff)] {
        let (distance, mask) = (to.number(distance), to.number(mask));
        to.operation(Shr, &mut part, &from, &distance);
        update(to, And, &mut part, &mask);
        to.operation(And, &mut all, &from, &mask);
        update(to, Shl, &mut all, &distance);
        update(to, Or, &mut all, &part);
        from = all.clone();
    }
    let half = to.number(16);
    to.operation(Shr, &mut part, &from, &half);
    to.operation(Shl, &mut all, &from, &half);
    update(to, Or, &mut all, &part);
    all
}
