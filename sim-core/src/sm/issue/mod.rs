//! Warp selection: in each issue cycle every scheduler finds its eligible warps, and its policy
//! selects one of them.
//!
//! Schedulers issue one after the other. The shared units and the queue entries that an earlier
//! scheduler has occupied are not available to a later one in the same cycle.
//!
//! Invariant `double-precision-blocks-both`: While one scheduler of Fermi issues a double-precision
//! instruction, the other scheduler does not issue.
//!
//! Invariant `no-starvation-at-units`: No scheduler starves at a shared unit, and schedulers with
//! private units do not affect each other.

mod dual;

use crate::config::{MAX_SCHEDULERS, SecondPort};
use crate::counters::WarpState;
use crate::hooks::Mutant;
use crate::sm::Sm;
use crate::sm::context::SmContext;
use crate::sm::decode::DualIssue;
use crate::sm::execute::Issue;
use crate::sm::front::Readiness;
use crate::sm::scheduler::builtin::{Builtin, next_after, round_robin};
use crate::sm::scheduler::{Misconduct, Policy, SchedulerFault};
use crate::sm::units::Blocked;
use crate::time::NEVER;
use dual::First;

/// Returns the scheduler that issues first in an issue cycle, and so has first access to shared
/// units and to the queue. The sequence consists of multiples of the golden ratio: at any distance
/// between the cycles in which schedulers compete, each scheduler is first equally often, and none
/// is first for long. The result depends only on the cycle.
#[inline]
pub(in crate::sm) fn first_asked(cycle: u64, schedulers: usize) -> usize {
    let fraction = cycle.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    ((fraction * schedulers as u64) >> 32) as usize
}

/// One issue cycle: state shared by the schedulers that issue in it.
pub(in crate::sm) struct Round {
    /// Shader cycle at which it starts.
    pub now: u64,
    /// Issue cycle.
    pub cycle: u64,
    /// The scheduler that issues first.
    first: usize,
    /// Units and queue that were blocked at the start, as seen by that scheduler.
    at_start: Blocked,
    /// Whether an instruction has issued.
    pub issued: bool,
    /// Whether a policy left its slot empty or broke a rule.
    pub refused: bool,
}

impl Round {
    /// The issue cycle `cycle` of `sm`, which starts at shader cycle `now`.
    #[inline]
    pub(in crate::sm) fn new<const SIMPLE: bool>(sm: &mut Sm, now: u64, cycle: u64) -> Self {
        let (mut first, mut at_start) = (0, Blocked { units: 0, queue_full: false });
        // A simple SM asks for them only if the warp whose turn it is cannot issue.
        if !SIMPLE {
            let schedulers = sm.front.schedulers.len();
            (0..schedulers).for_each(|scheduler| sm.units.begin(scheduler, now));
            first = first_asked(cycle, schedulers);
            at_start = sm.blocked(first);
        }
        Self { now, cycle, first, at_start, issued: false, refused: false }
    }
}

/// The warp that a scheduler selects.
struct Selected {
    warp: u32,
    /// Units and queue that the scheduler found blocked.
    found: Blocked,
    /// Mask of the units that other schedulers have occupied in this cycle.
    overtaken: u32,
}

impl Sm {
    /// Checks a warp whose wait may end at issue cycle `cycle`.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "part of the pipeline")]
    pub(in crate::sm) fn look_at<const SIMPLE: bool>(&mut self, warp: u32, cycle: u64, context: &SmContext) {
        if self.front.ready_at[warp] <= cycle {
            self.enter_ready::<SIMPLE, false>(warp, cycle);
        } else {
            self.look_again::<SIMPLE>(warp, cycle, context);
        }
    }

