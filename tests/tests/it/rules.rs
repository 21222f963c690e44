//! Checks the rules of `docs/extending/rules.md` as properties: random kernels run on random chips,
//! every event of every SM is recorded, and each rule is checked against the record. A case that
//! violates a rule is shrunk to a minimal case.
//!
//! The cases are the same in every run. The ignored test draws many more, new ones in every run:
//! `cargo test -p warpsim-tests --test it rules:: -- --ignored`.

use proptest::strategy::Strategy;
use sim_core::host::RunOptions;
use std::cell::Cell;
use warpsim_check::draw::{Draw, for_all};
use warpsim_check::generate::Case;
use warpsim_check::generate::case::case;
use warpsim_check::generate::chip::one_port;
use warpsim_check::rules::{Rule, Trace, barriers, blocks, lanes, scheduling};

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

/// Checks `rule` for `count` of `cases`, and that it applied at least once per case on average.
fn holds_over(cases: &impl Strategy<Value = Case>, draw: Draw, count: u32, rule: Rule) {
    let tried = Cell::new(0);
    for_all(cases, draw, count, |case| {
        tried.set(tried.get() + rule(&Trace::record(case, RunOptions::default())?)?);
        Ok(())
    });
    assert!(tried.get() >= count.into(), "the rule applied only {} times", tried.get());
}

fn holds(cases: &impl Strategy<Value = Case>, rule: Rule) {
    holds_over(cases, Draw::Same, CASES, rule);
}

#[test]
fn no_scheduler_idles_while_a_warp_is_eligible() {
    holds(&simple(), scheduling::work_conserving);
}

#[test]
fn round_robin_starves_no_warp() {
    holds(&under("lrr"), scheduling::no_starvation);
}

#[test]
fn round_robin_is_fair_over_any_interval() {
    holds(&under("lrr"), scheduling::fairness);
}

#[test]
fn oldest_first_issues_in_order_of_age() {
    holds(&under("oldest"), scheduling::age_order);
}

#[test]
fn greedy_stays_with_its_warp_until_it_stalls() {
    holds(&under("gto"), scheduling::greedy_until_stall);
}

#[test]
fn switching_warps_costs_no_cycle() {
    holds(&simple(), scheduling::zero_overhead_switch);
}

#[test]
fn a_barrier_releases_exactly() {
    holds(&case(), barriers::release_is_exact);
}

#[test]
fn lanes_reconverge_at_the_post_dominator() {
    holds(&case(), lanes::reconverge_at_the_post_dominator);
}

#[test]
fn blocks_start_in_order() {
    holds(&case(), blocks::start_in_order);
}

#[test]
fn resources_are_never_overcommitted() {
    holds(&case(), blocks::never_overcommitted);
}

#[test]
fn slots_are_freed_exactly_once() {
    holds(&case(), blocks::freed_exactly_once);
}

/// All rules, with more cases.
#[test]
#[ignore = "minutes"]
fn the_rules_hold_at_length() {
    const MANY: u32 = 2_000;
    let any: [Rule; 7] = [
        scheduling::work_conserving,
        scheduling::zero_overhead_switch,
        barriers::release_is_exact,
        lanes::reconverge_at_the_post_dominator,
        blocks::start_in_order,
        blocks::never_overcommitted,
        blocks::freed_exactly_once,
    ];
    for rule in any {
        holds_over(&simple(), Draw::New, MANY, rule);
    }
    let of_policies: [(&str, Rule); 4] = [
        ("lrr", scheduling::no_starvation),
        ("lrr", scheduling::fairness),
        ("oldest", scheduling::age_order),
        ("gto", scheduling::greedy_until_stall),
    ];
    for (policy, rule) in of_policies {
        holds_over(&under(policy), Draw::New, MANY, rule);
    }
}
