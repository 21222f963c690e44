//! Linear extrapolation of the counters of some of a launch's blocks to all blocks.
//!
//! Three runs of the same launch with increasing numbers of blocks define the line: the difference
//! between the longest and the shortest is the cost of the additional blocks. A counter that is a
//! sum of counters in each run is also their sum on the line. So the identities of the breakdowns
//! hold for the estimate as they do for the runs.
//!
//! The ends of two runs differ by chance, and extrapolation multiplies these differences:
//!
//! - A counter that would become negative (for example slots without a warp, in a kernel that
//!   always has one) is set to zero.
//! - In sums that are identities (instructions by class, warp cycles by state, slots by outcome)
//!   the largest other counters are reduced by the same amount, so the sum does not change.
//! - If only counters of instructions that did issue could be reduced, there is no estimate.
//! - A part (misses, divergent branches) is never larger than its whole.
//! - Differences are largest between single SMs, so only the sums over SMs are extrapolated, and
//!   divided evenly.

use super::collect::Totals;
use super::report::SmReport;
use crate::counters::Counters;
use crate::counters::breakdown::{SlotBreakdown, WarpState};
use crate::counters::by::{By, Key};

/// Counters and shader cycles of one run.
#[derive(Clone, Debug, PartialEq)]
pub struct Counted {
    /// Shader cycles.
    pub cycles: u64,
    /// The counters.
    pub totals: Totals,
}

/// Parameters that define the number of issue slots of a chip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Shader cycles per issue cycle.
    pub issue_period: u64,
    /// Schedulers per SM.
    pub schedulers: u32,
}

/// Returns `base` plus `times` times the difference between `last` and `first`; `None` if the
/// result is not a valid set of counters.
pub fn extrapolate(
    first: &Counted,
    last: &Counted,
    base: &Counted,
    times: u64,
    shape: Shape,
) -> Option<Counted> {
    let on_line = |first: u64, last: u64, base: u64| {
        let on_line = i128::from(base) + i128::from(times) * (i128::from(last) - i128::from(first));
        i64::try_from(on_line).ok()
    };
    let (firsts, lasts) = (numbers(&first.totals), numbers(&last.totals));
    let mut totals = base.totals.clone();
    let (mut at, mut all_fit) = (0, firsts.len() == lasts.len());
    totals.leaves(&mut |leaf| {
        let value = firsts.get(at).zip(lasts.get(at)).and_then(|(first, last)| on_line(*first, *last, *leaf));
        all_fit &= value.is_some();
        *leaf = value.unwrap_or(0).cast_unsigned();
        at += 1;
    });
    if !all_fit {
        return None;
    }
    // Slots belong to whole issue cycles, but the last issue cycle may be incomplete. So the cycles
    // are clamped to the last issue cycle.
    let issue_cycles = |counted: &Counted| counted.cycles.div_ceil(shape.issue_period);
    let issue_cycles = on_line(issue_cycles(first), issue_cycles(last), issue_cycles(base))?;
    let issue_cycles = u64::try_from(issue_cycles).ok().filter(|n| *n > 0)?;
    settle(&mut totals, shape.schedulers, issue_cycles)?;
    totals.limit_parts();
    let ends = issue_cycles * shape.issue_period;
    let cycles = u64::try_from(on_line(first.cycles, last.cycles, base.cycles)?).ok()?;
    Some(Counted { cycles: cycles.clamp(ends + 1 - shape.issue_period, ends), totals })
}

/// Returns all numbers in order.
fn numbers(totals: &Totals) -> Vec<u64> {
    let mut numbers = Vec::new();
    totals.clone().leaves(&mut |leaf| numbers.push(*leaf));
    numbers
}

/// Whether an extrapolated number is negative.
fn is_negative(leaf: u64) -> bool {
    leaf.cast_signed() < 0
}

/// Sets negative numbers to zero and subtracts as much from the largest others, so that the sum
/// does not change; `None` if they are too small.
fn share(mut leaves: Vec<&mut u64>) -> Option<()> {
    let mut lost = 0;
    for leaf in leaves.iter_mut().filter(|leaf| is_negative(***leaf)) {
        lost += leaf.cast_signed().unsigned_abs();
        **leaf = 0;
    }
    take(leaves, lost)
}

