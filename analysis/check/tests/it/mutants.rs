//! The test suite notices broken rules: each mutant of the simulator must violate the property
//! "timing changes no result", or the scheduling rule that it breaks, within a default number of
//! cases. The simulator without a mutant must pass the same cases.

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, TestCaseError, TestError, TestRng, TestRunner};
use sim_core::hooks::{Hooks, Mutant};
use sim_core::host::RunOptions;
use std::panic::{AssertUnwindSafe, catch_unwind};
use warpsim_check::example::Example;
use warpsim_check::generate::case::case;
use warpsim_check::generate::chip::one_port;
use warpsim_check::properties::timed_is_functional;
use warpsim_check::rule::{Property, property};
use warpsim_check::run::Prepared;

/// Number of default cases.
const RESULT_CASES: u32 = 256;

/// Options of a run with a mutant of the simulator, if given.
fn options(mutant: Option<Mutant>) -> RunOptions {
    RunOptions { hooks: Hooks { mutant, ..Hooks::default() }, ..RunOptions::default() }
}

/// Returns how many of the default cases notice `mutant`; stops at `enough`. The cases are the same
/// in every run.
fn noticed(mutant: Mutant, enough: u32) -> u32 {
    let mut runner = TestRunner::deterministic();
    let mut caught = 0;
    for _ in 0..RESULT_CASES {
        let case = case().new_tree(&mut runner).expect("the generator rejects nothing").current();
        // A mutant may violate the simulator's own assertions: a panic counts as noticed, too.
        let result = catch_unwind(AssertUnwindSafe(|| {
            timed_is_functional(&Prepared::new(&case), options(Some(mutant)))
        }));
        if !matches!(result, Ok(Ok(()))) {
            assert_eq!(
                timed_is_functional(&Prepared::new(&case), options(None)),
                Ok(()),
                "the simulator without a mutant on\n{case:?}"
            );
            caught += 1;
        }
        if caught == enough {
            break;
        }
    }
    caught
}

/// A load/store unit that lets a younger access overtake is noticed.
///
/// Tests: `mutants-are-noticed`.
#[test]
fn an_overtaking_load_store_unit_is_noticed() {
    assert_ne!(noticed(Mutant::LsuOvertakes, 1), 0);
}

/// A kernel that ends before its stores have arrived is noticed.
///
/// Tests: `mutants-are-noticed`.
#[test]
fn a_kernel_that_does_not_drain_is_noticed() {
    assert_ne!(noticed(Mutant::NoDrain, 1), 0);
}

/// Instructions that do not wait for loads are noticed.
///
/// Tests: `mutants-are-noticed`.
#[test]
fn a_scoreboard_that_ignores_loads_is_noticed() {
    assert_ne!(noticed(Mutant::ScoreboardIgnoresLoads, 1), 0);
}

/// Whether one of the default cases finishes with `mutant` and violates `rule`. If `policy` is
/// given, the chip has this policy. The case must satisfy the rule without the mutant.
fn breaks(mutant: Mutant, policy: Option<&str>, rule: &Property) -> bool {
    breaks_among(RESULT_CASES, mutant, policy, rule)
}

/// Like [`breaks`], with `cases` cases.
fn breaks_among(cases: u32, mutant: Mutant, policy: Option<&str>, rule: &Property) -> bool {
    let mut runner = TestRunner::deterministic();
    (0..cases).any(|_| {
        let mut case = case().new_tree(&mut runner).expect("the generator rejects nothing").current();
        if let Some(policy) = policy {
            case.chip = case.chip.with(&[("sm.scheduler", policy)]);
        }
        case.chip = one_port(case.chip);
        // A mutant may violate the simulator's own assertions, too. Such cases say nothing about
        // the rule.
        let trace = catch_unwind(AssertUnwindSafe(|| {
            Example::of(&Prepared::new(&case)).test(options(Some(mutant)), vec![rule.clone()])
        }));
        let broken = matches!(trace, Ok(Err(failure)) if failure.property() == Some(rule.name));
        if broken {
            let unbroken = Example::of(&Prepared::new(&case)).test(options(None), vec![rule.clone()]);
            assert!(unbroken.is_ok(), "the simulator without a mutant: {unbroken:?}\n{case:?}");
        }
        broken
    })
}

/// A scheduler that skips a warp violates every rule about the order of warps.
#[test]
fn a_scheduler_that_neglects_a_warp_is_noticed() {
    for (policy, rule) in [
        ("lrr", property::no_starvation()),
        ("lrr", property::fairness()),
        ("oldest", property::age_order()),
        ("gto", property::greedy_until_stall()),
    ] {
        assert!(breaks(Mutant::NeglectsAWarp, Some(policy), &rule), "{policy}");
    }
}

