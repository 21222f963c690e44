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

pub(in crate::sm) mod dual;

use crate::config::{MAX_SCHEDULERS, SecondPort};
use crate::counters::WarpState;
use crate::hooks::Mutant;
use crate::sm::Sm;
use crate::sm::context::SmContext;
use crate::sm::front::kinds::FrontEnd;
use crate::sm::front::{Readiness, Stall};
use crate::sm::probe::Probe;
use crate::sm::scheduler::builtin::{Builtin, next_after, round_robin};
use crate::sm::scheduler::{Misconduct, Policy, SchedulerFault};
use crate::sm::units::Blocked;
use crate::time::NEVER;

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
    pub first: usize,
    /// Units and queue that were blocked at the start, as seen by that scheduler.
    pub at_start: Blocked,
    /// Whether an instruction has issued.
    pub issued: bool,
    /// Whether a policy left its slot empty or broke a rule.
    pub refused: bool,
}

impl Round {
    /// The issue cycle `cycle`, which starts at shader cycle `now` with nothing blocked.
    #[inline]
    pub(in crate::sm) fn new(now: u64, cycle: u64) -> Self {
        Self { now, cycle, first: 0, at_start: Blocked::NOTHING, issued: false, refused: false }
    }
}

/// The warp that a scheduler selects.
pub(in crate::sm) struct Selected {
    pub warp: u32,
    /// Units and queue that the scheduler found blocked.
    pub found: Blocked,
    /// Mask of the units that other schedulers have occupied in this cycle.
    pub overtaken: u32,
}

impl Sm {
    /// Checks a warp whose wait may end at issue cycle `cycle`.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "part of the pipeline")]
    pub(in crate::sm) fn wake_warp<F: FrontEnd>(&mut self, warp: u32, cycle: u64, context: &SmContext) {
        if self.front.ready_at[warp] <= cycle {
            self.enter_ready::<F>(warp, cycle);
        } else {
            self.check_warp::<F>(warp, cycle, context);
        }
    }

