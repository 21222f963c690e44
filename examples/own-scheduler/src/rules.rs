//! Scheduling rules. Each checks the decisions of one scheduler and names the one that violates it.

use crate::log::{Decision, Warp};
use std::collections::BTreeMap;

/// `Ok`, or the violated rule and the decision that violates it.
pub type RuleResult = Result<(), String>;

/// A policy picks eligible warps only.
pub fn picks_only_eligible(decisions: &[Decision]) -> RuleResult {
    match decisions
        .iter()
        .find(|decision| decision.picked.is_some_and(|warp| !decision.eligible.contains(&warp)))
    {
        Some(decision) => Err(format!("RULE: a policy picks only eligible warps. Broken by {decision:?}")),
        None => Ok(()),
    }
}

/// A policy picks a warp whenever one is eligible.
pub fn work_conserving(decisions: &[Decision]) -> RuleResult {
    match decisions.iter().find(|decision| decision.picked.is_none()) {
        Some(decision) => {
            Err(format!("RULE: a policy never idles while a warp is eligible. Broken by {decision:?}"))
        }
        None => Ok(()),
    }
}

/// A warp that is eligible in `bound` decisions in a row is picked in one of them.
pub fn no_starvation(decisions: &[Decision], bound: usize) -> RuleResult {
    // Warps that were passed over in the last decision, with the number of times in a row.
    let mut waited: BTreeMap<Warp, usize> = BTreeMap::new();
    for decision in decisions {
        let passed_over = decision.eligible.iter().filter(|warp| decision.picked != Some(**warp));
        waited = passed_over.map(|warp| (*warp, waited.get(warp).map_or(1, |times| times + 1))).collect();
        if let Some((warp, _)) = waited.iter().find(|(_, times)| **times >= bound) {
            return Err(format!(
                "RULE: a warp that is eligible in {bound} decisions in a row is picked in one of them. Warp {} in \
                 slot {} was not, up to issue cycle {}",
                warp.age, warp.slot, decision.cycle
            ));
        }
    }
    Ok(())
}
