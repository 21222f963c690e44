//! An L1 keeps the guarantees that the threads of a block rely on. Random programs, whose threads
//! communicate through lines that are being filled, run on random chips with an L1. They must
//! notice a mutant of the simulator whose stores do not poison a fill.

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use sim_core::hooks::Mutant;
use warpsim_check::Counterexample;
use warpsim_check::example::reduce::reduce;
use warpsim_check::example::{Example, Failure};
use warpsim_tests::lines::{LineCase, lines, timed_is_functional};

/// Number of cases of each test.
const CASES: u32 = 128;

fn cases(count: u32, mut runner: TestRunner) -> impl Iterator<Item = LineCase> {
    (0..count).map(move |_| lines().new_tree(&mut runner).expect("nothing is rejected").current())
}

/// Threads of a block load the values that other threads of the block store to one line, with any
/// timing of the L1.
///
/// Tests: `stores-poison-fills`.
#[test]
fn threads_communicate_through_lines() {
    for case in cases(CASES, TestRunner::deterministic()) {
        assert_eq!(case.timed_is_functional(None), Ok(()), "{case:#?}\n{}", case.text());
    }
}

/// The same as [`threads_communicate_through_lines`], with more cases.
#[test]
#[ignore = "minutes"]
fn threads_communicate_through_lines_at_length() {
    for case in cases(10_000, TestRunner::default()) {
        assert_eq!(case.timed_is_functional(None), Ok(()), "{case:#?}\n{}", case.text());
    }
}

/// A fill that a store does not poison is noticed.
///
/// Tests: `stores-poison-fills`.
#[test]
fn a_fill_that_is_not_poisoned_is_noticed() {
    let broken = |case: &LineCase| case.timed_is_functional(Some(Mutant::FillNotPoisoned)).is_err();
    let noticed = cases(CASES, TestRunner::deterministic()).filter(broken).count();
    assert!(noticed > CASES as usize / 20, "by {noticed} of {CASES} cases");
}

/// Such a fill has a small counterexample, whose folder replays it.
#[test]
fn a_fill_that_is_not_poisoned_has_a_small_counterexample() {
    let test = |example: &Example| {
        let result = timed_is_functional(example, Some(Mutant::FillNotPoisoned));
        if timed_is_functional(example, None).is_ok() { result } else { Ok(()) }
    };
    let broken = |example: &Example| match test(example) {
        Err(Failure::Broken(violation)) => Some(*violation),
        Ok(()) | Err(Failure::Invalid(_)) => None,
    };
    let all = (1..).zip(cases(CASES, TestRunner::deterministic()));
    let found =
        all.map(|(case, drawn)| (case, drawn.example())).find(|(_, example)| broken(example).is_some());
    let (case, example) = found.expect("it is noticed");
    let example = reduce(example, |example| broken(example).is_some());
    let violation = broken(&example).expect("what is small is broken");
    let found = Counterexample { case, example, violation };
    println!("case {case}, {} instructions\n{found}", found.example.instructions());
    assert!(found.example.instructions() <= 20, "{found}");
    let folder = concat!(env!("CARGO_TARGET_TMPDIR"), "/lines");
    found.replays(folder.as_ref(), test).expect("the folder replays it");
}
