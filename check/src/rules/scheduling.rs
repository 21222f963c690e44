//! Rules about the warp that issues, and its issue cycle.

use super::decisions::{Decision, Schedule, Warp, schedules};
use super::{RuleResult, Trace};
use std::collections::BTreeMap;

/// Checks `rule` for each scheduler, and sums the number of tests.
fn each(trace: &Trace, rule: impl Fn(&Schedule) -> RuleResult) -> RuleResult {
    let place = |s: &Schedule, e: String| format!("{e} (SM {}, scheduler {})", s.sm, s.scheduler);
    schedules(trace).iter().try_fold(0, |sum, s| Ok(sum + rule(s).map_err(|e| place(s, e))?))
}

/// Returns the decisions between several eligible warps.
fn choices(schedule: &Schedule) -> impl Iterator<Item = &Decision> {
    schedule.decisions.iter().filter(|decision| decision.eligible.len() > 1)
}

/// A scheduler that is free and has an eligible warp issues one.
pub fn work_conserving(trace: &Trace) -> RuleResult {
    each(trace, |schedule| match schedule.missed.first() {
        Some((cycle, warp)) => Err(format!(
            "RULE work conserving: in issue cycle {cycle} nothing issued although {warp:?} was eligible"
        )),
        None => Ok(choices(schedule).count() as u64),
    })
}

/// With round robin, a warp that is always eligible issues at least once in n issues, where n is
/// the number of warps that were eligible in them.
pub fn no_starvation(trace: &Trace) -> RuleResult {
    each(trace, |schedule| {
        // For each warp: the number of consecutive decisions that did not select it, and the warps
        // eligible in them.
        let mut passed: BTreeMap<Warp, (u32, u64)> = BTreeMap::new();
        for decision in &schedule.decisions {
            passed.retain(|warp, _| decision.has(*warp) && *warp != decision.picked);
            let mask = decision.eligible.iter().fold(0, |mask, warp| mask | 1u64 << warp.slot);
            for warp in decision.eligible.iter().filter(|warp| **warp != decision.picked) {
                let (times, seen) = passed.entry(*warp).or_default();
                (*times, *seen) = (*times + 1, *seen | mask);
                if *times >= seen.count_ones() {
                    return Err(format!(
                        "RULE no starvation under round robin: {warp:?} was eligible in {times} consecutive issues up to \
                         issue cycle {}, among {} warps, and issued in none of them",
                        decision.cycle,
                        seen.count_ones()
                    ));
                }
            }
        }
        Ok(choices(schedule).count() as u64)
    })
}

/// With round robin, the numbers of issues of any two warps that are always eligible differ by at
/// most one, in any interval.
pub fn fairness(trace: &Trace) -> RuleResult {
    each(trace, |schedule| {
        // For each pair that has been eligible together: the first's issues minus the second's,
        // now, least and most.
        let mut leads: BTreeMap<(Warp, Warp), (i64, i64, i64)> = BTreeMap::new();
        for decision in &schedule.decisions {
            let list = &decision.eligible;
            leads.retain(|(a, b), _| decision.has(*a) && decision.has(*b));
            for (i, a) in list.iter().enumerate() {
                for b in &list[i + 1..] {
                    let (now, least, most) = leads.entry((*a, *b)).or_default();
                    *now += i64::from(*a == decision.picked) - i64::from(*b == decision.picked);
                    (*least, *most) = ((*least).min(*now), (*most).max(*now));
                    if *most - *least > 1 {
                        return Err(format!(
                            "RULE fairness: {a:?} and {b:?} were both eligible in an interval that ends with issue \
                             cycle {}, and one of them issued {} times more often than the other",
                            decision.cycle,
                            *most - *least
                        ));
                    }
                }
            }
        }
        Ok(choices(schedule).count() as u64)
    })
}

/// With oldest-first, the selected warp is the oldest eligible one.
pub fn age_order(trace: &Trace) -> RuleResult {
    each(trace, |schedule| {
        for decision in choices(schedule) {
            if let Some(older) = decision.eligible.iter().find(|warp| warp.age < decision.picked.age) {
                return Err(format!(
                    "RULE age order: {older:?} is older than the selected warp in {decision:?}"
                ));
            }
        }
        Ok(choices(schedule).count() as u64)
    })
}

/// With greedy-then-oldest, the warp that issued last issues again if it can; otherwise the oldest
/// does.
pub fn greedy_until_stall(trace: &Trace) -> RuleResult {
    each(trace, |schedule| {
        let mut last = None;
        for decision in &schedule.decisions {
            let oldest = decision.eligible.iter().min_by_key(|warp| warp.age).copied();
            let expected = last.filter(|warp| decision.has(*warp)).or(oldest);
            if expected != Some(decision.picked) {
                return Err(format!(
                    "RULE greedy until stall: {expected:?} should have issued in {decision:?}"
                ));
            }
            last = Some(decision.picked);
        }
        Ok(choices(schedule).count() as u64)
    })
}

/// Switching warps has no overhead: when the slots of an instruction have passed, an eligible warp
/// issues in the next issue cycle, whichever warp issued before.
pub fn zero_overhead_switch(trace: &Trace) -> RuleResult {
    each(trace, |schedule| {
        let mut switches = 0;
        for pair in schedule.decisions.windows(2) {
            let (end, next) = (pair[0].end(), &pair[1]);
            if pair[0].picked == next.picked {
                continue;
            }
            let could = next.since.max(end);
            if next.cycle > could {
                return Err(format!(
                    "RULE zero-overhead switch: {:?} could issue from issue cycle {could} on, after {:?} was done, \
                     and issued in {}",
                    next.picked, pair[0].picked, next.cycle
                ));
            }
            switches += u64::from(next.cycle == end);
        }
        Ok(switches)
    })
}
