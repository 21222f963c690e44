//! A rule about the policy's decisions, tested with random kernels, launches and chips.

use std::collections::BTreeMap;
use std::sync::Once;
use warpsim::Registry;
use warpsim::sim_core::host::RunOptions;
use warpsim_check::draw::{Draw, for_all};
use warpsim_check::generate::Case;
use warpsim_check::generate::case::case;
use warpsim_check::generate::chip::one_port;
use warpsim_check::rules::Trace;
use warpsim_check::rules::decisions::{Decision, Warp, schedules};

/// Random cases of each test.
const CASES: u32 = 64;

/// Runs `case` with the policy and checks `rule` for the decisions of each scheduler.
fn check(case: &Case, slack: u64, rule: impl Fn(&[Decision]) -> Result<(), String>) -> Result<(), String> {
    static REGISTERED: Once = Once::new();
    REGISTERED.call_once(|| {
        let mut registry = Registry::default();
        new_scheduler::register(&mut registry);
        registry.install().expect("the name is free");
    });
    let policy = format!("abreast(slack: {slack})");
    // A second dispatch port asks the policy again in the same cycle, and a trace has one decision.
    let chip = one_port(case.chip.clone()).with(&[("sm.scheduler", &policy)]);
    let case = Case { chip, ..case.clone() };
    let trace = Trace::record(&case, RunOptions::default())?;
    schedules(&trace).iter().try_for_each(|schedule| rule(&schedule.decisions))
}

/// The rule: the picked warp has issued at most `slack` instructions more than each eligible warp.
fn abreast(decisions: &[Decision], slack: u64) -> Result<(), String> {
    let mut issued: BTreeMap<Warp, u64> = BTreeMap::new();
    for decision in decisions {
        let of = |warp: &Warp| issued.get(warp).copied().unwrap_or(0);
        let slowest = decision.eligible.iter().map(of).min().unwrap_or(0);
        if of(&decision.picked) > slowest + slack {
            return Err(format!("RULE: no warp is more than {slack} ahead. Broken by {decision:?}"));
        }
        *issued.entry(decision.picked).or_default() += 1;
    }
    Ok(())
}

#[test]
fn no_warp_runs_ahead() {
    for slack in [0, 1, 5] {
        for_all(&case(), Draw::Same, CASES, |case| check(case, slack, |decisions| abreast(decisions, slack)));
    }
}

/// The rule can fail: a policy with more slack breaks it.
#[test]
#[should_panic(expected = "RULE: no warp is more than 1 ahead")]
fn more_slack_breaks_the_rule() {
    for_all(&case(), Draw::Same, CASES, |case| check(case, 5, |decisions| abreast(decisions, 1)));
}
