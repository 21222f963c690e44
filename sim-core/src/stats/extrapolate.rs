//! From some of a launch's blocks to all of them: every counter continued in a straight line.
//!
//! Three runs of the same launch with ever more of its blocks give the line: what the longest
//! counts beyond the shortest is what so many more blocks cost. Whatever is a sum of counters in
//! each run is so on the line, hence the identities of the ledgers hold of the estimate as they do
//! of the runs.
//!
//! The ends of two runs differ by chance, and on the line that chance is multiplied. Where it makes
//! a counter fall below zero (slots without a warp, of a kernel that always has some, say), the
//! counter is zero. Of sums that are identities (instructions by class, warp cycles by state, slots
//! by outcome) the largest others lose as much: the sum stays. What nothing can be taken from
//! without telling of instructions that did not issue is no estimate at all. A part of something
//! else (misses, divergent branches) is never more than that. Chance is largest in what single SMs
//! do, so of them only the sums are continued, and divided evenly.

use super::collect::Totals;
use super::report::SmReport;
use crate::counters::Counters;
use crate::counters::breakdown::{SlotBreakdown, WarpState};
use crate::counters::by::{By, Key};

/// What one run counted, and its hot cycles.
#[derive(Clone, Debug, PartialEq)]
pub struct Counted {
    /// Hot cycles.
    pub cycles: u64,
    /// The counters.
    pub totals: Totals,
}

/// How the issue slots of a chip are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Hot cycles of an issue cycle.
    pub issue_period: u64,
    /// Schedulers of an SM.
    pub schedulers: u32,
}

/// `base` and `times` times what `last` has more than `first`. `None` if no report can be made of
/// it.
pub fn on_the_line(
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
    // The slots are of whole issue cycles, and the last of them may be begun only: so the cycles
    // are rounded to theirs.
    let issue_cycles = |counted: &Counted| counted.cycles.div_ceil(shape.issue_period);
    let issue_cycles = on_line(issue_cycles(first), issue_cycles(last), issue_cycles(base))?;
    let issue_cycles = u64::try_from(issue_cycles).ok().filter(|n| *n > 0)?;
    settle(&mut totals, shape.schedulers, issue_cycles)?;
    totals.limit_parts();
    let ends = issue_cycles * shape.issue_period;
    let cycles = u64::try_from(on_line(first.cycles, last.cycles, base.cycles)?).ok()?;
    Some(Counted { cycles: cycles.clamp(ends + 1 - shape.issue_period, ends), totals })
}

/// All numbers in order.
fn numbers(totals: &Totals) -> Vec<u64> {
    let mut numbers = Vec::new();
    totals.clone().leaves(&mut |leaf| numbers.push(*leaf));
    numbers
}

/// A number on the line, which may be below zero.
fn below_zero(leaf: u64) -> bool {
    leaf.cast_signed() < 0
}

/// Sets what is below zero to zero, and takes as much from the largest others: the sum stays.
/// `None` if they have less.
fn share(mut leaves: Vec<&mut u64>) -> Option<()> {
    let mut lost = 0;
    for leaf in leaves.iter_mut().filter(|leaf| below_zero(***leaf)) {
        lost += leaf.cast_signed().unsigned_abs();
        **leaf = 0;
    }
    take(leaves, lost)
}

/// The counts of a breakdown.
fn counts<K: Key, const N: usize>(by: &mut By<K, N>) -> Vec<&mut u64> {
    by.iter_mut().map(|(_, count)| count).collect()
}

/// Takes `lost` from the largest.
fn take(mut leaves: Vec<&mut u64>, mut lost: u64) -> Option<()> {
    leaves.sort_by_key(|leaf| std::cmp::Reverse(**leaf));
    for leaf in leaves {
        let taken = lost.min(*leaf);
        *leaf -= taken;
        lost -= taken;
    }
    (lost == 0).then_some(())
}

/// Makes counters of the numbers on the line; the launch has so many issue cycles.
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
    if used.into_iter().map(|n| *n).chain([warps[WarpState::Issuing], inst.warp]).any(below_zero) {
        return None;
    }
    share(counts(&mut inst.by_class))?;
    let others = warps.iter_mut().filter(|(state, _)| *state != WarpState::Issuing);
    share(others.map(|(_, cycles)| cycles).collect())?;
    share(vec![as_first_port, not_pairable])?;
    share(counts(empty).into_iter().chain([shut_by_other]).collect())?;
    let mut too_active = 0;
    if below_zero(*no_warp) {
        too_active = no_warp.cast_signed().unsigned_abs();
        *no_warp = 0;
        take(counts(empty), too_active)?;
    }
    // One scheduler's slots are those of its SM: where there were less than none without a warp, it
    // was not active so long.
    if schedulers == 1 {
        *active = active.checked_sub(too_active)?;
    }
    *active = (*active).min(issue_cycles * totals.sms.len() as u64);
    divide(totals)?;
    totals.leaves(&mut |leaf| *leaf = if below_zero(*leaf) { 0 } else { *leaf });
    Some(())
}

