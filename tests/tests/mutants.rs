//! Does the suite notice broken rules? Each named mutant of the engine must fail the property "timing changes no
//! result" within its default number of cases, and the unbroken engine must pass the very same cases.

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use sim_core::hooks::Mutant;
use std::panic::{AssertUnwindSafe, catch_unwind};
use warpsim_tests::check::{RESULT_CASES, timed_is_functional};
use warpsim_tests::generate::case::case;

/// How many of the default cases notice `mutant`; stops at `enough`. The cases are the same in every run.
fn noticed(mutant: Mutant, enough: u32) -> u32 {
    let mut runner = TestRunner::deterministic();
    let mut caught = 0;
    for _ in 0..RESULT_CASES {
        let case = case().new_tree(&mut runner).expect("the generator rejects nothing").current();
        // A broken engine may break its own invariants: a panic is noticed, too.
        let result = catch_unwind(AssertUnwindSafe(|| timed_is_functional(&case, Some(mutant))));
        if !matches!(result, Ok(Ok(()))) {
            assert_eq!(timed_is_functional(&case, None), Ok(()), "the unbroken engine on\n{case:?}");
            caught += 1;
        }
        if caught == enough {
            break;
        }
    }
    caught
}

/// The load/store unit that lets a younger access overtake is noticed.
#[test]
fn an_overtaking_load_store_unit_is_noticed() {
    assert_ne!(noticed(Mutant::LsuOvertakes, 1), 0);
}

/// A kernel that ends before its stores have arrived is noticed.
#[test]
fn a_kernel_that_does_not_drain_is_noticed() {
    assert_ne!(noticed(Mutant::NoDrain, 1), 0);
}

/// Instructions that do not wait for loads are noticed.
#[test]
fn a_scoreboard_that_ignores_loads_is_noticed() {
    assert_ne!(noticed(Mutant::ScoreboardIgnoresLoads, 1), 0);
}

/// Without a mutant none of these cases fails.
#[test]
fn the_unbroken_engine_passes_the_same_cases() {
    let mut runner = TestRunner::deterministic();
    for _ in 0..RESULT_CASES {
        let case = case().new_tree(&mut runner).expect("the generator rejects nothing").current();
        assert_eq!(timed_is_functional(&case, None), Ok(()), "{case:?}");
    }
}

/// How many cases notice each mutant, for judging the generator: `cargo test --test mutants -- --ignored --nocapture`.
#[test]
#[ignore = "prints numbers"]
fn how_well_each_is_noticed() {
    for mutant in [Mutant::LsuOvertakes, Mutant::NoDrain, Mutant::ScoreboardIgnoresLoads] {
        println!("{mutant:?}: noticed by {} of {RESULT_CASES} cases", noticed(mutant, u32::MAX));
    }
}
