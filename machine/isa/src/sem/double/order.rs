//! Comparison, minimum and maximum, and sign changes.

use super::{QUIET, SIGN, is_nan};

/// `neg.f64`; a NaN keeps its sign.
#[inline(always)]
pub fn neg(a: u64) -> u64 {
    if is_nan(a) { a | QUIET } else { a ^ SIGN }
}

/// `abs.f64`; a NaN keeps its sign.
#[inline(always)]
pub fn abs(a: u64) -> u64 {
    if is_nan(a) { a | QUIET } else { a & !SIGN }
}

/// Returns the operand that is a number if only one is; otherwise `both`, or a NaN if both are
/// NaNs.
#[inline(always)]
fn number_of(a: u64, b: u64, both: u64) -> u64 {
    let value = if is_nan(a) { b } else { both };
    let value = if is_nan(b) { a } else { value };
    if is_nan(a) & is_nan(b) { b | QUIET } else { value }
}

/// `min.f64`: if one operand is NaN, returns the other one; -0 is less than +0.
#[inline(always)]
pub fn min(a: u64, b: u64) -> u64 {
    let unequal = if lt(a, b) { a } else { b };
    number_of(a, b, if eq(a, b) { a | b } else { unequal })
}

/// `max.f64`: if one operand is NaN, returns the other one; -0 is less than +0.
#[inline(always)]
pub fn max(a: u64, b: u64) -> u64 {
    let unequal = if gt(a, b) { a } else { b };
    number_of(a, b, if eq(a, b) { a & b } else { unequal })
}

/// `setp.eq.f64`: false for a NaN.
#[inline(always)]
pub fn eq(a: u64, b: u64) -> bool {
    f64::from_bits(a) == f64::from_bits(b)
}

/// `setp.ne.f64`: false for a NaN, unlike `!=` of the host.
#[inline(always)]
#[expect(clippy::needless_bitwise_bool, reason = "there is no branch, so that lane loops vectorize")]
pub fn ne(a: u64, b: u64) -> bool {
    let (a, b) = (f64::from_bits(a), f64::from_bits(b));
    (a < b) | (a > b)
}

/// `setp.lt.f64`: false for a NaN.
#[inline(always)]
pub fn lt(a: u64, b: u64) -> bool {
    f64::from_bits(a) < f64::from_bits(b)
}

/// `setp.le.f64`: false for a NaN.
#[inline(always)]
pub fn le(a: u64, b: u64) -> bool {
    f64::from_bits(a) <= f64::from_bits(b)
}

/// `setp.gt.f64`: false for a NaN.
#[inline(always)]
pub fn gt(a: u64, b: u64) -> bool {
    f64::from_bits(a) > f64::from_bits(b)
}

/// `setp.ge.f64`: false for a NaN.
#[inline(always)]
pub fn ge(a: u64, b: u64) -> bool {
    f64::from_bits(a) >= f64::from_bits(b)
}

#[cfg(test)]
mod tests {
    use super::super::INFINITY;
    use super::*;

    const ONE: u64 = 0x3ff0_0000_0000_0000;

    #[test]
    fn zeros_and_infinities_have_an_order() {
        let ordered = [INFINITY | SIGN, ONE | SIGN, 1 | SIGN, SIGN, 0, 1, ONE, INFINITY];
        for (i, a) in ordered.iter().enumerate() {
            for (j, b) in ordered.iter().enumerate() {
                assert_eq!([min(*a, *b), max(*a, *b)], [ordered[i.min(j)], ordered[i.max(j)]]);
                let equal = i == j || [i, j] == [3, 4] || [i, j] == [4, 3];
                assert_eq!([eq(*a, *b), ne(*a, *b)], [equal, !equal]);
                assert_eq!([lt(*a, *b), ge(*a, *b)], [i < j && !equal, i >= j || equal]);
                assert_eq!([gt(*a, *b), le(*a, *b)], [i > j && !equal, i <= j || equal]);
            }
        }
    }

    #[test]
    fn a_nan_loses_against_a_number_and_keeps_its_bits() {
        let (payload, loud) = (0xfff8_1234_5678_9abc, 0x7ff0_0000_0001_2345);
        assert_eq!([min(payload, ONE), min(ONE, loud), max(loud, SIGN)], [ONE, ONE, SIGN]);
        assert_eq!([min(0x7ff8_0000_0000_0000, payload), max(loud, payload)], [payload; 2]);
        assert_eq!([neg(payload), abs(payload), abs(loud)], [payload, payload, loud | QUIET]);
        assert_eq!([neg(ONE), abs(SIGN), neg(0)], [ONE | SIGN, 0, SIGN]);
        for b in [payload, ONE] {
            let results =
                [eq(payload, b), ne(payload, b), lt(payload, b), le(b, loud), gt(b, loud), ge(loud, b)];
            assert_eq!(results, [false; 6]);
        }
    }
}