    /// Checks a warp that is not known to be ready at issue cycle `cycle`.
    #[inline(never)]
    fn look_again<const SIMPLE: bool>(&mut self, warp: u32, cycle: u64, context: &SmContext) {
        if self.account.resident() & !self.front.ready.all & 1 << warp == 0 {
            return;
        }
        let ready_at = self.front.ready_at[warp];
        let issuing = self.warps.control[warp].issuing;
        if ready_at != NEVER {
            self.front.wheel.insert(warp, ready_at);
        } else if issuing > cycle * self.period {
            self.front.wheel.insert(warp, self.period.cycle_from(issuing));
        } else {
            self.classify::<SIMPLE, false>(warp, cycle, context);
        }
    }

    /// Marks `warp`, whose next instruction is set, as ready from issue cycle `cycle` on. `ISSUED`:
    /// it has issued in the cycle before.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "on the path of every instruction, in several pipelines")]
    fn enter_ready<const SIMPLE: bool, const ISSUED: bool>(&mut self, warp: u32, cycle: u64) {
        self.front.ready_at[warp] = NEVER;
        let scheduler = if SIMPLE { 0 } else { self.front.scheduler_of(warp) };
        let need = self.front.ready.need(warp);
        self.account.enter_ready::<SIMPLE, ISSUED>(warp, scheduler, need, cycle, &mut self.units);
        self.front.ready.all |= 1 << warp;
    }

    /// Finds the state, from issue cycle `cycle` on, of a warp that is not ready and does not issue
    /// in that cycle. The state may be ready. `ISSUED`: the warp has issued in the cycle before.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "on the path of every instruction, in several pipelines")]
    fn classify<const SIMPLE: bool, const ISSUED: bool>(
        &mut self,
        warp: u32,
        cycle: u64,
        context: &SmContext,
    ) {
        let now = cycle * self.period;
        let next = &context.code[self.warps.pc(warp) as usize];
        self.account.set_next(warp, next.main);
        self.front.ready.set_need(warp, next.need);
        if !SIMPLE {
            self.warps.rank[warp] = next.rank;
        }
        match self.front.classify::<SIMPLE>(warp, &self.warps.control[warp], next, now) {
            Readiness::Ready => self.enter_ready::<SIMPLE, ISSUED>(warp, cycle),
            Readiness::Stalled { reason, until, last } => {
                if ISSUED {
                    self.account.enter_after_issue(warp, reason);
                } else {
                    self.account.enter(warp, reason, cycle, next.main);
                }
                if until != NEVER {
                    let at = self.period.cycle_from(until);
                    self.front.ready_at[warp] = if last { at } else { NEVER };
                    self.front.wheel.insert(warp, at);
                } else if reason == WarpState::Exited {
                    let slot = self.warps.exited(warp);
                    self.retire_if_done(slot, cycle);
                }
            }
        }
    }

    /// Runs the scheduler at position `turn` of `round`: it issues an instruction, or its slot
    /// stays empty.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "part of the pipeline")]
    pub(in crate::sm) fn schedule<const OBSERVED: bool, const SIMPLE: bool>(
        &mut self,
        turn: usize,
        round: &mut Round,
        context: &SmContext,
    ) {
        let schedulers = self.front.schedulers.len();
        let mut scheduler = if SIMPLE { 0 } else { round.first + turn };
        if !SIMPLE && scheduler >= schedulers {
            scheduler -= schedulers;
        }
        let (now, cycle) = (round.now, round.cycle);
        if self.front.port_free[scheduler % MAX_SCHEDULERS] > now {
            if OBSERVED {
                // Uses the state at the start of the cycle: the warps of this scheduler do not wait
                // for units that other schedulers occupy in this cycle.
                let found = self.units.at_start(round.at_start, self.blocked(scheduler));
                self.record(|observed, sm| observed.ready(sm, (scheduler, cycle), found, None));
            }
            return;
        }
        let selected = if SIMPLE { self.next_in_turn(now, context) } else { None };
        let selected = selected.or_else(|| self.select::<OBSERVED, SIMPLE>(scheduler, turn, round, context));
        let Some(Selected { warp, found, overtaken }) = selected else { return };
        let next = &context.code[self.warps.pc(warp) as usize];
        let issue = Issue { scheduler, warp, decoded: next, now, cycle, second: false };
        let slots = self.issue::<OBSERVED, SIMPLE>(issue, context);
        if SIMPLE || !self.front.two_ports {
            self.continue_warp::<SIMPLE>(warp, slots, cycle, context);
        } else {
            let pairs = next.dual_issue == DualIssue::OtherInstruction;
            let first = First { scheduler, warp, slots, pairs, overtaken, found };
            self.issue_second::<OBSERVED>(first, now, cycle, context);
        }
        if !SIMPLE && self.units.alone() >> next.unit() & 1 == 1 {
            self.shut_others(scheduler, warp, round);
        }
        round.issued = true;
    }

