//! A rule about the policy's decisions, tested with random kernels, launches and chips.

use std::sync::Once;
use warpsim::Registry;
use warpsim_check::draw::Draw;
use warpsim_check::example::{Example, Failure};
use warpsim_check::generate::case::crowded;
use warpsim_check::rule::{Moment, Property, Subject, Warp, is, issues, when};
use warpsim_check::{hold, search};

/// Random cases of each test.
const CASES: u32 = 64;

/// The rule: the selected warp has issued at most `slack` instructions more than each eligible
/// warp.
fn abreast(slack: u64) -> Property {
    let ahead = is(move |m: &Moment| {
        let issued = |warp: Warp| m.sm.slots[warp.slot as usize].as_ref().map_or(0, |slot| slot.issued);
        let slowest = m.eligible_warps().map(issued).min().unwrap_or(0);
        m.selected().is_some_and(|warp| issued(warp) > slowest + slack)
    });
    Property::new("abreast", "No warp runs ahead.", Subject::Scheduler, when(issues()).never(ahead))
        .of_one_port()
}

/// Adds the policy to the simulator, before the first chip is read.
fn register() {
    static REGISTERED: Once = Once::new();
    REGISTERED.call_once(|| {
        let mut registry = Registry::default();
        new_scheduler::register(&mut registry);
        registry.install().expect("the name is free");
    });
}

/// Tests the rule under `abreast(slack: policy)`.
fn test(example: &Example, policy: u64, rule: u64) -> Result<(), Failure> {
    let policy = format!("abreast(slack: {policy})");
    example.with(&[("sm.scheduler", &policy)]).keeps(&abreast(rule))
}

#[test]
fn no_warp_runs_ahead() {
    register();
    for slack in [0, 1, 5] {
        hold(&crowded(), CASES, "target/counterexample", |example| test(example, slack, slack));
    }
}

/// The rule can fail: a policy with more slack breaks it.
#[test]
fn more_slack_breaks_the_rule() {
    register();
    let found = search(&crowded(), Draw::Same, CASES, |example| test(example, 5, 1));
    println!("{}", found.expect("some warp runs ahead"));
}
