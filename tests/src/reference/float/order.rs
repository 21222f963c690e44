//! Comparison, minimum and maximum.

use super::{Exact, Format, Number, Round};
use std::cmp::Ordering;

/// Compares two numbers; `None` if one is NaN.
pub fn compare(a: Number, b: Number) -> Option<Ordering> {
    match (a, b) {
        (Number::Infinite(a), Number::Infinite(b)) => Some(b.cmp(&a)),
        _ => match a.plus(b.negated(), Round::Nearest) {
            Number::Nan => None,
            Number::Finite(Exact { digits: 0, .. }) => Some(Ordering::Equal),
            Number::Infinite(negative) | Number::Finite(Exact { negative, .. }) => {
                Some(if negative { Ordering::Less } else { Ordering::Greater })
            }
        },
    }
}

/// Whether `a`, the first of two, is the smaller one, or with `greater` the larger one. A number is
/// preferred to NaN, and -0 is below +0; of two NaNs it is the second.
pub fn extreme(a: u64, b: u64, format: Format, flush: bool, greater: bool) -> bool {
    match compare(Number::of(a, format, flush), Number::of(b, format, flush)) {
        None => format.is_nan(b) && !format.is_nan(a),
        Some(order) => {
            let signs = (b & format.sign()).cmp(&(a & format.sign()));
            (order.then(signs) == Ordering::Greater) == greater
        }
    }
}
