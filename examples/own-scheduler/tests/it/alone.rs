//! Tests of a policy alone with generated views. They are fast, and failures shrink to a few lines.

use own_scheduler::{Decision, MemoryFirst, YoungestFirst, rules};
use proptest::collection::vec;
use proptest::prelude::*;
use sim_core::scheduler::{SchedulingPolicy, View};

/// Views for a sequence of decisions: the eligible warps, and those that access global memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scenario {
    /// Number of warps of the scheduler. The warp in slot `s` has launch number `s`.
    pub warps: u32,
    /// For each decision the masks of the eligible slots and of those at a global access.
    pub steps: Vec<(u64, u64)>,
}

/// Random scenarios with few warps, which are often all eligible.
pub fn scenario() -> impl Strategy<Value = Scenario> {
    (2u32..9).prop_flat_map(|warps| {
        let all = (1u64 << warps) - 1;
        let eligible = prop_oneof![2 => Just(all), 1 => 1..=all];
        let step = (eligible, 0..=all).prop_map(|(eligible, wants)| (eligible, eligible & wants));
        vec(step, 1..48).prop_map(move |steps| Scenario { warps, steps })
    })
}

/// Returns the decisions of `policy` in `scenario`.
pub fn record(policy: &mut impl SchedulingPolicy, scenario: &Scenario) -> Vec<Decision> {
    let age: Vec<u64> = (0..scenario.warps.into()).collect();
    let decision = |(cycle, (eligible, global)): (u64, &(u64, u64))| {
        let (eligible, global) = (*eligible, *global);
        let view = View { cycle, eligible, global, age: &age, ..View::default() };
        let picked = policy.pick(&view);
        Decision::new(&view, picked)
    };
    (0..).zip(&scenario.steps).map(decision).collect()
}

proptest! {
    #[test]
    fn memory_first_picks_an_eligible_warp_whenever_there_is_one(scenario in scenario()) {
        let decisions = record(&mut MemoryFirst::new(4), &scenario);
        rules::picks_only_eligible(&decisions).map_err(TestCaseError::fail)?;
        rules::work_conserving(&decisions).map_err(TestCaseError::fail)?;
    }

    /// A warp starves after it was passed over `patience` times. Then at most all other warps, if
    /// they have starved for longer, take precedence.
    #[test]
    fn memory_first_starves_no_warp(scenario in scenario(), patience in 0u32..8) {
        let decisions = record(&mut MemoryFirst::new(patience), &scenario);
        let bound = (patience + scenario.warps) as usize;
        rules::no_starvation(&decisions, bound).map_err(TestCaseError::fail)?;
    }

    /// If no warp starves, a warp at a global access takes precedence.
    #[test]
    fn memory_first_puts_memory_first(scenario in scenario()) {
        for decision in record(&mut MemoryFirst::new(u32::MAX), &scenario) {
            let picked = decision.picked.expect("it is work conserving");
            prop_assert!(decision.global.is_empty() || decision.global.contains(&picked), "{decision:?}");
        }
    }

    #[test]
    fn youngest_first_picks_an_eligible_warp_whenever_there_is_one(scenario in scenario()) {
        let decisions = record(&mut YoungestFirst, &scenario);
        rules::picks_only_eligible(&decisions).map_err(TestCaseError::fail)?;
        rules::work_conserving(&decisions).map_err(TestCaseError::fail)?;
    }
}
