//! Shows how a rule is refuted: proptest must find a case in which youngest-first violates "no
//! starvation", and must shrink it to the smallest one. Otherwise the tests fail.

use super::alone::{self, Scenario};
use super::machine;
use own_scheduler::{YoungestFirst, rules};
use proptest::strategy::Strategy;
use proptest::test_runner::{Config, TestCaseError, TestError, TestRng, TestRunner};
use warpsim_check::generate::Case;
use warpsim_check::generate::case::case;

/// Returns a test runner that generates the same cases in every run.
fn runner() -> TestRunner {
    let config =
        Config { cases: 64, max_shrink_iters: 4_000, failure_persistence: None, ..Config::default() };
    let rng = TestRng::deterministic_rng(config.rng_algorithm);
    TestRunner::new_with_rng(config, rng)
}

/// Returns the smallest of `cases` that violates `rule`, with the message.
fn counterexample<S: Strategy>(
    cases: &S,
    rule: impl Fn(&S::Value) -> Result<(), String>,
) -> (String, S::Value) {
    match runner().run(cases, |case| rule(&case).map_err(TestCaseError::fail)) {
        Err(TestError::Fail(words, case)) => (words.message().to_owned(), case),
        other => panic!("the rule should be broken: {other:?}"),
    }
}

/// Alone: two warps are eligible three times, and the older one is never picked.
#[test]
fn proptest_finds_the_smallest_scene_in_which_youngest_first_starves() {
    let rule = |scenario: &Scenario| rules::no_starvation(&alone::record(&mut YoungestFirst, scenario), 3);
    let (words, scenario) = counterexample(&alone::scenario(), rule);
    println!("{words}\n{scenario:#?}");
    assert_eq!(scenario, Scenario { warps: 2, steps: vec![(0b11, 0); 3] });
    assert!(words.ends_with("Warp 0 in slot 0 was not, up to issue cycle 2"), "{words}");
}

/// In the simulator: one block and a kernel of one statement, the smallest that the generator
/// makes, and few warps.
#[test]
fn proptest_finds_a_kernel_on_which_youngest_first_starves() {
    let rule = |case: &Case| {
        let schedulers = machine::record(case, |_, _| YoungestFirst)?;
        schedulers.iter().try_for_each(|decisions| rules::no_starvation(decisions, 6))
    };
    let (words, case) = counterexample(&case(), rule);
    println!("{words}\n{case:#?}");
    assert!(words.starts_with("RULE: a warp that is eligible in 6 decisions in a row"), "{words}");
    assert_eq!((case.extents.blocks, case.body.len()), (1, 1), "{case:#?}");
    assert!(case.extents.threads <= 3 * 32, "{case:#?}");
    // Threads are not shrunk first, so unneeded ones are removed here.
    let mut fewer = case;
    while fewer.extents.threads > 32 && rule(&fewer).is_err() {
        fewer.extents.threads -= 32;
    }
    assert_eq!(rule(&fewer), Ok(()), "with one warp fewer no warp starves");
}
