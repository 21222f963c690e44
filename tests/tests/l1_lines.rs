//! Does an L1 keep what a block promises its threads? Random programs whose threads talk through
//! lines that are being filled, on random chips with an L1; and the broken engine whose stores do
//! not poison a fill, which they must notice.

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use sim_core::hooks::Mutant;
use warpsim_tests::lines::{LineCase, lines};

/// Cases of each test.
const CASES: u32 = 128;

fn cases(count: u32, mut runner: TestRunner) -> impl Iterator<Item = LineCase> {
    (0..count).map(move |_| lines().new_tree(&mut runner).expect("nothing is rejected").current())
}

/// What the threads of a block tell each other through one line arrives, whatever the L1's timing.
///
/// Tests: `stores-poison-fills`.
#[test]
fn blocks_talk_through_lines() {
    for case in cases(CASES, TestRunner::deterministic()) {
        assert_eq!(case.timed_is_functional(None), Ok(()), "{case:#?}\n{}", case.text());
    }
}

/// As [`blocks_talk_through_lines`], for longer.
#[test]
#[ignore = "minutes"]
fn blocks_talk_through_lines_at_length() {
    for case in cases(10_000, TestRunner::default()) {
        assert_eq!(case.timed_is_functional(None), Ok(()), "{case:#?}\n{}", case.text());
    }
}

/// A fill that is not poisoned by a store is noticed.
///
/// Tests: `stores-poison-fills`.
#[test]
fn a_fill_that_is_not_poisoned_is_noticed() {
    let broken = |case: &LineCase| case.timed_is_functional(Some(Mutant::FillNotPoisoned)).is_err();
    let noticed = cases(CASES, TestRunner::deterministic()).filter(broken).count();
    assert!(noticed > CASES as usize / 20, "by {noticed} of {CASES} cases");
}