    /// Counts the slots of issue cycle `cycle`, which starts at shader cycle `now`, as empty,
    /// except those that an earlier instruction uses: no warp is ready in it. Returns the next
    /// shader cycle at which a tick could change the state.
    #[inline]
    pub(in crate::sm) fn leave_empty(&mut self, now: u64, cycle: u64) -> u64 {
        let mut next = self.front.wheel.next().saturating_mul(self.period.cycles());
        for (number, scheduler) in self.front.schedulers.iter().enumerate() {
            let port_free = self.front.port_free[number % MAX_SCHEDULERS];
            if port_free > now {
                next = next.min(port_free);
            } else {
                let reason = self.account.least_blocked(number, scheduler.warps);
                self.account.slots.empty(number, cycle, reason);
            }
        }
        next.max(now + self.period)
    }

    /// The warp that the scheduler at position `turn` of `round` selects. Without one, its slot is
    /// counted as empty.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "part of the pipeline")]
    fn select<const OBSERVED: bool, const SIMPLE: bool>(
        &mut self,
        scheduler: usize,
        turn: usize,
        round: &mut Round,
        context: &SmContext,
    ) -> Option<Selected> {
        let (now, cycle) = (round.now, round.cycle);
        let own = if SIMPLE { u64::MAX } else { self.front.schedulers[scheduler].warps };
        if SIMPLE {
            self.units.begin(0, now);
            round.at_start = self.blocked(0);
        }
        let (mut found, mut overtaken) = (round.at_start, 0);
        if !SIMPLE && turn > 0 {
            found = self.blocked(scheduler);
            let start = self.units.at_start(round.at_start, found);
            if round.issued {
                found.units |= self.units.alone();
            }
            self.units.overtaken(scheduler, start, found);
            overtaken = found.units & !start.units;
        }
        let mut eligible = own & self.front.ready.unblocked(found);
        if context.hooks.is(Mutant::NeglectsAWarp) && eligible.count_ones() > 1 {
            eligible &= eligible - 1;
        }
        if eligible == 0 {
            // A ready warp that is not eligible is less blocked than any stalled warp, so there is
            // no need to search all of them.
            let reason = self.front.ready.least_blocked(own, found.units);
            let reason = reason.or_else(|| self.account.least_blocked(scheduler, own));
            self.account.slots.empty(scheduler, cycle, reason);
            if OBSERVED {
                self.record(|observed, sm| observed.ready(sm, (scheduler, cycle), found, None));
            }
            return None;
        }
        let idles = context.hooks.is(Mutant::SchedulerIdles) && cycle % 16 == 15;
        let picked = if idles { None } else { self.pick(scheduler, now, eligible, context) };
        if picked.is_none() {
            self.account.slots.empty(scheduler, cycle, Some(WarpState::NotSelected));
            if OBSERVED {
                self.record(|observed, sm| observed.left_empty(sm, (scheduler, cycle), found));
            }
            round.refused = true;
        } else if OBSERVED && context.config.second_port != SecondPort::AnyWarp {
            self.record(|observed, sm| observed.ready(sm, (scheduler, cycle), found, picked));
        }
        picked.map(|warp| Selected { warp, found, overtaken })
    }

