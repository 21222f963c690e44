//! FP-04: infinities and NaN.

use super::arithmetic::{SM_10, SM_20, Target, apply};
use crate::machines::{CHIPS, Everywhere};
use crate::{Claim, Experiment, Runner, Shown};
use kernels::RunError;

pub static EXPERIMENTS: &[Experiment] = &[Experiment { id: "FP-04", show: special_numbers }];

/// A signaling NaN: the first bit of its mantissa is 0.
const SIGNALING: u32 = 0x7f80_0001;
/// First bit of the mantissa.
const QUIET: u32 = 0x0040_0000;
/// Value of the claim's `x`.
const X: f32 = 3.0;

/// The operations of the claim: text, operator, operands.
const OPERATIONS: [(&str, char, f32, f32); 5] = [
    ("0/0", '/', 0.0, 0.0),
    ("0*inf", '*', 0.0, f32::INFINITY),
    ("inf-inf", '-', f32::INFINITY, f32::INFINITY),
    ("1/0", '/', 1.0, 0.0),
    ("x/inf", '/', X, f32::INFINITY),
];

/// Returns the instruction of an operation for a target.
fn instruction(operation: char, target: Target) -> &'static str {
    match (operation, target.name) {
        ('*', _) => "mul.f32 %r, %a, %b;",
        ('-', _) => "sub.f32 %r, %a, %b;",
        ('+', _) => "add.f32 %r, %a, %b;",
        (_, "sm_20") => "div.rn.f32 %r, %a, %b;",
        _ => "div.approx.f32 %r, %a, %b;",
    }
}

/// Writes a number as the claim does.
fn in_words(bits: u32) -> String {
    let value = f32::from_bits(bits);
    if value.is_nan() { "NaN".to_owned() } else { value.to_string() }
}

/// Runs the claim's list of operations and compares their results; then runs each operation with
/// NaN as either operand.
fn special_numbers(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    let results = claim.list("results");
    let mut shown = Shown::new("each operation on every chip, timed and functional, for sm_10 and for sm_20");
    for (target, chips) in [(SM_10, &CHIPS[..]), (SM_20, &CHIPS[2..])] {
        for ((text, operation, a, b), result) in OPERATIONS.into_iter().zip(&results) {
            let ptx = instruction(operation, target);
            let found = Everywhere::run(chips, |machine| {
                Ok(apply(runner, machine, target, ptx, &[(a.to_bits(), b.to_bits())])?[0])
            })?;
            shown.find(
                found.exact(format!("{}, {text}", target.name), result.to_string(), |bits| in_words(*bits)),
            );
        }
        // Each NaN, quiet or signaling, as either operand of every operation. The kernel finishes,
        // so no operation traps.
        let nan = f32::NAN.to_bits();
        let pairs: Vec<(u32, u32)> = [nan, SIGNALING]
            .into_iter()
            .flat_map(|nan| {
                [1.0_f32, 0.0, f32::INFINITY].map(|value| [(nan, value.to_bits()), (value.to_bits(), nan)])
            })
            .flatten()
            .collect();
        for operation in ['+', '-', '*', '/'] {
            let ptx = instruction(operation, target);
            let found = Everywhere::run(chips, |machine| {
                let words = apply(runner, machine, target, ptx, &pairs)?;
                let quiet = |word: u32| f32::from_bits(word).is_nan() && word & QUIET != 0;
                Ok(words.into_iter().filter(|word| quiet(*word)).count())
            })?;
            let what = format!(
                "{}, NaN on either side of {operation}, also a signaling one: quiet NaNs",
                target.name
            );
            shown.find(found.exact(what, pairs.len(), |count| *count));
        }
    }
    shown.because(
        "Every kernel finished: no operation traps, and a NaN propagates through all later operations.",
    );
    Ok(shown)
}
