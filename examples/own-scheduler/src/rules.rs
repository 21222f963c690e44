//! Rules of scheduling: each takes the record of one scheduler, and says which question breaks it,
//! or nothing.

use crate::watch::{Ask, Warp};
use std::collections::BTreeMap;

/// `Ok`, or the sentence that is broken and where.
pub type Held = Result<(), String>;

/// A policy picks only warps that are eligible.
pub fn picks_only_eligible(asks: &[Ask]) -> Held {
    match asks.iter().find(|ask| ask.picked.is_some_and(|warp| !ask.eligible.contains(&warp))) {
        Some(ask) => Err(format!("RULE: a policy picks only eligible warps. Broken by {ask:?}")),
        None => Ok(()),
    }
}

/// A policy picks somebody whenever somebody is eligible.
pub fn work_conserving(asks: &[Ask]) -> Held {
    match asks.iter().find(|ask| ask.picked.is_none()) {
        Some(ask) => Err(format!("RULE: a policy never idles while a warp is eligible. Broken by {ask:?}")),
        None => Ok(()),
    }
}

/// A warp that is eligible in `bound` questions in a row is picked in one of them.
pub fn no_starvation(asks: &[Ask], bound: usize) -> Held {
    // Who was eligible and not picked up to the question before, and in how many in a row.
    let mut waited: BTreeMap<Warp, usize> = BTreeMap::new();
    for ask in asks {
        let passed_over = ask.eligible.iter().filter(|warp| ask.picked != Some(**warp));
        waited = passed_over.map(|warp| (*warp, waited.get(warp).map_or(1, |times| times + 1))).collect();
        if let Some((warp, _)) = waited.iter().find(|(_, times)| **times >= bound) {
            return Err(format!(
                "RULE: a warp that is eligible in {bound} questions in a row is picked in one of them. Warp {} in \
                 slot {} was not, up to issue cycle {}",
                warp.age, warp.slot, ask.cycle
            ));
        }
    }
    Ok(())
}