/// A scheduler that leaves slots empty is noticed, also where it switches warps.
#[test]
fn a_scheduler_that_idles_is_noticed() {
    assert!(breaks(Mutant::SchedulerIdles, None, &property::work_conserving()));
    assert!(breaks(Mutant::SchedulerIdles, None, &property::zero_overhead_switch()));
}

/// A barrier that releases its warps too early, or an issue cycle too late, is noticed.
#[test]
fn a_barrier_that_releases_at_the_wrong_time_is_noticed() {
    assert!(breaks(Mutant::BarrierReleasesEarly, None, &property::barrier_release()));
    assert!(breaks(Mutant::BarrierReleasesLate, None, &property::barrier_release()));
}

/// A warp that waits at a barrier forever is noticed: the others have left without it.
#[test]
fn a_warp_that_never_leaves_its_barrier_is_noticed() {
    assert!(breaks_among(
        4 * RESULT_CASES,
        Mutant::BarrierReleasesEarly,
        None,
        &property::barrier_liveness()
    ));
}

/// A warp that is looked at too late after its wait is noticed.
#[test]
fn a_warp_that_wakes_late_is_noticed() {
    assert!(breaks(Mutant::WakesLate, None, &property::wakes_in_time()));
}

/// Lanes that do not reconverge at the post-dominator are noticed.
#[test]
fn lanes_that_never_reconverge_are_noticed() {
    assert!(breaks(Mutant::LanesNeverMeet, None, &property::reconvergence()));
}

/// Blocks that start in another order are noticed.
#[test]
fn blocks_out_of_order_are_noticed() {
    assert!(breaks(Mutant::BlocksOutOfOrder, None, &property::block_order()));
}

/// An SM that gets a block too many is noticed, either because the dispatcher overestimates its
/// capacity or because a slot is freed twice.
#[test]
fn an_overcommitted_sm_is_noticed() {
    assert!(breaks(Mutant::DispatcherOvercommits, None, &property::never_overcommitted()));
    // Most of these kernels fail the simulator's own assertions before the rule is checked.
    assert!(breaks_among(8 * RESULT_CASES, Mutant::SlotsFreedTwice, None, &property::never_overcommitted()));
}

/// Slots that are freed twice end the kernel while blocks still occupy theirs; this is noticed.
#[test]
fn slots_freed_twice_are_noticed() {
    assert!(breaks(Mutant::SlotsFreedTwice, None, &property::slots_freed_once()));
}

/// A case that violates a rule is shrunk to a small one: for the late barrier only a barrier
/// remains.
#[test]
fn a_broken_rule_is_shrunk_to_a_small_case() {
    let config =
        Config { cases: 64, max_shrink_iters: 4_000, failure_persistence: None, ..Config::default() };
    let rng = TestRng::deterministic_rng(config.rng_algorithm);
    let result = TestRunner::new_with_rng(config, rng).run(&case(), |case| {
        let tested = Example::of(&Prepared::new(&case))
            .test(options(Some(Mutant::BarrierReleasesLate)), vec![property::barrier_release()]);
        tested.map(|_| ()).map_err(|failure| TestCaseError::fail(failure.to_string()))
    });
    let Err(TestError::Fail(words, case)) = result else { panic!("not noticed: {result:?}") };
    let barriers = case.printed().text.matches("bar.sync").count();
    let size = (case.extents.threads, case.body.len());
    assert!(words.message().starts_with("RULE barrier release: No warp leaves"), "{words}");
    assert!(size == (1, 1) && case.extents.blocks <= 2 && (1..=2).contains(&barriers), "{words}\n{case:?}");
}

/// Without a mutant none of these cases fails.
#[test]
fn without_a_mutant_the_same_cases_pass() {
    let mut runner = TestRunner::deterministic();
    for _ in 0..RESULT_CASES {
        let case = case().new_tree(&mut runner).expect("the generator rejects nothing").current();
        assert_eq!(timed_is_functional(&Prepared::new(&case), options(None)), Ok(()), "{case:?}");
    }
}

/// Prints how many cases notice each mutant, to assess the generator: `cargo test -p warpsim-check
/// --test it mutants:: -- --ignored --nocapture`.
#[test]
#[ignore = "prints numbers"]
fn number_of_cases_that_notice_each_mutant() {
    for mutant in [Mutant::LsuOvertakes, Mutant::NoDrain, Mutant::ScoreboardIgnoresLoads] {
        println!("{mutant:?}: noticed by {} of {RESULT_CASES} cases", noticed(mutant, u32::MAX));
    }
}
