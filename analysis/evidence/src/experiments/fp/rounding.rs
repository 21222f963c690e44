//! FP-03: errors of results in units in the last place (ulp).

use super::arithmetic::{SM_10, SM_20, apply};
use crate::machines::{CHIPS, Everywhere};
use crate::{Claim, Experiment, Runner, Shown};
use kernels::RunError;
use kernels::numbers::whole;

pub static EXPERIMENTS: &[Experiment] = &[Experiment { id: "FP-03", show: errors_in_last_places }];

/// An operation and its exact value.
struct Operation {
    name: &'static str,
    ptx: &'static str,
    /// Exact value in double precision: exact for sums and products of these operands, otherwise
    /// within 2^-29 ulp.
    exact: fn(f64, f64) -> f64,
    /// Value that the host rounds to nearest, for operations that must round correctly.
    rounded: Option<fn(f32, f32) -> f32>,
}

const OPERATIONS: [Operation; 4] = [
    Operation { name: "add", ptx: "add.f32 %r, %a, %b;", exact: |a, b| a + b, rounded: Some(|a, b| a + b) },
    Operation {
        name: "multiply",
        ptx: "mul.f32 %r, %a, %b;",
        exact: |a, b| a * b,
        rounded: Some(|a, b| a * b),
    },
    Operation {
        name: "approximate divide",
        ptx: "div.approx.f32 %r, %a, %b;",
        exact: |a, b| a / b,
        rounded: None,
    },
    Operation {
        name: "approximate reciprocal",
        ptx: "rcp.approx.f32 %r, %a;",
        exact: |a, _| 1.0 / a,
        rounded: None,
    },
];

/// Returns an operand with random mantissa and sign and an exponent from -12 to 12. No result
/// leaves the range of normal numbers, and no sum needs more than the 53 bits of double precision.
fn operand(stream: u64, index: u64) -> f32 {
    let mantissa = whole(stream, index, 0, (1 << 23) - 1) as u32;
    let exponent = (127 + whole(stream + 1, index, -12, 12)) as u32;
    let sign = whole(stream + 2, index, 0, 1) as u32;
    f32::from_bits(sign << 31 | exponent << 23 | mantissa)
}

/// Returns the distance from `exact` in single-precision ulp at that value.
fn in_last_places(got: f32, exact: f64) -> f64 {
    let exponent = (exact.to_bits() >> 52 & 0x7ff) as i32 - 1023;
    let unit = 2.0_f64.powi(exponent - 23);
    if exact == 0.0 { f64::from(got).abs() } else { (f64::from(got) - exact).abs() / unit }
}

fn errors_in_last_places(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    let [nearest] = claim.numbers(["nearest"]);
    let [approximate] = claim.numbers(["approximate"]);
    let samples = runner.by_size(1_u64 << 14, 1 << 20);
    let pairs: Vec<(f32, f32)> = (0..samples).map(|i| (operand(71, i), operand(74, i))).collect();
    let operands: Vec<(u32, u32)> = pairs.iter().map(|(a, b)| (a.to_bits(), b.to_bits())).collect();
    let mut shown =
        Shown::new(format!("{samples} random pairs of operands on every chip, timed and functional"));
    for (target, chips) in [(SM_10, &CHIPS[..]), (SM_20, &CHIPS[2..])] {
        for operation in &OPERATIONS {
            let found = Everywhere::run(chips, |machine| {
                let results = apply(runner, machine, target, operation.ptx, &operands)?;
                let pairs = pairs.iter().zip(results.into_iter().map(f32::from_bits));
                let (mut largest, mut wrong) = (0.0_f64, 0);
                for ((a, b), got) in pairs {
                    let error = in_last_places(got, (operation.exact)((*a).into(), (*b).into()));
                    largest = if error.is_nan() { f64::INFINITY } else { largest.max(error) };
                    wrong += operation.rounded.is_some_and(|f| f(*a, *b).to_bits() != got.to_bits()) as u64;
                }
                Ok((largest, wrong))
            })?;
            let what = format!("{}, {}", target.name, operation.name);
            let bound = if operation.rounded.is_some() { nearest } else { approximate };
            let largest = found.iter().map(|(_, (error, _))| *error).fold(0.0, f64::max);
            shown.find(crate::Finding::shape(
                format!("{what}: largest error"),
                format!("at most {bound} ulp"),
                format!("{largest:.6} ulp in {samples} results"),
                largest <= bound,
            ));
            if operation.rounded.is_some() {
                let what = format!("{what}: results that are not correctly rounded");
                shown.find(found.exact(what, 0, |(_, wrong)| *wrong));
            }
        }
    }
    shown.because(
        "Sums and products are rounded once, to nearest. Of the silicon's approximations only the error bounds are \
         published; the simulator computes the value with 53 bits \
         and rounds it once, so its error is well below those bounds.",
    );
    Ok(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::float_cmp, reason = "powers of two")]
    fn errors_are_measured_in_ulp() {
        assert_eq!(in_last_places(1.0, 1.0), 0.0);
        assert_eq!(in_last_places(1.0 + f32::EPSILON, 1.0), 1.0);
        assert_eq!(in_last_places(3.0, 3.0 + f64::from(f32::EPSILON)), 0.5);
        assert!(in_last_places(f32::NAN, 1.0).is_nan());
    }
}