/// Gives each SM its even part of what all have done: numbers on the line, of which only the sums
/// are above zero for certain. `None` if they are not.
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

    /// Some issue cycles of one scheduler on two SMs: so many instructions, so many slots without a
    /// warp, the rest of the slots empty for a dependency.
    fn counted(issue_cycles: u64, instructions: u64, no_warp: u64) -> Counted {
        let mut totals = Totals { active: 2 * issue_cycles - no_warp, ..Totals::default() };
        totals.inst.warp = instructions;
        totals.inst.by_class[Class::Select64] = instructions;
        totals.slots.issued = instructions;
        totals.slots.no_warp = no_warp;
        totals.slots.book_empty(Some(WarpState::MemoryDependency), 2 * issue_cycles - no_warp - instructions);
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
        // The last issue cycle is only begun.
        Counted { cycles: 4 * issue_cycles - 3, totals }
    }

    #[test]
    fn counters_and_sums_lie_on_the_line() {
        let (first, last) = (counted(1000, 600, 100), counted(1500, 1000, 120));
        let far = on_the_line(&first, &last, &last, 10, SHAPE).expect("nothing is below zero");
        assert_eq!(far, counted(6500, 5000, 320));
    }

    #[test]
    fn what_would_be_below_zero_is_shared() {
        let (first, last) = (counted(1000, 600, 100), counted(1500, 1000, 80));
        let far = on_the_line(&first, &last, &last, 10, SHAPE).expect("there is enough to take from");
        assert_eq!((far.totals.slots.no_warp, far.totals.slots.total()), (0, 2 * 6500));
        assert_eq!((far.totals.active, far.totals.slots.issued), (2 * 6500, 5000));
        assert_eq!(far.totals.sms.iter().map(|sm| sm.active_issue_cycles).sum::<u64>(), 2 * 6500);
        assert_eq!(far.cycles.div_ceil(4), 6500);
    }

    #[test]
    fn sms_have_even_parts_and_no_part_is_more_than_its_whole() {
        let (mut first, mut last) = (counted(1000, 600, 100), counted(1500, 1000, 80));
        // By chance the second SM ended earlier, and fewer sectors were found.
        last.totals.sms[1].active_issue_cycles -= 400;
        last.totals.sms[0].blocks += 60;
        last.totals.sms[1].blocks -= 60;
        for (counted, misses) in [(&mut first, 10), (&mut last, 60)] {
            counted.totals.partitions = vec![PartitionCounters::default()];
            let l2 = &mut counted.totals.partitions[0].l2;
            (l2.read_sector_queries, l2.read_sector_misses) = (100, misses);
            (counted.totals.inst.branches, counted.totals.inst.divergent_branches) = (50, misses);
        }
        let far = on_the_line(&first, &last, &last, 10, SHAPE).expect("there is enough to take from").totals;
        let active: Vec<u64> = far.sms.iter().map(|sm| sm.active_issue_cycles).collect();
        assert_eq!(active, [6500, 6500], "no SM is active longer than the launch takes");
        assert_eq!((far.sms[0].blocks, far.sms[1].blocks), (500, 500));
        assert_eq!(far.sms.iter().map(|sm| sm.instructions).sum::<u64>(), far.inst.warp);
        let l2 = far.partitions[0].l2;
        assert_eq!((l2.read_sector_misses, far.inst.divergent_branches), (l2.read_sector_queries, 50));
    }

    #[test]
    fn what_cannot_be_is_no_estimate() {
        // More instructions than there are slots.
        let (first, last) = (counted(1000, 600, 0), counted(1010, 1000, 0));
        assert_eq!(on_the_line(&first, &last, &last, 100, SHAPE), None);
        // Fewer instructions with more blocks.
        let (first, last) = (counted(1000, 600, 0), counted(1500, 500, 0));
        assert_eq!(on_the_line(&first, &last, &last, 100, SHAPE), None);
        assert_eq!(on_the_line(&last, &counted(1 << 40, 5, 0), &last, 1 << 60, SHAPE), None, "out of range");
    }

    #[test]
    fn all_counters_are_seen_once() {
        let mut totals = counted(1000, 600, 100).totals;
        totals.pcs = vec![crate::stats::PcCounters::default(); 2];
        let before = numbers(&totals);
        totals.leaves(&mut |leaf| *leaf += 1);
        let after = numbers(&totals);
        assert!(before.len() > 100 && before.iter().zip(&after).all(|(before, after)| before + 1 == *after));
        assert_eq!(totals.sms[1].sm, 1, "the number of an SM is no counter");
    }
}
