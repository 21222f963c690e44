//! Kinds of front ends, as types: the pipeline of an SM is compiled for each of them.
//!
//! [`General`] describes every front end. [`Single`] is the most frequent one: one scheduler with
//! one port and the round robin policy, and no instruction cache. It gives the same result as
//! [`General`] without the work that only other front ends need.

#![expect(
    clippy::inline_always,
    reason = "parts of the pipeline, in which the constants of a kind are folded"
)]

use super::Front;
use super::fetch::Fetch;
use crate::sm::Sm;
use crate::sm::context::SmContext;
use crate::sm::decode::DualIssue;
use crate::sm::execute::Issue;
use crate::sm::issue::dual::First;
use crate::sm::issue::{Round, Selected, first_asked};
use crate::sm::probe::Probe;
use crate::sm::units::{Blocked, Units};

/// A kind of front end. `scheduler` is the number of one of its schedulers.
pub(in crate::sm) trait FrontEnd: Sized {
    /// Number of schedulers.
    fn schedulers(front: &Front) -> usize;

    /// The scheduler of `warp`.
    fn scheduler_of(front: &Front, warp: u32) -> usize;

    /// The scheduler that is asked at position `turn` of `round`.
    fn scheduler_at(front: &Front, round: &Round, turn: usize) -> usize;

    /// The instruction cache.
    fn fetch(front: &Front) -> Option<&Fetch>;

    /// Begins issue cycle `cycle` at shader cycle `now`.
    fn begin(sm: &mut Sm, now: u64, cycle: u64) -> Round;

    /// Units and queue that `scheduler` finds blocked at position `turn` of `round`, and the units
    /// among them that other schedulers have occupied in this cycle.
    fn blocked(sm: &mut Sm, scheduler: usize, turn: usize, round: &mut Round) -> (Blocked, u32);

    /// The warp that `scheduler` selects at position `turn` of `round`. Without one, its slot is
    /// counted as empty.
    fn select<P: Probe>(
        sm: &mut Sm,
        scheduler: usize,
        turn: usize,
        round: &mut Round,
        context: &SmContext,
    ) -> Option<Selected>;

    /// Lets the warp of `selected` continue, which has issued for `slots` slots, after the second
    /// port has issued.
    fn issued<P: Probe>(
        sm: &mut Sm,
        issue: Issue<'_>,
        slots: u64,
        selected: Selected,
        round: &Round,
        context: &SmContext,
    );

    /// The next shader cycle at which a tick could change the state after `round`, if no message
    /// arrives before.
    fn next_wake(front: &Front, round: &Round, units: &Units) -> u64;

    /// Number of issue cycles before `issue_cycle` in which warps of `scheduler` found `unit` busy.
    fn busy_seen(units: &Units, unit: u8, scheduler: usize, issue_cycle: u64) -> u64;

    /// Same as [`Self::busy_seen`], for the issue cycle in which a warp issues that needs `unit`.
    fn busy_at_issue(units: &Units, unit: u8, scheduler: usize, issue_cycle: u64) -> u64;
}

/// A front end with any number of schedulers and ports.
pub(in crate::sm) struct General;

impl FrontEnd for General {
    #[inline]
    fn schedulers(front: &Front) -> usize {
        front.schedulers.len()
    }

    #[inline]
    fn scheduler_of(front: &Front, warp: u32) -> usize {
        front.scheduler_of(warp)
    }

    #[inline]
    fn scheduler_at(front: &Front, round: &Round, turn: usize) -> usize {
        let (schedulers, scheduler) = (front.schedulers.len(), round.first + turn);
        if scheduler >= schedulers { scheduler - schedulers } else { scheduler }
    }

    #[inline]
    fn fetch(front: &Front) -> Option<&Fetch> {
        front.fetch.as_ref()
    }

    #[inline]
    fn begin(sm: &mut Sm, now: u64, cycle: u64) -> Round {
        let schedulers = sm.front.schedulers.len();
        (0..schedulers).for_each(|scheduler| sm.units.begin(scheduler, now));
        let first = first_asked(cycle, schedulers);
        Round { first, at_start: sm.blocked(first), ..Round::new(now, cycle) }
    }

    #[inline]
    fn blocked(sm: &mut Sm, scheduler: usize, turn: usize, round: &mut Round) -> (Blocked, u32) {
        if turn == 0 {
            return (round.at_start, 0);
        }
        let mut found = sm.blocked(scheduler);
        let start = sm.units.at_start(round.at_start, found);
        if round.issued {
            found.units |= sm.units.exclusive();
        }
        sm.units.overtaken(scheduler, start, found);
        (found, found.units & !start.units)
    }

