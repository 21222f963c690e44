//! Draws random cases and holds them to a property.

use crate::check::Checked;
use crate::generate::Case;
use proptest::strategy::Strategy;
use proptest::test_runner::{Config, TestCaseError, TestRng, TestRunner};
use std::cell::Cell;

/// Whether the cases are the same in every run or new ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Draw {
    /// The same.
    Same,
    /// New ones.
    New,
}

/// Runs `property` over `count` of `cases`.
///
/// # Panics
/// With the smallest case that breaks the property, if one does.
pub fn hold(
    cases: &impl Strategy<Value = Case>,
    draw: Draw,
    count: u32,
    property: impl Fn(&Case) -> Checked,
) {
    let config =
        Config { cases: count, max_shrink_iters: 4_000, failure_persistence: None, ..Config::default() };
    let mut runner = match draw {
        Draw::Same => {
            let rng = TestRng::deterministic_rng(config.rng_algorithm);
            TestRunner::new_with_rng(config, rng)
        }
        Draw::New => TestRunner::new(config),
    };
    let told = Cell::new(false);
    let result = runner.run(cases, |case| {
        property(&case).map_err(|e| {
            // Shrinking may take long: what it begins with is told before.
            if !told.replace(true) {
                eprintln!("broken by a case that is now being shrunk: {e}\n{case:#?}");
            }
            TestCaseError::fail(e)
        })
    });
    if let Err(e) = result {
        panic!("{e}");
    }
}
