//! A policy alone: random views made by hand. Fast, and shrinks to a few lines.

use own_scheduler::{Ask, MemoryFirst, YoungestFirst, rules};
use proptest::collection::vec;
use proptest::prelude::*;
use sim_core::scheduler::{SchedulingPolicy, View};

/// What a policy is asked in turn: for each question which warps are eligible, and which want
/// global memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scene {
    /// Warps of the scheduler; the warp in slot `s` is number `s` of the launch.
    pub warps: u32,
    /// For each question the eligible slots and those of them at a global access, as masks.
    pub questions: Vec<(u64, u64)>,
}

/// Random scenes: few warps, and more often eligible than not.
pub fn scene() -> impl Strategy<Value = Scene> {
    (2u32..9).prop_flat_map(|warps| {
        let all = (1u64 << warps) - 1;
        let eligible = prop_oneof![2 => Just(all), 1 => 1..=all];
        let question = (eligible, 0..=all).prop_map(|(eligible, wants)| (eligible, eligible & wants));
        vec(question, 1..48).prop_map(move |questions| Scene { warps, questions })
    })
}

/// Asks `policy` all questions of `scene`.
pub fn record(policy: &mut impl SchedulingPolicy, scene: &Scene) -> Vec<Ask> {
    let age: Vec<u64> = (0..scene.warps.into()).collect();
    let ask = |(cycle, (eligible, global)): (u64, &(u64, u64))| {
        let (eligible, global) = (*eligible, *global);
        let view = View { cycle, eligible, global, age: &age, ..View::default() };
        let picked = policy.pick(&view);
        Ask::new(&view, picked)
    };
    (0..).zip(&scene.questions).map(ask).collect()
}

proptest! {
    #[test]
    fn memory_first_picks_an_eligible_warp_whenever_there_is_one(scene in scene()) {
        let asks = record(&mut MemoryFirst::new(4), &scene);
        rules::picks_only_eligible(&asks).map_err(TestCaseError::fail)?;
        rules::work_conserving(&asks).map_err(TestCaseError::fail)?;
    }

    /// Passed over `patience` times a warp is starving; then at most all others, starving for
    /// longer, go before it.
    #[test]
    fn memory_first_starves_no_warp(scene in scene(), patience in 0u32..8) {
        let asks = record(&mut MemoryFirst::new(patience), &scene);
        let bound = (patience + scene.warps) as usize;
        rules::no_starvation(&asks, bound).map_err(TestCaseError::fail)?;
    }

    /// Unless somebody is starving, a warp at a global access goes first.
    #[test]
    fn memory_first_puts_memory_first(scene in scene()) {
        for ask in record(&mut MemoryFirst::new(u32::MAX), &scene) {
            let picked = ask.picked.expect("it is work conserving");
            prop_assert!(ask.global.is_empty() || ask.global.contains(&picked), "{ask:?}");
        }
    }

    #[test]
    fn youngest_first_picks_an_eligible_warp_whenever_there_is_one(scene in scene()) {
        let asks = record(&mut YoungestFirst, &scene);
        rules::picks_only_eligible(&asks).map_err(TestCaseError::fail)?;
        rules::work_conserving(&asks).map_err(TestCaseError::fail)?;
    }
}