    #[inline(always)]
    fn select<P: Probe>(
        sm: &mut Sm,
        scheduler: usize,
        turn: usize,
        round: &mut Round,
        context: &SmContext,
    ) -> Option<Selected> {
        sm.select::<Self, P>(scheduler, turn, round, context)
    }

    #[inline(always)]
    fn issued<P: Probe>(
        sm: &mut Sm,
        issue: Issue<'_>,
        slots: u64,
        selected: Selected,
        round: &Round,
        context: &SmContext,
    ) {
        let Issue { scheduler, warp, decoded, now, cycle, .. } = issue;
        if sm.front.two_ports {
            let pairs = decoded.dual_issue == DualIssue::OtherInstruction;
            let Selected { found, overtaken, .. } = selected;
            let first = First { scheduler, warp, slots, pairs, overtaken, found };
            sm.issue_second::<P>(first, now, cycle, context);
        } else {
            sm.continue_warp::<Self>(warp, slots, cycle, context);
        }
        if sm.units.exclusive() >> decoded.unit() & 1 == 1 {
            sm.shut_others(scheduler, warp, round);
        }
    }

    #[inline]
    fn next_wake(front: &Front, round: &Round, units: &Units) -> u64 {
        let woken = front.wheel.next().saturating_mul(front.period.cycles());
        if round.refused || round.issued && front.schedulers.len() > 1 {
            // A policy that selected no warp is asked again in the next issue cycle. An instruction
            // has occupied a unit or let a block retire, so the empty slots of other schedulers may
            // have another reason now.
            return woken.min(round.now + front.period);
        }
        woken.min(front.next_slot(round.now, units))
    }

    #[inline]
    fn busy_seen(units: &Units, unit: u8, scheduler: usize, issue_cycle: u64) -> u64 {
        units.busy_seen(unit, scheduler, issue_cycle)
    }

    // The second port may issue the instruction to another unit while `unit` is busy.
    #[inline]
    fn busy_at_issue(units: &Units, unit: u8, scheduler: usize, issue_cycle: u64) -> u64 {
        units.busy_seen(unit, scheduler, issue_cycle)
    }
}

/// A front end with one scheduler; see [`Front::is_single`].
pub(in crate::sm) struct Single;

impl FrontEnd for Single {
    #[inline]
    fn schedulers(_: &Front) -> usize {
        1
    }

    #[inline]
    fn scheduler_of(_: &Front, _warp: u32) -> usize {
        0
    }

    #[inline]
    fn scheduler_at(_: &Front, _: &Round, _turn: usize) -> usize {
        0
    }

    #[inline]
    fn fetch(_: &Front) -> Option<&Fetch> {
        None
    }

    // Only [`Self::blocked`] needs the blocked units.
    #[inline]
    fn begin(_: &mut Sm, now: u64, cycle: u64) -> Round {
        Round::new(now, cycle)
    }

    #[inline]
    fn blocked(sm: &mut Sm, scheduler: usize, _turn: usize, round: &mut Round) -> (Blocked, u32) {
        sm.units.begin(scheduler, round.now);
        (sm.blocked(scheduler), 0)
    }

    // Mostly the next warp in turn is eligible.
    #[inline(always)]
    fn select<P: Probe>(
        sm: &mut Sm,
        scheduler: usize,
        turn: usize,
        round: &mut Round,
        context: &SmContext,
    ) -> Option<Selected> {
        let next = sm.next_in_turn(round.now, context);
        next.or_else(|| sm.select::<Self, P>(scheduler, turn, round, context))
    }

    #[inline(always)]
    fn issued<P: Probe>(
        sm: &mut Sm,
        issue: Issue<'_>,
        slots: u64,
        _: Selected,
        _: &Round,
        context: &SmContext,
    ) {
        sm.continue_warp::<Self>(issue.warp, slots, issue.cycle, context);
    }

    #[inline]
    fn next_wake(front: &Front, round: &Round, units: &Units) -> u64 {
        let next = round.now + front.period;
        if !round.issued {
            return General::next_wake(front, round, units);
        }
        if front.port_free[0] <= next {
            return next;
        }
        // After an issue the scheduler runs again even if no warp is ready, to determine the stall
        // reason.
        front.wheel.next().saturating_mul(front.period.cycles()).min(front.port_free[0])
    }

    // No other scheduler occupies a unit first.
    #[inline]
    fn busy_seen(units: &Units, unit: u8, scheduler: usize, issue_cycle: u64) -> u64 {
        units.busy_cycles(unit, scheduler, issue_cycle)
    }

    // The unit accepts the instruction: all its busy cycles are in the past.
    #[inline]
    fn busy_at_issue(units: &Units, unit: u8, scheduler: usize, _issue_cycle: u64) -> u64 {
        units.busy_so_far(unit, scheduler)
    }
}
