//! Named values of a plan: formulas, and functions of lists.

use super::scope::Scope;
use crate::text::Value;
use kernels::RunError;
use kernels::numbers::whole;
use serde::Deserialize;

/// The formula of a named value.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Named {
    /// Of one number.
    One(String),
    /// Of a list: variable, number of its values 0, 1 and so on, and formula. The list does not
    /// have values that are no numbers.
    Each(String, String, String),
    /// A function of formulas and lists, whose names are templates.
    Made(String, Vec<String>),
}

impl Named {
    /// Returns the value.
    ///
    /// # Errors
    /// A formula is invalid, or there is no such function.
    pub fn value(&self, scope: &Scope<'_>) -> Result<Value, RunError> {
        match self {
            Self::One(formula) => Ok(Value::One(scope.number(formula)?)),
            Self::Each(over, count, formula) => {
                let mut all = scope.each(over, formula, scope.number(count)? as usize)?;
                all.retain(|value| !value.is_nan());
                Ok(Value::List(all))
            }
            Self::Made(function, arguments) => made(scope, function, arguments),
        }
    }
}

/// Returns the value of a function:
///
/// - `wholes(stream, count, least, most)`: pseudorandom whole numbers
/// - `floats(stream, count, least, most, signed)`: single-precision numbers with random mantissas,
///   exponents from `least` to `most` and, if `signed`, signs
/// - `singles(list)`: the list, rounded to single precision
/// - `sorted(list, length)`: the list, each part of this length in ascending order
/// - `ulps(found, exact)`: distances of single-precision numbers from exact ones in units in the
///   last place
/// - `least(list)`, `most(list)`: its smallest and its largest number; not a number counts as
///   infinite
fn made(scope: &Scope<'_>, function: &str, arguments: &[String]) -> Result<Value, RunError> {
    let arguments = &arguments.iter().map(|argument| scope.text(argument)).collect::<Result<Vec<_>, _>>()?;
    let numbers = || arguments.iter().map(|formula| scope.number(formula)).collect::<Result<Vec<_>, _>>();
    let list = |at: usize| {
        arguments.get(at).map_or(Ok(Vec::new()), |name| scope.numbers(std::slice::from_ref(name)))
    };
    let bounds = |all: Vec<f64>, start, pick: fn(f64, f64) -> f64| {
        Value::One(
            all.into_iter().map(|one| if one.is_nan() { f64::INFINITY } else { one }).fold(start, pick),
        )
    };
    Ok(match function {
        "wholes" | "floats" => {
            let numbers = numbers()?;
            let [stream, count, least, most, ..] = numbers[..] else { return Err(unknown(function)) };
            let (stream, least, most) = (stream as u64, least as i32, most as i32);
            let signed = numbers.get(4).is_some_and(|signed| *signed != 0.0);
            let one = |i: u64| match function {
                "wholes" => f64::from(whole(stream, i, least, most)),
                _ => float(stream, i, [least, most], signed).into(),
            };
            Value::List((0..count as u64).map(one).collect())
        }
        "singles" => Value::List(list(0)?.into_iter().map(|value| f64::from(value as f32)).collect()),
        "sorted" => {
            let (mut all, length) = (list(0)?, list(1)?);
            let length = length.first().map_or(all.len(), |length| *length as usize);
            all.chunks_mut(length.max(1)).for_each(|part| part.sort_by(f64::total_cmp));
            Value::List(all)
        }
        "ulps" => {
            Value::List(list(0)?.into_iter().zip(list(1)?).map(|(found, exact)| ulps(found, exact)).collect())
        }
        "least" => bounds(list(0)?, f64::INFINITY, f64::min),
        "most" => bounds(list(0)?, f64::NEG_INFINITY, f64::max),
        _ => return Err(unknown(function)),
    })
}

fn unknown(function: &str) -> RunError {
    RunError::Wrong(format!("no function `{function}` has these arguments"))
}

/// Returns a number with a random mantissa, exponent and sign. The streams after the first have the
/// exponents and signs.
fn float(stream: u64, index: u64, [least, most]: [i32; 2], signed: bool) -> f32 {
    let mantissa = whole(stream, index, 0, (1 << 23) - 1) as u32;
    let exponent = (127 + whole(stream + 1, index, least, most)) as u32;
    let sign = if signed { whole(stream + 2, index, 0, 1) as u32 } else { 0 };
    f32::from_bits(sign << 31 | exponent << 23 | mantissa)
}

/// Returns the distance from `exact` in single-precision ulp at that value.
fn ulps(found: f64, exact: f64) -> f64 {
    let exponent = (exact.to_bits() >> 52 & 0x7ff) as i32 - 1023;
    let unit = 2.0_f64.powi(exponent - 23);
    if exact == 0.0 { found.abs() } else { (found - exact).abs() / unit }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::float_cmp, reason = "powers of two")]
    fn errors_are_measured_in_ulp() {
        let epsilon = f64::from(f32::EPSILON);
        assert_eq!(ulps(1.0, 1.0), 0.0);
        assert_eq!(ulps(1.0 + epsilon, 1.0), 1.0);
        assert_eq!(ulps(3.0, 3.0 + epsilon), 0.5);
        assert!(ulps(f64::NAN, 1.0).is_nan());
    }
}
