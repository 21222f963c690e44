//! Rules about which warp issues, and when.

use super::decisions::{Decision, Schedule, Warp, schedules};
use super::{Film, Held};
use std::collections::BTreeMap;

/// Holds `rule` for each scheduler; adds up how often it was put to the test.
fn each(film: &Film, rule: impl Fn(&Schedule) -> Held) -> Held {
    let place = |s: &Schedule, e: String| format!("{e} (SM {}, scheduler {})", s.sm, s.scheduler);
    schedules(film).iter().try_fold(0, |sum, s| Ok(sum + rule(s).map_err(|e| place(s, e))?))
}

/// The decisions in which there was a choice.
fn choices(schedule: &Schedule) -> impl Iterator<Item = &Decision> {
    schedule.decisions.iter().filter(|decision| decision.eligible.len() > 1)
}

/// A scheduler that is free and has an eligible warp issues one.
pub fn work_conserving(film: &Film) -> Held {
    each(film, |schedule| match schedule.missed.first() {
        Some((cycle, warp)) => Err(format!(
            "RULE work conserving: in issue cycle {cycle} nothing issued although {warp:?} could"
        )),
        None => Ok(choices(schedule).count() as u64),
    })
}

/// With round robin a warp that is eligible all the time issues at least once in n issues, n being
/// the number of warps that were eligible in them.
pub fn no_starvation(film: &Film) -> Held {
    each(film, |schedule| {
        // For each warp: in how many decisions in a row it was passed over, and who was eligible in
        // them.
        let mut passed: BTreeMap<Warp, (u32, u64)> = BTreeMap::new();
        for decision in &schedule.decisions {
            passed.retain(|warp, _| decision.has(*warp) && *warp != decision.picked);
            let mask = decision.eligible.iter().fold(0, |mask, warp| mask | 1u64 << warp.slot);
            for warp in decision.eligible.iter().filter(|warp| **warp != decision.picked) {
                let (times, seen) = passed.entry(*warp).or_default();
                (*times, *seen) = (*times + 1, *seen | mask);
                if *times >= seen.count_ones() {
                    return Err(format!(
                        "RULE no starvation under round robin: {warp:?} was eligible in {times} issues in a row up \
                         to issue cycle {}, by {} warps in all, and in none of them did it issue",
                        decision.cycle,
                        seen.count_ones()
                    ));
                }
            }
        }
        Ok(choices(schedule).count() as u64)
    })
}

/// With round robin the issues of any two warps that are eligible all the time differ by at most
/// one, over any interval.
pub fn fairness(film: &Film) -> Held {
    each(film, |schedule| {
        // For each pair that has been eligible together: the first's issues less the second's, now,
        // least and most.
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

/// With oldest-first the picked warp is the oldest of the eligible.
pub fn age_order(film: &Film) -> Held {
    each(film, |schedule| {
        for decision in choices(schedule) {
            if let Some(older) = decision.eligible.iter().find(|warp| warp.age < decision.picked.age) {
                return Err(format!("RULE age order: {older:?} is older than what issued in {decision:?}"));
            }
        }
        Ok(choices(schedule).count() as u64)
    })
}

/// With greedy-then-oldest the warp that issued last issues again if it can; if it cannot, the
/// oldest does.
pub fn greedy_until_stall(film: &Film) -> Held {
    each(film, |schedule| {
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

/// Switching warps costs nothing: when the slots of an instruction are over, a warp that can issue
/// then does so in the very next issue cycle, whichever warp issued before.
pub fn zero_overhead_switch(film: &Film) -> Held {
    each(film, |schedule| {
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
