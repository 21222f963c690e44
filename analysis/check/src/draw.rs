//! Draws random cases and checks a property on them.

use crate::generate::Case;
use proptest::strategy::Strategy;
use proptest::test_runner::{Config, TestCaseError, TestRng, TestRunner};
use std::cell::Cell;

/// `Ok`, or the violation as text.
pub type Checked = Result<(), String>;

/// Whether every run uses the same cases or new ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Draw {
    /// The same cases in every run.
    Same,
    /// New cases in every run.
    New,
}

impl Draw {
    /// Returns the test runner that draws `count` cases.
    pub(crate) fn runner(self, count: u32) -> TestRunner {
        let config =
            Config { cases: count, max_shrink_iters: 4_000, failure_persistence: None, ..Config::default() };
        match self {
            Self::Same => {
                let rng = TestRng::deterministic_rng(config.rng_algorithm);
                TestRunner::new_with_rng(config, rng)
            }
            Self::New => TestRunner::new(config),
        }
    }
}

/// Checks `property` on `count` of `cases`.
///
/// # Panics
/// With the smallest case that violates the property, if any.
pub fn for_all(
    cases: &impl Strategy<Value = Case>,
    draw: Draw,
    count: u32,
    property: impl Fn(&Case) -> Checked,
) {
    let mut runner = draw.runner(count);
    let printed = Cell::new(false);
    let result = runner.run(cases, |case| {
        property(&case).map_err(|e| {
            // Shrinking may take long, so the original case is printed first.
            if !printed.replace(true) {
                eprintln!("a case violates the property and is now being shrunk: {e}\n{case:#?}");
            }
            TestCaseError::fail(e)
        })
    });
    if let Err(e) = result {
        panic!("{e}");
    }
}
