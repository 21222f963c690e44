//! FP-02: numbers below the smallest normal one.

use super::arithmetic::{SM_10, SM_13, SM_20, Target, apply};
use crate::machines::{CHIPS, Everywhere};
use crate::{Claim, Experiment, Runner, Shown};
use kernels::RunError;

pub static EXPERIMENTS: &[Experiment] = &[Experiment { id: "FP-02", show: subnormal_numbers }];

/// Bits of the smallest positive single-precision number.
const TINY: u32 = 0x0000_0001;
/// One half.
const HALF: u32 = 0x3f00_0000;
/// The smallest normal number.
const NORMAL: u32 = 0x0080_0000;

/// An operation on subnormal operands, or with a subnormal result.
struct Case {
    name: &'static str,
    operands: (u32, u32),
    /// Result if subnormal numbers are kept. If they are flushed, the result is 0.
    kept: u32,
}

const CASES: [Case; 3] = [
    Case { name: "add", operands: (TINY, TINY), kept: 2 * TINY },
    Case { name: "mul", operands: (NORMAL, HALF), kept: NORMAL / 2 },
    Case { name: "max", operands: (TINY, 0), kept: TINY },
];

/// Adds two double-precision numbers whose low words are the operands and whose high words are 0.
/// The result is the low word of the sum.
const DOUBLE: &str = "{ .reg .f64 %x, %y; .reg .b32 %zero, %high; mov.b32 %zero, 0; mov.b64 %x, {%a, %zero}; \
    mov.b64 %y, {%b, %zero}; add.f64 %x, %x, %y; mov.b64 {%r, %high}, %x; }";

/// Returns the chips that run modules for a target.
fn chips_of(target: Target) -> &'static [&'static str] {
    if target.name == SM_20.name { &CHIPS[2..] } else { &CHIPS }
}

/// The module's target and `.ftz` decide; the chip does not.
fn subnormal_numbers(runner: &Runner, claim: &Claim) -> Result<Shown, RunError> {
    let generations = claim.numbers(["flushing", "keeping"]);
    let [flushing, keeping] = generations.map(|major| if major < 2.0 { SM_10 } else { SM_20 });
    let mut shown =
        Shown::new("sums, products and maxima of subnormal numbers on every chip, timed and functional");
    let ways = [
        (flushing, "", false, chips_of(flushing)),
        (keeping, "", true, chips_of(keeping)),
        (keeping, ".ftz", false, chips_of(keeping)),
    ];
    for (target, ending, kept, chips) in ways {
        for case in &CASES {
            let instruction = format!("{}{ending}.f32", case.name);
            let operation = format!("{instruction} %r, %a, %b;");
            let found = Everywhere::run(chips, |machine| {
                Ok(apply(runner, machine, target, &operation, &[case.operands])?[0])
            })?;
            let (a, b) = case.operands;
            let what = format!("{}, {instruction} of {a:#x} and {b:#x}", target.name);
            let expected = if kept { case.kept } else { 0 };
            shown.find(found.exact(what, format!("{expected:#x}"), |bits| format!("{bits:#x}")));
        }
    }
    let found = Everywhere::run(&CHIPS[1..], |machine| {
        Ok(apply(runner, machine, SM_13, DOUBLE, &[(TINY, 2 * TINY)])?[0])
    })?;
    let what = "sm_13, add.f64 of the smallest number and its double: low word";
    shown.find(found.exact(what, format!("{:#x}", 3 * TINY), |bits| format!("{bits:#x}")));
    shown.because(format!(
        "The module's target decides: {} flushes subnormal numbers also on Fermi, {} keeps them unless the \
         instruction has `.ftz`.",
        flushing.name, keeping.name
    ));
    Ok(shown)
}