    /// Checks a warp that is not known to be ready at issue cycle `cycle`.
    #[inline(never)]
    fn check_warp<F: FrontEnd>(&mut self, warp: u32, cycle: u64, context: &SmContext) {
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
            match self.classify::<F>(warp, cycle, context) {
                Readiness::Ready => self.enter_ready::<F>(warp, cycle),
                Readiness::Stalled(stall) => {
                    self.account.enter(warp, stall.reason, cycle);
                    let late = u64::from(context.hooks.is(Mutant::WakesLate)) * self.period;
                    let until = if stall.until == NEVER { NEVER } else { stall.until + late };
                    self.stalled(warp, Stall { until, ..stall }, cycle);
                }
            }
        }
    }

    /// Schedules the next classification of `warp`, which has issued for `slots` slots from `cycle`
    /// on.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "on the path of every instruction, in several pipelines")]
    pub(in crate::sm) fn continue_warp<F: FrontEnd>(
        &mut self,
        warp: u32,
        slots: u64,
        cycle: u64,
        context: &SmContext,
    ) {
        // The end of a block changes the state that other schedulers see, so it must not be
        // processed before its cycle.
        if slots > 1 || self.warps.of(warp).done() {
            self.front.wheel.insert(warp, cycle + slots);
            return;
        }
        let next = cycle + 1;
        match self.classify::<F>(warp, next, context) {
            Readiness::Ready => {
                let need = (F::scheduler_of(&self.front, warp), self.front.ready.need(warp));
                self.account.ready_after_issue::<F>(warp, need, next, &mut self.units);
                self.front.set_ready(warp);
            }
            Readiness::Stalled(stall) => {
                self.account.enter_after_issue(warp, stall.reason);
                self.stalled(warp, stall, next);
            }
        }
    }

    /// Marks `warp`, whose next instruction is set, as ready from issue cycle `cycle` on.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "on the path of every instruction, in several pipelines")]
    fn enter_ready<F: FrontEnd>(&mut self, warp: u32, cycle: u64) {
        let need = (F::scheduler_of(&self.front, warp), self.front.ready.need(warp));
        self.account.enter_ready::<F>(warp, need, cycle, &mut self.units);
        self.front.set_ready(warp);
    }

    /// Sets the next instruction of a warp that is not ready and does not issue in issue cycle
    /// `cycle`. Returns its state from that cycle on.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "on the path of every instruction, in several pipelines")]
    fn classify<F: FrontEnd>(&mut self, warp: u32, cycle: u64, context: &SmContext) -> Readiness {
        let next = &context.code[self.warps.pc(warp) as usize];
        self.account.set_next(warp, next.main);
        self.front.ready.set_need(warp, next.need);
        self.warps.rank[warp] = next.rank;
        self.front.classify::<F>(warp, &self.warps.control[warp], next, cycle * self.period)
    }

    /// Wakes `warp`, which waits from issue cycle `cycle` on, when its wait ends. An exited warp
    /// may be the last one of its block.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "on the path of every instruction, in several pipelines")]
    fn stalled(&mut self, warp: u32, stall: Stall, cycle: u64) {
        self.front.set_stalled(warp, stall);
        if stall.until == NEVER && stall.reason == WarpState::Exited {
            let slot = self.warps.exited(warp);
            self.retire_if_done(slot, cycle);
        }
    }

    /// Runs the scheduler at position `turn` of `round`: it issues an instruction, or its slot
    /// stays empty.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "part of the pipeline")]
    pub(in crate::sm) fn schedule<F: FrontEnd, P: Probe>(
        &mut self,
        turn: usize,
        round: &mut Round,
        context: &SmContext,
    ) {
        let scheduler = F::scheduler_at(&self.front, round, turn);
        let (now, cycle) = (round.now, round.cycle);
        if self.front.port_free[scheduler % MAX_SCHEDULERS] > now {
            // Uses the state at the start of the cycle: the warps of this scheduler do not wait for
            // units that other schedulers occupy in this cycle.
            P::record(self, |observed, sm| {
                let found = sm.units.at_start(round.at_start, sm.blocked(scheduler));
                observed.not_selected(sm, (scheduler, cycle), found);
            });
            return;
        }
        let Some(selected) = F::select::<P>(self, scheduler, turn, round, context) else { return };
        let issue = self.issue_of((scheduler, selected.warp), false, (now, cycle), context);
        let slots = self.issue::<F, P>(issue, context);
        F::issued::<P>(self, issue, slots, selected, round, context);
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
    pub(in crate::sm) fn select<F: FrontEnd, P: Probe>(
        &mut self,
        scheduler: usize,
        turn: usize,
        round: &mut Round,
        context: &SmContext,
    ) -> Option<Selected> {
        let (now, cycle) = (round.now, round.cycle);
        let own = self.front.schedulers[scheduler].warps;
        let (found, overtaken) = F::blocked(self, scheduler, turn, round);
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
            P::record(self, |observed, sm| observed.not_selected(sm, (scheduler, cycle), found));
            return None;
        }
        let idles = context.hooks.is(Mutant::SchedulerIdles) && cycle % 16 == 15;
        let picked = if idles { None } else { self.pick(scheduler, now, eligible, context) };
        let Some(warp) = picked else {
            self.account.slots.empty(scheduler, cycle, Some(WarpState::NotSelected));
            P::record(self, |observed, sm| observed.left_empty(sm, (scheduler, cycle), found));
            round.refused = true;
            return None;
        };
        P::record(self, |observed, sm| {
            // The second port may still select another warp.
            if context.config.second_port != SecondPort::AnyWarp {
                observed.selected(sm, (scheduler, cycle), found, warp, 1 << warp);
            }
        });
        Some(Selected { warp, found, overtaken })
    }

    /// The next ready warp in turn of the only scheduler, if the warp is eligible at shader cycle
    /// `now`.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "part of the pipeline")]
    pub(in crate::sm) fn next_in_turn(&mut self, now: u64, context: &SmContext) -> Option<Selected> {
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
        Some(Selected { warp, found: Blocked::NOTHING, overtaken: 0 })
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
    pub(in crate::sm) fn shut_others(&mut self, scheduler: usize, warp: u32, round: &Round) {
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
            policy: match &context.scheduler {
                Some(own) => own.name().to_owned(),
                None => context.config.policy.to_string(),
            },
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
}