    /// The next ready warp in turn of the only scheduler, if the warp is eligible at shader cycle
    /// `now`.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "part of the pipeline")]
    fn next_in_turn(&mut self, now: u64, context: &SmContext) -> Option<Selected> {
        let ready = self.front.ready.all;
        let Policy::Builtin(Builtin::LooseRoundRobin { last }) = &mut self.front.schedulers[0].policy else {
            return None;
        };
        let broken = context.hooks.is(Mutant::NeglectsAWarp) || context.hooks.is(Mutant::SchedulerIdles);
        if ready == 0 || broken {
            return None;
        }
        let warp = next_after(ready, *last);
        let need = self.front.ready.need(warp);
        if !self.units.accepts(need.unit(), now) || need.queued() && self.memory.queue_is_full() {
            return None;
        }
        *last = warp;
        Some(Selected { warp, found: Blocked { units: 0, queue_full: false }, overtaken: 0 })
    }

    /// The warp that the policy of `scheduler` selects among the `eligible` warps at shader cycle
    /// `now`, if any.
    #[inline]
    fn pick(&mut self, scheduler: usize, now: u64, eligible: u64, context: &SmContext) -> Option<u32> {
        let policy = &mut self.front.schedulers[scheduler].policy;
        if let Policy::Builtin(Builtin::LooseRoundRobin { last }) = policy {
            // The policy of all known chips needs no view.
            return Some(round_robin(last, eligible));
        }
        let cycle = self.period.cycle(now);
        let picked = self.front.ask(scheduler, cycle, eligible, &self.warps, &self.account);
        picked.unwrap_or_else(|misconduct| {
            self.misconduct(misconduct, scheduler, eligible, now, context);
            None
        })
    }

    /// `warp` of `scheduler` has issued to a unit that blocks the other schedulers: they cannot
    /// issue until this scheduler may issue again.
    #[cold]
    fn shut_others(&mut self, scheduler: usize, warp: u32, round: &Round) {
        let (until, schedulers) = (self.front.port_free[scheduler], self.front.schedulers.len());
        let turn = |scheduler: usize| (scheduler + schedulers - round.first) % schedulers;
        for other in (0..schedulers).filter(|other| *other != scheduler) {
            // A scheduler earlier in the round has already found no instruction to issue in this
            // cycle.
            let from = if turn(other) < turn(scheduler) { round.now + self.period } else { round.now };
            self.account.slots.shut(other, self.period.cycle(from), self.period.cycle(until));
            if self.front.port_free[other] < until {
                self.front.port_free[other] = until;
                self.record(|observed, _| observed.shut(other, warp));
            }
        }
    }

    /// Records that a user's policy broke a rule at shader cycle `now`. The launch will be stopped.
    #[cold]
    fn misconduct(
        &mut self,
        misconduct: Misconduct,
        scheduler: usize,
        eligible: u64,
        now: u64,
        context: &SmContext,
    ) {
        let (sm, resident) = (self.id, self.account.resident() & self.front.schedulers[scheduler].warps);
        self.scheduler_fault.get_or_insert_with(|| SchedulerFault {
            misconduct,
            policy: context.scheduler.as_ref().map_or_else(String::new, |own| own.name().to_owned()),
            sm,
            scheduler: scheduler as u32,
            cycle: now,
            issue_cycle: now / context.config.issue_period as u64,
            eligible,
            resident,
        });
    }

    /// Units and queue that accept no instruction of `scheduler` in this issue cycle.
    #[inline]
    pub(in crate::sm) fn blocked(&self, scheduler: usize) -> Blocked {
        Blocked { units: self.units.busy(scheduler), queue_full: self.memory.queue_is_full() }
    }

    /// Schedules the next classification of `warp`, which has issued for `slots` slots from `cycle`
    /// on.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "on the path of every instruction, in several pipelines")]
    fn continue_warp<const SIMPLE: bool>(&mut self, warp: u32, slots: u64, cycle: u64, context: &SmContext) {
        // The end of a block changes the state that other schedulers see, so it must not be
        // processed before its cycle.
        if slots > 1 || self.warps.of(warp).done() {
            self.front.wheel.insert(warp, cycle + slots);
        } else {
            self.classify::<SIMPLE, true>(warp, cycle + 1, context);
        }
    }
}
