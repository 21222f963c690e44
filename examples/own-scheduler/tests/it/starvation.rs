//! How a rule is refuted: youngest-first is held to "no starvation", and proptest has to find the
//! case that breaks it and to shrink it to the smallest one. The tests fail if it does not.

use super::alone::{self, Scene};
use super::machine;
use own_scheduler::{YoungestFirst, rules};
use proptest::strategy::Strategy;
use proptest::test_runner::{Config, TestCaseError, TestError, TestRng, TestRunner};
use warpsim_tests::generate::Case;
use warpsim_tests::generate::case::case;

/// The same cases in every run.
fn runner() -> TestRunner {
    let config =
        Config { cases: 64, max_shrink_iters: 4_000, failure_persistence: None, ..Config::default() };
    let rng = TestRng::deterministic_rng(config.rng_algorithm);
    TestRunner::new_with_rng(config, rng)
}

/// The smallest of `cases` that breaks `rule`, and the words of the rule.
fn counterexample<S: Strategy>(
    cases: &S,
    rule: impl Fn(&S::Value) -> Result<(), String>,
) -> (String, S::Value) {
    match runner().run(cases, |case| rule(&case).map_err(TestCaseError::fail)) {
        Err(TestError::Fail(words, case)) => (words.message().to_owned(), case),
        other => panic!("the rule should be broken: {other:?}"),
    }
}

/// Alone: two warps, both eligible three times, and the older never goes.
#[test]
fn proptest_finds_the_smallest_scene_in_which_youngest_first_starves() {
    let rule = |scene: &Scene| rules::no_starvation(&alone::record(&mut YoungestFirst, scene), 3);
    let (words, scene) = counterexample(&alone::scene(), rule);
    println!("{words}\n{scene:#?}");
    assert_eq!(scene, Scene { warps: 2, questions: vec![(0b11, 0); 3] });
    assert!(words.ends_with("Warp 0 in slot 0 was not, up to issue cycle 2"), "{words}");
}

/// In the machine: one block and a kernel of one statement, the fewest that the generator makes,
/// and few warps.
#[test]
fn proptest_finds_a_kernel_on_which_youngest_first_starves() {
    let rule = |case: &Case| {
        let schedulers = machine::record(case, |_, _| YoungestFirst)?;
        schedulers.iter().try_for_each(|asks| rules::no_starvation(asks, 6))
    };
    let (words, case) = counterexample(&case(), rule);
    println!("{words}\n{case:#?}");
    assert!(words.starts_with("RULE: a warp that is eligible in 6 questions in a row"), "{words}");
    assert_eq!((case.extents.blocks, case.body.len()), (1, 1), "{case:#?}");
    assert!(case.extents.threads <= 3 * 32, "{case:#?}");
    // Threads are not the first thing that is shrunk: what is left of them too many goes here.
    let mut fewer = case;
    while fewer.extents.threads > 32 && rule(&fewer).is_err() {
        fewer.extents.threads -= 32;
    }
    assert_eq!(rule(&fewer), Ok(()), "a warp less starves nobody");
}
