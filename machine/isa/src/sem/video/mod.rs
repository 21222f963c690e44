//! Scalar video instructions (`sm_20`): sums, differences, orders, shifts, comparisons and products
//! of bytes, halves or words, with saturation and a second operation or a merge into an operand.
//!
//! The meaning is that of the PTX manual ("Video Instructions"). A source is extended to 33 bits,
//! and the first operation has a result of 34 bits. `vmad` computes in 128 bits.
//!
//! Invariant `video-instructions`: Video instructions compute what the manual defines. Where the
//! recorded results of a GPU without a video unit differ, the difference is listed and checked.

mod modifiers;
#[cfg(test)]
mod tests;

pub use modifiers::{Relation, Second, Selector, Video};

/// Returns the lowest `bits` bits of a value, sign-extended.
fn sign_extended(value: i64, bits: u32) -> i64 {
    value << (64 - bits) >> (64 - bits)
}

/// Returns a word as a number of 33 bits.
fn extended(word: u32, signed: bool) -> i64 {
    if signed { i64::from(word.cast_signed()) } else { i64::from(word) }
}

impl Selector {
    /// Returns the selected part of a word, extended by its type.
    fn of(self, word: u32, signed: bool) -> i64 {
        let (shift, bits) = self.place();
        let part = i64::from(word) >> shift;
        if signed { sign_extended(part, bits) } else { part & ((1 << bits) - 1) }
    }

    /// Returns `into` with the part replaced by the lowest bits of `value`.
    fn merged(self, value: u32, into: u32) -> u32 {
        let (shift, bits) = self.place();
        let part = (u32::MAX >> (32 - bits)) << shift;
        into & !part | value << shift & part
    }
}

/// Returns the result of an instruction whose first operation has the result `first`.
fn finished(first: i64, c: u32, video: &Video) -> u32 {
    let mut value = sign_extended(first, 34);
    let (_, bits) = video.into.place();
    if video.saturates {
        let (least, most) =
            if video.is_signed { (-1 << (bits - 1), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) };
        value = value.clamp(least, most);
    }
    let third = extended(c, video.is_signed);
    let value = match video.second {
        None => return video.into.merged(value as u32, c),
        Some(Second::Add) => value + third,
        Some(Second::Min) => value.min(third),
        Some(Second::Max) => value.max(third),
    };
    value as u32
}

/// Returns the selected parts of the first two operands.
fn parts(a: u32, b: u32, video: &Video) -> (i64, i64) {
    (video.a.of(a, video.a_is_signed), video.b.of(b, video.b_is_signed))
}

/// Returns a + b, finished as the modifiers say.
#[inline]
pub fn add(a: u32, b: u32, c: u32, video: &Video) -> u32 {
    let (a, b) = parts(a, b, video);
    finished(a + b, c, video)
}

/// Returns a - b, finished as the modifiers say.
#[inline]
pub fn sub(a: u32, b: u32, c: u32, video: &Video) -> u32 {
    let (a, b) = parts(a, b, video);
    finished(a - b, c, video)
}

/// Returns |a - b|, finished as the modifiers say.
#[inline]
pub fn abs_diff(a: u32, b: u32, c: u32, video: &Video) -> u32 {
    let (a, b) = parts(a, b, video);
    finished((a - b).abs(), c, video)
}

/// Returns the smaller of a and b, finished as the modifiers say.
#[inline]
pub fn min(a: u32, b: u32, c: u32, video: &Video) -> u32 {
    let (a, b) = parts(a, b, video);
    finished(a.min(b), c, video)
}

/// Returns the larger of a and b, finished as the modifiers say.
#[inline]
pub fn max(a: u32, b: u32, c: u32, video: &Video) -> u32 {
    let (a, b) = parts(a, b, video);
    finished(a.max(b), c, video)
}

/// Returns the distance of a shift, an unsigned number: modulo 32, or at most 32.
fn distance(b: i64, video: &Video) -> i64 {
    let b = i64::from(b as u32);
    if video.wraps { b & 31 } else { b.min(32) }
}

/// Returns a shifted left by b, finished as the modifiers say.
#[inline]
pub fn shl(a: u32, b: u32, c: u32, video: &Video) -> u32 {
    let (a, b) = parts(a, b, video);
    finished(a << distance(b, video), c, video)
}

/// Returns a shifted right by b, finished as the modifiers say.
#[inline]
pub fn shr(a: u32, b: u32, c: u32, video: &Video) -> u32 {
    let (a, b) = parts(a, b, video);
    finished(a >> distance(b, video), c, video)
}

/// Returns 1 if the comparison of a and b is true, otherwise 0, finished as the modifiers say.
#[inline]
pub fn set(a: u32, b: u32, c: u32, video: &Video) -> u32 {
    let (a, b) = parts(a, b, video);
    let is_true = match video.relation {
        Relation::Eq => a == b,
        Relation::Ne => a != b,
        Relation::Lt => a < b,
        Relation::Le => a <= b,
        Relation::Gt => a > b,
        Relation::Ge => a >= b,
    };
    finished(i64::from(is_true), c, video)
}

/// Returns a × b + c with the negations, the added one, the shift and the saturation of the
/// modifiers. The sum is signed if a factor is signed or anything is negated.
#[inline]
pub fn mad(a: u32, b: u32, c: u32, video: &Video) -> u32 {
    let (a, b) = parts(a, b, video);
    let is_signed = video.a_is_signed || video.b_is_signed || video.negates_product || video.negates_third;
    let product = i128::from(a) * i128::from(b);
    let product = if video.negates_product { -product } else { product };
    // A negated addend is complemented in 32 bits before it is extended; the one is added to the
    // sum.
    let third = if video.negates_third { !c } else { c };
    let one = video.adds_one || video.negates_third;
    let sum = product + i128::from(extended(third, is_signed)) + i128::from(one);
    let sum = sum >> video.shift;
    if !video.saturates {
        return sum as u32;
    }
    let (least, most) =
        if is_signed { (i32::MIN.into(), i32::MAX.into()) } else { (0, i128::from(u32::MAX)) };
    sum.clamp(least, most) as u32
}
