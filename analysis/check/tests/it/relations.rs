//! Rules that compare runs hold for random cases, and notice what they must.

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use sim_core::config::PolicyKind;
use sim_core::hooks::{Hooks, Mutant};
use sim_core::host::{Mode, RunOptions};
use sim_core::scheduler::{Builtin, OwnScheduler, SchedulingPolicy, View};
use warpsim_check::adversary::adversary;
use warpsim_check::draw::Draw;
use warpsim_check::example::Example;
use warpsim_check::generate::case::{case, crowded};
use warpsim_check::relation::{
    block_order_changes_nothing, longer_latencies_take_longer, more_slots_keep_the_occupancy, policies_agree,
    timing_changes_no_result,
};
use warpsim_check::run::Prepared;
use warpsim_check::{hold, search};

const CASES: u32 = 64;
const FOLDER: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/relations");

/// A built-in policy as a user's.
#[derive(Clone)]
struct Own(Builtin);

impl SchedulingPolicy for Own {
    fn pick(&mut self, view: &View) -> Option<u32> {
        Some(self.0.pick(view))
    }
}

fn own(kind: PolicyKind) -> OwnScheduler {
    OwnScheduler::new(kind.to_string(), move |sm, scheduler| {
        Own(Builtin::new(kind, u64::from(sm + scheduler)).expect("a built-in policy"))
    })
}

#[test]
fn policies_change_no_result_and_little_time() {
    let (rr, greedy) = (own(PolicyKind::LooseRoundRobin), own(PolicyKind::GreedyThenOldest));
    hold(&case(), CASES, FOLDER, |example| policies_agree(example, &rr, &greedy, 2.0));
}

#[test]
fn a_small_factor_between_policies_has_a_small_counterexample() {
    let (rr, greedy) = (own(PolicyKind::LooseRoundRobin), own(PolicyKind::GreedyThenOldest));
    let found = search(&crowded(), Draw::Same, 200, |example| policies_agree(example, &rr, &greedy, 1.05));
    let found = found.expect("some case differs by more than 5 %");
    assert_eq!(found.violation.property, "times agree");
    println!("{found}");
    assert!(found.example.instructions() <= 20, "{found}");
}

#[test]
fn more_slots_never_lower_the_occupancy() {
    hold(&case(), CASES, FOLDER, more_slots_keep_the_occupancy);
}

#[test]
fn longer_latencies_never_make_a_launch_much_faster() {
    hold(&case(), CASES, FOLDER, |example| longer_latencies_take_longer(example, 0.15));
}

/// Without a tolerance the rule does not hold: other times change the order in which warps use what
/// they share.
#[test]
fn longer_latencies_can_make_a_launch_a_little_faster() {
    let found = search(&case(), Draw::Same, 512, |example| longer_latencies_take_longer(example, 0.05));
    assert_eq!(found.expect("a timing anomaly").violation.property, "longer latencies");
}

/// Where the order of the warps matters, the adversary finds a slower one than the six built-in
/// policies in most cases, and no order that changes a result.
#[test]
fn an_adversary_is_slower_than_the_built_in_policies() {
    let cycles = |example: &Example| Ok(example.run(Mode::Timed, RunOptions::default())?.cycles);
    let mut runner = TestRunner::deterministic();
    let (mut matters, mut slower) = (0, 0);
    for _ in 0..24 {
        let case = crowded().new_tree(&mut runner).expect("a case").current();
        let example = Example::of(&Prepared::new(&case));
        let (policy, worst) = adversary(&example, 40, 1, cycles).expect("it runs");
        timing_changes_no_result(&example.under(policy), RunOptions::default()).expect("no result changes");
        let built_in = ["lrr", "oldest", "gto", "two_level(active: 4)", "priority", "random(seed: 1)"];
        let times =
            built_in.map(|policy| cycles(&example.with(&[("sm.scheduler", policy)])).expect("it runs"));
        matters += u32::from(times.iter().any(|time| *time != worst));
        slower += u32::from(times.iter().all(|time| *time < worst));
    }
    assert!(matters >= 12 && 4 * slower >= 3 * matters, "in {slower} of {matters} cases");
    println!("slower in {slower} of {matters} cases");
}

#[test]
fn the_order_of_blocks_changes_no_result() {
    hold(&case(), CASES, FOLDER, block_order_changes_nothing);
}

/// A mutant of the engine that changes results has a small counterexample, whose folder replays it.
/// A small case must keep its order: the engine without the mutant agrees.
#[test]
fn mutants_that_change_results_have_small_counterexamples() {
    for mutant in [Mutant::LsuOvertakes, Mutant::NoDrain, Mutant::ScoreboardIgnoresLoads, Mutant::LoseReplies]
    {
        let hooks = Hooks { mutant: Some(mutant), ..Hooks::default() };
        let test = |example: &Example| {
            let result = timing_changes_no_result(example, RunOptions { hooks, ..RunOptions::default() });
            if timing_changes_no_result(example, RunOptions::default()).is_ok() { result } else { Ok(()) }
        };
        let found =
            search(&case(), Draw::Same, 256, test).unwrap_or_else(|| panic!("{mutant:?} is not noticed"));
        println!("{mutant:?}: case {}, {} instructions", found.case, found.example.instructions());
        assert!(found.example.instructions() <= 20, "{found}");
        let folder = format!("{FOLDER}/{mutant:?}");
        found.replays(folder.as_ref(), test).unwrap_or_else(|e| panic!("{mutant:?}: {e}"));
    }
}
