//! Checks every floating-point micro-op of the micro-op table against `rustc_apfloat`, a port of
//! LLVM's software floating point: every rounding mode, subnormals kept and flushed, with and
//! without saturation, on operands at the boundaries of the formats.
//!
//! The expected operation is derived from the micro-op's text ([`spec`]), so that a new row is
//! tested without changes here. A micro-op that the oracle does not support must be listed in
//! [`WITHOUT`] with the reason.

mod operands;
mod oracle;
mod rows;
mod spec;

use operands::{Operands, operands};
use oracle::Oracle;
use proptest::prelude::*;
use rows::{Apply, ROWS, RoundingRow};
use spec::Spec;

/// Floating-point micro-ops that the oracle does not test, with the tests that do.
const WITHOUT: [(&str, &str); 13] = [
    ("tex.", "a memory access; the tests of textures in sim-core compare it with a recording"),
    ("div.approx", OF_SINGLES),
    ("div.full", OF_SINGLES),
    ("rcp.approx.f32", OF_SINGLES),
    ("rcp.approx.ftz.f32", OF_SINGLES),
    ("sqrt.approx", OF_SINGLES),
    ("rsqrt.approx", "an approximation: of f32 in sem::approx's tests, of f64 below"),
    ("sin.approx", OF_SINGLES),
    ("cos.approx", OF_SINGLES),
    ("lg2.approx", OF_SINGLES),
    ("ex2.approx", OF_SINGLES),
    ("cube.", "an approximation; the tests of sem::cube check its values"),
    ("rcp.approx.ftz.f64", "an approximation; a test below checks its error bound"),
];

const OF_SINGLES: &str = "an approximation; the tests of sem::approx check its error bound";

/// Whether a row is exempt from the oracle.
fn is_exempt(row: &RoundingRow) -> bool {
    WITHOUT.iter().any(|(begin, _)| row.text.starts_with(begin))
}

/// Returns the rows that the oracle supports, each with its specification.
fn known() -> impl Iterator<Item = (&'static str, Apply, Spec)> {
    ROWS.iter().filter(|row| row.is_float()).filter_map(|row| {
        let spec = Spec::read(row.text).filter(|spec| spec.shape() == row.shape)?;
        Some((row.text, row.apply?, spec))
    })
}

/// Every row is either tested by the oracle or exempt, and none is both.
///
/// Tests: `floating-point-rounding`.
#[test]
fn every_float_micro_op_has_an_oracle_or_a_reason() {
    let tested: Vec<&str> = known().map(|(text, ..)| text).collect();
    for row in ROWS.iter().filter(|row| row.is_float()) {
        assert_ne!(tested.contains(&row.text), is_exempt(row), "`{}`, {}", row.text, row.shape);
    }
    for (begin, reason) in WITHOUT {
        assert!(ROWS.iter().any(|row| row.text.starts_with(begin)), "no row begins with `{begin}`: {reason}");
    }
    assert!(tested.len() > 230, "only {} rows are tested", tested.len());
}

fn check(drawn: Operands) -> Result<(), String> {
    for (text, apply, spec) in known() {
        let sources = drawn.of(&spec);
        let got = apply(&sources);
        let held = Oracle::new(&spec, &sources).holds(got);
        held.map_err(|wanted| format!("`{text}` of {sources:x?} is {got:#x}, the oracle has {wanted}"))?;
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_096, failure_persistence: None, ..ProptestConfig::default() })]

    /// Tests: `floating-point-rounding`.
    #[test]
    fn every_float_micro_op_rounds_as_apfloat_does(drawn in operands()) {
        check(drawn).map_err(TestCaseError::fail)?;
    }

    /// The error of the double-precision approximations is within the bound.
    ///
    /// Tests: `floating-point-rounding`.
    #[test]
    fn approximations_of_doubles_are_within_the_bound(drawn in operands()) {
        use isa::sem::double::{div_rn, rcp_approx_ftz, rsqrt_approx, rsqrt_approx_ftz, sqrt_rn};
        let bits = drawn.doubles[0];
        let a = f64::from_bits(bits);
        let (root, near) = (rsqrt_approx(bits), div_rn(1.0f64.to_bits(), sqrt_rn(bits)));
        let nan = |bits: u64| f64::from_bits(bits).is_nan();
        prop_assert!(root.abs_diff(near) <= 1 || nan(root) && nan(near), "{:#x}: {:#x}", bits, root);
        let reciprocal = f64::from_bits(rcp_approx_ftz(bits));
        if a.is_normal() && reciprocal.is_normal() {
            prop_assert!((reciprocal * a - 1.0).abs() < 2f64.powi(-19), "{:#x}: {}", bits, reciprocal);
        }
        let upper = f64::from_bits(rsqrt_approx_ftz(bits));
        if a.is_normal() && a > 0.0 {
            let error = upper * a.sqrt() - 1.0;
            prop_assert!(error.abs() < 2f64.powi(-19), "{:#x}: {}", bits, upper);
        }
    }
}

/// As [`every_float_micro_op_rounds_as_apfloat_does`], with more cases.
#[test]
#[ignore = "minutes"]
fn every_float_micro_op_rounds_as_apfloat_does_at_length() {
    let config = ProptestConfig { cases: 200_000, failure_persistence: None, ..ProptestConfig::default() };
    let mut runner = proptest::test_runner::TestRunner::new(config);
    runner
        .run(&operands(), |drawn| check(drawn).map_err(TestCaseError::fail))
        .unwrap_or_else(|e| panic!("{e}"));
}

/// The oracle detects a wrong last bit for every micro-op.
///
/// Tests: `floating-point-rounding`.
#[test]
fn a_wrong_last_bit_is_detected() {
    let singles = [1.7f32, -1.3, 1.1].map(f32::to_bits);
    let doubles = [1.7f64, -1.3, 1.1].map(f64::to_bits);
    let drawn = Operands { singles, doubles, word: 0x7fff_3c01 };
    for (text, apply, spec) in known() {
        let sources = drawn.of(&spec);
        let oracle = Oracle::new(&spec, &sources);
        let got = apply(&sources);
        assert_eq!(oracle.holds(got), Ok(()), "`{text}`");
        assert!(oracle.holds(got ^ 1).is_err(), "`{text}` of {sources:x?}: {got:#x}");
    }
}