/// Returns the counts of a breakdown.
fn counts<K: Key, const N: usize>(by: &mut By<K, N>) -> Vec<&mut u64> {
    by.iter_mut().map(|(_, count)| count).collect()
}

/// Subtracts `lost` from the largest counters; `None` if they are too small.
fn take(mut leaves: Vec<&mut u64>, mut lost: u64) -> Option<()> {
    leaves.sort_by_key(|leaf| std::cmp::Reverse(**leaf));
    for leaf in leaves {
        let taken = lost.min(*leaf);
        *leaf -= taken;
        lost -= taken;
    }
    (lost == 0).then_some(())
}

/// Makes valid counters from the extrapolated numbers of a launch with `issue_cycles` issue cycles.
fn settle(totals: &mut Totals, schedulers: u32, issue_cycles: u64) -> Option<()> {
    let Totals { inst, slots, warps, active, .. } = totals;
    // Each outcome of a slot belongs to one of the sums below.
    let SlotBreakdown {
        issued,
        paired,
        held,
        replay_bank_conflict,
        replay_constant,
        shut_by_other,
        as_first_port,
        not_pairable,
        no_warp,
        empty,
    } = slots;
    let used = [issued, paired, held, replay_bank_conflict, replay_constant];
    if used.into_iter().map(|n| *n).chain([warps[WarpState::Issuing], inst.warp]).any(is_negative) {
        return None;
    }
    share(counts(&mut inst.by_class))?;
    let others = warps.iter_mut().filter(|(state, _)| *state != WarpState::Issuing);
    share(others.map(|(_, cycles)| cycles).collect())?;
    share(vec![as_first_port, not_pairable])?;
    share(counts(empty).into_iter().chain([shut_by_other]).collect())?;
    let mut too_active = 0;
    if is_negative(*no_warp) {
        too_active = no_warp.cast_signed().unsigned_abs();
        *no_warp = 0;
        take(counts(empty), too_active)?;
    }
    // With one scheduler, the slots of the scheduler are the active cycles of the SM: the negative
    // slots without a warp shorten the active time.
    if schedulers == 1 {
        *active = active.checked_sub(too_active)?;
    }
    *active = (*active).min(issue_cycles * totals.sms.len() as u64);
    divide(totals)?;
    totals.leaves(&mut |leaf| *leaf = if is_negative(*leaf) { 0 } else { *leaf });
    Some(())
}

