//! Checks the rules of `docs/extending/rules.md` as properties: random kernels run on random chips,
//! and the rules are tested while they run. A case that violates a rule is made small.
//!
//! The cases are the same in every run. The ignored test draws many more, new ones in every run:
//! `cargo test --release -p warpsim-check --test it rules:: -- --ignored`.

use proptest::prop_oneof;
use proptest::strategy::Strategy;
use sim_core::host::RunOptions;
use std::cell::{Cell, RefCell};
use warpsim_check::draw::Draw;
use warpsim_check::generate::Case;
use warpsim_check::generate::case::{case, crowded};
use warpsim_check::generate::chip::one_port;
use warpsim_check::rule::{Property, property};
use warpsim_check::search;

/// Cases of each rule.
const CASES: u32 = 64;

/// Random cases on chips whose schedulers have one port and do not block each other.
fn simple() -> impl Strategy<Value = Case> {
    case().prop_map(|case| Case { chip: one_port(case.chip), ..case })
}

/// The cases of [`simple`] with the scheduling policy `policy`.
fn under(policy: &'static str) -> impl Strategy<Value = Case> {
    simple().prop_map(move |case| Case { chip: case.chip.with(&[("sm.scheduler", policy)]), ..case })
}

/// Checks `property` for `count` of `cases`, and that it was tested at least once per case on
/// average.
fn holds_over(cases: &impl Strategy<Value = Case>, draw: Draw, count: u32, property: &Property) {
    let tested = Cell::new(0);
    let found = search(cases, draw, count, |example| {
        let times = example.test(RunOptions::default(), vec![property.clone()])?;
        tested.set(tested.get() + times[0]);
        Ok(())
    });
    assert!(found.is_none(), "{}", found.expect("a counterexample"));
    let tested = tested.get();
    assert!(tested >= count.into(), "{}: tested only {tested} times", property.name);
}

/// Checks `property` on the chips for which it is stated.
fn holds(draw: Draw, count: u32, property: &Property) {
    match property.policy {
        Some(policy) => holds_over(&under(policy), draw, count, property),
        None => holds_over(&simple(), draw, count, property),
    }
}

#[test]
fn no_scheduler_idles_while_a_warp_is_eligible() {
    holds(Draw::Same, CASES, &property::work_conserving());
}

#[test]
fn round_robin_starves_no_warp() {
    holds(Draw::Same, CASES, &property::no_starvation().under("lrr"));
}

#[test]
fn round_robin_is_fair_over_any_interval() {
    holds(Draw::Same, CASES, &property::fairness().under("lrr"));
}

#[test]
fn oldest_first_issues_in_order_of_age() {
    holds(Draw::Same, CASES, &property::age_order().under("oldest"));
}

#[test]
fn greedy_stays_with_its_warp_until_it_stalls() {
    holds(Draw::Same, CASES, &property::greedy_until_stall().under("gto"));
}

#[test]
fn switching_warps_costs_no_cycle() {
    holds(Draw::Same, CASES, &property::zero_overhead_switch());
}

#[test]
fn no_warp_oversleeps() {
    holds(Draw::Same, CASES, &property::wakes_in_time());
}

#[test]
fn a_barrier_releases_exactly() {
    holds_over(&case(), Draw::Same, CASES, &property::barrier_release());
}

#[test]
fn every_warp_leaves_its_barriers() {
    holds_over(&case(), Draw::Same, CASES, &property::barrier_liveness());
}

#[test]
fn lanes_reconverge_at_the_post_dominator() {
    holds_over(&case(), Draw::Same, CASES, &property::reconvergence());
}

#[test]
fn blocks_start_in_order() {
    holds_over(&case(), Draw::Same, CASES, &property::block_order());
}

#[test]
fn resources_are_never_overcommitted() {
    holds_over(&case(), Draw::Same, CASES, &property::never_overcommitted());
}

#[test]
fn slots_are_freed_exactly_once() {
    holds_over(&case(), Draw::Same, CASES, &property::slots_freed_once());
}

/// All rules together, with more cases on chips of all kinds: `WARPSIM_RULE_CASES`, or 26,000. Each
/// rule must be put to the test.
#[test]
#[ignore = "minutes"]
fn the_rules_hold_at_length() {
    let count = std::env::var("WARPSIM_RULE_CASES").map_or(Ok(26_000), |count| count.parse());
    let properties = property::all();
    let tested = RefCell::new(vec![0; properties.len()]);
    let cases = prop_oneof![case(), simple(), crowded()];
    let found = search(&cases, Draw::New, count.expect("a number of cases"), |example| {
        let times = example.test(RunOptions::default(), properties.clone())?;
        tested.borrow_mut().iter_mut().zip(times).for_each(|(sum, times)| *sum += times);
        Ok(())
    });
    assert!(found.is_none(), "{}", found.expect("a counterexample"));
    for (property, tested) in properties.iter().zip(tested.into_inner()) {
        println!("{}: tested {tested} times", property.name);
        assert_ne!(tested, 0, "{}", property.name);
    }
}