/// Gives each SM an equal part of the sums over all SMs, because only the sums are certain not to
/// be negative; `None` if the sum of the blocks is negative.
fn divide(totals: &mut Totals) -> Option<()> {
    let count = totals.sms.len() as u64;
    let blocks = totals.sms.iter().map(|sm| sm.blocks.cast_signed()).sum::<i64>();
    let of_all = [u64::try_from(blocks).ok()?, totals.inst.warp, totals.active, totals.resident];
    for (sm, i) in totals.sms.iter_mut().zip(0..) {
        let part = |all: u64| all / count + u64::from(i < all % count);
        let [blocks, instructions, active, resident] = of_all.map(part);
        *sm = SmReport {
            sm: sm.sm,
            blocks,
            instructions,
            active_issue_cycles: active,
            resident_warp_cycles: resident,
        };
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mem::partition::PartitionCounters;
    use isa::uop::Class;

    const SHAPE: Shape = Shape { issue_period: 4, schedulers: 1 };

    /// Counters of two SMs with one scheduler each: `instructions` issued, `no_warp` slots without
    /// a warp, the rest of the slots empty for a dependency.
    fn counted(issue_cycles: u64, instructions: u64, no_warp: u64) -> Counted {
        let mut totals = Totals { active: 2 * issue_cycles - no_warp, ..Totals::default() };
        totals.inst.warp = instructions;
        totals.inst.by_class[Class::Select64] = instructions;
        totals.slots.issued = instructions;
        totals.slots.no_warp = no_warp;
        totals
            .slots
            .count_empty(Some(WarpState::MemoryDependency), 2 * issue_cycles - no_warp - instructions);
        totals.warps.add(WarpState::Issuing, instructions);
        totals.resident = totals.warps.total();
        let half = SmReport {
            sm: 0,
            blocks: instructions / 10,
            instructions: instructions / 2,
            active_issue_cycles: totals.active.div_ceil(2),
            resident_warp_cycles: totals.resident.div_ceil(2),
        };
        totals.sms = vec![
            half,
            SmReport {
                sm: 1,
                active_issue_cycles: totals.active / 2,
                resident_warp_cycles: totals.resident / 2,
                ..half
            },
        ];
        // The last issue cycle is incomplete.
        Counted { cycles: 4 * issue_cycles - 3, totals }
    }

    #[test]
    fn counters_and_sums_are_extrapolated() {
        let (first, last) = (counted(1000, 600, 100), counted(1500, 1000, 120));
        let far = extrapolate(&first, &last, &last, 10, SHAPE).expect("no counter is negative");
        assert_eq!(far, counted(6500, 5000, 320));
    }

    #[test]
    fn a_negative_counter_reduces_the_others() {
        let (first, last) = (counted(1000, 600, 100), counted(1500, 1000, 80));
        let far = extrapolate(&first, &last, &last, 10, SHAPE).expect("the other counters are large enough");
        assert_eq!((far.totals.slots.no_warp, far.totals.slots.total()), (0, 2 * 6500));
        assert_eq!((far.totals.active, far.totals.slots.issued), (2 * 6500, 5000));
        assert_eq!(far.totals.sms.iter().map(|sm| sm.active_issue_cycles).sum::<u64>(), 2 * 6500);
        assert_eq!(far.cycles.div_ceil(4), 6500);
    }

    #[test]
    fn sms_are_divided_evenly_and_parts_stay_within_their_wholes() {
        let (mut first, mut last) = (counted(1000, 600, 100), counted(1500, 1000, 80));
        // By chance the second SM ended earlier, and fewer sectors hit.
        last.totals.sms[1].active_issue_cycles -= 400;
        last.totals.sms[0].blocks += 60;
        last.totals.sms[1].blocks -= 60;
        for (counted, misses) in [(&mut first, 10), (&mut last, 60)] {
            counted.totals.partitions = vec![PartitionCounters::default()];
            let l2 = &mut counted.totals.partitions[0].l2;
            (l2.read_sector_queries, l2.read_sector_misses) = (100, misses);
            (counted.totals.inst.branches, counted.totals.inst.divergent_branches) = (50, misses);
        }
        let far =
            extrapolate(&first, &last, &last, 10, SHAPE).expect("the other counters are large enough").totals;
        let active: Vec<u64> = far.sms.iter().map(|sm| sm.active_issue_cycles).collect();
        assert_eq!(active, [6500, 6500], "no SM is active longer than the launch takes");
        assert_eq!((far.sms[0].blocks, far.sms[1].blocks), (500, 500));
        assert_eq!(far.sms.iter().map(|sm| sm.instructions).sum::<u64>(), far.inst.warp);
        let l2 = far.partitions[0].l2;
        assert_eq!((l2.read_sector_misses, far.inst.divergent_branches), (l2.read_sector_queries, 50));
    }

    #[test]
    fn impossible_counters_give_no_estimate() {
        // More instructions than slots.
        let (first, last) = (counted(1000, 600, 0), counted(1010, 1000, 0));
        assert_eq!(extrapolate(&first, &last, &last, 100, SHAPE), None);
        // Fewer instructions with more blocks.
        let (first, last) = (counted(1000, 600, 0), counted(1500, 500, 0));
        assert_eq!(extrapolate(&first, &last, &last, 100, SHAPE), None);
        assert_eq!(extrapolate(&last, &counted(1 << 40, 5, 0), &last, 1 << 60, SHAPE), None, "out of range");
    }

    #[test]
    fn every_counter_is_visited_once() {
        let mut totals = counted(1000, 600, 100).totals;
        totals.pcs = vec![crate::stats::PcCounters::default(); 2];
        let before = numbers(&totals);
        totals.leaves(&mut |leaf| *leaf += 1);
        let after = numbers(&totals);
        assert!(before.len() > 100 && before.iter().zip(&after).all(|(before, after)| before + 1 == *after));
        assert_eq!(totals.sms[1].sm, 1, "the number of an SM is not a counter");
    }
}
